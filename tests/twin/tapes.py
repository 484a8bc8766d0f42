"""Tapes of real rooms: everything that a player's checker was told and asked, in order.

The rooms are those of `tests/lying_server`: no network, the real encoding, the real guards, and people who come and go,
lose their lines, start their programs anew and do not cut.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import msgspec

from croupier.clients import room_guard
from croupier.dealing.findings import Finding
from croupier.table import commands as c
from croupier.table.checker import Checker
from croupier.table.client_memory import Memory, Seen
from tests.lying_server.test_honest import Evening
from tests.replay.forgeries import HOME_GAME

Tape = list[dict[str, Any]]
Room: TypeAlias = tuple[str, str, int, int] | tuple[str, str, int, int, dict[str, Any]]
ROOMS: Final[tuple[Room, ...]] = (
    ("poker", "holdem", 4, 3),
    ("poker", "holdem", 3, 1),
    ("poker", "cash", 4, 0),
    ("poker", "cash", 3, 2),
    ("poker", "omaha", 4, 1, HOME_GAME),
    ("poker", "cash", 3, 4, HOME_GAME | {"seven_deuce": 10}),
    ("blackjack", "trainer", 3, 1),
    ("blackjack", "classroom", 3, 2),
    ("sequence", "house", 2, 0),
    ("sequence", "classic", 3, 1),
)
"""Game, preset, seats and the seed of an evening; with other rules than the preset's, these."""
STEPS: Final = 70


class TapedChecker(Checker):
    """A checker that writes down all that its guard tells it."""

    tapes: Final[list[Tape]] = []

    def __init__(self, me: str, memory: Memory | None = None) -> None:
        super().__init__(me, memory)
        self._known: Memory | None = None
        self._tape: Tape = [{"op": "new", "me": me}]
        self._told: dict[str, Any] = {}
        self.tapes.append(self._tape)

    def _write(self, op: str, **fields: Any) -> None:
        self._tape.append({"op": op, **fields})

    def _write_rest(self, hand: Any) -> None:
        """What the guard has put in since: what it remembered, what it gave, what its player did."""
        if self.memory is not self._known:
            self._write("memory", memory=json.loads(msgspec.json.encode(self.memory)))
        acts = [] if self.own_actions is None else msgspec.to_builtins(self.own_actions(hand))
        asked = [] if self.own_requests is None else self.own_requests(0, hand)
        rest = {"gave": dict(self.gave), "acknowledged": sorted(self.acknowledged), "acts": acts, "asked": asked}
        if rest != self._told:
            self._told = rest
            self._write("rest", hand=hand, **{**rest, "gave": list(self.gave.items())})

    def see(self, raw: Any) -> Seen:
        self._write_rest(raw["public"]["hand"])
        self._write("see", frame=raw)
        seen = super().see(raw)
        self._known = self.memory
        return seen

    def bridge(self, missed: Sequence[Any], last: int) -> tuple[Finding, ...]:
        assert self.is_own_promise is not None
        promises = (cutter["promise"] for fixed in missed for cutter in fixed["context"]["cutters"])
        self._write("bridge", missed=list(missed), last=last, own=list(filter(self.is_own_promise, promises)))
        found = super().bridge(missed, last)
        self._known = self.memory
        return found

    def recall_moves(self, hand: int, deal: int, since: int, moves: Sequence[Any]) -> None:
        self._write("recall", told={"hand": hand, "deal": deal, "since": since, "moves": list(moves)})
        super().recall_moves(hand, deal, since, moves)

    def lose_sight(self) -> None:
        self._write("lose_sight")
        super().lose_sight()

    def agree_to_hand(self, hand: int) -> None:
        self._write("agree", hand=hand)
        super().agree_to_hand(hand)
        self._known = self.memory

    def agree_to_voids(self) -> None:
        self._write("voids")
        super().agree_to_voids()


def record(rooms: Sequence[Room] = ROOMS, steps: int = STEPS) -> list[tuple[str, Tape]]:
    """Plays some rooms and gives the tape of each checker, by the room's name and a number."""
    taped: list[tuple[str, Tape]] = []
    for game, preset, seats, seed, *rules in rooms:
        TapedChecker.tapes.clear()
        with patch.object(room_guard, "Checker", TapedChecker):
            table = Evening(game, preset, seats, seed, *rules)
            for name in ("bob", "cy")[: seats - 1]:
                table.person(name)
                table.do(name, c.RoomJoin())
            table.settle()
            for step in range(steps):
                # Somebody misses some deals, and asks for them when they are back.
                if step == steps // 3:
                    table.go(table.people["bob"])
                if step == 2 * steps // 3:
                    table.come(table.people["bob"])
                table.host_or_clock_acts()
                if table.chance.random() < 0.15:
                    table.happen()
        assert table.alarms() == [], (game, preset, seed)
        long = [tape for tape in TapedChecker.tapes if len(tape) > 12]
        taped += [(f"{game} {preset} {seed}, {number}", list(tape)) for number, tape in enumerate(long)]
    return taped
