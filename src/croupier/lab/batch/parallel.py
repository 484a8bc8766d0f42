"""A range of tables cut into one piece a thread: kernels run without the interpreter's lock."""

from collections.abc import Callable

from croupier.lab.threads import core_count, pool

TABLES_PER_THREAD_MIN = 1024
"""Handing a piece to a thread takes some 30 µs; so many tables are worth it."""


def pieces(tables: int, threads: int) -> list[tuple[int, int]]:
    """Where each thread's tables start and stop."""
    count = max(1, min(threads, core_count(), tables // TABLES_PER_THREAD_MIN))
    return [(tables * place // count, tables * (place + 1) // count) for place in range(count)]


def run(work: Callable[[int, int], int | None], cut: list[tuple[int, int]]) -> int:
    """Do the work for every piece, all but the last in the pool's threads. Return the sum of what it returned."""
    waiting = [pool().submit(work, start, stop) for start, stop in cut[:-1]]
    done = work(*cut[-1]) or 0
    return done + sum(each.result() or 0 for each in waiting)
