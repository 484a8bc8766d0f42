"""Who may know which card, worked out anew from the cards on the table: not by the views, nor by what rules call known.

Every pack here holds every card once (blackjack is played with one deck), so a card's name tells where it lies.
"""

from collections.abc import Iterator, Mapping

from croupier.games.blackjack.rules.state import BlackjackState
from croupier.games.poker.rules.state import Hand
from croupier.games.sequence.rules.state import State
from croupier.table.room import Room
from tests.simulation.truth import History


def seats_by_person(history: History) -> Iterator[dict[str, int]]:
    """For each version, the seats whose cards are somebody's to see: of those who sat there when the round began."""
    hand, began = 0, dict[str, int]()
    for room in history.rooms:
        sitting = {member.id: member.seat for member in room.members if member.seat is not None}
        if room.hand != hand:
            hand, began = room.hand, sitting
        yield {person: seat for person, seat in began.items() if sitting.get(person) == seat}


def may_see(room: Room, seat: int | None) -> set[str]:
    """The cards of the round that lie open, and those of this seat."""
    assert room.round is not None
    match room.round.state:
        case Hand() as hand:
            open_seats = {*hand.shown, *(() if seat is None else (seat,))}
            pockets = [hand.hole[each] for each in open_seats if each < len(hand.hole)]
            return {str(card) for pocket in pockets if pocket is not None for card in pocket.open()} | {
                str(card) for card in hand.board
            }
        case BlackjackState() as state:
            held = [card for each in state.seats for one in each.hands for card in one.cards]
            return {str(card) for card in (*held, *state.dealer)}
        case State() as state:
            played = {str(move.action.card_id) for move in room.round.moves if move.action is not None}
            own = state.hands[seat].cards.open() if seat is not None and seat < len(state.hands) else ()
            return played | {str(card) for card in own}
        case other:
            raise AssertionError(f"nobody has said who may know what in {type(other)}")


class Knowing:
    """What each person may see in each version of each room."""

    def __init__(self, histories: Mapping[str, History]) -> None:
        self._histories = histories
        self._seats = {table: list(seats_by_person(history)) for table, history in histories.items()}
        self._known: dict[tuple[str, int, int | None], frozenset[str]] = {}

    def cards(self, table: str, version: int, person: str) -> frozenset[str]:
        seat = self._seats[table][version - 1].get(person)
        known = self._known.get((table, version, seat))
        if known is None:
            room = self._histories[table].at(version)
            known = frozenset() if room.round is None else frozenset(may_see(room, seat))
            self._known[table, version, seat] = known
        return known

    def cards_of_round(self, table: str, hand: int, person: str) -> frozenset[str]:
        """All that this person was to see of a round."""
        versions = [room.version for room in self._histories[table].rooms if room.hand == hand]
        return frozenset().union(*(self.cards(table, version, person) for version in versions))
