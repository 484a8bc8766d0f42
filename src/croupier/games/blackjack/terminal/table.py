"""Blackjack in the terminal."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from rich.text import Text

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import Focus
from croupier.clients.terminal.choices import Choice
from croupier.game.game import Action, AnyRules, Offer
from croupier.games.blackjack.bots import BasicPolicy
from croupier.games.blackjack.rules.actions import Insurance, PlaceBet, SitOut
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.games.blackjack.rules.view import BlackjackView
from croupier.games.blackjack.terminal.scene import draw_blackjack
from croupier.games.blackjack.terminal.story import BlackjackStory

TRAINER_PRESET: Final = "trainer"


class BlackjackTable(BlackjackStory):
    """A table of blackjack: one key for each decision."""

    keys: ClassVar[Mapping[str, str]] = {
        "PLACE_BET": "b",
        "BLACKJACK_SIT_OUT": "o",
        "BLACKJACK_HIT": "h",
        "BLACKJACK_STAND": "s",
        "BLACKJACK_DOUBLE": "d",
        "BLACKJACK_SPLIT": "p",
        "BLACKJACK_SURRENDER": "r",
        "BLACKJACK_INSURANCE": "i",
    }

    remembered = ("PLACE_BET",)

    def judged(self, before: Snapshot, action: Action) -> list[str]:
        """At the trainer's table: the play of basic strategy, if the player chose another."""
        view, menu = before.view, before.menu
        if before.public.preset != TRAINER_PRESET or isinstance(action, PlaceBet | SitOut) or len(menu) < 2:
            return []
        rules = msgspec.convert(before.public.rules, BlackjackRules)
        best = BasicPolicy(rules)(view, menu)
        if best.tag == action.tag:
            return [self.words.t("play.blackjack.trained_right", action=self._named(action))]
        return [self.words.t("play.blackjack.trained", best=self._named(best), action=self._named(action))]

    def _named(self, action: Action) -> str:
        if isinstance(action, Insurance):
            return self.words.t(f"blackjack.{'insure' if action.take else 'decline'}")
        return self.words.t(f"action.{action.tag}")

    @staticmethod
    def first_seat_plays(rules: AnyRules | None) -> bool:
        """Where a person deals, the first seat is the dealer's."""
        return not (isinstance(rules, BlackjackRules) and rules.dealer_seat)

    def scene(self, now: Snapshot, focus: Focus) -> list[Text]:
        return draw_blackjack(now, self.words)

    def facts(self, now: Snapshot) -> list[str]:
        return [self.words.t("play.blackjack.shoe", cards=now.view.shoe_left)]

    def position(self, now: Snapshot) -> list[str]:
        """Nothing: the story tells every card."""
        return []

    def choice(self, now: Snapshot, offer: Offer[Any], key: str) -> Choice:
        if isinstance(offer.action, Insurance):
            taken = offer.action.take
            return Choice("i" if taken else "n", self.words.t(f"blackjack.{'insure' if taken else 'decline'}"), offer)
        return super().choice(now, offer, key)

    @staticmethod
    def can_buy(now: Snapshot) -> bool:
        view = now.view
        if now.seat is None or not isinstance(view, BlackjackView):
            return False
        return view.dealer_seat is None and not view.seats[now.seat].chips
