"""Sequence in numbers. Teams are counted from the player's own; equal cards of a hand are one action."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from croupier.game.game import Offer
from croupier.games.sequence import SequenceAction, SequenceRules, SequenceSetup, SequenceView
from croupier.games.sequence.rules.actions import ExchangeDeadCard, PlayJackRemove, PlayJackWild, PlayNormal
from croupier.games.sequence.rules.board import CELL_COUNT, face
from croupier.games.sequence.rules.cards import KINDS, PACK, Kind, is_jack
from croupier.games.sequence.rules.teams import TEAM_IDS
from croupier.lab.environments.parts import Layout, Part, marks, part_of

FACES: Final = tuple(dict.fromkeys(face(card) for card in PACK if not is_jack(card)))
"""The 48 cards that are no jacks."""
CARDS: Final = (*FACES, "wild_jack", "remove_jack")
COPIES: Final = (*(2,) * len(FACES), 4, 4)
TEAMS_MAX: Final = len(TEAM_IDS)
_NUMBERS: Final = {
    jacks: {
        card: FACES.index(face(card)) if kind is Kind.NORMAL else len(FACES) + (kind is Kind.REMOVE)
        for card, kind in kinds.items()
    }
    for jacks, kinds in KINDS.items()
}
"""Each card's place in `CARDS`, by what decides about jacks."""
ACTIONS: Final = (
    *(f"play_{cell}" for cell in range(CELL_COUNT)),
    *(f"wild_{cell}" for cell in range(CELL_COUNT)),
    *(f"remove_{cell}" for cell in range(CELL_COUNT)),
    *(f"exchange_{printed}" for printed in FACES),
)


class SequenceEncoding:
    """Rewards are the game's points: a loser pays one, a winner gets one from each other team."""

    layout = Layout(
        (
            Part("own_chips", CELL_COUNT, "1 for each cell with a chip of the player's team"),
            Part("other_chips", (TEAMS_MAX - 1) * CELL_COUNT, "the same for the next team and the one after it"),
            Part("completed", CELL_COUNT, "1 for each cell of a completed sequence"),
            Part("cleared", CELL_COUNT, "1 for the cell that no wild jack may take on this turn"),
            Part("hand", len(CARDS), "how many of each card the player holds, out of as many as there are"),
            Part("score", TEAMS_MAX, "completed sequences out of two, from the player's own team"),
            Part("amounts", 3, "sequences to win out of two, cards in the pack out of 104, corners are free"),
        ),
        ACTIONS,
    )
    unit = 1

    def __init__(self, rules: SequenceRules) -> None:
        """The rules are not needed: the view has all that matters."""

    def setup(self, setup: SequenceSetup, random: Random) -> SequenceSetup:
        return replace(setup, first_seat=random.randrange(setup.seats))

    def observe(self, view: SequenceView, seat: int) -> Mapping[str, Sequence[float]]:
        teams = list(view.score_by_team)
        first = teams.index(view.team_by_seat[seat])
        order = [teams[(first + place) % len(teams)] for place in range(len(teams))]
        chips = [
            marks(CELL_COUNT, (cell for cell, owner in view.chips_by_cell.items() if owner == team)) for team in order
        ]
        chips += [[0.0] * CELL_COUNT] * (TEAMS_MAX - len(chips))
        held = [0] * len(CARDS)
        numbers = _NUMBERS[view.jacks]
        for card in () if view.private is None else view.private.hand:
            held[numbers[card]] += 1
        scores = [part_of(view.score_by_team[team], 2) for team in order]
        return {
            "own_chips": chips[0],
            "other_chips": [value for plane in chips[1:] for value in plane],
            "completed": marks(CELL_COUNT, (cell for done in view.completed_sequences for cell in done.cells)),
            "cleared": marks(CELL_COUNT, () if view.cleared_cell_id is None else (view.cleared_cell_id,)),
            "hand": [part_of(count, copies) for count, copies in zip(held, COPIES, strict=True)],
            "score": scores + [0.0] * (TEAMS_MAX - len(scores)),
            "amounts": [
                part_of(view.sequences_to_win, 2),
                part_of(view.pack_left, len(PACK)),
                float(view.free_corners),
            ],
        }

    def choices(self, view: SequenceView, menu: tuple[Offer[SequenceAction], ...]) -> dict[int, SequenceAction]:
        found: dict[int, SequenceAction] = {}
        for offer in menu:
            for action in map(offer.choose, offer.among) if offer.field else (offer.action,):
                found.setdefault(_number(action), action)
        return found


def _number(action: SequenceAction) -> int:
    match action:
        case PlayNormal(_, cell):
            return cell
        case PlayJackWild(_, cell):
            return CELL_COUNT + cell
        case PlayJackRemove(_, cell):
            return 2 * CELL_COUNT + cell
        case ExchangeDeadCard(card):
            return 3 * CELL_COUNT + FACES.index(face(card))
