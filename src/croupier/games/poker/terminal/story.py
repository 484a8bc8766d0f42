"""A hand of Hold'em in sentences, the ranking and the statistics."""

from typing import Final

from croupier.cards import Card
from croupier.clients.snapshot import Moment
from croupier.clients.terminal.words import Words
from croupier.game.game import Event
from croupier.games.poker.rules.evaluate import category, rank
from croupier.games.poker.rules.events import (
    Acted,
    BetReturned,
    HandNamed,
    HandOver,
    HandStarted,
    HoleCards,
    HoleCardsDealt,
    KnockedOut,
    Move,
    Mucked,
    PlayerLeft,
    Posted,
    PotAwarded,
    Shown,
    StreetDealt,
)
from croupier.games.poker.rules.setup import Statistics
from croupier.games.poker.rules.view import HoldemView

_IN_OF_OWN_WILL: Final = (Move.CALL, Move.BET, Move.RAISE)


class _HandSoFar:
    """What a hand adds to the statistics, which a view has as they were before the hand."""

    def __init__(self) -> None:
        self.over = False
        self.before_flop = True
        self.dealt: set[int] = set()
        self.won: set[int] = set()
        self.entered: set[int] = set()
        self.raised: set[int] = set()
        self.folded: set[int] = set()
        self.shown = False

    def take(self, event: Event) -> None:
        match event:
            case HoleCardsDealt(seats):
                self.dealt = set(seats)
            case StreetDealt():
                self.before_flop = False
            case Acted(seat, move):
                if move is Move.FOLD:
                    self.folded.add(seat)
                if self.before_flop and move in _IN_OF_OWN_WILL:
                    self.entered.add(seat)
                if self.before_flop and move in (Move.BET, Move.RAISE):
                    self.raised.add(seat)
            case Shown():
                self.shown = True
            case PotAwarded(_, _, winners):
                self.won.update(winners)
            case HandOver():
                self.over = True

    def added_to(self, before: Statistics, seat: int) -> Statistics:
        if not self.over:
            return before
        return Statistics(
            hands=before.hands + (seat in self.dealt),
            won=before.won + (seat in self.won),
            vpip=before.vpip + (seat in self.entered),
            pfr=before.pfr + (seat in self.raised),
            showdowns=before.showdowns + (self.shown and seat in self.dealt - self.folded),
        )


class HoldemStory:
    """Tells hand after hand; knows the level of the last one, to say when the blinds go up."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._level = 0
        self._hand = _HandSoFar()
        self._board: tuple[Card, ...] = ()
        self._named: set[int] = set()
        """Seats whose hands were named when they were shown, with the whole board."""

    def tell(self, moment: Moment) -> list[str]:
        lines: list[str] = []
        for event in moment.events:
            if isinstance(event, HandStarted):
                self._hand, self._board, self._named = _HandSoFar(), (), set()
            self._hand.take(event)
            lines += self._sentences(moment, event)
        return lines

    def _sentences(self, moment: Moment, event: Event) -> list[str]:
        t, words = self._words.t, self._words
        match event:
            case HandStarted():
                return self._started(moment, event)
            case Posted():
                return [self._posted(moment, event)]
            case HoleCards(_, cards):
                return [t("event.HOLDEM_HOLE_CARDS", cards=words.cards(cards))]
            case Acted():
                return [self._acted(moment, event)]
            case StreetDealt(street, cards):
                self._board += cards
                return [t("event.HOLDEM_STREET_DEALT", street=t(f"street.{street}"), cards=words.cards(self._board))]
            case BetReturned(seat, amount):
                return [t("play.holdem.returned", name=self._name(moment, seat), amount=amount)]
            case Shown(seat, cards):
                return [self._shown(moment, seat, cards)]
            case HandNamed(seat, made) if seat not in self._named:
                return [t("play.holdem.named", name=self._name(moment, seat), made=t(f"hand.{made.name}"))]
            case Mucked(seat):
                return [t("play.holdem.mucked", name=self._name(moment, seat))]
            case PotAwarded():
                return self._awarded(moment, event)
            case PlayerLeft(seat):
                return [t("play.left", name=self._name(moment, seat))]
            case KnockedOut(seat, place):
                return [t("play.holdem.out", name=self._name(moment, seat), place=place)]
            case HandOver():
                return self._over(moment, event)
        return []

    def _name(self, moment: Moment, seat: int) -> str:
        return self._words.name(moment.public, seat)

    def _started(self, moment: Moment, event: HandStarted) -> list[str]:
        t = self._words.t
        lines = []
        if self._level and event.level > self._level:
            lines.append(t("play.holdem.blinds_up", level=event.level))
        self._level = event.level
        facts = {"hand": event.hand, "small": event.small_blind, "big": event.big_blind}
        lines.append(t("play.holdem.started", **facts, button=self._name(moment, event.button)))
        if event.ante:
            lines.append(f"{t('holdem.ante')}: {event.ante}.")
        return lines

    def _posted(self, moment: Moment, event: Posted) -> str:
        name = self._name(moment, event.seat)
        line = self._words.t(f"play.holdem.posted.{event.post}", name=name, amount=event.amount)
        return self._all_in(line) if event.all_in else line

    def _acted(self, moment: Moment, event: Acted) -> str:
        name = self._name(moment, event.seat)
        line = self._words.t(f"play.holdem.acted.{event.move}", name=name, amount=event.amount, to=event.to)
        return self._all_in(line) if event.all_in else line

    def _all_in(self, line: str) -> str:
        return f"{line} {self._words.t('play.holdem.all_in')}"

    def _shown(self, moment: Moment, seat: int, cards: tuple[Card, ...]) -> str:
        t, facts = self._words.t, {"name": self._name(moment, seat), "cards": self._words.cards(cards)}
        if len(self._board) < 3:
            return t("play.holdem.shown", **facts)
        if len(self._board) == 5:
            self._named.add(seat)
        made = t(f"hand.{category(rank(self._board + cards)).name}")
        return t("play.holdem.shown_as", **facts, made=made)

    def _awarded(self, moment: Moment, event: PotAwarded) -> list[str]:
        t = self._words.t
        pot = t("play.holdem.main_pot") if event.pot == 0 else t("play.holdem.side_pot", number=event.pot)
        lines = []
        for seat, share in zip(event.winners, event.shares, strict=True):
            facts = {"name": self._name(moment, seat), "amount": share, "pot": pot}
            if event.category is None:
                lines.append(t("play.holdem.wins", **facts))
            else:
                made, cards = t(f"hand.{event.category.name}"), self._words.cards(event.cards)
                lines.append(t("play.holdem.wins_with", **facts, made=made, cards=cards))
        return lines

    def _over(self, moment: Moment, event: HandOver) -> list[str]:
        t, lines = self._words.t, []
        if moment.seat is not None and moment.seat in self._hand.dealt:
            change, stack = event.payouts[moment.seat], event.stacks[moment.seat]
            lines.append(t("play.holdem.result", change=f"{change:+}", stack=stack))
        if event.winner is not None:
            lines.append(t("play.holdem.champion", name=self._name(moment, event.winner)))
        return lines

    def situation(self, moment: Moment) -> list[str]:
        view, t = moment.view, self._words.t
        assert isinstance(view, HoldemView)
        assert moment.seat is not None
        own = view.seats[moment.seat]
        facts = {"cards": self._words.cards(own.cards), "pot": view.total, "call": view.to_call, "stack": own.chips}
        lines = [t("play.holdem.situation", **facts)]
        if view.board:
            lines.append(t("play.holdem.board", cards=self._words.cards(view.board)))
        if view.own is not None:
            lines.append(t("play.holdem.own", made=t(f"hand.{view.own.category.name}")))
        return lines

    def standing(self, moment: Moment) -> list[tuple[str, ...]]:
        """By chips; who is out, by the place they went out in."""
        view, t = moment.view, self._words.t
        if not isinstance(view, HoldemView):
            return []
        columns = ("place", "name", "chips", "hands", "won", "vpip", "pfr", "showdowns")
        rows = [tuple(t(f"play.holdem.column.{column}") for column in columns)]
        for place, seat in sorted((self._place(view, seat.seat), seat.seat) for seat in view.seats):
            shown = view.seats[seat]
            if moment.public.members and not any(member.seat == seat for member in moment.public.members):
                continue
            counted = self._hand.added_to(shown.statistics, seat)
            rows.append(
                (
                    str(place),
                    self._name(moment, seat),
                    str(shown.chips),
                    str(counted.hands),
                    _share(counted.won, counted.hands),
                    _share(counted.vpip, counted.hands),
                    _share(counted.pfr, counted.hands),
                    _share(counted.showdowns, counted.hands),
                )
            )
        return rows

    @staticmethod
    def _place(view: HoldemView, seat: int) -> int:
        shown = view.seats[seat]
        return shown.place or 1 + sum(1 for other in view.seats if other.chips + other.bet > shown.chips + shown.bet)


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})" if whole else "0"
