"""What the README and the guides show, works."""

import re
import shutil
import subprocess
import sys
from doctest import ELLIPSIS, DocTestFinder, DocTestRunner, OutputChecker
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import COMMANDS, app
from tests.docs.guide import PAGE, rendered

ROOT = Path(__file__).parents[2]
GROUPED = ("blackjack", "holdem", "pushfold", "diff", "show", "migrate", "check", "export", "import")
"""Commands that stand behind another word."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _examples(language: str) -> list[tuple[str, str]]:
    return [
        (page.name, example)
        for page in PAGES
        for example in re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    ]


def _name(value: str) -> str:
    return (value.strip().splitlines() or [""])[-1][:40]


PYTHON = re.compile(r"```python\n(?P<code>.*?)```(?:\n+```text\n(?P<output>.*?)```)?", re.DOTALL)


def _python_examples() -> list[tuple[str, str, str]]:
    """Page, code, and what stands in the block of text right after it."""
    return [
        (page.name, found["code"], found["output"] or "")
        for page in PAGES
        for found in PYTHON.finditer(page.read_text(encoding="utf-8"))
    ]


def run_example(code: str, output: str, capture: pytest.CaptureFixture[str], page: str = "page") -> None:
    """Run an example. It must print what the page says it prints, `...` standing for anything, and nothing to standard
    error, where a bot's slips go."""
    # What a class of the example is pickled or printed as is its own affair; it has a namespace of its own.
    exec(compile(code, page, "exec"), {"__name__": "example"})
    printed = capture.readouterr()
    assert printed.err == ""
    assert OutputChecker().check_output(output, printed.out, ELLIPSIS), printed.out


@pytest.mark.parametrize(("page", "code", "output"), _python_examples(), ids=_name)
def test_every_python_example_runs_and_prints_what_the_page_says(
    page: str, code: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_example(code, output, capsys, page)


BOT = """
import croupier
print(croupier.play(lambda view, menu: {answer}, croupier.poker, rounds=1).rounds)
"""


def test_an_example_whose_bot_slips_or_that_prints_something_else_fails(capsys: pytest.CaptureFixture[str]) -> None:
    run_example(BOT.format(answer="menu[0].action"), "1\n", capsys)
    for answer, output in (("view.no_such_field", "1\n"), ("menu[0].action", "2\n"), ("menu[0].action", "")):
        with pytest.raises(AssertionError):
            run_example(BOT.format(answer=answer), output, capsys)


@pytest.mark.parametrize("name", ["croupier.library", "croupier.sdk"])
def test_every_example_in_a_docstring_runs(name: str) -> None:
    module = import_module(name)
    tried = [DocTestRunner().run(test) for test in DocTestFinder().find(module, name) if test.examples]
    assert sum(each.attempted for each in tried) >= 3
    assert sum(each.failed for each in tried) == 0


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_program_in_another_language_plays(tmp_path: Path) -> None:
    ((_, example),) = _examples("js")
    file = tmp_path / "calm.js"
    file.write_text(example, encoding="utf-8")
    command = [sys.executable, "-m", "croupier", "play", "holdem", "--bot", f"node {file}", "--rounds", "3"]
    played = subprocess.run(command, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    assert "3" in played.stdout
    assert played.stderr == ""


def test_every_command_shown_exists() -> None:
    """Every option of every command line in the pages is one that the command has."""
    helps: dict[tuple[str, ...], str] = {}
    for _, block in _examples("sh"):
        for line in block.splitlines():
            words = line.partition("#")[0].split()
            if words[:1] != ["croupier"]:
                continue
            command = tuple(words[1:3] if words[2:] and words[2] in GROUPED else words[1:2])
            if command not in helps:
                asked = CliRunner().invoke(app, [*command, "--help"])
                assert asked.exit_code == 0, line
                helps[command] = asked.stdout
            for option in (word.partition("=")[0] for word in words if word.startswith("--")):
                assert option in helps[command], line
    assert helps


def test_the_reference_lists_every_command() -> None:
    commands, _, _ = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8").partition("## ")
    assert set(re.findall(r"`(\w+)`", commands)) == set(COMMANDS)


def test_every_link_between_files_leads_somewhere() -> None:
    pages = [*PAGES, *ROOT.glob("*.md")]
    broken = [
        (page.name, link)
        for page in pages
        for link in re.findall(r"\]\((?!\w+:)([^)#\s]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert broken == []


def test_there_are_examples() -> None:
    assert {page for page, _, _ in _python_examples()} >= {"README.md", "bots.md", "quick-start.md", "how-to.md"}


def test_the_code_of_the_guide_is_the_code_of_the_package() -> None:
    """`python -m tests.docs.guide` writes it anew."""
    page = PAGE.read_text(encoding="utf-8")
    assert rendered(page) == page
    assert page.count("\n<!-- ") >= 10
