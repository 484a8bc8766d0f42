"""Every attack on a player of the casino, against the Python client: caught; and unseen without the check for it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from croupier.clients.alarm import AlarmError
from croupier.clients.casino import CasinoSession
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.vault import MemoryVault
from croupier.dealing import shuffle1_checks
from croupier.dealing.shuffle1_client import Notebook
from croupier.dealing.shuffle1_log import Alarm, NeverDealt
from croupier.wire.casino import PlaceBet
from croupier.wire.own_logs import read_casino_lines
from tests.lying_server.casino import (
    GroundSeed,
    GroundSeedRevealed,
    Lie,
    LyingCasino,
    OtherAmountStaked,
    OtherSeedUsed,
    ProposedSeed,
    RefusedUntilItSuits,
    RevealRefused,
    SkippedNonce,
    SwappedCard,
    SwappedHash,
    UnaskedRotation,
)
from tests.server.live import live

ROUNDS = 2
TRIES = 60


class Visit:
    """What a player went through at a casino that lies."""

    def __init__(self) -> None:
        self.dealt: list[dict[str, Any]] = []
        """The last state of every round."""
        self.refused = 0
        self.log: list[str] = []

    @property
    def alarms(self) -> list[str]:
        return [line.code for _, line in read_casino_lines(self.log) if isinstance(line, Alarm)]

    @property
    def dealer_blackjacks(self) -> int:
        return sum(state["dealerHand"]["hasBlackjack"] for state in self.dealt)


async def _play(session: CasinoSession, visit: Visit, reveals_each: bool) -> None:
    """Two rounds; after each the player looks at the table once more, and has the seed revealed, or only at the end."""
    for _ in range(TRIES):
        try:
            await session.bet(10)
        except RefusedError:
            visit.refused += 1
            continue
        while session.state["status"] == "playing":
            await session.act("BLACKJACK_STAND")
        visit.dealt.append(session.state)
        await session.refresh()
        if len(visit.dealt) == ROUNDS:
            break
        if reveals_each:
            with suppress(RefusedError):
                await session.rotate()
    with suppress(RefusedError):
        await session.rotate()


def visited(lie: Lie, reveals_each: bool = True) -> Visit:
    """Two rounds at a casino that lies, and a reveal; or as far as the player goes."""

    async def play() -> Visit:
        visit = Visit()
        async with live() as server:
            server.server.router.casino = LyingCasino(server.server.casino, lie)  # type: ignore[assignment]
            environment = Environment(vault=MemoryVault())
            async with Client(server.url, nickname="Ann", environment=environment) as client:
                session = await CasinoSession.enter(client)
                with suppress(AlarmError):
                    await _play(session, visit, reveals_each)
                visit.log = session.log
                if session.alarms:
                    with pytest.raises(AlarmError):
                        await session.bet(10)
        return visit

    return asyncio.run(play())


def bets(lie: Lie) -> list[PlaceBet]:
    return [request for request in lie.requests if isinstance(request, PlaceBet)]


def test_an_honest_casino_raises_no_alarm() -> None:
    visit = visited(Lie())
    assert (visit.alarms, len(visit.dealt)) == ([], ROUNDS)


CAUGHT: list[tuple[type[Lie], str]] = [
    (SkippedNonce, "DEALT_BY_OTHER_NONCE"),
    (OtherSeedUsed, "DEALT_BY_OTHER_SEED"),
    (OtherAmountStaked, "STAKED_OTHER_AMOUNT"),
    (SwappedHash, "HASH_SWAPPED"),
    (GroundSeedRevealed, "SEED_NOT_PROMISED"),
    (GroundSeed, "CARD_NOT_FROM_SEEDS"),
    (UnaskedRotation, "ROTATION_UNASKED"),
    (RevealRefused, "REVEAL_REFUSED"),
    (SwappedCard, "CARD_SWAPPED"),
]


@pytest.mark.parametrize(("lie", "code"), CAUGHT)
def test_a_lie_is_caught_and_then_nothing_is_bet(lie: type[Lie], code: str) -> None:
    liar = lie()
    visit = visited(liar)
    assert visit.alarms == [code]
    assert len(bets(liar)) <= ROUNDS


REMOVED: list[tuple[type[Lie], tuple[str, ...]]] = [
    (SkippedNonce, ("other_nonce",)),
    (OtherSeedUsed, ("other_seed",)),
    (OtherAmountStaked, ("other_amount",)),
    (SwappedHash, ("swapped",)),
    (GroundSeedRevealed, ("not_promised",)),
    (GroundSeed, ("not_from_seeds",)),
    (UnaskedRotation, ("unasked",)),
    (RevealRefused, ("reveal_refused",)),
    (SwappedCard, ("card_swapped", "not_from_seeds")),
]


@pytest.mark.parametrize(("lie", "checks"), REMOVED)
def test_without_its_check_the_lie_goes_through_unseen(
    lie: type[Lie], checks: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for check in checks:
        monkeypatch.setattr(shuffle1_checks, check, lambda *_, **__: None)
    visit = visited(lie())
    assert visit.alarms == []
    assert len(visit.dealt) == ROUNDS
    if lie in (SkippedNonce, OtherSeedUsed, SwappedHash, GroundSeedRevealed, GroundSeed):
        assert visit.dealer_blackjacks == ROUNDS, "the house had what it wanted, hand after hand"


def test_a_proposed_seed_is_never_used() -> None:
    liar = ProposedSeed()
    visit = visited(liar)
    assert visit.alarms == []
    assert len(visit.dealt) == ROUNDS
    assert not liar.proposed & {bet.client_seed for bet in bets(liar)}


def test_a_client_that_took_the_proposed_seed_would_lose_to_blackjack_twice_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bet: Callable[..., Any] = CasinoSession.bet

    async def trusting(self: CasinoSession, amount: float) -> Any:
        return await bet(self, amount, self.state["seeds"]["clientSeed"])

    monkeypatch.setattr(CasinoSession, "bet", trusting)
    visit = visited(ProposedSeed())
    assert visit.alarms == []
    assert visit.dealer_blackjacks == ROUNDS


@pytest.mark.parametrize("code", ["BUSY", "STALE_VERSION", "INSUFFICIENT_FUNDS"])
def test_a_bet_that_is_refused_is_the_same_bet_again_so_that_nothing_is_gained_by_it(code: str) -> None:
    liar = RefusedUntilItSuits(code)
    visit = visited(liar)
    if not liar.suited:
        assert len(set(liar.refused)) == 1, "one draw for one bet, however often it is refused"
        assert len(liar.refused) > 10
    assert visit.alarms == []


def test_what_was_refused_is_computed_after_the_reveal() -> None:
    class OnlyTheFirst(RefusedUntilItSuits):
        """Deals the first bet, and then refuses what does not suit it."""

        async def before(self, person: str, request: Any) -> Any:
            return None if len(bets(self)) == 1 else await super().before(person, request)

    liar = OnlyTheFirst()
    visit = visited(liar, reveals_each=False)
    never = [line for _, line in read_casino_lines(visit.log) if isinstance(line, NeverDealt)]
    assert len(never) == (0 if liar.suited else 1)
    assert visit.alarms == []


@pytest.mark.parametrize("code", ["CLIENT_SEED_USED", "BAD_CLIENT_SEED", "ROTATE_SEED_FIRST"])
def test_a_bet_that_is_refused_for_an_untrue_reason_is_an_alarm(code: str) -> None:
    liar = RefusedUntilItSuits(code)
    visit = visited(liar)
    assert visit.alarms == ["REFUSAL_UNTRUE"] or liar.suited


def test_a_client_that_made_a_new_seed_after_a_refusal_could_be_refused_until_it_loses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Notebook, "pending", None)
    monkeypatch.setattr("tests.lying_server.test_casino_client.TRIES", 400)
    liar = RefusedUntilItSuits()
    visit = visited(liar)
    assert visit.alarms == []
    assert len(set(liar.refused)) == len(liar.refused) > 0
    assert visit.dealer_blackjacks == len(visit.dealt) == ROUNDS
