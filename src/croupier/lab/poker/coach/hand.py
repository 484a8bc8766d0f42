"""A hand of Hold'em as the coach needs it, read from what one viewer heard of it.

The pot must be heads-up when a street after the flop begins. From there on it is a spot of the solver: a pot, two
ranges, and the smaller of the two stacks, which is all that can be won or lost.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.games.poker.rules.events import (
    Acted,
    BetReturned,
    HandOver,
    HandStarted,
    HoldemEvent,
    HoleCards,
    Move,
    Post,
    Posted,
    Shown,
    Street,
    StreetDealt,
)
from croupier.lab.poker.coach.errors import CoachError

HEADS_UP: Final = 2
HOLE_CARDS: Final = 2
PERMILLE: Final = 10
"""Thousandths in a percent."""


class CoachRules(msgspec.Struct, frozen=True):
    """Those options of `HoldemOptions` that decide whether the solver knows the game, and its rake."""

    pack: str = "full"
    hole_cards: int = HOLE_CARDS
    used: str = "any"
    betting: str = "no_limit"
    pot: str = "high"
    rake_permille: int = 0
    rake_cap: int = 0

    @property
    def is_known(self) -> bool:
        """Whether it is no-limit Hold'em with the whole pack, for the best hand on one board."""
        game = self.pack, self.hole_cards, self.used, self.betting, self.pot
        return game == ("full", HOLE_CARDS, "any", "no_limit", "high")

    @property
    def rake(self) -> str:
        """As the solver reads it."""
        if not self.rake_permille:
            return ""
        return f"{self.rake_permille / PERMILLE:g}%" + (f",{self.rake_cap}" if self.rake_cap else "")


class Choice(msgspec.Struct, frozen=True):
    """What a player did: `action` as the solver names it, `event` its place among the events."""

    player: int
    street: Street
    action: str
    to: int
    event: int


class PreflopMove(msgspec.Struct, frozen=True):
    """A call or a raise before the flop."""

    seat: int
    move: Move


class CoachedHand(msgspec.Struct, frozen=True):
    """A heads-up pot from the start of a street on. Players are numbered 0 (out of position) and 1.

    `cards` are hole cards, "" if the viewer never saw them. `waits` says that the hand is not over: the next decision
    is open, unless `choices` end the betting.
    """

    seats: tuple[int, int]
    order: tuple[int, ...]
    preflop: tuple[PreflopMove, ...]
    start: int
    board: tuple[Card, ...]
    pot: int
    stack: int
    cards: tuple[str, str]
    choices: tuple[Choice, ...]
    rake: str
    waits: bool


class _Table:
    """Chips and people while the events go by."""

    def __init__(self, started: HandStarted) -> None:
        self.order = started.seats
        self.stacks = list(started.stacks)
        self.bets = dict.fromkeys(started.seats, 0)
        self.live = list(started.seats)
        self.pot = 0

    def pay(self, seat: int, amount: int, *, counts: bool = True) -> None:
        self.stacks[seat] -= amount
        self.pot += amount
        if counts:
            self.bets[seat] += amount

    def next_street(self) -> None:
        self.bets = dict.fromkeys(self.order, 0)

    @property
    def is_heads_up(self) -> bool:
        return len(self.live) == HEADS_UP and all(self.stacks[seat] > 0 for seat in self.live)


def read_hand(events: Sequence[HoldemEvent], rules: CoachRules) -> CoachedHand:
    """The first heads-up pot of a hand after the flop. Raises CoachError if there is none that the solver knows."""
    if not rules.is_known:
        raise CoachError("COACH_GAME")
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    if started is None or any(not 0 <= seat < len(started.stacks) for seat in started.seats):
        raise CoachError("COACH_EVENTS")
    return _Reader(started, rules).read(events)


class _Reader:
    """Goes through the events once."""

    def __init__(self, started: HandStarted, rules: CoachRules) -> None:
        self._table, self._rules = _Table(started), rules
        self._preflop: list[PreflopMove] = []
        self._choices: list[Choice] = []
        self._board: list[Card] = []
        self._street = Street.PREFLOP
        self._begun: tuple[int, int, int, tuple[int, int]] | None = None
        """Cards on the board, pot, stack and seats at the start of the heads-up pot."""
        self._streets = [0]
        """What each of the two has put in, of the smaller stack, before each street."""

    def read(self, events: Iterable[HoldemEvent]) -> CoachedHand:
        seen: dict[int, str] = {}
        over = False
        for number, event in enumerate(events):
            match event:
                case HoleCards(seat=seat, cards=cards) | Shown(seat=seat, cards=cards) if len(cards) == HOLE_CARDS:
                    seen[seat] = "".join(map(str, sorted(cards, key=lambda card: -card.number)))
                case HandOver():
                    over = True
                case _:
                    self._take(number, event)
        if self._begun is None:
            raise CoachError("COACH_NOT_HEADS_UP")
        start, pot, stack, seats = self._begun
        if not self._choices and over:
            raise CoachError("COACH_NO_CHOICE")
        return CoachedHand(
            seats=seats,
            order=self._table.order,
            preflop=tuple(self._preflop),
            start=start,
            board=tuple(self._board),
            pot=pot,
            stack=stack,
            cards=(seen.get(seats[0], ""), seen.get(seats[1], "")),
            choices=tuple(self._choices),
            rake=self._rules.rake,
            waits=not over,
        )

    def _take(self, number: int, event: HoldemEvent) -> None:
        table = self._table
        match event:
            case Posted(seat=seat, post=post, amount=amount) if seat in table.bets:
                table.pay(seat, amount, counts=post not in (Post.ANTE, Post.BOMB))
            case Acted(seat=seat) if seat in table.bets:
                self._act(number, event)
            case BetReturned(seat=seat, amount=amount) if seat in table.bets:
                table.pay(seat, -amount)
            case StreetDealt(street=street, cards=cards, board=0):
                self._board += cards
                self._street = street
                table.next_street()
                self._open_street()
            case _:
                pass

    def _open_street(self) -> None:
        table = self._table
        if self._begun is None and table.is_heads_up:
            seats = [seat for seat in table.order if seat in table.live]
            stack = min(table.stacks[seat] for seat in seats)
            self._begun = len(self._board), table.pot, stack, (seats[0], seats[1])
        elif self._begun is not None:
            # Both have put in the same when a street is over.
            self._streets.append((table.pot - self._begun[1]) // HEADS_UP)

    def _act(self, number: int, event: Acted) -> None:
        table, seat = self._table, event.seat
        faced = max(table.bets.values())
        table.pay(seat, event.amount)
        if event.move is Move.FOLD and seat in table.live:
            table.live.remove(seat)
        if self._street is Street.PREFLOP:
            if event.move in (Move.CALL, Move.BET, Move.RAISE):
                self._preflop.append(PreflopMove(seat, Move.CALL if event.move is Move.CALL else Move.RAISE))
        elif self._begun is not None and seat in self._begun[3]:
            self._choices.append(self._choice(number, event, faced))

    def _choice(self, number: int, event: Acted, faced: int) -> Choice:
        """The action by its name in the solver's tree; chips above the smaller stack do not count."""
        assert self._begun is not None
        _, _, stack, seats = self._begun
        left = stack - self._streets[-1]
        to = min(event.to, left)
        match event.move:
            case Move.CHECK:
                action = "check"
            case Move.FOLD:
                action = "fold"
            case Move.CALL:
                action = "call"
            case Move.BET | Move.RAISE if faced >= left:
                # The opponent is all-in already: more chips than theirs are a call.
                action = "call"
            case Move.BET | Move.RAISE:
                name = "all-in" if to == left else "raise" if faced else "bet"
                action = f"{name} {to}"
        return Choice(seats.index(event.seat), self._street, action, to, number)
