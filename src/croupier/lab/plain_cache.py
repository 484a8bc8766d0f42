"""Compiled kernels on disk through numba's public interface, for a numba whose internals have changed.

Numba looks at a kernel's own file only, so the folder is named by a hash of all sources of the package: after a change
in them everything is compiled anew. `kernel_cache` compiles less, and its code loads faster; docs/adr/0012 has figures.
"""

import os
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core import config as numba_config


def cache_on_disk(kernel: Any) -> None:
    """Make a compiled function load its code from disk and save it there, if a folder is writable."""
    if hasattr(kernel, "py_func") and _folder_is_set():
        kernel.enable_caching()


config: Any = numba_config  # its settings come from the environment and have no types


@cache
def sources_hash() -> str:
    """A hash of every source of the package."""
    package = Path(__file__).parents[1]
    read = blake2b(digest_size=10)
    for file in sorted(package.rglob("*.py")):
        read.update(str(file.relative_to(package)).encode() + file.read_bytes())
    return read.hexdigest()


@cache
def _folder_is_set() -> bool:
    """Tell numba where to keep code. False if nothing can be written there."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"
    folder = Path(config.CACHE_DIR or home) / sources_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    config.CACHE_DIR = str(folder)
    return True
