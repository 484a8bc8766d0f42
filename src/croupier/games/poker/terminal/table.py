"""Hold'em in the terminal."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.text import Text

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import Focus
from croupier.clients.terminal.choices import Preset
from croupier.clients.terminal.table import Sitting
from croupier.game.game import Offer
from croupier.games.poker.rules.actions import AllIn, Bet, Call, Raise
from croupier.games.poker.rules.config import Mode
from croupier.games.poker.rules.view import HoldemView
from croupier.games.poker.terminal.scene import draw_poker
from croupier.games.poker.terminal.story import HoldemStory


class HoldemTable(HoldemStory):
    """A table of Hold'em. Checking and calling share a key: they are never offered together."""

    keys: ClassVar[Mapping[str, str]] = {
        "HOLDEM_FOLD": "f",
        "HOLDEM_CHECK": "c",
        "HOLDEM_CALL": "c",
        "HOLDEM_BET": "b",
        "HOLDEM_RAISE": "r",
        "HOLDEM_ALL_IN": "a",
        "HOLDEM_SHOW": "s",
        "HOLDEM_MUCK": "m",
        "HOLDEM_SHOW_CARD": "o",
        "HOLDEM_RUN_IT": "t",
    }
    help_texts: ClassVar[tuple[str, ...]] = ("play.poker.help",)

    def scene(self, now: Snapshot, focus: Focus) -> list[Text]:
        return draw_poker(now, self.words)

    def facts(self, now: Snapshot) -> list[str]:
        view, t = now.view, self.words.t
        facts = [t("play.poker.header", hand=view.hand, small=view.small_blind, big=view.big_blind)]
        if view.ante:
            facts.append(t("play.poker.ante", ante=view.ante))
        if view.level:
            facts.append(t("play.poker.level", level=view.level))
        if view.hands_to_next_level:
            facts.append(t("play.poker.next_level", hands=view.hands_to_next_level))
        return facts

    def label(self, now: Snapshot, offer: Offer[Any]) -> str:
        label = super().label(now, offer)
        if isinstance(offer.action, Call):
            return f"{label} {now.view.to_call}"
        if isinstance(offer.action, AllIn) and now.seat is not None:
            return f"{label} {now.view.seats[now.seat].chips}"
        return label

    def presets(self, now: Snapshot, offer: Offer[Any]) -> tuple[Preset, ...]:
        """Adds half the pot and the pot, where they lie within the range."""
        found = super().presets(now, offer)
        if not found or not isinstance(offer.action, Bet | Raise):
            return found
        view: HoldemView = now.view
        after_call = view.total + view.to_call
        pots = (Preset("h", "half", view.bet + after_call // 2), Preset("p", "pot", view.bet + after_call))
        return (found[0], *(pot for pot in pots if offer.low <= pot.value <= offer.high), found[1])

    @staticmethod
    def is_out(now: Snapshot) -> bool:
        return isinstance(now.view, HoldemView) and now.seat is not None and bool(now.view.seats[now.seat].place)

    @staticmethod
    def can_buy(now: Snapshot) -> bool:
        if now.seat is None or not isinstance(now.view, HoldemView):
            return False
        return now.view.mode is Mode.CASH and not now.view.seats[now.seat].chips

    @staticmethod
    def sitting(now: Snapshot) -> Sitting | None:
        """In a cash game, for a player with chips."""
        if now.seat is None or not isinstance(now.view, HoldemView) or now.view.mode is not Mode.CASH:
            return None
        own = now.view.seats[now.seat]
        return Sitting(own.sitting_out, own.owes, own.state == "waiting") if own.chips else None

    @staticmethod
    def has_bomb_pots(now: Snapshot) -> bool:
        return bool(now.public.rules.get("bomb_ante"))
