"""Bots that watch and remember: what they are told, in a room and in the arena, and what `strict` raises."""

import asyncio
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier import blackjack, poker
from croupier.assembly.room import local_room
from croupier.clients.environment import Environment
from croupier.lab.arena.match import make_match
from croupier.lab.arena.match import play as play_match
from croupier.sdk import BotError, Client, PlayOptions, RoomHandle, Slip, join, play


class Watcher:
    """Folds or checks, and writes down all that it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.views: list[Any] = []

    def begin(self, match: Any) -> None:
        self.told.append(("begin", match.game, match.seat, match.seats))

    def observe(self, event: Any) -> None:
        self.told.append(event)

    def end(self, payouts: tuple[int, ...]) -> None:
        self.told.append(("end", payouts))

    def __call__(self, view: Any, menu: Any) -> Any:
        self.views.append(view)
        return next(
            (offer.action for offer in menu if isinstance(offer.action, poker.Check | poker.Call)), menu[0].action
        )


def test_one_object_hears_a_whole_match_in_order() -> None:
    watcher = Watcher()
    outcome = play(watcher, croupier.poker, preset="cash", against=["caller"], rounds=3, strict=True)
    first, *events, last = watcher.told
    assert first == ("begin", "poker", 0, 2)
    assert last == ("end", outcome.payouts)
    assert [event.hand for event in events if isinstance(event, poker.HandStarted)] == [1, 2, 3]
    assert sum(isinstance(event, poker.HandOver) for event in events) == 3
    # Nobody folds, so every hand is shown down after the bot's last decision: it hears that, too.
    assert sum(isinstance(event, poker.Shown) for event in events) >= 3
    assert {event.seat for event in events if isinstance(event, poker.HoleCards)} == {0}


def test_a_bot_that_leaves_late_hears_nothing_of_the_round_after_its_last(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = RoomHandle.wait

    async def wait_longer(room: RoomHandle, condition: Any, timeout: float = 30.0) -> None:
        await wait(room, condition, timeout)
        if room.state["public"]["hand"] == 2 and room.state["public"]["payouts"] is not None:
            await wait(room, lambda room: room.state["public"]["hand"] == 3)

    monkeypatch.setattr(RoomHandle, "wait", wait_longer)
    watcher = Watcher()
    outcome = play(watcher, croupier.poker, preset="cash", against=["caller"], rounds=2, strict=True)
    _, *events, last = watcher.told
    assert [event.hand for event in events if isinstance(event, poker.HandStarted)] == [1, 2]
    assert (len(outcome.payouts), last) == (2, ("end", outcome.payouts))
    assert isinstance(events[-1], poker.HandOver)


def test_the_history_of_a_view_is_what_was_observed_in_this_round() -> None:
    watcher = Watcher()
    play(watcher, croupier.poker, preset="cash", against=["caller"], rounds=2, strict=True)
    events = [event for event in watcher.told if not isinstance(event, tuple)]
    for view in watcher.views:
        start = events.index(view.history[0])
        assert isinstance(view.history[0], poker.HandStarted)
        assert view.history[0].hand == view.hand
        assert list(view.history) == events[start : start + len(view.history)]


def test_a_bot_that_raises_while_it_observes_is_reported_or_raised() -> None:
    class Deaf(Watcher):
        def observe(self, event: Any) -> None:
            raise KeyError("no ear for this")

    slips: list[Slip] = []
    outcome = play(Deaf, croupier.poker, against=["caller"], rounds=2, told=slips.append)
    assert outcome.rounds == 2
    assert {(slip.reason, slip.played) for slip in slips} == {("failed", None)}
    assert "KeyError" in slips[0].text("en")
    with pytest.raises(KeyError, match="no ear for this") as raised:
        play(Deaf, croupier.poker, against=["caller"], rounds=2, strict=True)
    assert "in observe" in "".join(traceback.format_tb(raised.tb))


def test_strict_raises_the_bots_own_error_with_its_traceback() -> None:
    def broken(view: Any, menu: Any) -> Any:
        return view.no_such_field

    with pytest.raises(AttributeError, match="no_such_field") as raised:
        play(broken, croupier.blackjack, rounds=1, strict=True)
    assert "in broken" in "".join(traceback.format_tb(raised.tb))
    with pytest.raises(BotError, match=r"answered Hit\(\), which is not on its menu: PlaceBet"):
        play(lambda view, menu: blackjack.Hit(), "blackjack", rounds=1, strict=True)


class Faulty(Watcher):
    """Does something wrong in one of its methods."""

    method = ""

    def _at(self, method: str) -> None:
        if method == self.method:
            self.fault()

    def fault(self) -> None:
        raise NotImplementedError

    def begin(self, match: Any) -> None:
        self._at("begin")

    def observe(self, event: Any) -> None:
        self._at("observe")

    def end(self, payouts: tuple[int, ...]) -> None:
        self._at("end")

    def __call__(self, view: Any, menu: Any) -> Any:
        self._at("__call__")
        return super().__call__(view, menu)


FAULTS: dict[str, tuple[Callable[[], Any], str, type[BaseException], str]] = {
    "exits": (lambda: sys.exit(3), "failed", SystemExit, "3"),
    "finds nothing": (lambda: next(iter(())), "failed", BotError, "a `next` in it found nothing"),
    "gives up waiting": (lambda: asyncio.run(asyncio.wait_for(asyncio.sleep(9), 0)), "failed", TimeoutError, "^$"),
    "never returns": (lambda: time.sleep(1000), "late", BotError, "no answer within 0.3 s"),
}


@pytest.mark.parametrize(
    ("kind", "method"),
    [*((kind, "__call__") for kind in FAULTS), *(("finds nothing", method) for method in ("begin", "observe", "end"))],
)
def test_a_bot_may_do_anything_wrong_anywhere(kind: str, method: str) -> None:
    fault, reason, error, said = FAULTS[kind]
    bot = type("Bot", (Faulty,), {"method": method, "fault": staticmethod(fault)})
    slips: list[Slip] = []
    options: PlayOptions = {"against": ["caller"], "rounds": 1, "seconds": 0.3, "told": slips.append}
    assert play(bot, croupier.poker, **options).rounds == 1
    assert {slip.reason for slip in slips} == {reason}
    with pytest.raises(error, match=said):
        play(bot, croupier.poker, strict=True, **options)


def test_nonsense_is_reported_in_short_whatever_it_is() -> None:
    class Nameless:
        def __repr__(self) -> str:
            raise RuntimeError("no name")

    for answer, shown in ((Nameless(), "<Nameless>"), (None, "None"), ("x" * 10_000, f"'{'x' * 199}…")):
        outcome = play(lambda view, menu, answer=answer: answer, poker, rounds=1, told=lambda slip: None)
        assert outcome.slips[0].detail == shown


def test_a_slow_bot_is_not_asked_again_what_nobody_waits_for() -> None:
    asked: list[Any] = []

    def slow(view: Any, menu: Any) -> Any:
        asked.append(view.hand)
        time.sleep(0.5)
        return menu[0].action

    outcome = play(
        slow, croupier.poker, preset="cash", against=["caller"], rounds=4, seconds=0.1, told=lambda slip: None
    )
    assert len(outcome.slips) >= 4
    assert len(asked) < len(outcome.slips)


def test_bots_play_where_an_event_loop_runs_as_in_a_notebook() -> None:
    async def cell() -> int:
        return play(first, croupier.poker, rounds=1, strict=True).rounds

    async def refused() -> None:
        join(first, "http://127.0.0.1:1", "ABCDEF")

    assert asyncio.run(cell()) == 1
    with pytest.raises(ConnectionRefusedError):
        asyncio.run(refused())


def first(view: Any, menu: Any) -> Any:
    return menu[0].action


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("holdme", {}, "there is no game 'holdme'; there are: "),
        (croupier, {}, "there is no game"),
        ("poker", {"against": ["nobody"]}, "poker has no bot 'nobody'; there are: solid"),
        ("poker", {"preset": "nothing"}, "poker has no preset 'nothing'; there are: holdem, cash"),
        ("poker", {"agianst": ["solid"]}, "there is no option 'agianst'; there are: preset, against, rounds, "),
        ("poker", {"against": "solid"}, r"against takes a list of bots, like \['solid'\]"),
    ],
)
def test_a_wrong_name_is_refused_with_the_names_there_are(game: Any, options: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        play(lambda view, menu: menu[0].action, game, rounds=1, **options)


def test_a_room_has_its_view_and_menu_in_the_types_of_its_game() -> None:
    async def run() -> None:
        async with local_room() as local, Client(local.url, nickname="Ann", environment=Environment.in_memory()) as ann:
            room = await ann.create("poker", preset="cash", options={"seats": 2})
            assert (room.view_of(croupier.poker), room.menu_of(poker.GAME)) == (None, ())
            with pytest.raises(ValueError, match="this room plays poker, not blackjack"):
                room.view_of(blackjack)
            with pytest.raises(ValueError, match="there is no game 'pokr'; there are: "):
                room.menu_of("pokr")  # type: ignore[arg-type]
            await room.command("HOST_ADD_BOT", bot="caller")
            await room.command("HOST_START_GAME")
            await room.wait(lambda room: room.menu)
            view = room.view_of(croupier.poker)
            assert isinstance(view, poker.HoldemView)
            assert len(view.own_cards) == 2
            offers = room.menu_of(croupier.poker)
            assert [offer.action.tag for offer in offers] == [offer["action"]["type"] for offer in room.menu]
            await room.act(poker.Fold())
            heard: dict[str, Any] = {}
            while (heard.get("move"), heard.get("seat")) != ("FOLD", room.seat):
                heard = await asyncio.wait_for(room.events.get(), 30)

    asyncio.run(run())


ARENA_BOT = """
from pathlib import Path

class Memory:
    def __init__(self):
        self.hands, self.heard = [], 0
    def begin(self, match):
        self.seat = match.seat
    def observe(self, event):
        self.heard += 1
    def __call__(self, view, menu):
        assert view.you == self.seat and view.history
        self.hands.append(view.own_cards)
        return menu[0].action
    def end(self, payouts):
        with Path({out!r}).open("a") as file:
            print(len(payouts), len(set(self.hands)) == len(self.hands), self.heard > len(payouts), file=file)
"""


def test_in_the_arena_one_object_plays_a_block_and_never_meets_a_deal_twice(tmp_path: Path) -> None:
    out, bot = tmp_path / "told.txt", tmp_path / "memory.py"
    bot.write_text(ARENA_BOT.format(out=str(out)))
    match = make_match("poker", [f"{bot}:Memory", "caller"], 20, seed=3)
    report = play_match(match, workers=1)
    assert report.standings[0].illegal == 0
    assert out.read_text().splitlines() == ["10 True True"] * 2
