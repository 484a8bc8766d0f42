"""The optional parts of a game, named as `module:NAME` in its `Game` value and loaded when they are used."""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def load_part(reference: str) -> Any:
    """The object that a reference names."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
