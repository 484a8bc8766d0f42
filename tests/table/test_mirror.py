"""A client plays every round along: what the room shows is what follows from the moves and the proved cards."""

import json
from bisect import bisect_right
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.dealing.shoe import Shoe
from croupier.game.game import AnyRules, Change, Game, Viewer, numbers_in
from croupier.game.registry import GAMES, current_preset
from croupier.table.mirror import Mirror, MirrorError, amended
from croupier.table.plain_values import plain
from croupier.table.round import Round, begin

PRESETS = [(game, preset) for game, entry in GAMES.items() for preset in entry.presets]
SEATS = {"sequence": (2, 4, 6), "poker": (2, 3, 6), "blackjack": (1, 3, 5)}


class Watched:
    """A round in play, and the mirror of somebody who watches it."""

    def __init__(self, game: Game, rules: AnyRules, seats: int, viewer: Viewer, random: Random) -> None:
        self.played: Round = begin(rules, rules.setup(seats))
        self.mirror = Mirror(game, rules, self.played.setup)
        self.viewer, self.random = viewer, random
        self.starts: list[int] = []
        self.known = 0
        self.told = 0

    def tell(self) -> None:
        """Hands over the proofs and moves that are new to the viewer, as a room does."""
        now = self.played.rules.known(self.played.state, self.viewer)
        unseen = False
        for number in numbers_in(now & ~self.known):
            shuffle = bisect_right(self.starts, number) - 1
            k = number - self.starts[shuffle]
            self.mirror.proved[shuffle][k] = str(self.played.dealt[number])
            unseen = unseen or self.mirror.was_unseen(shuffle, k)
        self.known |= now
        if unseen:
            self.mirror.replay()
        moves = self.played.moves[self.told :]
        self.told = len(self.played.moves)
        self.mirror.advance([{"seat": move.seat, "action": plain(move.action)} for move in moves])

    def deal(self) -> None:
        while self.played.wants is not None:
            self.tell()
            wanted = self.mirror.wants
            assert wanted is not None
            assert wanted.pack == self.played.wants.pack
            order = list(wanted.pack)
            self.random.shuffle(order)
            self.starts.append(len(self.played.dealt))
            self.mirror.proved.append({})
            self.played = self.played.supply(Shoe(tuple(order)))

    def step(self) -> None:
        seat = self.random.choice(self.played.turn)
        offer = self.random.choice(self.played.menu(seat))
        action: Any = offer.action
        if offer.field:
            high = min(offer.high, 4 * offer.low + 4)
            chosen = self.random.choice(offer.among) if offer.among else self.random.randint(offer.low, high)
            action = offer.choose(chosen)
        self.played = self.played.act(action, seat)
        assert self.played.refusal is None

    def check(self) -> None:
        shown = plain(self.played.view(self.viewer))
        if self.mirror.payouts is None:
            self.mirror.pass_to(self.played.turn, self.viewer, shown)
        assert self.mirror.view(self.viewer) == shown


@pytest.mark.parametrize(("name", "preset"), PRESETS)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), absent=st.booleans())
def test_the_mirror_shows_every_viewer_what_the_room_does(name: str, preset: str, seed: int, absent: bool) -> None:
    game, random = GAMES[name], Random(seed)
    rules = game.presets[preset]
    low, high = rules.seat_range
    seats = random.choice([count for count in SEATS[name] if low <= count <= high])
    watched = Watched(game, rules, seats, random.choice((None, *range(seats))), random)
    excluded = not absent
    for _ in range(2000):
        if not excluded and watched.played.wants is not None:
            excluded = True
            without = watched.played.exclude(random.choice(rules.dealt_in(watched.played.state)))
            watched.played = watched.played if without.refusal is not None else without
        watched.deal()
        watched.tell()
        if watched.played.over:
            break
        watched.check()
        watched.step()
    if name != "sequence":
        watched.check()
        assert watched.mirror.payouts == watched.played.payouts
        assert amended(rules, watched.mirror.following, ()) == _following(watched.played)


def _following(played: Round) -> Any:
    return plain(played.rules.amend(played.rules.following(played.state), Change(0, "reshuffled")))


def test_a_card_that_was_not_proved_stops_the_mirror() -> None:
    rules = GAMES["poker"].presets["cash"]
    mirror = Mirror(GAMES["poker"], rules, rules.setup(2))
    mirror.proved.append({})
    calls = [{"seat": 0, "action": {"type": "HOLDEM_CALL"}}, {"seat": 1, "action": {"type": "HOLDEM_CHECK"}}]
    with pytest.raises(MirrorError) as raised:
        mirror.advance(calls)
    assert raised.value.code == "CARD_WITHOUT_PROOF"
    assert raised.value.facts == {"place": "board:2"}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"seat": 1, "action": {"type": "HOLDEM_CALL"}}, "MOVE_REFUSED"),
        ({"seat": 0, "action": {"type": "HOLDEM_RAISE", "to": 11}}, "MOVE_REFUSED"),
        ({"seat": 7, "action": {"type": "HOLDEM_CALL"}}, "MOVE_REFUSED"),
        ({"seat": 0, "action": {"type": "HOLDEM_WINK"}}, "MOVE_MALFORMED"),
        ({"seat": 0, "action": "absent"}, "MOVE_REFUSED"),
    ],
)
def test_a_move_that_the_rules_do_not_allow_stops_the_mirror(move: dict[str, Any], code: str) -> None:
    rules = GAMES["poker"].presets["cash"]
    mirror = Mirror(GAMES["poker"], rules, rules.setup(2))
    mirror.proved.append({})
    mirror.deal()
    with pytest.raises(MirrorError) as raised:
        mirror.advance([move])
    assert raised.value.code == code


def test_rules_of_the_first_release_are_frozen() -> None:
    """Logs that only name a preset mean these values."""
    kept = json.loads(Path("tests/fixtures/release_1/presets.json").read_text())
    for name, presets in kept.items():
        for preset, options in presets.items():
            rules = GAMES[name].release_1[current_preset(name, preset)]
            assert msgspec.convert(options, GAMES[name].rules) == rules
            assert rules.edition == 1
