"""Where compiled kernels are kept on disk, and when they are out of date.

Numba alone looks at the file of a kernel and not at the files of the kernels that it calls or of the constants that it
takes over. Here a kernel is fresh only while its own module *and every module of Croupier that it imports, however far
away*, say what they said when it was compiled.

Code is kept where `NUMBA_CACHE_DIR` says, else in the `__pycache__` beside the source, else, where that cannot be
written, in the user's cache folder. Where nothing can be written, kernels are compiled in every process. No state of
these folders makes a kernel fail: what cannot be read is compiled, and what cannot be written is not kept.
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
"""An import at the top level of a module: only such a one can lend a kernel a name."""
UNREADABLE: Final = (OSError, EOFError, pickle.UnpicklingError, ValueError, AttributeError, ImportError, IndexError)
"""What a damaged file of machine code, or one without permission, may come to."""

# Numba's own classes carry no types.
Locator: Any = caching._CacheLocator
Contents: Any = caching.CompileResultCacheImpl
FunctionCache: Any = caching.FunctionCache
UserFolders: Any = AppDirs


def keep(kernel: Any) -> None:
    """Makes a compiled function load its machine code from disk and save it there, if there is a place for it."""
    # With NUMBA_DISABLE_JIT it is not compiled at all; without a folder it keeps numba's cache that forgets everything.
    if hasattr(kernel, "py_func") and _folder(kernel.py_func.__code__.co_filename) is not None:
        kernel._cache = _Kept(kernel.py_func)


def sources(module: str) -> dict[str, bytes]:
    """The sources of a loaded module and of all of Croupier's modules that it imports at its top, by name."""
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
    """A hash of all that can change what the kernels of a module compile to."""
    return blake2b(pickle.dumps(sorted(sources(module).items()))).digest()


@cache
def _source(module: str) -> tuple[bytes, tuple[str, ...]] | None:
    """A module's source and the names of what it imports; None for what is no loaded module, such as a constant."""
    if module not in sys.modules:
        return None
    source = Path(str(sys.modules[module].__file__)).read_bytes()
    imported: list[str] = []
    for origin, names, plain in IMPORTED.findall(source.decode()):
        imported += [plain] if plain else [origin, *(f"{origin}.{name}" for name in re.findall(r"\w+", names))]
    return source, tuple(imported)


@cache
def _folder(file: str) -> str | None:
    """Where the machine code of the kernels of a file goes; None where nothing can be written."""
    return next((folder for folder in _folders(file) if _writable(folder)), None)


def _folders(file: str) -> Iterator[str]:
    below = _Place.get_suitable_cache_subpath(file)
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


class _Place(Locator):  # type: ignore[misc]  # numba has no types
    """Tells numba the folder of a kernel, and what its index must say to be fresh."""

    def __init__(self, function: Callable[..., object], file: str) -> None:
        self._module, self._py_file, self._lineno = function.__module__, file, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., object], file: str) -> "_Place":
        return cls(function, file)

    def get_cache_path(self) -> str:
        folder = _folder(self._py_file)
        assert folder is not None, "`keep` has looked"
        return folder

    def get_source_stamp(self) -> bytes:
        return stamp(self._module)

    def get_disambiguator(self) -> str:
        return str(self._lineno)


class _MachineCode(Contents):  # type: ignore[misc]  # numba has no types
    _locator_classes = (_Place,)


class _Kept(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Numba's cache of one function, which never lets a file be the reason of a failure."""

    _impl_class = _MachineCode

    def load_overload(self, signature: object, target: object) -> Any:
        # Numba would first learn all that it can compile, scipy included where that is installed: a third of the time
        # to a first answer. Code that is ready needs the runtime that counts its references and nothing else, and
        # whatever must be compiled after all makes the compiler learn the rest by itself.
        rtsys.initialize(target)
        try:
            return self._load_overload(signature, target)
        except UNREADABLE:
            # An index that cannot be read could not be added to either.
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature: object, compiled: object) -> None:
        try:
            super().save_overload(signature, compiled)
        except UNREADABLE:
            self.disable()
