"""A false pack among eight: how often it is found, and that the cut alone decides it."""

from collections.abc import Sequence
from random import Random

import pytest

from croupier.cards import Card
from croupier.dealing import canonical, cut2
from croupier.dealing.cut2 import FIRST_BEFORE, Context, Cut, Cutter, promise_of
from croupier.dealing.findings import Fault
from tests.lying_server.liar import ForgedDeal
from tests.lying_server.removal import Check

DEALS = 1000
PACKS = 8
PACK = tuple(Card(rank + "s") for rank in "23456789TJQKA")
FALSE = (*PACK[:-1], PACK[0])
"""The ace is missing, and the deuce stands twice."""


def _found(random: Random, number: int) -> Sequence[str]:
    """The findings in a deal of which one pack, any, is false, and which an honest player cuts by chance."""
    value = random.randbytes(32)
    context = Context(
        room=random.randbytes(32).hex(),
        deal=number,
        hand=number,
        shuffle=0,
        rules="{}",
        setup="{}",
        pack=canonical.write([str(card) for card in PACK]),
        packs=PACKS,
        before=FIRST_BEFORE,
        cutters=(Cutter(0, promise_of(value)),),
    )
    bad = random.randrange(PACKS)
    cards = [FALSE if pack == bad else PACK for pack in range(PACKS)]
    deal = ForgedDeal(random.randbytes(32), context, cards)
    made = deal.cut([Cut(0, value.hex())])
    found = cut2.check_secrets(deal.hashed, deal.roots, [str(card) for card in PACK], made.secrets, made.played)
    assert (made.played == bad) == (found == ()), "it is found unless it is the one that is played"
    return [finding.code for finding in found]


def test_a_false_pack_is_found_seven_times_in_eight() -> None:
    """Within four standard deviations."""
    random = Random(15)
    outcomes = [_found(random, number) for number in range(1, DEALS + 1)]
    caught = sum(found == [Fault.PACK_FALSE] for found in outcomes)
    assert all(found in ([], [Fault.PACK_FALSE]) for found in outcomes)
    expected, deviation = DEALS * 7 / 8, (DEALS * 7 / 8 / 8) ** 0.5
    assert abs(caught - expected) < 4 * deviation, caught


def test_without_its_check_a_false_pack_is_never_found(monkeypatch: pytest.MonkeyPatch) -> None:
    Check("cut2.check_secrets", "PACK_FALSE").remove(monkeypatch)
    random = Random(15)
    value = random.randbytes(32)
    context = Context("0" * 64, 1, 1, 0, "{}", "{}", "[]", PACKS, FIRST_BEFORE, (Cutter(0, promise_of(value)),))
    deal = ForgedDeal(random.randbytes(32), context, [FALSE] * PACKS)
    made = deal.cut([Cut(0, value.hex())])
    assert cut2.check_secrets(deal.hashed, deal.roots, list(map(str, PACK)), made.secrets, made.played) == ()
