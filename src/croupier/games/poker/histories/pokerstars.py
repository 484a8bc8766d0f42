"""Poker hands as the text that poker trackers import: the hand history of the largest site, line by line.

Made from the events that somebody heard, so a file tells no more than its reader may know. The words of the format are
English whatever the reader's language, because programs read them. Choices where our hands are richer than the format:

- Chips are play money unless their source says what they are worth. A tournament is number 1 and its level a Roman
  number.
- A hand that is shown before the board is complete is written at the showdown, where the format has it.
- The boards of a hand that is run more than once, and two boards, are FIRST, SECOND and THIRD, each with a showdown.
  The ante of a bomb pot is an ante.
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
    RakeTaken,
    RunAgreed,
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
_POSTS: Final = {
    Post.ANTE: "the ante",
    Post.BOMB: "the ante",
    Post.SMALL_BLIND: "small blind",
    Post.BIG_BLIND: "big blind",
    Post.STRADDLE: "straddle",
    Post.MISSED: "big blind",
}
_ANTES: Final = (Post.ANTE, Post.BOMB)
_IN_TURN: Final = (Post.SMALL_BLIND, Post.BIG_BLIND)
_ORDINALS: Final = ("FIRST", "SECOND", "THIRD")
_TIMES: Final = {2: "twice", 3: "three times"}

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
    hand = _Hand(events, players, source, raked or {}, rules)
    return "\n".join(hand.lines(events, source.number or str(number or started.hand))) + "\n"


class _Hand:
    """One hand while it is written."""

    def __init__(
        self,
        events: Sequence[HoldemEvent],
        players: Sequence[str],
        source: Source,
        raked: Mapping[int, int],
        rules: HoldemRules,
    ) -> None:
        self._started = started = next(event for event in events if isinstance(event, HandStarted))
        self._source, self._money = source, source.written
        self._raked, self._rules = raked, rules
        self._names = _names(players, sorted(started.seats))
        self._posted = [event for event in events if isinstance(event, Posted)]
        self._blinds = {event.post: event.seat for event in self._posted if event.post in _IN_TURN}
        self._turned = [event for event in events if isinstance(event, Shown | Mucked)]
        self._made_of = {
            (event.seat, event.board): description(event.cards, event.category) + (", with a low" if event.low else "")
            for event in events
            if isinstance(event, HandNamed)
        }
        """What the hands that were shown are called, by seat and board."""
        self._awards = _after_rake(events, raked)
        self._rake = sum(event.amount for event in events if isinstance(event, RakeTaken))
        """What the house took before the pots were awarded."""
        self._contested = bool(self._made_of) or any(isinstance(event, Mucked) for event in events)
        self._boards: dict[int, tuple[Card, ...]] = {0: ()}
        self._parts = rules.boards
        """How many boards are told apart."""
        self._street = Street.PREFLOP
        self._bet = 0
        self._put_in: set[int] = set()
        """Seats that put chips in, antes not counted."""
        self._folded: dict[int, Street] = {}
        self._has_holes = False

    def lines(self, events: Sequence[HoldemEvent], number: str) -> Lines:
        lines = [*self._heading(number), *self._posts()]
        for event in events:
            lines += self._told(event)
        for board in range(self._parts if self._contested else 1):
            lines += self._closing(board)
        return [*lines, *self._summary()]

    def _heading(self, number: str) -> Lines:
        start, source = self._started, self._source
        game = game_name(self._rules)
        if start.level:
            game = f"Tournament #1, 0+0 {game} - Level {_roman(start.level)}"
        when = WHEN_UNKNOWN
        if source.when is not None:
            when = f"{source.when:%Y/%m/%d %H:%M:%S} {source.zone or 'ET'}"
        table = harmless(source.table.replace("'", "")) or "Croupier"
        size = next(size for size in TABLE_SIZES if size >= max(len(start.stacks), min(source.seat_count, 10)))
        lines = [
            f"PokerStars Hand #{harmless(number)}: {game} ({self._stakes()}) - {when}",
            f"Table '{table}' {size}-max Seat #{self._number(start.button)} is the button",
        ]
        return lines + [
            f"Seat {self._number(seat)}: {self._names[seat]} ({self._money(start.stacks[seat])} in chips)"
            for seat in sorted(start.seats, key=self._number)
        ]

    def _stakes(self) -> str:
        start, source = self._started, self._source
        small, big = source.blinds or (start.small_blind, start.big_blind)
        if self._rules.betting is Betting.FIXED_LIMIT:
            small, big = big, 2 * big
        stakes = f"{self._money(small)}/{self._money(big)}"
        if self._has_button_blind:
            stakes = f"Button Blind {self._money(big)} - Ante {self._money(start.ante)}"
        return f"{stakes} {source.currency}" if source.symbol and source.currency else stakes

    @property
    def _has_button_blind(self) -> bool:
        return self._rules.pack is Pack.SHORT and self._blinds == {Post.BIG_BLIND: self._started.button}

    def _number(self, seat: int) -> int:
        """The number of a seat at its table."""
        return self._source.seats[seat] if self._source.seats else seat + 1

    def _posts(self) -> Lines:
        """The antes and blinds. Both blinds that somebody missed are one post. A missed small blind alone comes last:
        programs take the first one for that of the hand."""
        lines, big = [], self._started.big_blind
        dead = {event.seat: event for event in self._posted if event.post is Post.DEAD}
        for event in self._posted:
            seat, amount, what = event.seat, event.amount, _POSTS.get(event.post, "")
            if event.post is Post.DEAD:
                continue
            if event.post not in _ANTES:
                self._bet = max(self._bet, amount, big)
                self._put_in.add(seat)
            if event.post is Post.BIG_BLIND and self._has_button_blind:
                what = "button blind"
            if event.post is Post.MISSED and seat in dead and not event.all_in:
                what, amount = "small & big blinds", amount + dead.pop(seat).amount
            lines.append(f"{self._names[seat]}: posts {what} {self._money(amount)}{_all_in(event.all_in)}")
        for seat, event in dead.items():
            lines.append(f"{self._names[seat]}: posts small blind {self._money(event.amount)}{_all_in(event.all_in)}")
        return lines

    def _told(self, event: HoldemEvent) -> Lines:
        match event:
            case HoleCards(seat, cards):
                return [*self._before_acting(), f"Dealt to {self._names[seat]} [{text(cards)}]"]
            case Acted():
                return [*self._before_acting(), self._acted(event)]
            case RunAgreed(times):
                self._parts = times
                self._boards = dict.fromkeys(range(times), self._boards[0])
            case StreetDealt():
                return [*self._before_acting(), self._dealt(event)]
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

    def _dealt(self, event: StreetDealt) -> str:
        before = self._boards.get(event.board, ())
        self._boards[event.board] = before + event.cards
        self._street, self._bet = event.street, 0
        earlier = f" [{text(before)}]" if before else ""
        return f"*** {self._ordinal(event.board)}{event.street} ***{earlier} [{text(event.cards)}]"

    def _ordinal(self, board: int) -> str:
        return f"{_ORDINALS[board]} " if self._parts > 1 else ""

    def _closing(self, board: int) -> Lines:
        """Who shows, with what it makes, and who collects: for each board, or for the winner nobody called."""
        lines = [f"*** {self._ordinal(board)}SHOW DOWN ***"] if self._contested else []
        turned = [self._turned_line(event, board) for event in self._turned]
        collected = [line for award in self._awards if award.board == board for line in self._collected(award)]
        if self._contested:
            return [*lines, *turned, *collected]
        unseen = [f"{self._names[award.winners[0]]}: doesn't show hand" for award in self._awards if not turned]
        return [*collected, *turned, *unseen]

    def _turned_line(self, event: Shown | Mucked, board: int) -> str:
        if isinstance(event, Mucked):
            return f"{self._names[event.seat]}: mucks hand"
        made = self._made_of.get((event.seat, board))
        return f"{self._names[event.seat]}: shows [{text(event.cards)}]" + (f" ({made})" if made else "")

    def _collected(self, award: PotAwarded) -> Lines:
        last = max(each.pot for each in self._awards)
        number = "" if last == 1 else f"-{award.pot}"
        pot = "pot" if last == 0 else "main pot" if award.pot == 0 else f"side pot{number}"
        winners = zip(award.winners, award.shares, strict=True)
        return [f"{self._names[seat]} collected {self._money(share)} from {pot}" for seat, share in winners]

    def _summary(self) -> Lines:
        by_pot: dict[int, int] = {}
        for award in self._awards:
            by_pot[award.pot] = by_pot.get(award.pot, 0) + award.amount
        pots = ""
        if len(by_pot) > 1:
            (_, main), *sides = sorted(by_pot.items())
            numbers = ["" if len(sides) == 1 else f"-{number}" for number, _ in sides]
            pots = f" Main pot {self._money(main)}." + "".join(
                f" Side pot{number} {self._money(side)}." for number, (_, side) in zip(numbers, sides, strict=True)
            )
        rake = self._rake + sum(self._raked.values())
        boards = [f"{self._ordinal(board)}Board [{text(cards)}]" for board, cards in self._boards.items() if cards]
        run = [f"Hand was run {_TIMES[self._parts]}"] if self._parts > self._rules.boards else []
        seats = [
            f"Seat {self._number(seat)}: {self._names[seat]}{self._place(seat)} {self._fate(seat)}"
            for seat in sorted(self._started.seats, key=self._number)
        ]
        return [
            "*** SUMMARY ***",
            f"Total pot {self._money(sum(by_pot.values()) + self._rake)}{pots} | Rake {self._money(rake)}",
            *run,
            *boards,
            *seats,
        ]

    def _place(self, seat: int) -> str:
        named = [(self._started.button, "button")]
        named += [(self._blinds.get(post, -1), _POSTS[post]) for post in _IN_TURN if not self._has_button_blind]
        return "".join(f" ({name})" for place, name in named if place == seat)

    def _fate(self, seat: int) -> str:
        if seat in self._folded:
            street = self._folded[seat]
            idle = street is Street.PREFLOP and seat not in self._put_in
            return _FOLDED[street] + (" (didn't bet)" if idle else "")
        shown = next((event.cards for event in self._turned if isinstance(event, Shown) and event.seat == seat), None)
        if shown is not None and self._contested:
            return f"showed [{text(shown)}] and " + ", and ".join(
                (f"won ({self._money(won)})" if won else "lost") + f" with {self._made_of.get((seat, board), 'a hand')}"
                for board, won in enumerate(self._won(seat))
            )
        if won := sum(self._won(seat)):
            return f"collected ({self._money(won)})"
        return "mucked" if self._contested else "didn't act"

    def _won(self, seat: int) -> list[int]:
        """What the seat won on each board."""
        won = [0] * self._parts
        for award in self._awards:
            won[award.board] += sum(
                share for winner, share in zip(award.winners, award.shares, strict=True) if winner == seat
            )
        return won


def _after_rake(events: Sequence[HoldemEvent], raked: Mapping[int, int]) -> list[PotAwarded]:
    """The awards with the shares that the winners got."""
    left, awards = dict(raked), []
    for award in events:
        if not isinstance(award, PotAwarded):
            continue
        shares = []
        for seat, share in zip(award.winners, award.shares, strict=True):
            kept = min(left.get(seat, 0), share)
            left[seat] = left.get(seat, 0) - kept
            shares.append(share - kept)
        awards.append(replace(award, shares=tuple(shares)))
    return awards


def game_name(rules: HoldemRules) -> str:
    """What a heading of the format calls a variant."""
    limit = {Betting.NO_LIMIT: "No Limit", Betting.POT_LIMIT: "Pot Limit", Betting.FIXED_LIMIT: "Limit"}[rules.betting]
    if rules.used is Used.ANY:
        return ("6+ Hold'em " if rules.pack is Pack.SHORT else "Hold'em ") + limit
    cards = "" if rules.hole_cards == 4 else f"{rules.hole_cards} Card "
    kind = {Split.HIGH: "", Split.HIGH_LOW: " Hi/Lo", Split.TWO_BOARDS: " Two Boards"}[rules.pot]
    return f"{cards}Omaha{kind} {limit}"


def description(cards: tuple[Card, ...], kind: Category | None = None) -> str:
    """What the best five of these cards are called in the format: `two pair, Kings and Fours`. The kind is that of the
    game, where it is known: A-6-7-8-9 is a straight with the short pack only."""
    kind, five = kind or category(rank(cards)), best_five(cards)
    ranks = [card.rank for card in five]
    high = _RANK_NAMES[ranks[0]]
    by_count = sorted(set(ranks), key=lambda each: (-ranks.count(each), ranks.index(each)))
    first = _plural(by_count[0])
    match kind:
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
    """A straight, from its lowest card: an ace is low where there is a five, or with the short pack a nine, but no
    king."""
    if "A" in ranks and "K" not in ranks:
        return f"Ace to {'Five' if '5' in ranks else 'Nine'}"
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
