"""Hold'em in numbers. Amounts are parts of all chips at the table; seats are counted from the player's own, clockwise.

A view shows the present street only, and so does an observation: who wants the earlier ones remembers them.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from croupier.game.game import Offer
from croupier.games.poker import Bet, HoldemAction, HoldemRules, HoldemSetup, HoldemView, Raise
from croupier.games.poker.rules.actions import ALL_IN, CALL, CHECK, FOLD, MUCK, SHOW
from croupier.games.poker.rules.events import Street
from croupier.games.poker.rules.setup import SEATS_MAX
from croupier.lab.environments.parts import Layout, Part, marks, part_of

STREETS: Final = (Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER, Street.SHOWDOWN)
SEAT_FACTS: Final = 7
POT_SHARES: Final = {"raise_half_pot": 0.5, "raise_pot": 1.0, "raise_two_pots": 2.0}
"""Bets and raises by a share of the pot, as it is after a call."""
ACTIONS: Final = ("fold", "check_or_call", "raise_least", *POT_SHARES, "all_in", "show", "muck")
_FIXED: Final[tuple[tuple[str, tuple[HoldemAction, ...]], ...]] = (
    ("fold", (FOLD,)),
    ("check_or_call", (CHECK, CALL)),
    ("all_in", (ALL_IN,)),
    ("show", (SHOW,)),
    ("muck", (MUCK,)),
)


class HoldemEncoding:
    """Rewards are in big blinds."""

    layout = Layout(
        (
            Part("own_cards", 52, "1 for each of the player's own cards, in the order of cards.PACK"),
            Part("board", 52, "the same for the board"),
            Part("street", len(STREETS), "before the flop, flop, turn, river, showdown"),
            Part("amounts", 3, "the pot with all bets, the bet to be met, what a call costs"),
            Part(
                "seats",
                SEATS_MAX * SEAT_FACTS,
                "for each seat from the player's own: is there, is in, is all-in, stack, bet, button, turn",
            ),
        ),
        ACTIONS,
    )

    def __init__(self, rules: HoldemRules) -> None:
        self.unit = rules.big_blind

    def setup(self, setup: HoldemSetup, random: Random) -> HoldemSetup:
        return replace(setup, button=random.randrange(len(setup.stacks)))

    def observe(self, view: HoldemView, seat: int) -> Mapping[str, Sequence[float]]:
        all_chips = view.total + sum(each.chips for each in view.seats)
        seats: list[float] = []
        for place in range(SEATS_MAX):
            if place >= len(view.seats):
                seats += [0.0] * SEAT_FACTS
                continue
            shown = view.seats[(seat + place) % len(view.seats)]
            seats += (1.0, float(shown.in_hand), float(shown.all_in))
            seats += (part_of(shown.chips, all_chips), part_of(shown.bet, all_chips))
            seats += (float(shown.seat == view.button), float(shown.seat in view.to_act))
        return {
            "own_cards": marks(52, (card.number for card in view.seats[seat].cards if card is not None)),
            "board": marks(52, (card.number for card in view.board)),
            "street": [float(view.street is street) for street in STREETS],
            "amounts": [part_of(amount, all_chips) for amount in (view.total, view.bet, view.to_call)],
            "seats": seats,
        }

    def choices(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...]) -> dict[int, HoldemAction]:
        offered = {offer.action: offer for offer in menu}
        found: dict[int, HoldemAction] = {}
        for name, actions in _FIXED:
            for action in actions:
                if action in offered:
                    found[ACTIONS.index(name)] = action
        sized = next((offer for offer in menu if isinstance(offer.action, Bet | Raise)), None)
        if sized is not None:
            found |= _sizes(view, sized)
        return found


def _sizes(view: HoldemView, offer: Offer[HoldemAction]) -> dict[int, HoldemAction]:
    """The bets and raises: each size once, and none that is an all-in, which has a number of its own."""
    wanted = {"raise_least": offer.low}
    for name, share in POT_SHARES.items():
        wanted[name] = max(offer.low, view.bet + round(share * (view.total + view.to_call)))
    found: dict[int, HoldemAction] = {}
    used: set[int] = set()
    for name, amount in wanted.items():
        if amount < offer.high and amount not in used:
            used.add(amount)
            found[ACTIONS.index(name)] = offer.choose(amount)
    return found
