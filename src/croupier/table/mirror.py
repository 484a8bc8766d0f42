"""A round as one viewer can play it along: the same rules, the public moves, and only the cards that were proved.

Whatever the room shows this viewer must be what the mirror shows. So a card that stands where another one was proved,
a stack that nobody won, or a move that the rules do not allow is seen at once.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from croupier.dealing.findings import Fault
from croupier.game.game import AnyRules, Change, Draw, Game, Over, Place, Step, Told, Turn, UnseenCardError, Viewer
from croupier.game.refusal import Code, OptionError, Refusal
from croupier.table.closing import is_sound
from croupier.table.deal_faults import DealFault
from croupier.table.room import is_open_table
from croupier.table.round import ABSENT


class MirrorError(ValueError):
    """The room shows what the rules do not allow. `code` and `facts` are those of a finding."""

    def __init__(self, code: DealFault | Fault, /, **facts: int | str) -> None:
        super().__init__(f"{code}: {facts}")
        self.code = code
        self.facts = facts


class Mirror:
    """One round. `proved` has for each of its shuffles the cards that are known, by k."""

    def __init__(self, game: Game, rules: AnyRules, setup: Any) -> None:
        self.game, self.rules, self.setup = game, rules, setup
        self.proved: list[dict[int, str]] = []
        self.places: list[list[Place]] = []
        """For each shuffle, the places asked for so far: the k-th card is for the k-th of them."""
        self.packs: list[tuple[Any, ...]] = []
        """The packs that were shuffled."""
        self.moves: list[Any] = []
        self._told: list[Told[Any]] = []
        self._unseen: set[tuple[int, int]] = set()
        """Cards that were dealt without being known."""
        self._cards: list[dict[str, Any]] = []
        self._state: Any = None
        self._begin()

    def _begin(self) -> None:
        opened = self.rules.opening(self.setup)
        if isinstance(opened, Refusal):
            raise MirrorError(DealFault.SETUP_REFUSED, code=opened.code)
        self._state = opened.state
        self._told = list(opened.told)
        self.places, self.packs = [], []
        self._cards = []
        self._unseen = set()

    @property
    def awaits(self) -> Draw[Any] | Turn | Over:
        return self.rules.awaits(self._state)

    @property
    def wants(self) -> Draw[Any] | None:
        """The pack that must be shuffled before the round goes on; None when none is, or its deal is there."""
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
        """Whether a card was dealt here before it was known, so that the round must be played again with it.

        Where hidden hands are played from, a card is known by being played, and nothing need be played again.
        """
        return (shuffle, k) in self._unseen and self.tells_all

    def replay(self) -> None:
        """Plays the round again from its beginning, with all that is known now."""
        moves, self.moves = self.moves, []
        self._begin()
        self.advance(moves)

    def advance(self, moves: Sequence[Any]) -> None:
        """Makes moves as the room tells them: `{"seat": …, "action": …}`. Raises MirrorError for one that the rules
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
        """Deals as long as the rules ask for cards of a shuffle that is there."""
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
            self._go_on(self.rules.deal(self._state, tuple(drawn)))
        except UnseenCardError as error:
            raise self._without_proof() from error

    def _without_proof(self) -> MirrorError:
        """The rules need a card that nobody proved: the newest one that was dealt unseen."""
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
        self._go_on(done)

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
        """Acts on the first turn on which the rules let the seat do so: on an earlier one it would have had to."""
        for state in self._turns_of(seat):
            done: Step[Any, Any] | Refusal = self.rules.act(state, seat, action)
            if not isinstance(done, Refusal):
                return done
        return self.rules.act(self._state, seat, action)

    def by_itself(self, seat: int) -> Counter[bytes]:
        """The moves of a seat that the rules make for somebody who does not act in time, in JSON."""
        again = Mirror(self.game, self.rules, self.setup)
        again.proved = self.proved
        found: Counter[bytes] = Counter()
        for move in self.moves:
            if move["seat"] == seat and isinstance(move["action"], dict):
                again.deal()
                found[in_json(move["action"])] += move["action"] in again._made_for(seat)
            again._make(move)
        return found

    def _made_for(self, seat: int) -> list[Any]:
        """What the rules do now for a seat that does not act in time, on each turn that may be its next one."""
        states = [self._state] if self.game.turns_of is None else list(self._turns_of(seat))
        menus = (self.rules.menu(state, seat) for state in states)
        return [plain(self.rules.absent(menu)) for menu in menus if menu]

    def _turns_of(self, seat: int) -> Iterable[Any]:
        return () if self.game.turns_of is None else self.game.turns_of(self.rules, self._state, seat)

    def _go_on(self, step: Step[Any, Any]) -> None:
        self._state = step.state
        self._told += step.told

    def seat_of(self, shuffle: int, k: int) -> int | None:
        """The seat that a card of the shuffle went to; None for one that went to none."""
        parts = self.places[shuffle][k].split(":")
        return int(parts[1]) if parts[0] in _SEAT_PLACES else None

    def pass_to(self, turn: Sequence[int], viewer: Viewer, shown: Any) -> None:
        """It is the turn of these seats: those before them whose cards are not known have passed. Where more than one
        turn may be meant, it is the one that the viewer is shown."""
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

    def heard(self, viewer: Viewer) -> Counter[bytes]:
        """Everything that happened so far and that this viewer heard, in JSON."""
        heard = (plain(told.event) for told in self._told if told.to.hears(viewer))
        return Counter(in_json(self.unstamped(event)) for event in heard)

    def unstamped(self, event: Any) -> Any:
        """An event without the persons and times that the table fills in."""
        for path in () if self.game.stamping is None else self.game.stamping.event_fields:
            event = without(event, path)
        return event

    @property
    def tells_all(self) -> bool:
        """Whether everything that happens can be told from what a viewer knows: not where unseen seats pass."""
        return self.game.turns_of is None

    @property
    def needs_everybody(self) -> bool:
        """Whether the game has no deal without one of its seats."""
        rules, state = self.rules, self._state
        refused = (isinstance(rules.exclude(state, seat), Refusal) for seat in self.dealt_in)
        return not is_open_table(rules) and all(refused)

    @property
    def following(self) -> Any:
        """Once the round is over: what the next one starts from if nobody comes or goes."""
        return self.rules.following(self._state)


_SEAT_PLACES = frozenset(("hole", "hand", "draw", "card"))


def in_json(value: Any) -> bytes:
    """Plain values as bytes that can be compared."""
    return msgspec.json.encode(value, order="deterministic")


def plain(value: Any) -> Any:
    """A value as it comes out of a message."""
    return msgspec.json.decode(msgspec.json.encode(value))


def same_view(game: Game, expected: Any, shown: Any) -> bool:
    """Whether a view is what the rules show, but for what the table fills in."""
    for path in () if game.stamping is None else game.stamping.view_fields:
        expected, shown = without(expected, path), without(shown, path)
    return bool(expected == shown)


def without(view: Any, path: tuple[str, ...]) -> Any:
    """A view without one of its fields: what the table filled in does not follow from the rules."""
    name, *rest = path
    if not isinstance(view, dict) or name not in view:
        return view
    kept = {key: value for key, value in view.items() if key != name}
    return {**kept, name: without(view[name], tuple(rest))} if rest else kept


def amended(rules: AnyRules, setup: Any, changes: Sequence[Any]) -> Any:
    """A setup after some changes, as plain values. The shoe is new for every round."""
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
    """The rules out of a context. Raises MirrorError when they are none."""
    plain = {name: value for name, value in raw.items() if name != "game"} if isinstance(raw, dict) else raw
    try:
        rules: AnyRules = msgspec.convert(plain, game.rules)
    except (msgspec.ValidationError, OptionError) as error:
        raise MirrorError(DealFault.RULES_MALFORMED, fault=str(error)[:200]) from error
    return rules


def read_setup(game: Game, raw: Any) -> Any:
    """The setup out of a context. Raises MirrorError when it is none."""
    try:
        return msgspec.convert(raw, game.setup)
    except msgspec.ValidationError as error:
        raise MirrorError(DealFault.SETUP_MALFORMED, fault=str(error)[:200]) from error
