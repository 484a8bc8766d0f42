"""A hand of Hold'em in sentences, the ranking and the statistics."""

from itertools import zip_longest
from typing import Final

import msgspec

from croupier.cards import Card
from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.table import GameTable
from croupier.clients.terminal.words import Words
from croupier.game.game import Event
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
    RabbitDealt,
    RakeTaken,
    RunAgreed,
    SevenDeuce,
    Shown,
    StreetDealt,
)
from croupier.games.poker.rules.rules import HoldemRules
from croupier.games.poker.rules.setup import Statistics
from croupier.games.poker.rules.view import HoldemView
from croupier.games.poker.rules.worth import made as made_of
from croupier.games.poker.terminal.scene import made_name

_IN_OF_OWN_WILL: Final = (Move.CALL, Move.BET, Move.RAISE)


class _HandSoFar:
    """What a hand adds to the statistics. A view has them as they were before the hand."""

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


class HoldemStory(GameTable):
    """Tells the events of each hand; remembers the last level, to say when the blinds go up."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self._level = 0
        self._hand = _HandSoFar()
        self._boards: dict[int, tuple[Card, ...]] = {}
        self._named: set[int] = set()
        """Seats whose hands were named when they were shown, with the whole board."""

    def tell(self, snapshot: Snapshot) -> list[str]:
        lines: list[str] = []
        for event in snapshot.events:
            if isinstance(event, HandStarted):
                self._hand, self._boards, self._named = _HandSoFar(), {}, set()
            self._hand.take(event)
            lines += self.sentences(snapshot, event)
        return lines

    def sentences(self, snapshot: Snapshot, event: Event) -> list[str]:
        t, words = self.words.t, self.words
        match event:
            case HandStarted():
                return self._started(snapshot, event)
            case Posted():
                return [self._posted(snapshot, event)]
            case HoleCards(_, cards):
                return [t("event.HOLDEM_HOLE_CARDS", cards=words.cards(cards))]
            case Acted():
                return [self._acted(snapshot, event)]
            case StreetDealt(street, cards, board):
                on_board = self._boards[board] = (*self._boards.get(board, ()), *cards)
                line = t("event.HOLDEM_STREET_DEALT", street=t(f"street.{street}"), cards=words.cards(on_board))
                return [self._on_board(board, line)]
            case BetReturned(seat, amount):
                return [t("event.HOLDEM_BET_RETURNED", seat=self._name(snapshot, seat), amount=amount)]
            case Shown(seat, cards):
                return [self._shown(snapshot, seat, cards)]
            case HandNamed(seat) if seat not in self._named or event.board or event.low:
                return [self._hand_named(snapshot, event)]
            case Mucked(seat):
                return [t("event.HOLDEM_MUCKED", seat=self._name(snapshot, seat))]
            case PotAwarded():
                return self._awarded(snapshot, event)
            case RunAgreed(times):
                return [t("event.HOLDEM_RUN_AGREED", times=times)]
            case RabbitDealt(cards, board):
                return [self._on_board(board, t("event.HOLDEM_RABBIT_DEALT", cards=words.cards(cards)))]
            case RakeTaken(_, amount):
                return [t("event.HOLDEM_RAKE_TAKEN", amount=amount)]
            case SevenDeuce(seat, amount):
                return [t("event.HOLDEM_SEVEN_DEUCE", seat=self._name(snapshot, seat), amount=amount)]
            case PlayerLeft(seat):
                return [t("event.HOLDEM_PLAYER_LEFT", seat=self._name(snapshot, seat))]
            case KnockedOut(seat, place):
                return [t("event.HOLDEM_KNOCKED_OUT", seat=self._name(snapshot, seat), place=place)]
            case HandOver():
                return self._over(snapshot, event)
        return []

    def _name(self, snapshot: Snapshot, seat: int) -> str:
        return self.words.name(snapshot.public, seat)

    def _started(self, snapshot: Snapshot, event: HandStarted) -> list[str]:
        t = self.words.t
        lines = []
        if self._level and event.level > self._level:
            lines.append(t("play.poker.blinds_up", level=event.level))
        self._level = event.level
        facts = {"hand": event.hand, "small": event.small_blind, "big": event.big_blind}
        lines.append(t("play.poker.started", **facts, button=self._name(snapshot, event.button)))
        if event.bomb:
            lines.append(t("play.poker.bomb"))
        elif event.ante:
            lines.append(f"{t('poker.ante')}: {event.ante}.")
        return lines

    def _posted(self, snapshot: Snapshot, event: Posted) -> str:
        name = self._name(snapshot, event.seat)
        line = self.words.t(f"event.HOLDEM_POSTED.{event.post}", seat=name, amount=event.amount)
        return self._all_in(line) if event.all_in else line

    def _acted(self, snapshot: Snapshot, event: Acted) -> str:
        name = self._name(snapshot, event.seat)
        line = self.words.t(f"event.HOLDEM_ACTED.{event.move}", seat=name, amount=event.amount, to=event.to)
        return self._all_in(line) if event.all_in else line

    def _all_in(self, line: str) -> str:
        return f"{line} {self.words.t('play.poker.all_in')}"

    def _on_board(self, board: int, line: str) -> str:
        """Adds the board to a sentence about any board but the first."""
        return self.words.t("play.poker.on_board", board=board + 1, line=line) if board else line

    def _hand_named(self, snapshot: Snapshot, event: HandNamed) -> str:
        t = self.words.t
        made = t(f"hand.{event.category.name}")
        if event.low:
            made = f"{made}, {t('play.poker.low', cards=self.words.cards(event.low))}"
        named = t("event.HOLDEM_HAND_NAMED", seat=self._name(snapshot, event.seat), category=made)
        return self._on_board(event.board, named)

    def _shown(self, snapshot: Snapshot, seat: int, cards: tuple[Card, ...]) -> str:
        t, name, held = self.words.t, self._name(snapshot, seat), self.words.cards(cards)
        board = self._boards.get(0, ())
        rules = msgspec.convert(snapshot.public.rules, HoldemRules)
        if len(board) < 3 or len(cards) < rules.hole_cards:
            return t("event.HOLDEM_SHOWN", seat=name, cards=held)
        if len(board) == 5:
            self._named.add(seat)
        made = t(f"hand.{made_of(rules.pack, rules.used, cards, board)[0].name}")
        return t("play.poker.shown_as", name=name, cards=held, made=made)

    def _awarded(self, snapshot: Snapshot, event: PotAwarded) -> list[str]:
        t = self.words.t
        pot = t("play.poker.main_pot") if event.pot == 0 else t("play.poker.side_pot", number=event.pot)
        lines = []
        for seat, share in zip(event.winners, event.shares, strict=True):
            facts = {"name": self._name(snapshot, seat), "amount": share, "pot": pot}
            if event.low:
                made = t("play.poker.low", cards=self.words.cards(event.cards))
                lines.append(self._on_board(event.board, t("play.poker.wins_low", **facts, made=made)))
            elif event.category is None:
                lines.append(t("play.poker.wins", **facts))
            else:
                made, cards = t(f"hand.{event.category.name}"), self.words.cards(event.cards)
                won = t("play.poker.wins_with", **facts, made=made, cards=cards)
                lines.append(self._on_board(event.board, won))
        return lines

    def _over(self, snapshot: Snapshot, event: HandOver) -> list[str]:
        t, lines = self.words.t, []
        if snapshot.seat is not None and snapshot.seat in self._hand.dealt:
            change, stack = event.payouts[snapshot.seat], event.stacks[snapshot.seat]
            lines.append(t("play.poker.result", change=f"{change:+}", stack=stack))
        if event.winner is not None:
            lines.append(t("play.poker.champion", name=self._name(snapshot, event.winner)))
        return lines

    def private_sentences(self, now: Snapshot, seat: int, event: Event) -> list[str]:
        if not isinstance(event, HoleCards):
            return super().private_sentences(now, seat, event)
        return [self.words.t("play.gets", name=self._name(now, seat), cards=self.words.cards(event.cards))]

    def position(self, now: Snapshot) -> list[str]:
        view: HoldemView = now.view
        if not view.total:
            return []
        stacks = self.words.join(f"{self._name(now, seat.seat)} {seat.chips}" for seat in view.seats)
        board = " / ".join(self.words.cards(each) for each in (view.board, *view.other_boards)) or "–"
        return [self.words.t("play.poker.position", board=board, pot=view.total, stacks=stacks)]

    def situation(self, snapshot: Snapshot) -> list[str]:
        view, t = snapshot.view, self.words.t
        assert isinstance(view, HoldemView)
        assert snapshot.seat is not None
        own = view.seats[snapshot.seat]
        facts = {"cards": self.words.cards(own.cards), "pot": view.total, "call": view.to_call, "stack": own.chips}
        lines = [t("play.poker.situation", **facts)]
        boards = [self.words.cards(board) for board in (view.board, *view.other_boards) if board]
        made = () if view.own is None else (view.own, *view.own_others)
        named = [t("play.poker.own", made=made_name(each, self.words)) for each in made]
        if len(boards) < 2:
            return lines + [t("play.poker.board", cards=board) for board in boards] + named
        for number, (board, mine) in enumerate(zip_longest(boards, named, fillvalue=""), start=1):
            lines.append(t("play.poker.on_board", board=number, line=f"{board} · {mine}"))
        return lines

    def standing(self, snapshot: Snapshot) -> list[tuple[str, ...]]:
        """By chips; players who are out by their place."""
        view, t = snapshot.view, self.words.t
        if not isinstance(view, HoldemView):
            return []
        common, own = ("place", "name", "chips"), ("hands", "won", "vpip", "pfr", "showdowns")
        heading = [t(f"play.column.{name}") for name in common] + [t(f"play.poker.column.{name}") for name in own]
        rows = [tuple(heading)]
        for place, seat in sorted((self._place(view, seat.seat), seat.seat) for seat in view.seats):
            shown = view.seats[seat]
            if snapshot.public.members and not any(member.seat == seat for member in snapshot.public.members):
                continue
            counted = self._hand.added_to(shown.statistics, seat)
            rows.append(
                (
                    str(place),
                    self._name(snapshot, seat),
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
