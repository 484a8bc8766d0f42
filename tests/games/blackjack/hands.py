"""Rounds with a stacked shoe, so that a test reads like a hand."""

from croupier.cards import PACK, cards
from croupier.dealing.shoe import Shoe
from croupier.games.blackjack import BlackjackRules, BlackjackSetup, PlaceBet
from croupier.games.blackjack.rules.view import BlackjackSeat, HandView
from croupier.table.round import Round, begin

REST = PACK * 8
"""What comes after the cards that a test has written down."""


def deal(rules: BlackjackRules, deck: str, bet: int = 100, purses: tuple[int, ...] = (1000,)) -> Round:
    """Everybody bets and the first cards lie, dealt from `deck`: player, dealer's up card, player, hole card, …"""
    played = begin(rules, BlackjackSetup(purses))
    for seat in played.turn:
        played = played.act(PlaceBet(bet), seat)
        assert played.refusal is None, played.refusal
    return played.supply(Shoe.stacked((*cards(deck), *REST)))


def seat(played: Round, number: int = 0) -> BlackjackSeat:
    found: BlackjackSeat = played.view().seats[number]
    return found


def hand(played: Round, index: int = 0, number: int = 0) -> HandView:
    return seat(played, number).hands[index]


def offers(played: Round, number: int | None = None) -> set[str]:
    """The kinds of action that are offered, without their common prefix."""
    return {offer.action.tag.removeprefix("BLACKJACK_") for offer in played.menu(number)}
