"""Every attack on a player of the casino, against the page in Chromium: caught; and unseen without the check for it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.wire.casino import PlaceBet
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
    SwappedHash,
    UnaskedRotation,
)
from tests.server.live import Live
from tests.web.page_server import PageServer, Visitor, arrive, chromium

ROUNDS = 2
BETS_MAX = 4
ACTIONS_MAX = 4
"""Insurance declined, and a stand on each of two hands."""
ALARM = ".casino-alarm:not([hidden])"
STOPPED = f"{ALARM}, .toast"
"""Why the page does not go on: an alarm, or a passing message about a refusal."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class LyingPageServer(PageServer):
    """A server whose casino lies."""

    def __init__(self, store_file: Path, lie: Lie) -> None:
        super().__init__(store_file)
        self.lie = lie

    def on_start(self, server: Live) -> None:
        server.server.router.casino = LyingCasino(server.server.casino, self.lie)  # type: ignore[assignment]


@pytest.fixture
def sit_down(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    page_servers: list[PageServer] = []
    visitors: list[Visitor] = []

    def enter(lie: Lie, *removed: str) -> Page:
        page_server = LyingPageServer(tmp_path / "rooms.db", lie)
        page_server.start()
        page_servers.append(page_server)
        ann = arrive(browser, page_server.link)
        visitors.append(ann)
        ann.enter("/#/casino")
        for change in removed:
            ann.page.evaluate(f"async () => {{ {change} }}")
        ann.page.fill("[name=nickname]", "Ann")
        ann.page.click(".door .primary")
        ann.page.wait_for_selector(".casino .bet-maker:not([hidden])")
        return ann.page

    yield enter
    for visitor in visitors:
        visitor.context.close()
    for page_server in page_servers:
        page_server.stop()


def without(check: str) -> str:
    """Takes a check out of the page."""
    return f"(await import('/js/fairness/shuffle1checks.js')).checks.{check} = () => null;"


def play(page: Page) -> str:
    """Play two rounds, each with a reveal, as far as the page goes; return the code of the alarm, if there is one."""
    bets = 0
    alarm = page.locator(f"{ALARM} [data-code]")
    while page.locator(".history tbody tr").count() < ROUNDS and bets < BETS_MAX and not alarm.count():
        rounds = page.locator(".history tbody tr").count()
        page.wait_for_selector(f".bet-maker:not([hidden]), {ALARM}")
        if alarm.count():
            break
        _forget_messages(page)
        page.click(".place-bet")
        bets += 1
        _finish(page, rounds)
        if page.locator(".history tbody tr").count() > rounds and not alarm.count():
            _reveal(page)
    return str(alarm.first.get_attribute("data-code")) if alarm.count() else ""


def _finish(page: Page, rounds: int) -> None:
    """Stand on every hand until the round is over, an alarm stops the page, or the bet is refused."""
    over = f"document.querySelectorAll('.history tbody tr').length > {rounds} || document.querySelector('{STOPPED}')"
    # A button that was pressed stays where it is, disabled, until the answer comes, and may be gone then.
    ready = ":not([hidden], [aria-disabled])"
    stand = f"[data-action=decline]{ready}, [data-action=BLACKJACK_STAND]{ready}"
    for _ in range(ACTIONS_MAX):
        page.wait_for_function(f"() => {over} || document.querySelector('{stand}')")
        if page.evaluate(f"() => Boolean({over})"):
            return
        page.locator(stand).first.click()
    raise AssertionError("the round does not end")


def _reveal(page: Page) -> None:
    """Have the server seed revealed, or be told why not."""
    _forget_messages(page)
    before = page.locator(".revealed").get_attribute("data-seed")
    page.get_by_role("button", name="Reveal the server seed").click()
    revealed = "document.querySelector('.revealed')?.dataset.seed !== before"
    page.wait_for_function(f"before => {revealed} || document.querySelector('{STOPPED}')", arg=before)


def _forget_messages(page: Page) -> None:
    page.evaluate("() => document.querySelectorAll('.toast').forEach(message => message.remove())")


CAUGHT = [
    (SkippedNonce, "DEALT_BY_OTHER_NONCE", "otherNonce"),
    (OtherSeedUsed, "DEALT_BY_OTHER_SEED", "otherSeed"),
    (SwappedHash, "HASH_SWAPPED", "swapped"),
    (GroundSeedRevealed, "SEED_NOT_PROMISED", "notPromised"),
    (GroundSeed, "CARD_NOT_FROM_SEEDS", "notFromSeeds"),
    (UnaskedRotation, "ROTATION_UNASKED", "unasked"),
    (RevealRefused, "REVEAL_REFUSED", "revealRefused"),
    (OtherAmountStaked, "STAKED_OTHER_AMOUNT", "otherAmount"),
]


def test_an_honest_casino_raises_no_alarm(sit_down: Callable[..., Page]) -> None:
    page = sit_down(Lie())
    assert play(page) == ""
    expect(page.locator(".history tbody tr")).to_have_count(ROUNDS)
    expect(page.locator(".unproved")).to_have_text("0")


DRAWN = [case if number % 4 == 0 else pytest.param(*case, marks=pytest.mark.soak) for number, case in enumerate(CAUGHT)]
"""Of the page without a check, every fourth lie is told each time, and all of them in the long run: that each check is
needed is shown without a browser, too (`test_casino_client.py`)."""


@pytest.mark.parametrize(("lie", "code", "check"), CAUGHT)
def test_a_lie_is_caught_and_then_nothing_can_be_bet(
    sit_down: Callable[..., Page], lie: type[Lie], code: str, check: str
) -> None:
    page = sit_down(lie())
    assert play(page) == code
    assert page.locator(".bet-maker:visible, [data-action]:visible").count() == 0
    page.reload()
    page.wait_for_selector(f".casino-alarm:not([hidden]) [data-code={code}]")
    assert page.locator(".bet-maker:visible").count() == 0, "also after a reload"
    with page.expect_download() as download:
        page.click("[data-alarm=evidence]")
    assert f'"code":"{code}"' in download.value.path().read_text(encoding="utf-8")


@pytest.mark.parametrize(("lie", "code", "check"), DRAWN)
def test_without_its_check_the_lie_goes_through_unseen(
    sit_down: Callable[..., Page], lie: type[Lie], code: str, check: str
) -> None:
    page = sit_down(lie(), without(check))
    assert play(page) == ""
    expect(page.locator(".history tbody tr")).to_have_count(ROUNDS)


def bets(lie: Lie) -> list[str]:
    return [request.client_seed for request in lie.requests if isinstance(request, PlaceBet)]


def test_a_proposed_seed_is_never_used(sit_down: Callable[..., Page]) -> None:
    liar = ProposedSeed()
    assert play(sit_down(liar)) == ""
    assert len(set(bets(liar))) == ROUNDS
    assert not liar.proposed & set(bets(liar))


def test_a_page_that_took_the_proposed_seed_would_lose_to_blackjack_twice_running(
    sit_down: Callable[..., Page],
) -> None:
    liar = ProposedSeed()
    trusting = "(await import('/js/casino/session.js')).duties.freshSeed = (state) => state.seeds.clientSeed;"
    page = sit_down(liar, trusting)
    assert play(page) == ""
    assert set(bets(liar)) <= liar.proposed
    assert page.locator(".history tbody tr .loss, .history tbody tr td").count() > 0


def test_a_bet_that_is_refused_is_the_same_bet_again(sit_down: Callable[..., Page]) -> None:
    liar = RefusedUntilItSuits()
    page = sit_down(liar)
    play(page)
    assert len(set(liar.refused)) <= 1
    page.reload()
    page.wait_for_selector(".casino .bet-maker:not([hidden])")
    play(page)
    assert len(set(liar.refused)) <= 1 or liar.suited, "also after a reload"
