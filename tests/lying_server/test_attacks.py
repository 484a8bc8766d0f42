"""Every attack at a table without a network: caught as it must be, and let through by a client without its check."""

import pytest

from croupier.games.poker.rules.actions import AllIn
from tests.lying_server import (
    attacks_absence,
    attacks_cards,
    attacks_play,
    attacks_promises,
    attacks_setup,
    attacks_voids,
)
from tests.lying_server.attack import ATTACKS, Attack
from tests.lying_server.offline import Player

assert attacks_absence
assert attacks_cards
assert attacks_play
assert attacks_promises
assert attacks_setup
assert attacks_voids


def _stands_still(victim: Player) -> bool:
    """Whether this player's client neither cuts nor bets."""
    return victim.guard.checker.wanted_now() is None and not victim.give() and victim.act(AllIn()) is not None


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_attack_is_caught(attack: Attack) -> None:
    victim, gained = attack.play()
    checker = victim.guard.checker
    found = [finding.code for finding in (*checker.findings, *checker.notes)]
    assert attack.caught in found[:1] or victim.refused == attack.caught, found
    assert not gained
    assert _stands_still(victim), "nothing is cut or bet until the player has decided"


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_without_its_check_the_attack_goes_through(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    for check in attack.checks:
        check.remove(monkeypatch)
    victim, gained = attack.play()
    assert victim.guard.checker.alarms == ()
    assert gained
