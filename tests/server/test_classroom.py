"""The classroom table as an actor: one command at a time, write, then tell, and a record that anybody can check."""

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import packs
from croupier.dealing.chain import Chain
from croupier.dealing.cut1 import Contribution
from croupier.dealing.proof import Cut1Proof, read_proof
from croupier.game.refusal import Refusal
from croupier.game.sealed import Sealed
from croupier.games.blackjack import CLASSROOM
from croupier.games.blackjack.classroom import Classroom, ClassroomEvent, Notice, Phase, StateChanged
from croupier.server import classroom
from croupier.server.classroom import ClassroomTable, Commitment, NotKeptError, TableClosedError
from croupier.server.replays import BusyError
from croupier.wire.records import verify
from tests.server.hub_room import KEY, asynchronous


class Notebook:
    """Keeps records, and what a listener heard, in the order in which they came."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.order: list[object] = []
        self.is_broken = False

    async def keep(self, line: str) -> None:
        await asyncio.sleep(0)
        if self.is_broken:
            raise OSError("read-only file system")
        self.lines.append(line)
        self.order.append("kept")

    def hear(self, event: ClassroomEvent) -> None:
        self.order.append(event)

    @property
    def told(self) -> list[object]:
        return [entry for entry in self.order if entry != "kept"]


def opened(notebook: Notebook, decks: int = 4, **options: Any) -> ClassroomTable:
    room = Classroom(Sealed(KEY), rules=replace(CLASSROOM, decks=decks))
    table = ClassroomTable(room, notebook.keep, **options)
    table.listen(notebook.hear)
    return table


async def seated(table: ClassroomTable, *names: str) -> None:
    assert await table.join("dealer", "dealer", KEY) is None
    for name in names:
        assert await table.join(name, name) is None


async def all_stand(table: ClassroomTable) -> None:
    while table.view.phase is Phase.IN_ROUND:
        assert await table.stand(table.view.current_turn_player_id) is None


@asynchronous
async def test_the_record_is_kept_before_anybody_hears_that_the_round_is_over() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann")
        await table.start("dealer")
        notebook.order.clear()
        await all_stand(table)
    assert notebook.order[0] == "kept"
    (last,) = notebook.told
    assert isinstance(last, StateChanged)
    assert last.state.phase is Phase.IDLE


@asynchronous
async def test_records_of_rounds_with_hits_stands_and_leavings_verify_together() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann", "bob", "cat")
        for _ in range(3):
            await table.start("dealer")
            await all_stand(table)
        await table.start("dealer")
        while table.view.current_turn_player_id == "ann":
            await table.hit("ann")
        await table.leave("cat")
        await table.leave("ann")
        await all_stand(table)
        await table.start("dealer")
        await table.leave("bob")
        assert table.view.phase is Phase.IDLE, "no player is left"
        await table.join("eve", "eve")
        await table.start("dealer")
        await table.leave("dealer")
    verdict = verify(notebook.lines)
    assert verdict.findings == ()
    assert len(verdict.rounds) == 6
    assert all(played is not None and played.over for played in verdict.rounds)


@asynchronous
async def test_the_record_has_the_cards_and_results_that_were_shown() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann", "bob")
        await table.start("dealer")
        await all_stand(table)
        shown = table.view.players
    entry = json.loads(notebook.lines[0])
    dealer, ann, bob = [[str(card) for card in player.cards] for player in shown]
    assert entry["cards"] == [*dealer[:2], *ann, *bob, *dealer[2:]]
    points = [{"Win": 1, "Lose": -1, "Tie": 0}[player.outcome] for player in shown[1:]]
    assert entry["payouts"] == [-sum(points), *points]
    assert entry["moves"] == [{"seat": seat, "action": {"type": "BLACKJACK_STAND"}} for seat in (1, 2)]


@asynchronous
async def test_the_whole_pack_is_opened_by_the_root_that_stood_before_the_round() -> None:
    notebook = Notebook()
    async with opened(notebook, name="room 9", hands_played=41) as table:
        promised = table.commitment
        await seated(table, "ann")
        assert table.commitment == promised
        await table.start("dealer")
        assert table.commitment != promised
        await all_stand(table)
    proof = read_proof(json.loads(notebook.lines[0])["proofs"][0])
    assert isinstance(proof, Cut1Proof)
    assert (proof.context, proof.root) == (promised.context, promised.root)
    assert (proof.context.table, proof.context.hand) == ("room 9", 42)
    assert sorted(opening.card for opening in proof.openings) == sorted(map(str, packs(4)))
    assert not any(entry.value for entry in proof.contributions), "nobody here has a hash chain"


@asynchronous
async def test_contributions_of_clients_with_a_chain_cut_the_pack() -> None:
    chain = Chain(bytes(32), length=3)
    asked: list[tuple[Commitment, tuple[str, ...]]] = []

    async def contribute(commitment: Commitment, connections: tuple[str, ...]) -> tuple[Contribution, ...]:
        asked.append((commitment, connections))
        return (Contribution(0), Contribution(1, chain.anchor, len(asked), chain.link(len(asked))))

    notebook = Notebook()
    async with opened(notebook, contribute=contribute) as table:
        await seated(table, "ann")
        for _ in range(2):
            promised = table.commitment
            await table.start("dealer")
            await all_stand(table)
            assert asked[-1] == (promised, ("dealer", "ann"))
    assert verify(notebook.lines).ok
    proof = read_proof(json.loads(notebook.lines[1])["proofs"][0])
    assert isinstance(proof, Cut1Proof)
    assert [entry.seat for entry in proof.contributions if entry.value is not None] == [1]


@asynchronous
async def test_a_refused_command_is_answered_to_its_caller_and_told_to_nobody() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann")
        notebook.order.clear()
        before = table.view
        answer = await table.start("ann")
        assert isinstance(answer, Refusal)
        assert answer.code == "NOT_DEALER"
        assert (notebook.order, table.view) == ([], before)


@asynchronous
async def test_the_dealer_leaves_and_everybody_hears_the_notice_once_then_the_reset_state_once() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann")
        await table.start("dealer")
        notebook.order.clear()
        await table.leave("dealer")
        assert notebook.order == ["kept", Notice("GAME_TERMINATED"), StateChanged(table.view)]
        assert table.view.players == ()


@asynchronous
async def test_the_shoe_runs_out_and_the_notice_comes_before_the_state() -> None:
    notebook = Notebook()
    async with opened(notebook, decks=1) as table:
        await seated(table, *(f"player {number}" for number in range(25)))
        await table.start("dealer")
        notebook.order.clear()
        await table.hit("player 0")
        assert notebook.order == ["kept", Notice("SHOE_EMPTY"), StateChanged(table.view)]
        assert table.view.phase is Phase.IDLE
        await table.join("one more", "one more")
        notebook.order.clear()
        await table.start("dealer")
        assert notebook.order == [Notice("SHOE_EMPTY"), StateChanged(table.view)], "no card was dealt: nothing to prove"
    assert verify(notebook.lines).ok


@asynchronous
async def test_fifty_concurrent_commands_are_done_one_after_the_other() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await asyncio.gather(*(table.join(f"{number}", f"{number}") for number in range(50)))
        states = [event.state for event in notebook.told if isinstance(event, StateChanged)]
        assert [len(state.players) for state in states] == list(range(1, 51))
        await table.join("dealer", "dealer", KEY)
        await table.start("dealer")
        notebook.order.clear()
        answers = await asyncio.gather(*(table.stand(f"{number}") for number in reversed(range(50))))
        refused = [answer.code for answer in answers if answer is not None]
        assert refused == ["NOT_YOUR_TURN"] * 49, "only the first in turn could stand"
        assert len(notebook.told) == 1
        answers = await asyncio.gather(*(table.stand(f"{number}") for number in range(1, 50)))
        assert answers == [None] * 49, "in the order of the seats each is in turn when its command comes"
        assert table.view.phase is Phase.IDLE
    assert verify(notebook.lines).ok


@asynchronous
async def test_more_commands_than_the_queue_holds_are_all_answered() -> None:
    """Those that find the queue full are told that the table is busy."""
    notebook = Notebook()
    async with opened(notebook) as table:
        most = classroom.COMMANDS_QUEUED_MAX
        asked = (table.hit(f"{number}") for number in range(3 * most))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        done = [answer.code for answer in answers if isinstance(answer, Refusal)]
        assert done == ["NOT_JOINED"] * (most + 1)
        assert sum(isinstance(answer, BusyError) for answer in answers) == 2 * most - 1


@asynchronous
async def test_what_cannot_be_kept_is_not_done_and_can_be_done_again() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann")
        await table.start("dealer")
        notebook.order.clear()
        before = table.view
        notebook.is_broken = True
        with pytest.raises(NotKeptError):
            await table.stand("ann")
        assert (table.view, notebook.order) == (before, [])
        notebook.is_broken = False
        assert await table.stand("ann") is None
        assert table.view.phase is Phase.IDLE
    assert verify(notebook.lines).ok
    assert len(notebook.lines) == 1


@asynchronous
async def test_a_lost_connection_leaves_as_soon_as_that_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "KEEP_AGAIN_SECONDS", 0.01)
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann")
        await table.start("dealer")
        notebook.is_broken = True
        losing = asyncio.create_task(table.lose("ann"))
        await asyncio.sleep(0.05)
        assert len(table.view.players) == 2
        notebook.is_broken = False
        await losing
        assert len(table.view.players) == 1
        await table.lose("nobody")


@asynchronous
async def test_a_caller_who_stops_waiting_does_not_stop_the_table() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        asking = asyncio.create_task(table.join("ann", "ann"))
        await asyncio.sleep(0)
        asking.cancel()
        assert await table.join("bob", "bob") is None
        assert [player.name for player in table.view.players] == ["ann", "bob"]


@asynchronous
async def test_a_table_that_closes_does_what_is_queued_and_records_the_running_round_as_abandoned() -> None:
    notebook = Notebook()
    async with opened(notebook) as table:
        await seated(table, "ann")
        await table.start("dealer")
        joining = asyncio.create_task(table.hit("dealer"))
        await asyncio.sleep(0)
    answer = await joining
    assert isinstance(answer, Refusal)
    assert answer.code == "DEALER_IS_AUTO"
    with pytest.raises(TableClosedError):
        await table.join("late", "late")
    await table.lose("ann")
    assert json.loads(notebook.lines[0])["payouts"] is None
    assert verify(notebook.lines).ok


@asynchronous
async def test_a_listener_that_stopped_listening_hears_nothing_more() -> None:
    notebook, other = Notebook(), Notebook()
    async with opened(notebook) as table:
        stop = table.listen(other.hear)
        await table.join("ann", "ann")
        stop()
        await table.join("bob", "bob")
    assert len(other.told) == 1
    assert len(notebook.told) == 2


def test_neither_key_nor_cards_are_printed() -> None:
    table = ClassroomTable(Classroom(Sealed(KEY)), Notebook().keep)
    assert KEY not in repr(vars(table))
    assert "As" not in repr(vars(table))
