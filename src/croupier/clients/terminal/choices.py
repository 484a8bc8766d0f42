"""What a person can do now, each with a key: made from the menu, so that nobody works legality out a second time."""

from typing import Any, Final

import msgspec

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.words import Words
from croupier.game.game import Action, Offer
from croupier.games.blackjack.rules.actions import Insurance
from croupier.games.poker.rules.actions import AllIn, Bet, Call, Raise
from croupier.games.poker.rules.view import HoldemView
from croupier.games.sequence.rules.actions import ExchangeDeadCard, PlayJackRemove, PlayJackWild
from croupier.games.sequence.rules.view import SequenceView

KEYS: Final = {
    "HOLDEM_FOLD": "f",
    "HOLDEM_CHECK": "c",
    "HOLDEM_CALL": "c",
    "HOLDEM_BET": "b",
    "HOLDEM_RAISE": "r",
    "HOLDEM_ALL_IN": "a",
    "HOLDEM_SHOW": "s",
    "HOLDEM_MUCK": "m",
    "PLACE_BET": "b",
    "BLACKJACK_SIT_OUT": "o",
    "BLACKJACK_HIT": "h",
    "BLACKJACK_STAND": "s",
    "BLACKJACK_DOUBLE": "d",
    "BLACKJACK_SPLIT": "p",
    "BLACKJACK_SURRENDER": "r",
}
"""The key of each action; checking and calling share one, because they are never offered together."""


class Preset(msgspec.Struct, frozen=True):
    """An amount with a name: `word` in the line mode, `key` on the table."""

    key: str
    word: str
    value: int


class Choice(msgspec.Struct, frozen=True):
    """Something that can be done, by a key. Where the offer is open, `presets` are amounts that people often want."""

    key: str
    label: str
    offer: Offer[Any]
    presets: tuple[Preset, ...] = ()

    @property
    def needs_amount(self) -> bool:
        return bool(self.offer.field) and not self.offer.among

    @property
    def needs_cell(self) -> bool:
        return bool(self.offer.among)

    def action(self, value: int | None = None) -> Action:
        """The action, with the open value filled in."""
        chosen: Action = self.offer.action if value is None else self.offer.choose(value)
        return chosen

    def admits(self, value: int) -> bool:
        return self.offer.admits(self.offer.choose(value))


def choices(moment: Moment, words: Words) -> tuple[Choice, ...]:
    """Everything that can be done, in the menu's order. A game without keys of its own gets numbers."""
    if isinstance(moment.view, SequenceView):
        if not moment.is_proved:
            return ()
        return _cards(moment, moment.view, words)
    return tuple(_choice(moment, offer, number, words) for number, offer in enumerate(moment.menu, start=1))


def _choice(moment: Moment, offer: Offer[Any], number: int, words: Words) -> Choice:
    action = offer.action
    if isinstance(action, Insurance):
        answer = "yes" if action.take else "no"
        return Choice("i" if action.take else "n", words.t(f"play.insurance.{answer}"), offer)
    key = KEYS.get(action.tag, str(number))
    return Choice(key, _label(moment, offer, words), offer, _presets(moment, offer))


def _label(moment: Moment, offer: Offer[Any], words: Words) -> str:
    action, view = offer.action, moment.view
    name = words.t(f"play.action.{action.tag}") if words.has(f"play.action.{action.tag}") else _common(action, words)
    if isinstance(view, HoldemView) and moment.seat is not None:
        if isinstance(action, Call):
            return f"{name} {view.to_call}"
        if isinstance(action, AllIn):
            return f"{name} {view.seats[moment.seat].chips}"
    return f"{name} {offer.low}–{offer.high}" if offer.field else name


def _common(action: Action, words: Words) -> str:
    return words.t(f"action.{action.tag}") if words.has(f"action.{action.tag}") else action.tag


def _presets(moment: Moment, offer: Offer[Any]) -> tuple[Preset, ...]:
    """The least and the most, and in Hold'em half the pot and the pot where they lie between."""
    if not offer.field or offer.among:
        return ()
    named = [("m", "min", offer.low), ("x", "max", offer.high)]
    view = moment.view
    if isinstance(view, HoldemView) and isinstance(offer.action, Bet | Raise):
        after_call = view.total + view.to_call
        named[1:1] = [("h", "half", view.bet + after_call // 2), ("p", "pot", view.bet + after_call)]
    return tuple(Preset(*preset) for preset in named if offer.low <= preset[2] <= offer.high)


def _cards(moment: Moment, view: SequenceView, words: Words) -> tuple[Choice, ...]:
    """One choice a card that can be played, under its place in the hand."""
    held = view.private.hand if view.private is not None else ()
    found = []
    for offer in moment.menu:
        label = words.card(offer.action.card_id)
        match offer.action:
            case ExchangeDeadCard():
                label += f" ({words.t('action.TURN_EXCHANGE_DEAD_CARD')})"
            case PlayJackWild():
                label += f" ({words.t('play.sequence.wild_jack')})"
            case PlayJackRemove():
                label += f" ({words.t('play.sequence.remove_jack')})"
        found.append(Choice(str(held.index(offer.action.card_id) + 1), label, offer))
    return tuple(found)
