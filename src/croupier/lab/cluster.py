"""Work in blocks, on the threads of this machine or on a Dask cluster, with the same results.

A block's result depends on its number alone. So it can be computed on any machine, and again when a machine is lost.
Results are added up in any order, and the order must not matter.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from importlib import import_module
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

from croupier.game.refusal import Refusal
from croupier.lab.threads import core_count

CONNECT_SECONDS_MAX: Final = 10
_ADDRESS: Final = re.compile(r"([a-z]+://)?[\w.\-\[\]:]+:\d{1,5}")
"""`tcp://host:port`, or `host:port`."""
CHUNKS_PER_THREAD: Final = 4
CHUNK_BLOCKS_MAX: Final = 16


class BlockResult(Protocol):
    """The result of a block, or the sum of several."""

    def __add__(self, other: Any, /) -> Any: ...


P = TypeVar("P", bound=BlockResult)
P_co = TypeVar("P_co", bound=BlockResult, covariant=True)


class Work(Protocol[P_co]):
    """Something to compute block by block. It must be picklable, since it is sent to other machines."""

    def block(self, number: int) -> P_co: ...


class ClusterError(Exception):
    """The cluster cannot be used. `refusal` says why."""

    def __init__(self, code: str, **facts: str) -> None:
        self.refusal = Refusal(code, dict(facts))
        super().__init__(f"{code}: " + ", ".join(facts.values()))


def block_results(work: Work[P], blocks: int, workers: int = 0, cluster: str = "") -> Iterator[P]:
    """The results of blocks 0 to `blocks` - 1, or sums of some of them, as they are ready.

    With `cluster`, an address like `tcp://host:8786`, its workers compute them. Otherwise `workers` threads of this
    machine do, 0 for one a core. Closing the iterator stops the work.
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


def check_address(address: str) -> None:
    """Raises ClusterError for a text that is no address of a scheduler."""
    if not _ADDRESS.fullmatch(address):
        raise ClusterError("CLUSTER_ADDRESS", address=address)


def _on_cluster(work: Work[P], blocks: int, address: str) -> Iterator[P]:
    check_address(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError("CLUSTER_EXTRA", extra="croupier[cluster]") from None
    # Without a cluster there, Dask logs a traceback for every attempt; the refusal says what matters.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS_MAX, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError("CLUSTER_UNREACHABLE", address=address, reason=str(error)) from None
    with client:
        threads = max(1, sum(client.nthreads().values()))
        size = max(1, min(CHUNK_BLOCKS_MAX, blocks // (CHUNKS_PER_THREAD * threads)))
        chunks = iter([range(start, min(start + size, blocks)) for start in range(0, blocks, size)])

        def submit(some: Iterable[range]) -> list[Any]:
            # Not pure: Dask must not reuse an earlier result. It gives a lost worker's chunks to others.
            return [client.submit(add_up, work, chunk, pure=False) for chunk in some]

        completed = distributed.as_completed(submit(islice(chunks, CHUNKS_PER_THREAD * threads)), loop=client.loop)
        for future in completed:
            result: P = future.result()
            future.release()
            for next_chunk in submit(islice(chunks, 1)):
                completed.add(next_chunk)
            yield result


def add_up(work: Work[P], blocks: Iterable[int]) -> P:
    """The sum of some blocks' results."""
    total, *others = (work.block(number) for number in blocks)
    for other in others:
        total = total + other
    return total
