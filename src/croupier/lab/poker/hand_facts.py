"""The dataset columns that only poker fills: `lab/dataset/columns.py` says what each column means."""

from collections.abc import Iterable
from typing import Any

from croupier.game.game import Told
from croupier.games.poker import Hand
from croupier.games.poker.histories.phh.variants import code_of
from croupier.games.poker.rules.events import Acted, HandStarted, Street
from croupier.games.poker.rules.rules import HoldemRules
from croupier.games.poker.rules.state import cards_of
from croupier.table.round import Round


def is_poker(played: Round[Any, Any, Any]) -> bool:
    return isinstance(played.rules, HoldemRules)


def of_hand(played: Round[Any, Any, Any], opening: Iterable[Told[Any]], rake: int | None) -> dict[str, Any]:
    """The columns of a hand. `rake` is that of its file, where the rules took none."""
    hand: Hand = played.state
    started = next(told.event for told in opening if isinstance(told.event, HandStarted))
    return {
        "variant": code_of(played.rules)[0],
        "button": started.button,
        "small_blind": started.small_blind,
        "big_blind": started.big_blind,
        "ante": started.ante,
        "board": [str(card) for card in hand.board],
        "other_boards": [[str(card) for card in board] for board in hand.other_boards],
        "street": str(_last_street(hand)),
        "pot": _pot(hand),
        "rake": hand.rake if rake is None else rake,
    }


def of_action(hand: Hand, seat: int, told: Iterable[Told[Any]], unknown_stacks: frozenset[int]) -> dict[str, Any]:
    """The columns of a seat's action in this hand, and of its events."""
    acted = next((each.event for each in told if isinstance(each.event, Acted) and each.event.seat == seat), None)
    known = seat not in unknown_stacks
    return {
        "street": str(hand.street),
        "move": None if acted is None else str(acted.move),
        "amount": None if acted is None else acted.amount,
        "bet_to": None if acted is None else acted.to,
        "all_in": None if acted is None else acted.all_in and known,
        "to_call": max(0, min(hand.bet - hand.bets[seat], hand.stacks[seat])),
        "pot": sum(hand.setup.stacks) - sum(hand.stacks),
        "stack": hand.stacks[seat] if known else None,
    }


def of_seat(hand: Hand, seat: int) -> dict[str, Any]:
    """The columns of a seat's result. The cards are those in the file, shown or not."""
    has_cards = seat in hand.dealt and bool(hand.hole)
    return {
        "cards": [str(card) for card in cards_of(hand, seat)] if has_cards else [],
        "dealt_in": seat in hand.order,
        "position": (hand.order.index(seat) + 1) % len(hand.order) if seat in hand.order else None,
        "shown": seat in hand.shown,
    }


def _last_street(hand: Hand) -> Street:
    """Where the hand ended: at the showdown if cards were compared, else on the street of its board."""
    if len(hand.live) > 1 and hand.street in (Street.SHOWDOWN, Street.OVER):
        return Street.SHOWDOWN
    return {0: Street.PREFLOP, 3: Street.FLOP, 4: Street.TURN}.get(len(hand.board), Street.RIVER)


def _pot(hand: Hand) -> int:
    """All that was in the pots: awarded and raked, or what lies there now."""
    if hand.awards:
        return sum(award.amount for award in hand.awards) + hand.rake
    return sum(hand.setup.stacks) - sum(hand.stacks)
