"""The lab: evaluation, equity, simulation, exact solutions, plots, on numba kernels that are tested against the rules.

Nothing here is needed to play, and no layer below imports it.
"""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from types import ModuleType
from typing import Final

EXTRA: Final = "croupier[lab]"
PACKAGES: Final = ("numpy", "numba", "matplotlib")
"""What this extra installs: nothing else of Croupier needs it."""


class LabMissingError(ModuleNotFoundError):
    """A module of the lab needs a package that is not installed. `name` is the package."""

    def __init__(self, package: str) -> None:
        super().__init__(f"no module named {package!r}: the lab is not installed (pip install {EXTRA!r})", name=package)


@cache
def is_installed() -> bool:
    """Whether the lab's packages are installed."""
    return all(find_spec(package) is not None for package in PACKAGES)


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        try:
            super().exec_module(module)
        except ModuleNotFoundError as error:
            if isinstance(error, LabMissingError) or error.name not in PACKAGES:
                raise
            raise LabMissingError(error.name) from None


class _Finder(MetaPathFinder):
    """Finds this package's modules as usual. One that cannot be imported without the lab's packages says what to
    install; many need none of them."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith(f"{__name__}."):
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is not None and type(found.loader) is SourceFileLoader:
            found.loader = _Loader(name, found.loader.path)
        return found


if not is_installed():
    sys.meta_path.insert(0, _Finder())
