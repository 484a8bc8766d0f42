"""Every attack at a table without a network, against the SDK's client on a real WebSocket and against the terminal."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from croupier.clients import connection
from croupier.clients.alarm import sentence
from croupier.games.poker.rules.actions import AllIn
from tests.lying_server.attack import ATTACKS, Attack
from tests.lying_server.offline import OfflineTable
from tests.lying_server.test_attacks import attacks_absence
from tests.lying_server.wire import TerminalPlayer, Wire, WirePlayer

assert attacks_absence, "all attacks are in the table"
CLIENTS: Final = (WirePlayer, TerminalPlayer)


def matrix(drawn: int) -> list[Any]:
    """Every attack with every client. All but one client of each attack are left to the soak; another one is drawn for
    the next attack, and where the check is taken out."""
    return [
        pytest.param(attack, client, marks=() if (number + drawn) % len(CLIENTS) == place else pytest.mark.soak)
        for number, attack in enumerate(ATTACKS)
        for place, client in enumerate(CLIENTS)
    ]


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    monkeypatch.setattr(connection, "RETRY_SECONDS_FIRST", 0.0)
    made = Wire()
    monkeypatch.setattr(WirePlayer, "wire", made, raising=False)
    yield made
    made.close()


def _id(value: Any) -> str:
    return value.name if isinstance(value, Attack) else "terminal" if value is TerminalPlayer else "sdk"


@pytest.mark.parametrize(("attack", "client"), matrix(0), ids=_id)
def test_the_attack_is_caught(
    attack: Attack, client: type[WirePlayer], wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OfflineTable, "honest", client)
    victim, gained = attack.play()
    assert isinstance(victim, client)
    checker = victim.guard.checker
    found = [*checker.findings, *checker.notes]
    assert attack.caught in [each.code for each in found[:1]] or victim.refused == attack.caught, found
    assert not gained
    assert not victim.give(), "nothing is cut until the player has decided"
    assert victim.act(AllIn()) is not None, "nor bet"
    if isinstance(victim, TerminalPlayer) and found and found[0].code == attack.caught:
        victim.reads({sentence(each, "en") for each in found if each.code == attack.caught})


@pytest.mark.parametrize(("attack", "client"), matrix(1), ids=_id)
def test_without_its_check_the_attack_goes_through(
    attack: Attack, client: type[WirePlayer], wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OfflineTable, "honest", client)
    for check in attack.checks:
        check.remove(monkeypatch)
    victim, gained = attack.play()
    assert victim.guard.checker.alarms == ()
    assert gained
