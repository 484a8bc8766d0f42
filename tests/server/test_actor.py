"""The actor of a table: one job at a time, in order, and nothing that one job does stops the next."""

import asyncio

import pytest

from croupier.server.actor import Actor
from croupier.server.replays import BusyError
from tests.server.hub_room import asynchronous


@asynchronous
async def test_jobs_are_done_one_at_a_time_in_order() -> None:
    actor, done = Actor(10), []

    async def job(number: int) -> int:
        done.append(f"begin {number}")
        await asyncio.sleep(0)
        done.append(f"end {number}")
        return number

    outcomes = await asyncio.gather(*(actor.run(lambda number=number: job(number)) for number in range(3)))
    assert outcomes == [0, 1, 2]
    assert done == [f"{what} {number}" for number in range(3) for what in ("begin", "end")]


@asynchronous
async def test_a_job_that_fails_tells_its_caller_and_the_next_one_is_done() -> None:
    actor = Actor(10)

    async def fails() -> None:
        raise ValueError("no")

    async def works() -> str:
        return "yes"

    failing, working = asyncio.create_task(actor.run(fails)), asyncio.create_task(actor.run(works))
    with pytest.raises(ValueError, match="no"):
        await failing
    assert await working == "yes"


@asynchronous
async def test_a_caller_who_stops_waiting_does_not_undo_the_job() -> None:
    actor, held, done = Actor(10), asyncio.Event(), []

    async def job() -> None:
        await held.wait()
        done.append("done")

    caller = asyncio.create_task(actor.run(job))
    await asyncio.sleep(0)
    caller.cancel()
    held.set()
    await actor.drain()
    assert done == ["done"]


@asynchronous
async def test_more_jobs_than_may_wait_are_refused() -> None:
    actor, held = Actor(2), asyncio.Event()

    async def job() -> None:
        await held.wait()

    waiting = [asyncio.create_task(actor.run(job)) for _ in range(3)]
    await asyncio.sleep(0)
    assert actor.is_full
    with pytest.raises(BusyError):
        await actor.run(job)
    held.set()
    await asyncio.gather(*waiting)
    assert not actor.is_busy


@asynchronous
async def test_many_jobs_that_end_at_once_need_no_deep_stack() -> None:
    actor, held, done = Actor(5000), asyncio.Event(), []

    async def job() -> None:
        await held.wait()

    def at_once() -> None:
        done.append(1)
        actor.end()

    first = asyncio.create_task(actor.run(job))
    await asyncio.sleep(0)
    for _ in range(5000):
        actor.give(at_once)
    held.set()
    await first
    await actor.drain()
    assert len(done) == 5000


@asynchronous
async def test_a_cancelled_actor_begins_nothing_more() -> None:
    actor, done = Actor(10), []

    async def forever() -> None:
        await asyncio.sleep(60)

    running = asyncio.create_task(actor.run(forever))
    await asyncio.sleep(0)
    actor.give(lambda: done.append(1))
    await actor.cancel()
    running.cancel()
    assert done == []
