"""What is typed wrongly is answered with a sentence and exit code 2, by every command, and never with a traceback."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import typer
from typer.testing import CliRunner

import croupier
from croupier.cli import COMMANDS, app
from tests.server.process import free_port

WRONG_BOTS = """
async def later(view, menu): ...
class Raises:
    def __init__(self): raise RuntimeError("nobody")
class Needs:
    def __init__(self, name): ...
"""
WRONG = [
    ("nosuch", "No such command 'nosuch'"),
    ("play nogame", "There is no game nogame; there are: blackjack, poker, sequence"),
    ("play holdem --bots 99", "99 bots are not possible with poker (holdem); allowed: 1–9"),
    ("play holdem --bots x", "Write a whole number."),
    ("play holdem --rounds 0", "The least is 1."),
    ("play holdem --preset zz", "poker has no rules zz; there are: holdem"),
    ("play --bot exec:nosuchcmd", "there is no program 'nosuchcmd'"),
    ("play --bot exec:", "there is no program ''"),
    ("play --bot 'nosuchcmd a'", "No bot at nosuchcmd a: there is no program"),
    ("play --bot nofile.py:x", "No bot at nofile.py:x: No such file or directory"),
    ("play --bot nomodule:x", "No module named 'nomodule'"),
    ("play --bot mine.py", "there is no program 'mine.py'; for a function in it write mine.py:NAME"),
    ("play --bot .:x", "No bot at .:x: "),
    ("play --bot os:sep", "sep is not a function or a class"),
    (
        "play --bot wrong.py:later",
        "No bot at wrong.py:later: a bot is a plain function (view, menu) -> action; this one is",
    ),
    ("play --bot wrong.py:Raises", "No bot at wrong.py:Raises: RuntimeError: nobody"),
    ("play --bot wrong.py:Needs", "missing 1 required positional argument: 'name'"),
    ("play --bot exits.py:bot", "No bot at exits.py:bot: SystemExit: 3"),
    ("play --join ABC", "--join needs --server"),
    ("play --token-file garbage --plain", "The token in garbage cannot be read: not a text in UTF-8"),
    ("mcp --token-file garbage", "The token in garbage cannot be read: not a text in UTF-8"),
    ("play --server foo", "foo is not an address of a card room"),
    ("arena solid", "bots cannot be 1; allowed: 2 – 12"),
    ("arena solid caller --hands -5", "hands cannot be -5"),
    ("arena exec:nosuchcmd solid", "exec:nosuchcmd names no program"),
    ("arena solid caller --records /dev/null/x.jsonl", "its folder cannot be made"),
    ("verify nofile", "Cannot read nofile: No such file"),
    ("verify .", "Cannot read .: Is a directory"),
    ("replay nofile", "Cannot read nofile"),
    ("open foo", "foo is not a link to a card room"),
    ("serve --port 99999", "The most is 65535."),
    ("serve --store nothing:", "nothing: is not the address of a store"),
    ("serve --proxies 10.0.0,1 --port 0 --store memory:", "proxies: '10.0.0,1' does not appear to be an IPv4"),
    ("serve --config garbage", "garbage: not a text in UTF-8"),
    ("store check nofile", "nofile is not the address of a store"),
    ("completion tcsh", "There is no completion for tcsh; there is one for: bash, zsh, fish, powershell"),
    ("solve blackjack --rule decks=99", "decks=99 is not possible; allowed: 1 – 8"),
    ("solve blackjack --rule nope=1", "There is no rule “nope”"),
    ("solve holdem --load garbage", "garbage was not written by --save, or it is damaged."),
    ("solve holdem --board Qs --ranges AA KK --pot 1 --stack 9", "The board must have 3, 4 or 5 cards, not 1"),
    ("simulate blackjack --rounds nan", "“nan” is not a number of rounds"),
    ("simulate blackjack --rounds 1e40", "“1e40” is not a number of rounds"),
    ("simulate blackjack --cluster foo", "foo is not the address of a cluster's scheduler; write tcp://host:port"),
    ("simulate blackjack --strategy garbage", "not a text in UTF-8"),
    ("simulate blackjack --seed -1", "--seed must be from 0"),
    ("strategy show garbage", "The strategy table garbage cannot be used: not a text in UTF-8"),
    ("equity AsKs AsQd", "The card As is used more than once"),
    ("equity XxYy QQ", "“XxYy” is not a hand or a range"),
    ("equity AsKs QhQd --cluster foo", "foo is not the address of a cluster's scheduler"),
    ("export garbage --parquet /dev/null/x", "/dev/null/x cannot be written: Not a directory"),
    ("export nofile --parquet out", "Cannot read nofile: No such file or directory"),
    ("icm 1 2 --payouts x", "“x” is not an amount"),
    ("pushfold --stack x", "Write a number."),
    ("pushfold --stack nan", "SB has nan: a stack must be more"),
    ("pushfold --players 99", "Push/fold is for 2 to 9 players, not 99"),
    ("evolve blackjack --checkpoint .", ".: the file name must end in .json"),
    ("evolve blackjack --resume deep", "deep is not a checkpoint"),
    ("train blackjack --record deep", "The score in deep cannot be used"),
    ("store import deep sqlite:///x.db", "deep"),
    ("evolve blackjack --resume garbage", "garbage is not a checkpoint"),
    ("train pushfold --stack 10 --record /dev/null/x", "The score in /dev/null/x cannot be used"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda text: text.partition(" ")[0])
def test_what_is_typed_wrongly_is_answered_with_a_sentence(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "garbage").write_bytes(b"\xfd\x00\xfe")
    (tmp_path / "deep").write_text('{"a":' * 3000 + "1" + "}" * 3000)
    (tmp_path / "wrong.py").write_text(WRONG_BOTS)
    (tmp_path / "exits.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, words, prog_name="croupier")
    assert isinstance(done.exception, SystemExit)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("garbage") <= 1


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = CliRunner().invoke(app, [command, "-h"], prog_name="croupier")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"Usage: croupier {command}")
    assert "..." not in done.stdout.partition("\nCommands:")[2]


def _lines(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command, as it is typed."""
    yield words
    if hasattr(command, "list_commands"):
        context = command.make_context("croupier", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from _lines(command.resolve_command(context, [name])[1], (*words, name))


def test_every_help_says_in_words_what_to_fill_in() -> None:
    """And not in types of Python, like `<list[str]>`, or in formulas, like `0<=x<=9`."""
    asked = list(_lines(typer.main.get_command(app)))
    assert len(asked) > len(COMMANDS) + 8
    for words in asked:
        shown = CliRunner().invoke(app, [*words, "-h"], prog_name="croupier").stdout
        assert not re.search(r"<[a-zA-Z]|[{}]|\[\[|\bx[<>]=", shown), shown


def test_a_program_that_ends_is_said_and_ends_in_exit_code_1(capfd: pytest.CaptureFixture[str]) -> None:
    done = CliRunner().invoke(app, ["play", "--bot", "exec:false", "--rounds", "1"], prog_name="croupier")
    assert done.exit_code == 1
    assert "decisions made for the bot: 1" in done.stdout
    assert "the program has ended (exit code 1)" in done.stderr + capfd.readouterr().err


def test_the_list_of_commands_has_whole_sentences() -> None:
    listed = CliRunner().invoke(app, ["-h"]).stdout.partition("\nCommands:")[2]
    assert all(f"\n  {command} " in listed for command in COMMANDS)
    assert "..." not in listed


def test_output_that_cannot_be_written_is_said_in_a_sentence() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "croupier", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "CROUPIER_LANG": "en"},
        )
    assert done.returncode == 2
    assert done.stderr == "The output cannot be written: No space left on device.\n"


def test_a_server_goes_on_when_nobody_reads_what_it_says() -> None:
    port = free_port()
    command = [sys.executable, "-m", "croupier", "serve", "--port", str(port), "--store", "memory:"]
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen(command, stdout=write, stderr=subprocess.PIPE, text=True) as server:
        os.close(write)
        until = time.monotonic() + 60
        while not _is_healthy(port):
            assert server.poll() is None
            assert time.monotonic() < until
            time.sleep(0.1)
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=30)
    assert (server.returncode, said) == (0, "")


def _is_healthy(port: int) -> bool:
    try:
        return bool(urlopen(f"http://127.0.0.1:{port}/healthz", timeout=20).status == 200)
    except OSError:
        return False


def test_the_version_stands_in_one_place() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"croupier {croupier.__version__}\n"
