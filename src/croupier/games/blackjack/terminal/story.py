"""A round of blackjack in sentences."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.table import GameTable
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


class BlackjackStory(GameTable):
    """Tells round after round. Cards dealt in one go are told hand by hand, not card by card."""

    def tell(self, snapshot: Snapshot) -> list[str]:
        lines: list[str] = []
        for dealt, group in groupby(snapshot.events, key=lambda event: isinstance(event, CardDealt | DealerCardDealt)):
            if dealt:
                lines += self._dealt(snapshot, group)
            else:
                for event in group:
                    lines += self.sentences(snapshot, event)
        if lines and snapshot.round_over and snapshot.seat is not None and snapshot.public.payouts is not None:
            change, purse = snapshot.public.payouts[snapshot.seat], snapshot.view.seats[snapshot.seat].chips or 0
            lines.append(self.words.t("play.blackjack.result", change=f"{change:+}", purse=purse))
        return lines

    def _dealt(self, snapshot: Snapshot, events: Iterable[Event]) -> list[str]:
        hands: dict[str, list[str]] = {}
        for event in events:
            match event:
                case CardDealt(seat, hand, card):
                    hands.setdefault(self._owner(snapshot, seat, hand), []).append(self.words.card(card))
                case DealerCardDealt(card):
                    shown = self.words.t("play.blackjack.face_down") if card is None else self.words.card(card)
                    hands.setdefault(self.words.t("play.blackjack.dealer"), []).append(shown)
        return [self.words.t("play.blackjack.dealt", name=name, cards=" ".join(cards)) for name, cards in hands.items()]

    def _owner(self, snapshot: Snapshot, seat: int, hand: int) -> str:
        """The owner of a hand; with its number where a seat has several."""
        name = self.words.name(snapshot.public, seat)
        several = isinstance(snapshot.view, BlackjackView) and len(snapshot.view.seats[seat].hands) > 1
        return self.words.t("play.blackjack.hand_of", name=name, hand=hand + 1) if several else name

    def sentences(self, snapshot: Snapshot, event: Event) -> list[str]:
        t, words = self.words.t, self.words
        match event:
            case BetPlaced(seat, amount):
                return [t("play.blackjack.bets", name=words.name(snapshot.public, seat), amount=amount)]
            case SatOut(seat):
                return [t("play.blackjack.sits_out", name=words.name(snapshot.public, seat))]
            case ShoeShuffled(cards):
                return [t("play.blackjack.shuffled", cards=cards)]
            case InsuranceOffered():
                return [t("play.blackjack.insurance_offered")]
            case InsuranceDecided(seat, amount):
                key = "insured" if amount else "uninsured"
                return [t(f"play.blackjack.{key}", name=words.name(snapshot.public, seat), amount=amount)]
            case DealerPeeked(blackjack):
                return [t("play.blackjack.peeked_blackjack" if blackjack else "play.blackjack.peeked")]
            case Played(seat, hand, action):
                return [t(f"play.blackjack.played.{action}", name=self._owner(snapshot, seat, hand))]
            case HandChanged(seat, hand, status, total) if status in _TOLD_CHANGES:
                return [t(f"play.blackjack.{status}", name=self._owner(snapshot, seat, hand), total=total)]
            case HoleCardRevealed(card):
                return [t("play.blackjack.revealed", card=words.card(card))]
            case HandSettled():
                return [self._settled(snapshot, event)]
            case InsuranceSettled(seat, payout):
                key = "insurance_paid" if payout else "insurance_lost"
                return [t(f"play.blackjack.{key}", name=words.name(snapshot.public, seat), payout=payout)]
            case ShoeEmpty():
                return [t("code.SHOE_EMPTY")]
            case SeatLeft(seat):
                return [t("play.left", name=words.name(snapshot.public, seat))]
            case GameTerminated():
                return [t("code.GAME_TERMINATED")]
        return []

    def _settled(self, snapshot: Snapshot, event: HandSettled) -> str:
        """The result with its reason, both totals or what made them not matter; and the payout, if chips were bet."""
        t, view = self.words.t, snapshot.view
        assert isinstance(view, BlackjackView)
        hand = view.seats[event.seat].hands[event.hand]
        owner, reason = self._owner(snapshot, event.seat, event.hand), self._reason(hand, view)
        settled = t(f"play.blackjack.settled.{event.result}", name=owner, reason=reason)
        return t("play.blackjack.settled.paid", settled=settled, payout=event.payout) if hand.bet else settled

    def _reason(self, hand: HandView, view: BlackjackView) -> str:
        t = self.words.t
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

    def situation(self, snapshot: Snapshot) -> list[str]:
        view, t, words = snapshot.view, self.words.t, self.words
        assert isinstance(view, BlackjackView)
        assert snapshot.seat is not None
        own = view.seats[snapshot.seat]
        if not own.hands:
            return [t("play.blackjack.purse", purse=own.chips or 0)]
        number = (view.active_hand or 0) if snapshot.seat in view.to_act else 0
        hand, dealer = own.hands[number], view.dealer
        facts = {"cards": words.cards(hand.cards), "total": hand.best_value, "dealer": words.cards(dealer.cards)}
        lines = [t("play.blackjack.situation", **facts, bet=hand.bet, purse=own.chips or 0)]
        if len(own.hands) > 1:
            lines.insert(0, t("play.blackjack.hand_number", hand=number + 1, hands=len(own.hands)))
        return lines
