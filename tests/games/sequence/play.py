"""Positions written down, games played out, and a board to look at when a test fails."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from croupier.game.game import Draw, Offer, Over, Step, Turn
from croupier.game.refusal import Refusal
from croupier.game.sealed import Sealed
from croupier.games.sequence import HOUSE, SequenceRules, SequenceSetup
from croupier.games.sequence.rules.actions import PlayJackRemove, PlayJackWild, PlayNormal, SequenceAction
from croupier.games.sequence.rules.board import LINES, cell_set
from croupier.games.sequence.rules.cards import CardId
from croupier.games.sequence.rules.events import SequenceEvent
from croupier.games.sequence.rules.state import Completed, Hand, Phase, State
from croupier.games.sequence.rules.text import board_text

TEAM_NUMBERS = {"A": 0, "B": 1, "C": 2}
DULL_CARD = CardId("clover_7_1")
"""Drawn where a test does not care."""


def cards(text: str) -> tuple[CardId, ...]:
    return tuple(CardId(word) for word in text.split())


def position(
    *hands: str,
    chips: dict[str, Iterable[int]] | None = None,
    sequences: dict[str, Iterable[Iterable[int]]] | None = None,
    teams: int = 2,
    **more: object,
) -> State:
    """A game in which it is somebody's turn (seat 0 unless `seat` says otherwise). Sequences have their chips."""
    placed = [0] * teams
    for team, cells in (chips or {}).items():
        placed[TEAM_NUMBERS[team]] |= cell_set(cells)
    completed = []
    for team, lines in (sequences or {}).items():
        for cells in lines:
            (line,) = (line for line in LINES if line.cells == tuple(cells))
            placed[TEAM_NUMBERS[team]] |= line.cell_set
            completed.append(Completed(TEAM_NUMBERS[team], line, 0))
    held, number = [], 0
    for text in hands:
        hand = cards(text)
        held.append(Hand(Sealed(hand), sum(1 << place for place in range(number, number + len(hand))), 1))
        number += len(hand)
    values = {
        "setup": SequenceSetup(seats=len(hands), teams=teams),
        "phase": Phase.PLAY,
        "seat": 0,
        "chips": tuple(placed),
        "completed": tuple(completed),
        "hands": tuple(held),
        "discard_tops": (None,) * len(hands),
        "pack_left": 50,
        "dealt_count": number,
    }
    return State(**{**values, **more})


def normal(card: str, cell: int) -> PlayNormal:
    return PlayNormal(CardId(card), cell)


def wild(card: str, cell: int) -> PlayJackWild:
    return PlayJackWild(CardId(card), cell)


def remove(card: str, cell: int) -> PlayJackRemove:
    return PlayJackRemove(CardId(card), cell)


def acted(state: State, action: SequenceAction, rules: SequenceRules = HOUSE) -> Step[State, SequenceEvent]:
    """What comes of an action of the seat whose turn it is; no card is drawn yet."""
    step = rules.act(state, state.seat, action)
    assert isinstance(step, Step), f"{step}\n{shown(state, rules)}"
    return step


def turn(state: State, action: SequenceAction, draw: CardId = DULL_CARD, rules: SequenceRules = HOUSE) -> State:
    """The game after an action and, unless that ended it, the card drawn for it."""
    after = acted(state, action, rules).state
    return after if after.phase is Phase.OVER else rules.deal(after, (draw,)).state


def refused(state: State, action: SequenceAction, rules: SequenceRules = HOUSE, seat: int | None = None) -> Refusal:
    refusal = rules.act(state, state.seat if seat is None else seat, action)
    assert isinstance(refusal, Refusal), shown(state, rules)
    return refusal


def events(step: Step[State, SequenceEvent]) -> list[SequenceEvent]:
    return [told.event for told in step.told]


def shown(state: State, rules: SequenceRules = HOUSE) -> str:
    return board_text(rules.view(state, None))


def all_actions(menu: Sequence[Offer[SequenceAction]]) -> list[SequenceAction]:
    return [offer.choose(cell) for offer in menu for cell in offer.among] + [
        offer.action for offer in menu if not offer.field
    ]


@dataclass
class Played:
    """A game from its opening: the shuffled packs, the commands, and every step they led to."""

    rules: SequenceRules
    setup: SequenceSetup
    packs: list[tuple[CardId, ...]] = field(default_factory=list)
    commands: list[tuple[int, SequenceAction]] = field(default_factory=list)
    steps: list[Step[State, SequenceEvent]] = field(default_factory=list)

    @property
    def state(self) -> State:
        return self.steps[-1].state

    def deal_places(self) -> list[tuple[int, int]]:
        """For each card dealt, its pack and its place in that pack."""
        return [
            (pack, place)
            for pack, order in enumerate(self.packs)
            for place in range(len(order) - (self.state.pack_left if pack == len(self.packs) - 1 else 0))
        ]


def play_out(rules: SequenceRules, seats: int, random: Random, actions_max: int = 20_000, teams: int = 0) -> Played:
    """A game of random plays, to its end or for so many actions."""
    setup = SequenceSetup(seats=seats, teams=teams) if teams else rules.setup(seats)
    played = Played(rules, setup, steps=[opened(rules, setup)])
    dealt = 0
    while True:
        state = played.state
        match rules.awaits(state):
            case Draw(count=count, pack=pack):
                if pack:
                    played.packs.append(tuple(random.sample(pack, len(pack))))
                    dealt = 0
                played.steps.append(rules.deal(state, played.packs[-1][dealt : dealt + count]))
                dealt += count
            case Turn((seat,)):
                if len(played.commands) == actions_max:
                    return played
                offer = random.choice(rules.menu(state, seat))
                action = offer.choose(random.choice(offer.among)) if offer.field else offer.action
                played.commands.append((seat, action))
                played.steps.append(acted(state, action, rules))
            case Over():
                return played


def play_again(played: Played, packs: Sequence[Sequence[CardId]]) -> Played | None:
    """The same commands on other packs; None where these do not lead to the same turns."""
    rules = played.rules
    again = Played(rules, played.setup, list(map(tuple, packs)), steps=[opened(rules, played.setup)])
    packs_left, commands_left = list(packs), list(played.commands)
    shoe: list[CardId] = []
    while True:
        state = again.state
        match rules.awaits(state):
            case Draw(count=count, pack=pack):
                if pack:
                    shoe = list(packs_left.pop(0))
                again.steps.append(rules.deal(state, tuple(shoe[:count])))
                del shoe[:count]
            case Turn((seat,)):
                if not commands_left:
                    return again
                expected, action = commands_left.pop(0)
                step = rules.act(state, seat, action)
                if seat != expected or not isinstance(step, Step):
                    return None
                again.commands.append((seat, action))
                again.steps.append(step)
            case Over():
                return None if commands_left else again


def opened(rules: SequenceRules, setup: SequenceSetup) -> Step[State, SequenceEvent]:
    step = rules.opening(setup)
    assert isinstance(step, Step), step
    return step
