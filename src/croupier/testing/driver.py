"""Plays any game at random through the protocol alone, and remembers enough to play the same round again."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from croupier.game.game import SPECTATOR, AnyRules, Draw, Offer, Over, Step, Turn

STEPS_MAX = 20_000
Move = tuple[int, Any]
"""A seat and its action."""


@dataclass
class Played:
    """A played round: the order of each shoe, every move, and every step with what was awaited after it."""

    rules: AnyRules
    setup: Any
    shoes: list[list[Any]] = field(default_factory=list)
    sources: list[tuple[int, int]] = field(default_factory=list)
    """For each card dealt, which shoe it came from and its place in it."""
    moves: list[Move] = field(default_factory=list)
    steps: list[Step[Any, Any]] = field(default_factory=list)
    awaited: list[Draw[Any] | Turn | Over] = field(default_factory=list)

    @property
    def state(self) -> Any:
        return self.steps[-1].state

    @property
    def dealt(self) -> list[Any]:
        return [self.shoes[shoe][place] for shoe, place in self.sources]

    def viewers(self) -> list[int | None]:
        return [SPECTATOR, *range(self.rules.seats(self.state))]

    def received(self, viewer: int | None) -> list[bytes]:
        """Everything a viewer gets, byte for byte: events, view and menu after each step."""
        encode = msgspec.json.encode
        got = []
        for step in self.steps:
            got += [encode(told.event) for told in step.told if told.to.hears(viewer)]
            got.append(encode(self.rules.view(step.state, viewer)))
            if viewer is not None:
                got.append(encode(self.rules.menu(step.state, viewer)))
        return got


class InconsistentError(Exception):
    """This order of cards does not lead to the same round."""


def start(rules: AnyRules, setup: Any) -> Played:
    played = Played(rules, setup)
    opened = rules.opening(setup)
    assert isinstance(opened, Step), f"{opened} for {setup}"
    _note(played, opened)
    return played


def play(rules: AnyRules, setup: Any, random: Random, moves_max: int = STEPS_MAX) -> Played:
    """Play a whole round, or its first moves, by choosing from the menu."""
    played = start(rules, setup)
    while len(played.moves) < moves_max:
        deal(played, random)
        if isinstance(played.awaited[-1], Over):
            return played
        act(played, *choose(played, random))
        assert len(played.steps) < STEPS_MAX, "a round must end"
    deal(played, random)
    return played


def deal(played: Played, random: Random | None, orders: list[list[Any]] | None = None) -> None:
    """Deal until a player must act or the round is over: from `orders`, or else from shoes shuffled at random."""
    while isinstance(wanted := played.awaited[-1], Draw):
        if wanted.pack:
            if orders is not None:
                if len(orders) <= len(played.shoes):
                    raise InconsistentError
                order = orders[len(played.shoes)]
                if sorted(map(str, order)) != sorted(map(str, wanted.pack)):
                    raise InconsistentError
            else:
                assert random is not None
                rest = list(wanted.pack)
                for card in wanted.gone:
                    rest.remove(card)
                random.shuffle(rest)
                order = [*wanted.gone, *rest]
            played.shoes.append(order)
            place = len(wanted.gone)
        else:
            place = played.sources[-1][1] + 1
        shoe = len(played.shoes) - 1
        places = range(place, place + wanted.count)
        assert places.stop <= len(played.shoes[shoe]), "the rules asked for more cards than the shoe holds"
        played.sources += [(shoe, place) for place in places]
        cards = tuple(played.shoes[shoe][place] for place in places)
        _note(played, played.rules.deal(played.state, cards))


def choose(played: Played, random: Random) -> Move:
    turn = played.awaited[-1]
    assert isinstance(turn, Turn)
    assert turn.seats, "somebody must be to act"
    seat = random.choice(turn.seats)
    menu = played.rules.menu(played.state, seat)
    assert menu, f"seat {seat} must act and is offered nothing"
    return seat, random.choice(instances(random.choice(menu), random))


def act(played: Played, seat: int, action: Any) -> None:
    done = played.rules.act(played.state, seat, action)
    if not isinstance(done, Step):
        raise InconsistentError(f"{done} for seat {seat}: {action}")
    played.moves.append((seat, action))
    _note(played, done)


def again(played: Played, orders: list[list[Any]]) -> Played:
    """The same moves over other orders of the cards. Raises InconsistentError if these do not lead to the same
    round."""
    copy = start(played.rules, played.setup)
    deal(copy, None, orders)
    for seat, action in played.moves:
        if not isinstance(copy.awaited[-1], Turn):
            raise InconsistentError
        act(copy, seat, action)
        deal(copy, None, orders)
    return copy


def instances(offer: Offer[Any], random: Random) -> list[Any]:
    """Some of the actions that an offer covers: all if they are few, else the ends and some inside the range."""
    if not offer.field:
        return [offer.action]
    if offer.among:
        return [offer.choose(value) for value in offer.among]
    inside = random.randint(offer.low, offer.high)
    near = random.randint(offer.low, min(offer.high, 2 * offer.low + 2))
    return [offer.choose(value) for value in sorted({offer.low, near, inside, offer.high})]


def _note(played: Played, step: Step[Any, Any]) -> None:
    played.steps.append(step)
    played.awaited.append(played.rules.awaits(step.state))
