"""Threads for kernels, which run without the interpreter's lock: one pool, as many threads as the process has cores."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache


def core_count() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(core_count(), thread_name_prefix="croupier-lab")
