"""The code of the guide "Write a game", taken from the package that it goes through.

A comment `<!-- FILE: first line ... last line -->` stands before each block: the block has the lines of that file from
the first that begins so to the next that begins so. `python -m tests.docs.guide` writes the blocks anew.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guides" / "write-a-game.md"
PACKAGE = ROOT / "examples" / "crazy_eights"
_BLOCK = re.compile(
    r"(<!-- (?P<file>[\w./]+): (?P<first>.+?) \.\.\. (?P<last>.+?) -->\n```(?P<kind>\w+)\n).*?```", re.DOTALL
)


def rendered(page: str) -> str:
    """The page with every block as the package has it."""
    return _BLOCK.sub(lambda found: f"{found[1]}{excerpt(found['file'], found['first'], found['last'])}```", page)


def excerpt(file: str, first: str, last: str) -> str:
    lines = (PACKAGE / file).read_text(encoding="utf-8").splitlines()
    begins = next((number for number, line in enumerate(lines) if line.strip().startswith(first)), None)
    assert begins is not None, f"{file} has no line that begins with {first!r}"
    ends = next((n for n, line in enumerate(lines) if n >= begins and line.strip().startswith(last)), None)
    assert ends is not None, f"{file} has no line after {first!r} that begins with {last!r}"
    return "\n".join(lines[begins : ends + 1]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
