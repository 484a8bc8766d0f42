"""Whether a document is gone through section by section: each has a test that is named after it."""

import re
from importlib import import_module
from types import ModuleType


def sections_of(name: str) -> list[str]:
    """The sections that a test's name begins with: `test_2_5_…` is of 2.5, `test_3_2_and_4_2_…` of both."""
    found = re.match(r"test_(\d+(?:_\d+)*(?:_and_\d+(?:_\d+)*)*)_", name)
    return [] if found is None else [part.replace("_", ".") for part in found[1].split("_and_")]


def unheld(sections: str, *modules: ModuleType, elsewhere: dict[str, str]) -> set[str]:
    """The sections without a test here, nor one by its path (`tests.lab.test_solve:test_…`) elsewhere. A test that is
    named after a section that does not exist is an error."""
    wanted = set(sections.split())
    names = [name for module in modules for name in vars(module) if name.startswith("test_")]
    held = {section for name in names for section in sections_of(name)}
    assert held <= wanted, held - wanted
    for section, path in elsewhere.items():
        module, _, name = path.partition(":")
        assert callable(getattr(import_module(module), name)), path
        held.add(section)
    return wanted - held
