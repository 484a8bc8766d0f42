"""Errors of use are ValueErrors, each with a sentence that names what is wrong and what is expected."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import croupier
from croupier import PACK, Record, Seeds, Shoe, begin, blackjack, parse_cards, poker, sequence, verify
from croupier.sdk import play

SEEDS = Seeds("0" * 64, "my own lucky seed")
HAND: Any = begin(poker.CASH, seeds=SEEDS)
ANYTHING: Any = croupier.poker
BEGIN: Any = begin
PLAY: Any = play


def first(view: Any, menu: Any) -> Any:
    return menu[0].action


def silence() -> None:
    """Hears nothing."""


class Wrong:
    """A bot with some other methods than it should have."""

    def __init__(self, **methods: Any) -> None:
        self.__dict__.update(methods)

    def __call__(self, view: Any, menu: Any) -> Any:
        return menu[0].action


async def later(view: Any, menu: Any) -> Any:
    return menu[0].action


def unshuffled(cards: Any) -> Any:
    return begin(poker.CASH).supply(cards)


WRONG: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: BEGIN(croupier.poker),
        "begin takes the rules of a game, like croupier.poker.CASH, not croupier.poker",
    ),
    (lambda: BEGIN(poker.GAME), "begin takes the rules of a game, like croupier.poker.CASH, not Game"),
    (lambda: BEGIN(poker.CASH, blackjack.BlackjackSetup((1,))), "starts from a HoldemSetup, not from BlackjackSetup"),
    (lambda: BEGIN(poker.CASH, poker.HoldemSetup(("a", "b"))), "Expected `int`, got `str`"),  # type: ignore[arg-type]
    (lambda: BEGIN(poker.CASH, seeds="seed"), "seeds are made as Seeds(server_seed, client_seed), not str"),
    (lambda: begin(poker.CASH, poker.CASH.setup(99)), "99 seats are not possible; allowed are 2 to 10."),
    (lambda: begin(sequence.HOUSE, sequence.HOUSE.setup(5)), "5 players do not make 2 equal teams."),
    (lambda: HAND.act(blackjack.Hit()), "Hit() is no action of poker, which has Fold, Check, Call"),
    (lambda: HAND.act("call"), "'call' is no action of poker"),
    (lambda: HAND.act(poker.Raise("20")), "Raise(to='20') is not possible: Expected `int`, got `str`"),  # type: ignore[arg-type]
    (lambda: HAND.view(2), "there is no seat 2; the seats of this round are 0 to 1"),
    (lambda: HAND.menu(-1), "there is no seat -1; the seats of this round are 0 to 1"),
    (HAND.next, "the next round follows when this one is over"),
    (lambda: HAND.menu()[1].choose(5), "Call() has no open field"),
    (lambda: HAND.supply(Shoe.stacked(PACK)), "no shoe is wanted now"),
    (lambda: unshuffled(PACK), "supply takes a shoe"),
    (lambda: unshuffled(Shoe.stacked(parse_cards("As Kd"))), "the shoe has 2 cards left, and the rules ask for 4"),
    (lambda: unshuffled(Shoe.stacked(sequence.PACK)), "the shoe has more of clover_a_1 than the pack"),
    (lambda: unshuffled(Shoe.stacked(2 * PACK)), "the shoe has more of 2c than the pack, which has 52 cards"),
    (lambda: parse_cards(ANYTHING), "parse_cards takes a text, like 'As Kd', not module"),
    (lambda: verify(ANYTHING), "verify takes lines or records"),
    (lambda: verify([ANYTHING]), "a line is a text or a record, not module"),
    (lambda: Record.from_json(ANYTHING), "a line is a text or a record, not module"),
    (lambda: PLAY("solid", poker), "a bot is a function (view, menu) -> action, or an object like one, not 'solid'"),
    (lambda: PLAY(later, poker), "a bot is a plain function (view, menu) -> action; this one is `async`"),
    (lambda: PLAY(lambda view: None, poker), "a bot is a plain function (view, menu) -> action; this one takes (view)"),
    (
        lambda: PLAY(Wrong(observe=lambda: None), poker),
        "a bot's `observe` is a plain function (event); this one takes ()",
    ),
    (lambda: PLAY(Wrong(begin=later), poker), "a bot's `begin` is a plain function (match); this one is `async`"),
    (lambda: PLAY(Wrong(end=5), poker), "a bot's `end` is a plain function (payouts), not 5"),
    (lambda: PLAY(first, poker, rounds=0), "rounds is a whole number from 1, not 0"),
    (lambda: PLAY(first, poker, seconds=-1), "seconds is a number above 0, at most 3600, not -1"),
    (lambda: PLAY(first, poker, told=5), "told is a function that gets each slip, not 5"),
    (lambda: PLAY(first, poker, against=50), "poker (holdem) is played against 1 to 9 bots, not against 50"),
    (lambda: PLAY(first, poker, against=[]), "poker (holdem) is played against 1 to 9 bots, not against 0"),
    (lambda: PLAY(first, poker, against=1.5), "against takes a list of bots, like ['solid'], or how many, not 1.5"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_mistake_is_a_value_error_that_says_what_is_expected(wrong: Callable[[], Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        wrong()


def test_what_the_rules_refuse_is_a_refusal_and_no_error() -> None:
    assert HAND.act(poker.Raise(-1)).refusal.code == "RAISE_TOO_SMALL"
    assert HAND.act(poker.Call(), seat=1).refusal.code == "NOT_YOUR_TURN"
    assert HAND.act(poker.Call(), seat=99).refusal.code == "NO_SUCH_SEAT"
