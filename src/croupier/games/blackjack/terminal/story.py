"""A round of blackjack in sentences."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.words import Words
from croupier.game.game import Event
from croupier.games.blackjack.rules.events import (
    BetPlaced,
    CardDealt,
    DealerCardDealt,
    DealerPeeked,
    GameTerminated,
    HandChanged,
    HandSettled,
    HoleCardRevealed,
    InsuranceDecided,
    InsuranceOffered,
    InsuranceSettled,
    Played,
    SatOut,
    SeatLeft,
    ShoeEmpty,
    ShoeShuffled,
)
from croupier.games.blackjack.rules.state import Status
from croupier.games.blackjack.rules.view import BlackjackView, HandView

_TOLD_CHANGES: Final = (Status.BUSTED, Status.BLACKJACK)


class BlackjackStory:
    """Tells round after round. Cards dealt in one go are told hand by hand, not card by card."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def tell(self, moment: Moment) -> list[str]:
        lines: list[str] = []
        for dealt, group in groupby(moment.events, key=lambda event: isinstance(event, CardDealt | DealerCardDealt)):
            if dealt:
                lines += self._dealt(moment, group)
            else:
                for event in group:
                    lines += self._sentences(moment, event)
        if lines and moment.round_over and moment.seat is not None and moment.public.payouts is not None:
            change, purse = moment.public.payouts[moment.seat], moment.view.seats[moment.seat].chips or 0
            lines.append(self._words.t("play.blackjack.result", change=f"{change:+}", purse=purse))
        return lines

    def _dealt(self, moment: Moment, events: Iterable[Event]) -> list[str]:
        hands: dict[str, list[str]] = {}
        for event in events:
            match event:
                case CardDealt(seat, hand, card):
                    hands.setdefault(self._owner(moment, seat, hand), []).append(self._words.card(card))
                case DealerCardDealt(card):
                    shown = self._words.t("play.blackjack.face_down") if card is None else self._words.card(card)
                    hands.setdefault(self._words.t("play.blackjack.dealer"), []).append(shown)
        return [
            self._words.t("play.blackjack.dealt", name=name, cards=" ".join(cards)) for name, cards in hands.items()
        ]

    def _owner(self, moment: Moment, seat: int, hand: int) -> str:
        """Whose hand; with its number where somebody has several."""
        name = self._words.name(moment.public, seat)
        several = isinstance(moment.view, BlackjackView) and len(moment.view.seats[seat].hands) > 1
        return self._words.t("play.blackjack.hand_of", name=name, hand=hand + 1) if several else name

    def _sentences(self, moment: Moment, event: Event) -> list[str]:
        t, words = self._words.t, self._words
        match event:
            case BetPlaced(seat, amount):
                return [t("play.blackjack.bets", name=words.name(moment.public, seat), amount=amount)]
            case SatOut(seat):
                return [t("play.blackjack.sits_out", name=words.name(moment.public, seat))]
            case ShoeShuffled(cards):
                return [t("play.blackjack.shuffled", cards=cards)]
            case InsuranceOffered():
                return [t("play.blackjack.insurance_offered")]
            case InsuranceDecided(seat, amount):
                key = "insured" if amount else "uninsured"
                return [t(f"play.blackjack.{key}", name=words.name(moment.public, seat), amount=amount)]
            case DealerPeeked(blackjack):
                return [t("play.blackjack.peeked_blackjack" if blackjack else "play.blackjack.peeked")]
            case Played(seat, hand, action):
                return [t(f"play.blackjack.played.{action}", name=self._owner(moment, seat, hand))]
            case HandChanged(seat, hand, status, total) if status in _TOLD_CHANGES:
                return [t(f"play.blackjack.{status}", name=self._owner(moment, seat, hand), total=total)]
            case HoleCardRevealed(card):
                return [t("play.blackjack.revealed", card=words.card(card))]
            case HandSettled():
                return [self._settled(moment, event)]
            case InsuranceSettled(seat, payout):
                key = "insurance_paid" if payout else "insurance_lost"
                return [t(f"play.blackjack.{key}", name=words.name(moment.public, seat), payout=payout)]
            case ShoeEmpty():
                return [t("code.SHOE_EMPTY")]
            case SeatLeft(seat):
                return [t("play.left", name=words.name(moment.public, seat))]
            case GameTerminated():
                return [t("code.GAME_TERMINATED")]
        return []

    def _settled(self, moment: Moment, event: HandSettled) -> str:
        """The result with its reason: both totals, or what made them not matter."""
        view: BlackjackView = moment.view
        hand = view.seats[event.seat].hands[event.hand]
        facts = {"name": self._owner(moment, event.seat, event.hand), "payout": event.payout}
        reason = self._reason(hand, view)
        return self._words.t(f"play.blackjack.settled.{event.result}", **facts, reason=reason)

    def _reason(self, hand: HandView, view: BlackjackView) -> str:
        t = self._words.t
        if hand.is_surrendered:
            return t("play.blackjack.why.surrendered")
        if hand.best_value > 21:
            return t("play.blackjack.why.busted", total=hand.best_value)
        if hand.is_blackjack or view.dealer.has_blackjack:
            both = hand.is_blackjack and view.dealer.has_blackjack
            which = "both_blackjack" if both else "blackjack" if hand.is_blackjack else "dealer_blackjack"
            return t(f"play.blackjack.why.{which}")
        if view.dealer.best_value > 21:
            return t("play.blackjack.why.dealer_busted", dealer=view.dealer.best_value)
        return t("play.blackjack.why.totals", total=hand.best_value, dealer=view.dealer.best_value)

    def situation(self, moment: Moment) -> list[str]:
        view, t, words = moment.view, self._words.t, self._words
        assert isinstance(view, BlackjackView)
        assert moment.seat is not None
        own = view.seats[moment.seat]
        if not own.hands:
            return [t("play.blackjack.purse", purse=own.chips or 0)]
        number = (view.active_hand or 0) if moment.seat in view.to_act else 0
        hand, dealer = own.hands[number], view.dealer
        facts = {"cards": words.cards(hand.cards), "total": hand.best_value, "dealer": words.cards(dealer.cards)}
        lines = [t("play.blackjack.situation", **facts, bet=hand.bet, purse=own.chips or 0)]
        if len(own.hands) > 1:
            lines.insert(0, t("play.blackjack.hand_number", hand=number + 1, hands=len(own.hands)))
        return lines

    def standing(self, moment: Moment) -> list[tuple[str, ...]]:
        view, t = moment.view, self._words.t
        if not isinstance(view, BlackjackView):
            return []
        rows = [tuple(t(f"play.blackjack.column.{column}") for column in ("place", "name", "chips"))]
        purses = [(seat.chips or 0, number) for number, seat in enumerate(view.seats)]
        for place, (purse, seat) in enumerate(sorted(purses, key=lambda pair: (-pair[0], pair[1])), start=1):
            rows.append((str(place), self._words.name(moment.public, seat), str(purse)))
        return rows
