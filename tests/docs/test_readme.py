"""What the README shows, works."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.strip().splitlines()[-1][:40])
def test_every_python_example_runs(example: str) -> None:
    exec(compile(example, "README.md", "exec"), {"__name__": "readme"})


def test_there_are_examples() -> None:
    assert EXAMPLES
