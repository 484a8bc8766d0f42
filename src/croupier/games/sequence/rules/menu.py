"""All that the seat whose turn it is may do: the one source of legality."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from croupier.game.game import Offer
from croupier.games.sequence.rules.actions import (
    ExchangeDeadCard,
    PlayJackRemove,
    PlayJackWild,
    PlayNormal,
    SequenceAction,
)
from croupier.games.sequence.rules.board import ALL_CELLS, CELLS_OF, CORNERS, CellSet, cell_set, cells_in
from croupier.games.sequence.rules.cards import KINDS, PACK, CardId, Kind, is_jack
from croupier.games.sequence.rules.config import Options
from croupier.games.sequence.rules.state import State

SequenceOffer: TypeAlias = Offer[SequenceAction]

TARGET_FIELD: Final = "targetCellId"
REMOVE_FIELD: Final = "removeCellId"


def offers(options: Options, state: State, cards: tuple[CardId, ...]) -> Iterator[SequenceOffer]:
    """One offer for each of these cards that the seat whose turn it is can play, with the cells where it can go."""
    empty = empty_cells(options, state.occupied())
    exchange = may_exchange(options, state)
    kinds = KINDS[options.jacks]
    for card in cards:
        normal = _NORMAL.get(card)
        if normal is not None:
            cells_of_card, offers_by_cells, exchange_offer = normal
            free = cells_of_card & empty
            if free:
                yield offers_by_cells[free]
            elif exchange:
                yield exchange_offer
        elif kinds[card] is Kind.WILD:
            cells = cells_in(empty & ~barred(state))
            if cells:
                yield Offer(PlayJackWild(card, cells[0]), TARGET_FIELD, among=cells)
        else:
            cells = cells_in(removable(state))
            if cells:
                yield Offer(PlayJackRemove(card, cells[0]), REMOVE_FIELD, among=cells)


def empty_cells(options: Options, occupied: CellSet) -> CellSet:
    """Cells that can take a chip: a free corner never does."""
    return ALL_CELLS & ~occupied & ~(CORNERS if options.free_corners else 0)


def barred(state: State) -> CellSet:
    """The empty cell that a wild jack may not take, as a set."""
    return 0 if state.cleared_cell is None else 1 << state.cleared_cell


def removable(state: State) -> CellSet:
    """Opponents' chips outside of completed sequences."""
    return state.occupied() & ~state.chips[state.team] & ~state.protected()


def may_exchange(options: Options, state: State) -> bool:
    """Whether a dead card could be exchanged now: once a turn."""
    return options.exchange_dead_cards and not state.exchanged


def _normal_offers(card: CardId) -> dict[CellSet, SequenceOffer]:
    """A card's offer for each set of its cells that can be empty."""
    both = cells_in(CELLS_OF[card])
    return {
        cell_set(cells): Offer(PlayNormal(card, cells[0]), TARGET_FIELD, among=cells)
        for cells in (both, both[:1], both[1:])
    }


# Made once: a hand has the same few offers over and over again.
_NORMAL: Final[dict[CardId, tuple[CellSet, dict[CellSet, SequenceOffer], SequenceOffer]]] = {
    card: (CELLS_OF[card], _normal_offers(card), Offer(ExchangeDeadCard(card))) for card in PACK if not is_jack(card)
}
