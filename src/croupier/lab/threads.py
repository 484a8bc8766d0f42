"""One thread pool for the kernels, with a thread for each core: kernels run without the interpreter's lock."""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(core_count(), thread_name_prefix="croupier-lab")
