"""What a seat or a spectator may know of a game of Sequence."""

from functools import cache
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from croupier.game.game import SeatView, View, Viewer
from croupier.games.sequence.rules.board import FACES, cells_in, dead_among
from croupier.games.sequence.rules.cards import CardId, Jacks
from croupier.games.sequence.rules.config import Options
from croupier.games.sequence.rules.events import SequenceEvent
from croupier.games.sequence.rules.state import Done, Phase, State
from croupier.games.sequence.rules.teams import TEAM_IDS, TeamId, team_by_seat


class CompletedSequence(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    team_id: TeamId
    cells: tuple[int, ...]
    turn_number: int


class LastAction(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """The newest play or exchange; a pass leaves it as it was."""

    seat: int
    uid: str
    """The person who acted; the table knows it, and `at`, the time in ms."""
    type: str
    """The action's tag, like TURN_PLAY_NORMAL."""
    turn_number: int
    card_id: CardId
    cell_id: int | None
    """Where a chip was put or taken away."""
    at: int


class PrivateHand(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """What only the player in the seat may know."""

    seat: int
    hand: tuple[CardId, ...]
    """In the order drawn."""
    hand_version: int
    dead_cards: tuple[CardId, ...]
    """The cards in the hand whose cells are all taken."""


class SequenceSeat(SeatView, frozen=True):
    """A seat and its hand, of which others see only how many cards it has. There are no chips to stake."""

    cards: tuple[CardId | None, ...] = ()  # type: ignore[assignment] # (cards of another pack than `cards.Card`)


class SequenceView(View, frozen=True, kw_only=True):
    """The public part, and for a player the `private` part."""

    seats: tuple[SequenceSeat, ...]
    phase: Literal["dealing", "playing", "ended"]
    turn_number: int
    current_seat: int | None
    """None once the game has ended."""
    current_uid: str | None
    """The person in that seat, whom the table knows."""
    team_by_seat: tuple[TeamId, ...]
    chips_by_cell: dict[int, TeamId]
    """Empty cells are absent, and so are free corners."""
    free_corners: bool
    jacks: Jacks
    """What decides which jacks are wild and which take a chip away."""
    cleared_cell_id: int | None
    """The cell that this turn may not take with a wild jack."""
    completed_sequences: tuple[CompletedSequence, ...]
    score_by_team: dict[TeamId, int]
    sequences_to_win: int
    discard_top_by_seat: tuple[CardId | None, ...]
    hand_size_by_seat: tuple[int, ...]
    pack_left: int
    last_action: LastAction | None
    winner: TeamId | None
    """The winning team; None while the game goes on, and after a draw."""
    private: PrivateHand | None
    history: tuple[SequenceEvent, ...] = ()

    @property
    def own_cards(self) -> tuple[CardId, ...]:  # type: ignore[override] # (cards of another pack than `cards.Card`)
        """The viewer's hand, in the order drawn; empty for a spectator."""
        return () if self.private is None else self.private.hand

    def _middle_html(self) -> str:
        """The board: what is printed on each cell, and the team whose chip lies there. Sequences are bold."""
        done = {cell for sequence in self.completed_sequences for cell in sequence.cells}

        def shown(cell: int) -> str:
            team = self.chips_by_cell.get(cell)
            if team is None:
                return f"<td>{FACES[cell]}</td>"
            text = f"{FACES[cell]} {team}"
            return (
                f'<td style="background:{_COLOURS[team]};color:#000">{f"<b>{text}</b>" if cell in done else text}</td>'
            )

        rows = (f"<tr>{''.join(map(shown, range(start, start + 10)))}</tr>" for start in range(0, len(FACES), 10))
        return f"<table><tbody>{''.join(rows)}</tbody></table>"


_COLOURS: Final[dict[TeamId, str]] = {"A": "#9cf", "B": "#fb9", "C": "#ae9"}
"""The teams' colours in a notebook."""


def view_of(options: Options, state: State, viewer: Viewer) -> SequenceView:
    """What the viewer may know: the public part, and for a player their own hand."""
    view = view_without_cards(options, state)
    private = None if viewer is None else private_hand(state, viewer)
    return replace(view, you=viewer, seats=_seats(state, viewer), chips_by_cell=_chips_by_cell(state), private=private)


def own_seat(state: State, seat: int) -> SequenceSeat:
    """A seat as its player sees it."""
    return SequenceSeat(state.hands[seat].cards.open()) if state.hands else SequenceSeat()


def _seats(state: State, viewer: Viewer) -> tuple[SequenceSeat, ...]:
    if not state.hands:
        return (SequenceSeat(),) * state.setup.seats
    sizes = enumerate([len(hand.cards.open()) for hand in state.hands])
    return tuple([own_seat(state, seat) if seat == viewer else hidden_seat(size) for seat, size in sizes])


@cache
def hidden_seat(count: int) -> SequenceSeat:
    """A seat with this many cards, as others see it."""
    return SequenceSeat((None,) * count)


def private_hand(state: State, seat: int) -> PrivateHand | None:
    """What only the player in this seat may know, once the hands are dealt."""
    return _private_hand(state, seat) if state.hands else None


def _private_hand(state: State, seat: int) -> PrivateHand:
    hand = state.hands[seat]
    held = hand.known
    return PrivateHand(seat, held, hand.version, dead_among(held, state.occupied()))


def view_without_cards(options: Options, state: State) -> SequenceView:
    """The public part without the seats' cards and the chips on the board."""
    setup = state.setup
    over = state.phase is Phase.OVER
    return SequenceView(
        you=None,
        to_act=(state.seat,) if state.phase is Phase.PLAY else (),
        seats=(),
        phase="ended" if over else "dealing" if state.phase is Phase.DEAL else "playing",
        turn_number=state.turn_number,
        current_seat=None if over else state.seat,
        current_uid=None,
        team_by_seat=team_by_seat(setup.seats, setup.teams),
        chips_by_cell={},
        free_corners=options.free_corners,
        jacks=options.jacks,
        cleared_cell_id=state.cleared_cell,
        completed_sequences=tuple(
            [CompletedSequence(TEAM_IDS[done.team], done.line.cells, done.turn_number) for done in state.completed]
        ),
        score_by_team=score_by_team(state),
        sequences_to_win=options.sequences_needed(setup.teams),
        discard_top_by_seat=state.discard_tops,
        hand_size_by_seat=tuple([len(hand.cards.open()) for hand in state.hands]),
        pack_left=state.pack_left,
        last_action=None if state.last is None else _last_action(state.last),
        winner=None if state.winner is None else TEAM_IDS[state.winner],
        private=None,
    )


def _chips_by_cell(state: State) -> dict[int, TeamId]:
    found: dict[int, TeamId] = {}
    for team, chips in zip(TEAM_IDS, state.chips, strict=False):
        found.update(dict.fromkeys(cells_in(chips), team))
    return found


def score_by_team(state: State) -> dict[TeamId, int]:
    """Completed sequences by the team's name."""
    scores = dict.fromkeys(TEAM_IDS[: state.setup.teams], 0)
    for done in state.completed:
        scores[TEAM_IDS[done.team]] += 1
    return scores


def _last_action(done: Done) -> LastAction:
    action = done.action
    return LastAction(done.seat, "", action.tag, done.turn_number, action.card_id, action.cell_id, 0)
