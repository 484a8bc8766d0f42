"""A viewer who plays a round along with the cards that they were shown sees what the room shows them, at every step."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from croupier.game.game import AnyRules, Over, Turn, numbers_in
from croupier.game.refusal import Refusal
from croupier.table.mirror import Mirror, same_view
from croupier.table.plain_values import exact, plain
from croupier.table.round import ABSENT
from tests.replay import blackjack, holdem, sequence
from tests.replay.rounds import Moment, Table, _played

ROUNDS = {"poker": 60, "blackjack": 60, "sequence": 12}


class Watcher:
    """Somebody who sees a round with the eyes of one viewer."""

    def __init__(self, table: Table, rules: AnyRules, setup: Any, viewer: int | None) -> None:
        self.table, self.rules, self.viewer = table, rules, viewer
        self.mirror = Mirror(table.game, rules, setup)
        self.moves: list[Any] = []
        self.heard: Counter[bytes] = Counter()
        self._dealt: list[str] = []
        self._starts: list[int] = []

    def see(self, moment: Moment) -> None:
        """Takes a step; whenever somebody must act, or all is over, the views must be the same."""
        step = moment.step or {}
        told = (each.event for each in moment.told if each.to.hears(self.viewer))
        self.heard.update(exact(self.mirror.unstamped(plain(event))) for event in told)
        if "cards" in step:
            if step["pack"]:
                self._starts.append(len(self._dealt))
            self._dealt += step["cards"]
        elif "refused" not in step and step:
            self.moves.append({"seat": step["seat"], "action": ABSENT if step.get("absent") else step["action"]})
        if isinstance(self.rules.awaits(moment.state), Turn | Over):
            self._compare(self.mirror, moment.state)

    def come_anew(self, setup: Any, state: Any) -> None:
        """The same for somebody who comes now and is told everything at once."""
        self._compare(Mirror(self.table.game, self.rules, setup), state)

    def _compare(self, mirror: Mirror, state: Any) -> None:
        over = isinstance(self.rules.awaits(state), Over)
        is_all = over and self.rules.opens_all
        known = range(len(self._dealt)) if is_all else numbers_in(self.rules.known(state, self.viewer))
        while len(mirror.proved) < len(self._starts):
            mirror.proved.append({})
        revealed = is_all
        for number in known:
            shuffle = max(place for place, start in enumerate(self._starts) if start <= number)
            k = number - self._starts[shuffle]
            mirror.proved[shuffle][k] = self._dealt[number]
            revealed = mirror.was_unseen(shuffle, k) or revealed
        if revealed:
            mirror.replay()
        mirror.advance(self.moves[len(mirror.moves) :])
        shown = plain(self.rules.view(state, self.viewer))
        turn = self.rules.awaits(state)
        if isinstance(turn, Turn):
            mirror.pass_to(turn.seats, self.viewer, shown)
        assert same_view(self.table.game, mirror.view(self.viewer), shown)
        if self.viewer is not None:
            assert mirror.menu(self.viewer) == plain(self.rules.menu(state, self.viewer))
        if isinstance(turn, Over):
            assert mirror.payouts == turn.payouts
            assert mirror.following == self.rules.following(state)
        if mirror.tells_all:
            assert mirror.heard(self.viewer) == self.heard


def _can_begin(rules: AnyRules, seats: int) -> bool:
    return not isinstance(rules.opening(rules.setup(seats)), Refusal)


def _passes(moments: list[Moment]) -> int:
    events = [plain(told.event)["type"] for moment in moments for told in moment.told]
    return events.count("EVT_PASS")


@pytest.mark.parametrize("table", [holdem.TABLE, blackjack.TABLE, sequence.TABLE], ids=lambda table: table.game.name)
def test_a_mirror_shows_what_the_room_shows(table: Table) -> None:
    # Cards that no pack has twice, as at a table.
    table = table._replace(rigged=lambda rng, state, card: card)
    passes = 0
    for seed in range(ROUNDS[table.game.name]):
        rng = Random(seed)
        rules = rng.choice(list(table.game.presets.values()))
        setup = rules.setup(rng.choice([seats for seats in (1, 2, 3, 4) if _can_begin(rules, seats)]))
        moments = list(_played(table, rules, setup, rng))
        if any(None in (moment.step or {}).get("cards", ()) for moment in moments):
            continue
        viewer = rng.choice((None, *range(rules.seats(moments[-1].state))))
        watcher = Watcher(table, rules, setup, viewer)
        for moment in moments:
            watcher.see(moment)
            if rng.random() < 0.05 and isinstance(rules.awaits(moment.state), Turn):
                watcher.come_anew(setup, moment.state)
        passes += _passes(moments)
    if table.game is sequence.TABLE.game:
        assert passes > 5, "seats passed, some of them unseen"
