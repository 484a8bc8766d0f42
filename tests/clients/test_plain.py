"""The line mode as a pipe and a screen reader meet it, and the command around it."""

import os
import pty
import select
import subprocess
import sys
import time
from typing import Any

import pytest

from croupier import locales

SECONDS_MAX = 60


def croupier(*arguments: str, stdin: str = "", language: str = "en") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CROUPIER_LANG": language, "USER": "ann"}
    command = [sys.executable, "-m", "croupier", "play", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=environment, check=False, timeout=SECONDS_MAX
    )


def text(language: str, key: str, **facts: Any) -> str:
    return locales.text(language, key, **facts)


def drawn(*languages: str) -> list[Any]:
    """These languages; the others in `make soak`. Together the games are told in all four."""
    others = (language for language in locales.LANGUAGES if language not in languages)
    return [*languages, *(pytest.param(language, marks=pytest.mark.soak) for language in others)]


@pytest.mark.parametrize("language", drawn("en", "zh"))
def test_a_hand_of_holdem_is_told_in_every_language(language: str) -> None:
    done = croupier("holdem", "--plain", "--nickname", "Ann", stdin="f\n" * 3 + "t\n\nq\n", language=language)
    assert (done.returncode, done.stderr) == (0, "")
    assert text(language, "event.HOLDEM_ACTED.FOLD", seat="Ann") in done.stdout
    assert text(language, "play.standing") in done.stdout
    assert text(language, "play.bye") in done.stdout.splitlines()[-1]
    assert text(language, "bot.poker.solid.name") in done.stdout


@pytest.mark.parametrize("language", drawn("ko", "ru"))
def test_a_round_of_blackjack_is_told_in_every_language(language: str) -> None:
    keys = "b 50\n" + "n\n" + "s\n" * 6 + "\nq\n"
    done = croupier("blackjack", "--plain", "--nickname", "Ann", stdin=keys, language=language)
    assert (done.returncode, done.stderr) == (0, "")
    assert text(language, "play.blackjack.bets", name="Ann", amount=50) in done.stdout
    assert text(language, "play.blackjack.dealer") in done.stdout


@pytest.mark.parametrize("language", drawn("en", "ko"))
def test_turns_of_sequence_are_told_in_every_language(language: str) -> None:
    done = croupier("sequence", "--plain", "--nickname", "Ann", stdin="1\n0\n2\n99\nx\nq\n", language=language)
    assert (done.returncode, done.stderr) == (0, "")
    assert "KC    8S    TC" in done.stdout, "the board is printed"
    assert text(language, "play.sequence.team", team="A") in done.stdout


def test_the_end_of_the_input_ends_the_game_cleanly() -> None:
    done = croupier("holdem", "--plain", stdin="c\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Thank you for playing." in done.stdout


def test_what_is_not_understood_is_answered_with_what_is() -> None:
    done = croupier("holdem", "--plain", "--bots", "1", stdin="dance\nr 5\nr 100000\nr abc\nr min\nq\n")
    assert "“dance” is not possible now. Possible: f, c, r, a, t, ?, q." in done.stdout
    assert done.stdout.count("Possible: 20–1000, min, half, pot, max.") == 3
    assert "ann raises to 20." in done.stdout


def test_choices_are_taken_by_number_too() -> None:
    assert "ann folds." in croupier("holdem", "--plain", "--bots", "1", stdin="1\nq\n").stdout


def test_an_amount_that_was_not_given_is_asked_for() -> None:
    done = croupier("blackjack", "--plain", stdin="b\nmax\nq\n")
    assert "How much? 1–1000" in done.stdout
    assert "ann bets 1000." in done.stdout


def test_the_game_is_asked_for_when_none_is_named() -> None:
    done = croupier("--plain", stdin="99\nsequence\nq\n")
    assert "“99” is not possible now" in done.stdout
    assert "You play for team A." in done.stdout


def test_ascii_writes_cards_in_letters() -> None:
    done = croupier("holdem", "--plain", "--ascii", stdin="q\n")
    assert "Your cards: " in done.stdout
    assert not set("♠♥♦♣") & set(done.stdout)


def test_without_a_terminal_the_game_goes_line_by_line() -> None:
    done = croupier("holdem", stdin="q\n")
    assert done.returncode == 0
    assert "--plain" in done.stderr
    assert "Your choice:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["whist"], ["whist", "poker"]),
        (["holdem", "--preset", "house"], ["house", "holdem, cash"]),
        (["holdem", "--bots", "10"], ["10", "allowed: 1–9"]),
        (["sequence", "--bots", "2"], ["2", "1, 3, 5"]),
        (["--join", "ABCDEF"], ["--server", "ABCDEF"]),
        (["--join", "ABCDEF", "--server", "ftp://x"], ["ftp://x", "http://"]),
        (["holdem", "--lang", "de"], ["de", "ko"]),
        (["holdem", "--plain", "--nickname", "x" * 21], ["20"]),
        (["holdem", "--bot", "no_such_file.py:bot"], ["no_such_file.py"]),
        (["holdem", "--bot", "no-such-program"], ["no-such-program"]),
    ],
)
def test_what_cannot_be_played_is_named_with_what_can(arguments: list[str], names: list[str]) -> None:
    done = croupier(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    for name in names:
        assert name in done.stderr


def test_a_server_that_is_not_there_is_named() -> None:
    done = croupier("--plain", "--join", "ABCDEF", "--server", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (2, "")
    assert "http://127.0.0.1:9" in done.stderr


def test_the_full_screen_table_starts_in_a_real_terminal_and_gives_it_back() -> None:
    """In a pseudo terminal of 80 columns and 24 rows, as an ordinary terminal window."""
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "CROUPIER_LANG": "en"}
    child, descriptor = pty.fork()
    if child == 0:
        command = [sys.executable, "-m", "croupier", "play", "holdem", "--nickname", "Ann"]
        os.execvpe(sys.executable, command, environment)
    seen = _read_until(descriptor, "Fold")
    os.write(descriptor, b"q")
    seen += _read_until(descriptor, "Press q again")
    os.write(descriptor, b"q")
    seen += _read_until(descriptor, "Thank you for playing.")
    _, status = os.waitpid(child, 0)
    os.close(descriptor)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "\x1b[?1049h" in seen
    assert "\x1b[?1049l" in seen, "the terminal is as it was before"


def _read_until(descriptor: int, wanted: str) -> str:
    seen = b""
    end = time.monotonic() + SECONDS_MAX
    while wanted.encode() not in seen and time.monotonic() < end:
        ready, _, _ = select.select([descriptor], [], [], 1.0)
        if ready:
            try:
                seen += os.read(descriptor, 65536)
            except OSError:
                break
    assert wanted.encode() in seen, seen[-2000:]
    return seen.decode(errors="replace")
