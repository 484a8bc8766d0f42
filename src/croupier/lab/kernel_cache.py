"""Compiled kernels on disk: where they are kept, and when they are out of date.

Numba's own cache compares a kernel's own file only. It misses changes in the kernels that it calls and in the constants
that it uses. Here a kernel is fresh only while its module *and every module of Croupier that this imports, directly or
not,* have the source that it was compiled from.

The code is kept in the folder that `NUMBA_CACHE_DIR` names, else in `__pycache__` beside the source, else, if that is
not writable, in the user's cache folder. If nothing is writable, every process compiles. No state of these folders
makes a kernel fail: a file that cannot be read is compiled anew, and one that cannot be written is not kept.
"""

import pickle
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from numba.core import caching, config
from numba.core.runtime.nrt import rtsys
from numba.misc.appdirs import AppDirs

PACKAGE: Final = __name__.partition(".")[0]
IMPORTED: Final = re.compile(rf"^from ({PACKAGE}[\w.]*) import (\([^)]*\)|.*)|^import ({PACKAGE}[\w.]*)", re.MULTILINE)
"""An import at the top level of a module. Kernels use names of such imports only."""
UNREADABLE: Final = (OSError, EOFError, pickle.UnpicklingError, ValueError, AttributeError, ImportError, IndexError)
"""What reading a damaged or forbidden cache file may raise."""

# Numba's own classes carry no types.
Locator: Any = caching._CacheLocator
Contents: Any = caching.CompileResultCacheImpl
FunctionCache: Any = caching.FunctionCache
UserFolders: Any = AppDirs


def cache_on_disk(kernel: Any) -> None:
    """Make a compiled function load its code from disk and save it there, if a folder is writable."""
    # With NUMBA_DISABLE_JIT there is no compiled function. Without a folder, numba's null cache stays.
    if hasattr(kernel, "py_func") and _folder(kernel.py_func.__code__.co_filename) is not None:
        kernel._cache = _KernelCache(kernel.py_func)


def sources(module: str) -> dict[str, bytes]:
    """The source of a loaded module and of every module of Croupier that it imports, directly or not, by name."""
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found and (read := _source(name)) is not None:
            found[name], imported = read
            waiting += imported
    return found


@cache
def stamp(module: str) -> bytes:
    """A hash of all sources that the kernels of a module are compiled from."""
    return blake2b(pickle.dumps(sorted(sources(module).items()))).digest()


@cache
def _source(module: str) -> tuple[bytes, tuple[str, ...]] | None:
    """A module's source and the names that it imports; None if the name is no loaded module, but a constant, say."""
    if module not in sys.modules:
        return None
    source = Path(str(sys.modules[module].__file__)).read_bytes()
    imported: list[str] = []
    for origin, names, plain in IMPORTED.findall(source.decode()):
        imported += [plain] if plain else [origin, *(f"{origin}.{name}" for name in re.findall(r"\w+", names))]
    return source, tuple(imported)


def cache_folder(file: str) -> str | None:
    """Where a module may keep what it computed beside its kernels, under a name with its `stamp`; None if nowhere."""
    return _folder(file)


@cache
def _folder(file: str) -> str | None:
    """The cache folder for the kernels of a file; None if no folder is writable."""
    return next((folder for folder in _folders(file) if _writable(folder)), None)


def _folders(file: str) -> Iterator[str]:
    below = _KernelLocator.get_suitable_cache_subpath(file)
    if chosen := getattr(config, "CACHE_DIR", ""):
        yield str(Path(chosen) / below)
    yield str(Path(file).parent / "__pycache__")
    yield str(Path(UserFolders(PACKAGE, appauthor=False).user_cache_dir) / below)


@cache
def _writable(folder: str) -> bool:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


class _KernelLocator(Locator):  # type: ignore[misc]  # numba has no types
    """Numba's locator for a kernel: its folder, and the stamp that its index must have to be fresh."""

    def __init__(self, function: Callable[..., object], file: str) -> None:
        self._module, self._py_file, self._lineno = function.__module__, file, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., object], file: str) -> "_KernelLocator":
        return cls(function, file)

    def get_cache_path(self) -> str:
        folder = _folder(self._py_file)
        assert folder is not None, "`cache_on_disk` has looked"
        return folder

    def get_source_stamp(self) -> bytes:
        return stamp(self._module)

    def get_disambiguator(self) -> str:
        return str(self._lineno)


class _KernelFiles(Contents):  # type: ignore[misc]  # numba has no types
    _locator_classes = (_KernelLocator,)


class _KernelCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Numba's cache of one function, which never fails because of a file."""

    _impl_class = _KernelFiles

    def load_overload(self, signature: object, target: object) -> Any:
        # Numba would first register everything that it can compile, scipy's functions too: a third of the time to a
        # first answer. Ready code needs only the runtime that counts references. A compilation registers the rest.
        try:
            rtsys.initialize(target)
            return self._load_overload(signature, target)
        except UNREADABLE:
            # Nothing could be added to an unreadable index, so drop it.
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature: object, compiled: object) -> None:
        try:
            super().save_overload(signature, compiled)
        except UNREADABLE:
            self.disable()
