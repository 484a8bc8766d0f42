"""A round replayed by one viewer: the same rules, the public moves, and only the cards that were proved.

The room must show this viewer what the mirror shows. So a card in place of a proved one, a stack that nobody won, or a
move that the rules do not allow is noticed at once.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import msgspec

from croupier.dealing.findings import Fault
from croupier.game.game import (
    SPECTATOR,
    AnyRules,
    Change,
    Draw,
    Game,
    Over,
    Place,
    Step,
    Told,
    Turn,
    UnseenCardError,
    Viewer,
)
from croupier.game.refusal import Code, OptionError, Refusal
from croupier.table.closing import is_sound
from croupier.table.deal_faults import DealFault
from croupier.table.plain_values import exact, plain
from croupier.table.room import is_open_table
from croupier.table.round import ABSENT


class MirrorError(ValueError):
    """The room shows what the rules do not allow. `code` and `facts` are those of a finding."""

    def __init__(self, code: DealFault | Fault, /, **facts: int | str) -> None:
        super().__init__(f"{code}: {facts}")
        self.code = code
        self.facts = facts


class Mirror:
    """One round. `proved` has the known cards of each shuffle, by k."""

    def __init__(self, game: Game, rules: AnyRules, setup: Any) -> None:
        self.game, self.rules, self.setup = game, rules, setup
        self.proved: list[dict[int, str]] = []
        self.places: list[list[Place]] = []
        """For each shuffle, the places asked for so far: the k-th card is for the k-th place."""
        self.packs: list[tuple[Any, ...]] = []
        """The packs that were shuffled."""
        self.moves: list[Any] = []
        self._told: list[Told[Any]] = []
        self._heard: Counter[Hashable] = Counter()
        self._heard_by: Viewer = SPECTATOR
        self._heard_upto = 0
        """How many of the events are counted in `_heard`."""
        self._unseen: set[tuple[int, int]] = set()
        """Cards that were dealt unseen, each as shuffle and k."""
        self._cards: list[dict[str, Any]] = []
        self._state: Any = None
        self._begin()

    def _begin(self) -> None:
        opened = self.rules.opening(self.setup)
        if isinstance(opened, Refusal):
            raise MirrorError(DealFault.SETUP_REFUSED, code=opened.code)
        self._state = opened.state
        self._told = list(opened.told)
        self._forget_heard(SPECTATOR)
        self.places, self.packs = [], []
        self._cards = []
        self._unseen = set()

    @property
    def awaits(self) -> Draw[Any] | Turn | Over:
        return self.rules.awaits(self._state)

    @property
    def wants(self) -> Draw[Any] | None:
        """The pack that must be shuffled before the round goes on; None if there is none, or its deal is known."""
        awaits = self.awaits
        wanted = isinstance(awaits, Draw) and bool(awaits.pack)
        return awaits if wanted and len(self.places) == len(self.proved) else None  # type: ignore[return-value]

    @property
    def dealt_in(self) -> tuple[int, ...]:
        return self.rules.dealt_in(self._state)

    @property
    def payouts(self) -> tuple[int, ...] | None:
        awaits = self.awaits
        return awaits.payouts if isinstance(awaits, Over) else None

    def was_unseen(self, shuffle: int, k: int) -> bool:
        """Whether a card was dealt here before it was known, so that the round must be replayed with it. In a game
        played from hidden hands, a card becomes known by being played, and no replay is needed.
        """
        return (shuffle, k) in self._unseen and self.tells_all

    def replay(self) -> None:
        """Replay the round from its beginning, with everything known now."""
        moves, self.moves = self.moves, []
        self._begin()
        self.advance(moves)

    def advance(self, moves: Sequence[Any]) -> None:
        """Make moves as the room tells them: `{"seat": …, "action": …}`. Raises MirrorError for a move that the rules
        refuse, and for a card that they need and nobody proved."""
        for move in moves:
            self._make(move)
        self.deal()

    def _make(self, move: Any) -> None:
        if move["action"] != ABSENT:
            self.deal()
        self._move(move)
        self.moves.append(move)

    def deal(self) -> None:
        """Deal as long as the rules ask for cards and their shuffle is known."""
        while isinstance(awaits := self.awaits, Draw):
            if awaits.pack:
                if len(self.places) >= len(self.proved):
                    return
                self.places.append([])
                self.packs.append(awaits.pack)
                self._cards.append({str(card): card for card in awaits.pack})
            self._deal(awaits)

    def _deal(self, wanted: Draw[Any]) -> None:
        shuffle = len(self.places) - 1
        places, cards = self.places[shuffle], self._cards[shuffle]
        drawn = []
        for place in wanted.places:
            k = len(places)
            text = self.proved[shuffle].get(k)
            if text is not None and text not in cards:
                raise MirrorError(Fault.CARD_NOT_IN_PACK, k=k, card=text)
            if text is None:
                self._unseen.add((shuffle, k))
            drawn.append(None if text is None else cards[text])
            places.append(place)
        try:
            self._advance(self.rules.deal(self._state, tuple(drawn)))
        except UnseenCardError as error:
            raise self._without_proof() from error

    def _without_proof(self) -> MirrorError:
        """The error for a card that the rules need and nobody proved: the last one dealt unseen."""
        shuffle, k = max(self._unseen)
        return MirrorError(DealFault.CARD_WITHOUT_PROOF, place=self.places[shuffle][k])

    def _move(self, move: Any) -> None:
        seat, raw = move["seat"], move["action"]
        if type(seat) is not int or not 0 <= seat < self.rules.seats(self._state):
            raise MirrorError(DealFault.MOVE_REFUSED, seat=str(seat)[:20], code="NO_SUCH_SEAT")
        try:
            done = self._done(seat, raw)
        except UnseenCardError as error:
            raise self._without_proof() from error
        if isinstance(done, Refusal):
            raise MirrorError(DealFault.MOVE_REFUSED, seat=seat, code=done.code)
        self._advance(done)

    def _done(self, seat: int, raw: Any) -> Step[Any, Any] | Refusal:
        if raw is None:
            is_turn = isinstance(self.awaits, Turn)
            return self.rules.leave(self._state, seat) if is_turn else Refusal(Code.ROUND_OVER)
        if raw == ABSENT:
            return self.rules.exclude(self._state, seat)
        try:
            action = msgspec.convert(raw, self.game.action)
        except msgspec.ValidationError as error:
            raise MirrorError(DealFault.MOVE_MALFORMED, seat=seat, fault=str(error)) from error
        return self._act(seat, action)

    def _act(self, seat: int, action: Any) -> Step[Any, Any] | Refusal:
        """Act on the first turn on which the rules allow the action: a seat may not wait for a later one."""
        for state in self._turns_of(seat):
            done: Step[Any, Any] | Refusal = self.rules.act(state, seat, action)
            if not isinstance(done, Refusal):
                return done
        return self.rules.act(self._state, seat, action)

    def by_itself(self, seat: int) -> frozenset[int]:
        """The numbers of this seat's moves, from 0, that the rules would have made for a late player."""
        again = Mirror(self.game, self.rules, self.setup)
        again.proved = self.proved
        found, number = set(), 0
        for move in self.moves:
            if move["seat"] == seat:
                if isinstance(move["action"], dict):
                    again.deal()
                    if exact(move["action"]) in map(exact, again._made_for(seat)):
                        found.add(number)
                number += 1
            again._make(move)
        return frozenset(found)

    def _made_for(self, seat: int) -> list[Any]:
        """The rules' actions for a late seat, on each turn that may be its next one."""
        states = [self._state] if self.game.turns_of is None else list(self._turns_of(seat))
        menus = (self.rules.menu(state, seat) for state in states)
        return [plain(self.rules.absent(menu)) for menu in menus if menu]

    def _turns_of(self, seat: int) -> Iterable[Any]:
        return () if self.game.turns_of is None else self.game.turns_of(self.rules, self._state, seat)

    def _advance(self, step: Step[Any, Any]) -> None:
        self._state = step.state
        self._told += step.told

    def seat_of(self, shuffle: int, k: int) -> int | None:
        """The seat that a card of the shuffle went to; None if it went to no seat."""
        parts = self.places[shuffle][k].split(":")
        return int(parts[1]) if parts[0] in _SEAT_PLACES else None

    def pass_to(self, turn: Sequence[int], viewer: Viewer, shown: Any) -> None:
        """Advance to the turn of these seats: the seats before them, whose cards are unknown, have passed. If several
        turns fit, take the one that the viewer is shown."""
        if len(turn) != 1:
            return
        turns = list(self._turns_of(turn[0]))
        if len(turns) < 2:
            self._state = turns[0] if turns else self._state
            return
        as_shown = (state for state in turns if same_view(self.game, plain(self.rules.view(state, viewer)), shown))
        self._state = next(as_shown, turns[0])

    def view(self, viewer: Viewer) -> Any:
        """What the viewer sees, as plain values that can be compared with what the room sent."""
        return plain(self.rules.view(self._state, viewer))

    def menu(self, seat: int) -> Any:
        """What the seat may do now, as plain values."""
        return plain(self.rules.menu(self._state, seat))

    def heard(self, viewer: Viewer) -> Counter[Hashable]:
        """How often this viewer heard each event so far, by the `exact` keys of the events."""
        if viewer != self._heard_by:
            self._forget_heard(viewer)
        for told in self._told[self._heard_upto :]:
            if told.to.hears(viewer):
                self._heard[exact(self.unstamped(plain(told.event)))] += 1
        self._heard_upto = len(self._told)
        return self._heard

    def _forget_heard(self, viewer: Viewer) -> None:
        self._heard = Counter()
        self._heard_by, self._heard_upto = viewer, 0

    def unstamped(self, event: Any) -> Any:
        """An event without the people and times that the table fills in."""
        for path in () if self.game.stamping is None else self.game.stamping.event_fields:
            event = without(event, path)
        return event

    @property
    def tells_all(self) -> bool:
        """Whether every event follows from what a viewer knows. Not so where seats with unseen cards pass."""
        return self.game.turns_of is None

    @property
    def needs_everybody(self) -> bool:
        """Whether the game has no deal without one of its seats."""
        rules, state = self.rules, self._state
        refused = (isinstance(rules.exclude(state, seat), Refusal) for seat in self.dealt_in)
        return not is_open_table(rules) and all(refused)

    @property
    def may_restart(self) -> bool:
        """Once the round is over: whether another match may begin. One that waits for everybody can be called off."""
        opened = Mirror(self.game, self.rules, self.setup)
        return self.rules.ended(self._state) or opened.needs_everybody

    @property
    def following(self) -> Any:
        """Once the round is over: what the next one starts from if nobody comes or goes."""
        return self.rules.following(self._state)


_SEAT_PLACES = frozenset(("hole", "hand", "draw", "card"))


def same_view(game: Game, expected: Any, shown: Any) -> bool:
    """Whether a view is the rules' own, apart from what the table fills in."""
    for path in () if game.stamping is None else game.stamping.view_fields:
        expected, shown = without(expected, path), without(shown, path)
    return bool(expected == shown)


def without(view: Any, path: tuple[str, ...]) -> Any:
    """A view without one of its fields, which the table filled in: it does not follow from the rules."""
    name, *rest = path
    if not isinstance(view, dict) or name not in view:
        return view
    kept = {key: value for key, value in view.items() if key != name}
    return {**kept, name: without(view[name], tuple(rest))} if rest else kept


def amended(rules: AnyRules, setup: Any, changes: Sequence[Any]) -> Any:
    """A setup after some changes, as plain values. The cards are shuffled for every round."""
    reshuffled = rules.amend(setup, Change(0, "reshuffled"))
    setup = setup if isinstance(reshuffled, Refusal) else reshuffled
    for change in [msgspec.convert(raw, Change) for raw in changes]:
        if not is_sound(rules, setup, change):
            raise MirrorError(DealFault.CHANGE_REFUSED, seat=change.seat, kind=change.kind, code=str(change.chips))
        after = rules.amend(setup, change)
        if isinstance(after, Refusal):
            raise MirrorError(DealFault.CHANGE_REFUSED, seat=change.seat, kind=change.kind, code=after.code)
        setup = after
    return plain(setup)


def read_rules(game: Game, raw: Any) -> AnyRules:
    """The rules of a context. Raises MirrorError if they are malformed."""
    plain = {name: value for name, value in raw.items() if name != "game"} if isinstance(raw, dict) else raw
    try:
        rules: AnyRules = msgspec.convert(plain, game.rules)
    except (msgspec.ValidationError, OptionError) as error:
        raise MirrorError(DealFault.RULES_MALFORMED, fault=str(error)[:200]) from error
    return rules


def read_setup(game: Game, raw: Any) -> Any:
    """The setup of a context. Raises MirrorError if it is malformed."""
    try:
        return msgspec.convert(raw, game.setup)
    except msgspec.ValidationError as error:
        raise MirrorError(DealFault.SETUP_MALFORMED, fault=str(error)[:200]) from error
