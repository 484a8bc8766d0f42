"""Hold'em hands as the text that poker trackers import: the hand history of the largest site, line by line.

Made from the events that somebody heard, so a file tells no more than its reader may know. The words of the format are
English whatever the reader's language, because programs read them. Choices where our hands are richer than the format:

- Chips are play money unless their source says what they are worth. A tournament is number 1 and its level a Roman
  number.
- A hand that is shown before the board is complete is written at the showdown, where the format has it.
- A seat number is our seat + 1. Seats that are not dealt in are left out.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from croupier.cards import Card, text
from croupier.games.poker.histories.phh.variants import RULES
from croupier.games.poker.histories.source import NO_SOURCE, Source
from croupier.games.poker.rules.config import Betting, Pack, Split, Used
from croupier.games.poker.rules.evaluate import Category, best_five, category, rank
from croupier.games.poker.rules.events import (
    Acted,
    BetReturned,
    HandNamed,
    HandStarted,
    HoldemEvent,
    HoleCards,
    Move,
    Mucked,
    PlayerLeft,
    Post,
    Posted,
    PotAwarded,
    Shown,
    Street,
    StreetDealt,
)
from croupier.games.poker.rules.rules import HoldemRules
from croupier.shown_text import harmless

TABLE_SIZES: Final = (2, 6, 8, 9, 10)
WHEN_UNKNOWN: Final = "2000/01/01 00:00:00 ET"
"""A record has no time; the format needs one."""
_RANK_NAMES: Final = {
    "2": "Deuce", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight", "9": "Nine",
    "T": "Ten", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace",
}  # fmt: skip
_ROMAN: Final = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_FOLDED: Final = {
    Street.PREFLOP: "folded before Flop",
    Street.FLOP: "folded on the Flop",
    Street.TURN: "folded on the Turn",
    Street.RIVER: "folded on the River",
}
_SIGNS_OF_THE_FORMAT: Final = "[]():"

Lines: TypeAlias = list[str]


def write(
    events: Sequence[HoldemEvent],
    players: Sequence[str] = (),
    *,
    number: int = 0,
    source: Source = NO_SOURCE,
    raked: Mapping[int, int] | None = None,
    rules: HoldemRules = RULES["NT"],
) -> str:
    """The hand as a text. `players` are names by seat; `number`, unless 0, is the hand's instead of its own, and that
    of the source goes before both. `raked` are the chips that the house kept, by the seat that won them."""
    started = next(event for event in events if isinstance(event, HandStarted))
    return (
        "\n".join(
            _Hand(started, players, source, raked or {}, game_name(rules)).lines(
                events, source.number or str(number or started.hand)
            )
        )
        + "\n"
    )


class _Hand:
    """One hand while it is written."""

    def __init__(
        self, started: HandStarted, players: Sequence[str], source: Source, raked: Mapping[int, int], game: str
    ) -> None:
        self._started = started
        self._source, self._money = source, source.written
        self._raked, self._game = raked, game
        self._made_of: dict[int, str] = {}
        """What the hands that were shown are called, by seat."""
        self._names = _names(players, sorted(started.seats))
        self._board: tuple[Card, ...] = ()
        self._street = Street.PREFLOP
        self._bet = 0
        self._put_in: set[int] = set()
        """Seats that put chips in, antes not counted."""
        self._folded: dict[int, Street] = {}
        self._shown: dict[int, tuple[Card, ...]] = {}
        self._mucked: set[int] = set()
        self._awards: list[PotAwarded] = []
        self._has_holes = False

    def lines(self, events: Sequence[HoldemEvent], number: str) -> Lines:
        self._rake_left = dict(self._raked)
        self._awards = [self._after_rake(event) for event in events if isinstance(event, PotAwarded)]
        awards = iter(self._awards)
        self._made_of = {
            event.seat: description(event.cards) + (", with a low" if event.low else "")
            for event in reversed(events)
            if isinstance(event, HandNamed)
        }
        contested = any(isinstance(event, Shown | Mucked) for event in events)
        lines = self._heading(number)
        closing: Lines = []
        for event in events:
            match event:
                case Shown() | Mucked():
                    closing += self._turned(event)
                case PotAwarded():
                    closing += self._collected(next(awards))
                case _:
                    lines += self._told(event)
        if contested:
            closing = ["*** SHOW DOWN ***", *self._at_showdown(closing)]
        return [*lines, *closing, *self._summary(contested)]

    def _after_rake(self, award: PotAwarded) -> PotAwarded:
        """The award with the shares that the winners got."""
        shares = []
        for seat, share in zip(award.winners, award.shares, strict=True):
            kept = min(self._rake_left.get(seat, 0), share)
            self._rake_left[seat] = self._rake_left.get(seat, 0) - kept
            shares.append(share - kept)
        return replace(award, shares=tuple(shares))

    def _heading(self, number: str) -> Lines:
        start, source = self._started, self._source
        small, big = source.blinds or (start.small_blind, start.big_blind)
        if self._game.endswith(" Limit") and not self._game.endswith(("No Limit", "Pot Limit")):
            small, big = big, 2 * big
        blinds = f"{self._money(small)}/{self._money(big)}"
        if source.symbol and source.currency:
            blinds += f" {source.currency}"
        when = WHEN_UNKNOWN
        if source.when is not None:
            when = f"{source.when:%Y/%m/%d %H:%M:%S} {source.zone or 'ET'}"
        table = harmless(source.table.replace("'", "")) or "Croupier"
        if start.level:
            kind = f"Tournament #1, 0+0 {self._game} - Level {_roman(start.level)} ({blinds})"
        else:
            kind = f"{self._game} ({blinds})"
        size = next(size for size in TABLE_SIZES if size >= max(len(start.stacks), min(source.seat_count, 10)))
        lines = [
            f"PokerStars Hand #{harmless(number)}: {kind} - {when}",
            f"Table '{table}' {size}-max Seat #{self._number(start.button)} is the button",
        ]
        return lines + [
            f"Seat {self._number(seat)}: {self._names[seat]} ({self._money(start.stacks[seat])} in chips)"
            for seat in sorted(start.seats, key=self._number)
        ]

    def _number(self, seat: int) -> int:
        """The number of a seat at its table."""
        return self._source.seats[seat] if self._source.seats else seat + 1

    def _told(self, event: HoldemEvent) -> Lines:
        match event:
            case Posted():
                return [self._posted(event)]
            case HoleCards(seat, cards):
                return [*self._before_acting(), f"Dealt to {self._names[seat]} [{text(cards)}]"]
            case Acted():
                return [*self._before_acting(), self._acted(event)]
            case StreetDealt(street, cards, board=0):
                return [*self._before_acting(), self._dealt(street, cards)]
            case StreetDealt(street, cards):
                return [f"*** SECOND {street} *** [{text(cards)}]"]
            case BetReturned(seat, amount):
                return [f"Uncalled bet ({self._money(amount)}) returned to {self._names[seat]}"]
            case PlayerLeft(seat) if seat in self._names:
                return [f"{self._names[seat]} leaves the table"]
        return []

    def _before_acting(self) -> Lines:
        if self._has_holes:
            return []
        self._has_holes = True
        return ["*** HOLE CARDS ***"]

    def _posted(self, event: Posted) -> str:
        small, big = _blinds(self._started)
        what = "the ante" if event.post is Post.ANTE else "straddle"
        if event.post is not Post.ANTE:
            self._bet = max(self._bet, event.amount, self._started.big_blind)
            self._put_in.add(event.seat)
            if event.amount <= self._started.big_blind:
                what = "big blind"  # Posted out of turn, to come back early.
            what = {big: "big blind", small: "small blind"}.get(event.seat, what)
        return f"{self._names[event.seat]}: posts {what} {self._money(event.amount)}{_all_in(event.all_in)}"

    def _acted(self, event: Acted) -> str:
        name, before = self._names[event.seat], self._bet
        if event.amount:
            self._put_in.add(event.seat)
        self._bet = max(before, event.to)
        match event.move:
            case Move.FOLD:
                self._folded[event.seat] = self._street
                return f"{name}: folds"
            case Move.CHECK:
                return f"{name}: checks"
            case Move.CALL:
                return f"{name}: calls {self._money(event.amount)}{_all_in(event.all_in)}"
            case Move.BET:
                return f"{name}: bets {self._money(event.amount)}{_all_in(event.all_in)}"
            case Move.RAISE:
                return (
                    f"{name}: raises {self._money(event.to - before)} to {self._money(event.to)}{_all_in(event.all_in)}"
                )

    def _dealt(self, street: Street, cards: tuple[Card, ...]) -> str:
        before, self._board = self._board, self._board + cards
        self._street, self._bet = street, 0
        earlier = f" [{text(before)}]" if before else ""
        return f"*** {street} ***{earlier} [{text(cards)}]"

    def _turned(self, event: Shown | Mucked) -> Lines:
        if isinstance(event, Mucked):
            self._mucked.add(event.seat)
            return [f"{self._names[event.seat]}: mucks hand"]
        self._shown[event.seat] = event.cards
        return [f"{self._names[event.seat]}: shows [{text(event.cards)}]"]

    def _at_showdown(self, closing: Lines) -> Lines:
        """What was turned up, with what it makes: known only now that the board is complete."""
        made = {f"{self._names[seat]}: shows [{text(cards)}]": self._made(seat) for seat, cards in self._shown.items()}
        return [f"{line} ({made[line]})" if line in made else line for line in closing]

    def _made(self, seat: int) -> str:
        return self._made_of.get(seat, "a hand")

    def _collected(self, event: PotAwarded) -> Lines:
        last = max(award.pot for award in self._awards)
        pot = (
            "pot"
            if last == 0
            else "main pot"
            if event.pot == 0
            else "side pot"
            if last == 1
            else f"side pot-{event.pot}"
        )
        winners = zip(event.winners, event.shares, strict=True)
        lines = [f"{self._names[seat]} collected {self._money(share)} from {pot}" for seat, share in winners]
        if event.category is None and not self._shown and not self._mucked:
            lines.append(f"{self._names[event.winners[0]]}: doesn't show hand")
        return lines

    def _summary(self, contested: bool) -> Lines:
        total = sum(award.amount for award in self._awards)
        pots = ""
        if len(self._awards) > 1:
            main, *sides = sorted(self._awards, key=lambda award: award.pot)
            single = len(sides) == 1
            pots = f" Main pot {self._money(main.amount)}." + "".join(
                f" Side pot{'' if single else f'-{side.pot}'} {self._money(side.amount)}." for side in sides
            )
        board = [f"Board [{text(self._board)}]"] if self._board else []
        seats = [
            f"Seat {self._number(seat)}: {self._names[seat]}{self._place(seat)} {self._fate(seat, contested)}"
            for seat in sorted(self._started.seats, key=self._number)
        ]
        return [
            "*** SUMMARY ***",
            f"Total pot {self._money(total)}{pots} | Rake {self._money(sum(self._raked.values()))}",
            *board,
            *seats,
        ]

    def _place(self, seat: int) -> str:
        small, big = _blinds(self._started)
        named = ((self._started.button, "button"), (small, "small blind"), (big, "big blind"))
        return "".join(f" ({name})" for place, name in named if place == seat)

    def _fate(self, seat: int, contested: bool) -> str:
        won = sum(
            share
            for award in self._awards
            for winner, share in zip(award.winners, award.shares, strict=True)
            if winner == seat
        )
        if seat in self._folded:
            street = self._folded[seat]
            idle = street is Street.PREFLOP and seat not in self._put_in
            return _FOLDED[street] + (" (didn't bet)" if idle else "")
        if seat in self._shown:
            cards = self._shown[seat]
            end = f"won ({self._money(won)})" if won else "lost"
            return f"showed [{text(cards)}] and {end} with {self._made(seat)}"
        if won:
            return f"collected ({self._money(won)})"
        return "mucked" if contested else "didn't act"


def game_name(rules: HoldemRules) -> str:
    """What a heading of the format calls a variant."""
    limit = {Betting.NO_LIMIT: "No Limit", Betting.POT_LIMIT: "Pot Limit", Betting.FIXED_LIMIT: "Limit"}[rules.betting]
    if rules.used is Used.ANY:
        return ("6+ Hold'em " if rules.pack is Pack.SHORT else "Hold'em ") + limit
    cards = "" if rules.hole_cards == 4 else f"{rules.hole_cards} Card "
    kind = {Split.HIGH: "", Split.HIGH_LOW: " Hi/Lo", Split.TWO_BOARDS: " Two Boards"}[rules.pot]
    return f"{cards}Omaha{kind} {limit}"


def description(cards: tuple[Card, ...]) -> str:
    """What the best five of these cards are called in the format: `two pair, Kings and Fours`."""
    five = best_five(cards)
    ranks = [card.rank for card in five]
    high = _RANK_NAMES[ranks[0]]
    by_count = sorted(set(ranks), key=lambda each: (-ranks.count(each), ranks.index(each)))
    first = _plural(by_count[0])
    match category(rank(cards)):
        case Category.STRAIGHT_FLUSH:
            return "a Royal Flush" if high == "Ace" and ranks[1] == "K" else f"a straight flush, {_run(ranks)}"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {first}"
        case Category.FULL_HOUSE:
            return f"a full house, {first} full of {_plural(by_count[1])}"
        case Category.FLUSH:
            return f"a flush, {high} high"
        case Category.STRAIGHT:
            return f"a straight, {_run(ranks)}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {first}"
        case Category.TWO_PAIR:
            return f"two pair, {first} and {_plural(by_count[1])}"
        case Category.ONE_PAIR:
            return f"a pair of {first}"
        case Category.HIGH_CARD:
            return f"high card {high}"


def _run(ranks: list[str]) -> str:
    """A straight, from its lowest card: an ace is low where there is a five but no king."""
    if "A" in ranks and "5" in ranks:
        return "Ace to Five"
    order = sorted(ranks, key=list(_RANK_NAMES).index)
    return f"{_RANK_NAMES[order[0]]} to {_RANK_NAMES[order[-1]]}"


def _plural(each: str) -> str:
    return "Sixes" if each == "6" else f"{_RANK_NAMES[each]}s"


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written


def _blinds(started: HandStarted) -> tuple[int, int]:
    """The seats of the small and the big blind."""
    seats = started.seats
    return (seats[1], seats[0]) if len(seats) == 2 else (seats[0], seats[1])


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


def _names(players: Sequence[str], seats: Sequence[int]) -> dict[int, str]:
    """Names by seat, each on one line, without what the format itself uses. No two are the same: programs know a player
    by the name alone. A seat without a name is numbered."""
    names: dict[int, str] = {}
    for seat in seats:
        given = players[seat] if seat < len(players) else ""
        plain = harmless("".join(sign for sign in given if sign not in _SIGNS_OF_THE_FORMAT)) or f"Player{seat + 1}"
        name, number = plain, 1
        while name in names.values():
            number += 1
            name = f"{plain} {number}"
        names[seat] = name
    return names
