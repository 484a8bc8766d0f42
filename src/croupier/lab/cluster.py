"""Work in blocks, on the threads of this machine or on a Dask cluster: the same parts either way.

A piece of work says what its blocks are; a block's part depends on its number alone, so it can be computed anywhere,
and again when the machine that had it is lost. Parts are added up, and must not mind in which order.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from importlib import import_module
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

from croupier.lab.workers import core_count
from croupier.rules.refusal import Refusal

CONNECT_SECONDS_MAX: Final = 10
CHUNKS_PER_THREAD: Final = 4
CHUNK_BLOCKS_MAX: Final = 16


class Part(Protocol):
    """What comes of a block."""

    def __add__(self, other: Any, /) -> Any: ...


P = TypeVar("P", bound=Part)
P_co = TypeVar("P_co", bound=Part, covariant=True)


class Work(Protocol[P_co]):
    """Something to compute block by block. It is sent to other machines, so it must be picklable."""

    def block(self, number: int) -> P_co: ...


class ClusterError(Exception):
    """The cluster cannot be used. `refusal` says why."""

    def __init__(self, code: str, **facts: str) -> None:
        self.refusal = Refusal(code, dict(facts))
        super().__init__(f"{code}: " + ", ".join(facts.values()))


def parts(work: Work[P], blocks: int, workers: int = 0, cluster: str = "") -> Iterator[P]:
    """The parts of blocks 0 to `blocks` - 1, or sums of some of them, as they come.

    With `cluster`, an address like `tcp://host:8786`, on its workers; else on so many threads of this machine, 0 for
    as many as it has cores. Whoever stops asking stops the work.
    """
    if cluster:
        return _on_cluster(work, blocks, cluster)
    return _on_threads(work, blocks, workers or core_count())


def _on_threads(work: Work[P], blocks: int, workers: int) -> Iterator[P]:
    numbers = iter(range(blocks))
    pending: set[Future[P]] = set()
    with ThreadPoolExecutor(workers, thread_name_prefix="croupier-lab") as pool:
        try:
            while True:
                pending |= {pool.submit(work.block, number) for number in islice(numbers, 2 * workers - len(pending))}
                if not pending:
                    return
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        finally:
            for future in pending:
                future.cancel()


def _on_cluster(work: Work[P], blocks: int, address: str) -> Iterator[P]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError("CLUSTER_EXTRA", extra="croupier[cluster]") from None
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS_MAX, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError("CLUSTER_UNREACHABLE", address=address, reason=str(error)) from None
    with client:
        threads = max(1, sum(client.nthreads().values()))
        size = max(1, min(CHUNK_BLOCKS_MAX, blocks // (CHUNKS_PER_THREAD * threads)))
        chunks = iter([range(start, min(start + size, blocks)) for start in range(0, blocks, size)])

        def submit(some: Iterable[range]) -> list[Any]:
            # Not pure: the same question asked again is computed again. Dask gives a lost worker's chunks to others.
            return [client.submit(add_up, work, chunk, pure=False) for chunk in some]

        arriving = distributed.as_completed(submit(islice(chunks, CHUNKS_PER_THREAD * threads)), loop=client.loop)
        for future in arriving:
            part: P = future.result()
            future.release()
            for following in submit(islice(chunks, 1)):
                arriving.add(following)
            yield part


def add_up(work: Work[P], blocks: Iterable[int]) -> P:
    """The sum of some blocks' parts."""
    total, *others = (work.block(number) for number in blocks)
    for other in others:
        total = total + other
    return total
