"""Pictures of every screen in every language, on a desktop and on a phone, in the light and in the dark.

python -m tests.web.screenshots [FOLDER]
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from croupier.locales import LANGUAGES
from tests.web.page_server import DESKTOP, PHONE, PageServer, Visitor, arrive, chromium
from tests.web.screens import open_last_hand

SIZES: dict[str, Any] = {"desktop": DESKTOP, "phone": PHONE}
LOOKS = (("desktop", "light"), ("desktop", "dark"), ("phone", "light"), ("phone", "dark"))
TURNS_MAX = 400
LAB_MS_MAX = 180_000
"""The lab's first answer on a machine waits for its kernels to be compiled."""
DEALER_KEY = "the key"
CLASS = ("Ada", "Minjun", "小明", "Настя", "Emmy")


class Tour:
    """Goes through some screens in one language and size, and takes a picture of each."""

    def __init__(
        self, browser: Browser, page_server: PageServer, folder: Path, language: str, size: str, theme: str
    ) -> None:
        self.browser = browser
        self.page_server = page_server
        self.options: dict[str, Any] = {
            "locale": language,
            "viewport": SIZES[size],
            "color_scheme": theme,
            "settings": {"pace": "fast"},
        }
        self._name = f"{size}-{theme}-{language}"
        self._folder = folder
        self.visitor = self.come()

    @property
    def page(self) -> Page:
        return self.visitor.page

    def come(self) -> Visitor:
        return arrive(self.browser, self.page_server.link, **{**self.options})

    def take(self, screen: str, whole: bool = False, page: Page | None = None) -> None:
        shown = page or self.page
        shown.wait_for_timeout(350)
        shown.screenshot(path=self._folder / f"{screen}-{self._name}.png", full_page=whole)

    def close(self) -> None:
        assert not self.visitor.complaints, self.visitor.complaints
        self.visitor.context.close()


def lobby(tour: Tour) -> None:
    page = tour.page
    tour.visitor.enter()
    tour.take("lobby", whole=True)
    page.click("[aria-label]:has(.icon-drawing) >> nth=0")
    tour.take("settings")
    page.keyboard.press("Escape")
    page.click("[data-create=poker]")
    page.wait_for_selector("dialog form")
    tour.take("create")
    page.click("dialog form .primary")
    page.wait_for_selector(".big-code")
    tour.take("waiting")


def holdem(tour: Tour) -> None:
    page = tour.page
    tour.visitor.enter()
    page.click("[data-play=poker]")
    page.wait_for_selector(".controls.active")
    tour.take("holdem-turn")
    _play(tour.visitor, "KeyC", lambda: bool(page.locator(".board .card, .message.result").count()))
    tour.take("holdem-flop")
    _play(tour.visitor, "KeyC", lambda: bool(page.locator(".message.result").count()))
    tour.take("holdem-result")
    open_last_hand(tour.visitor)
    page.wait_for_selector(".seat-equity:visible", timeout=LAB_MS_MAX)
    tour.take("holdem-replay")
    page.keyboard.press("Escape")
    page.click(".trust")
    tour.take("trust")
    page.keyboard.press("Escape")
    page.click(".code-button")
    page.wait_for_function("() => document.querySelector('dialog .qr').complete")
    tour.take("share")


def match(tour: Tour) -> None:
    """A match to its end, all-in every hand: the final standings."""
    page = tour.page
    tour.visitor.enter()
    tour.visitor.open_room(seats=3, stack_chips=20, hands_per_level=1, pauseSeconds=0)
    for bot in ("random", "caller"):
        page.click("[data-do=bot]")
        page.click(f"dialog [data-bot={bot}]")
    page.click("[data-do=start]")
    page.wait_for_selector(".poker")

    def over() -> bool:
        if page.locator(".amount:visible").count():
            page.keyboard.press("Digit5")
            page.keyboard.press("KeyR")
        return bool(page.locator(".ended:visible").count())

    _play(tour.visitor, "KeyC", over)
    tour.take("ended")


def sequence(tour: Tour) -> None:
    page = tour.page
    tour.visitor.enter()
    page.click("[data-play=sequence]")
    for turn in range(2, 12, 2):
        page.wait_for_selector(".sequence.my-turn .hand-card.playable")
        page.locator(".hand-card.playable").first.click()
        page.locator(".card-chosen .cell.lit").first.click()
        page.wait_for_function(f"() => document.querySelector('.sequence').dataset.turn > {turn}")
    page.wait_for_selector(".sequence.my-turn .hand-card.playable")
    tour.take("sequence")
    page.locator(".hand-card.playable").last.click()
    tour.take("sequence-card")


def blackjack(tour: Tour) -> None:
    page = tour.page
    tour.visitor.enter()
    page.click("[data-play=blackjack]")
    page.wait_for_selector(".bet-maker:visible")
    tour.take("blackjack-bet")
    page.click(".place-bet")
    page.wait_for_selector("[data-action=BLACKJACK_STAND]:visible, .bj-why:not(:empty)")
    tour.take("blackjack-turn")
    _play(tour.visitor, "KeyS", lambda: bool(page.locator(".bj-why:not(:empty)").count()))
    tour.take("blackjack-result")


def casino(tour: Tour) -> None:
    """Insurance, a split, and a decision that the trainer judges."""
    page = tour.page
    page.set_default_timeout(LAB_MS_MAX)
    tour.visitor.enter("/#/casino")
    page.fill("[name=nickname]", "Ann")
    page.click(".door .primary")
    page.wait_for_selector(".bet-maker:visible")
    tour.take("casino-bet")
    _deal(tour, lambda cards, up: cards == "88" and up == "6")
    tour.take("casino-turn")
    page.click("[data-action=BLACKJACK_SPLIT]")
    page.wait_for_selector(".bj-seat .bj-hand >> nth=1")
    tour.take("casino-split")
    _play(tour.visitor, "KeyS", lambda: page.locator(".bet-maker").is_visible())
    tour.take("casino-result")
    page.click(".last-hands")
    tour.take("casino-rounds")
    page.keyboard.press("Escape")
    page.locator(".trainer input").check()
    _deal(tour, lambda cards, up: cards in ("T6", "6T", "97", "79") and up == "9")
    page.wait_for_selector(".action.suggested")
    tour.take("trainer-hint", whole=True)
    page.click("[data-action=BLACKJACK_STAND]")
    page.wait_for_selector(".trainer-verdict:not(:empty)")
    tour.take("trainer-verdict", whole=True)
    page.locator(".seeds .button-row button").nth(1).click()
    page.wait_for_selector(".revealed .good")
    _deal(tour, lambda cards, up: up == "A" and cards not in ("AT", "TA"))
    tour.take("casino-insurance")


def classroom(tour: Tour) -> None:
    """A whole class: the dealer's view, a player's, and the wall's."""
    tour.visitor.enter("/#/classroom")
    tour.take("classroom-door")
    others = [tour.come() for _ in CLASS]
    beamer = tour.come()
    beamer.enter("/#/beamer")
    _join(tour.visitor, "Mr Lee", DEALER_KEY)
    for name, visitor in zip(CLASS, others, strict=True):
        visitor.enter("/#/classroom")
        _join(visitor, name)
    tour.take("beamer-waiting", page=beamer.page)
    tour.page.click("[data-action=start]")
    others[0].page.wait_for_selector("[data-action=stand]:visible, .desk[data-outcome]")
    tour.take("classroom-turn", page=others[0].page)
    tour.take("beamer-turn", page=beamer.page)
    for _ in range(TURNS_MAX):
        if beamer.page.locator(".desk[data-outcome]").count():
            break
        for visitor in others:
            if visitor.page.locator("[data-action=stand]").is_visible():
                visitor.page.keyboard.press("KeyS")
        beamer.page.wait_for_timeout(30)
    tour.take("beamer-result", page=beamer.page)
    for visitor in (*others, beamer):
        visitor.context.close()


def verify(tour: Tour) -> None:
    page = tour.page
    tour.visitor.enter()
    page.click("[data-play=blackjack]")
    page.wait_for_selector(".bet-maker:visible")
    page.click(".place-bet")
    _play(tour.visitor, "KeyS", lambda: page.locator(".last-hands").is_visible())
    code = tour.visitor.text(".code")
    tour.visitor.enter("/#/verify")
    tour.take("verify")
    page.goto(f"{tour.page_server.link}/#/verify/{code}")
    page.wait_for_selector(".verdict")
    tour.take("verify-record", whole=True)


def lab(tour: Tour) -> None:
    page = tour.page
    page.set_default_timeout(LAB_MS_MAX)
    tour.visitor.enter("/#/lab/strategy?decks=2&surrender=late")
    page.wait_for_selector(".strategy-grid")
    page.locator(".strategy-cell[data-play=R], .strategy-cell[data-play=Rs]").first.click()
    tour.take("lab-strategy")
    page.goto(f"{tour.page_server.link}/#/lab/equity?hands=AsKs%7CQhQd%7CJTs&board=Qs7s2d")
    page.click(".lab-run .primary")
    page.wait_for_selector(".equity-bar:visible")
    tour.take("lab-equity", whole=True)
    page.goto(f"{tour.page_server.link}/#/lab/pushfold?players=2&stack=10")
    page.click(".lab-run .primary")
    page.wait_for_selector(".lab-run:not([data-running]) .lab-state:not(:empty)")
    page.click(".range-cell >> nth=30")
    tour.take("lab-pushfold", whole=True)
    page.goto(
        f"{tour.page_server.link}/#/lab/solver?board=QsJh2h7c&pot=100&stack=200&bets=50%25&raises=a&target=1&path="
    )
    page.wait_for_selector(".lab-run:not([data-running]) .lab-state:not(:empty)")
    page.click(".study-cell >> nth=30")
    tour.take("lab-solver", whole=True)
    page.goto(f"{tour.page_server.link}/#/lab/simulation?rounds=10000000")
    page.click(".lab-run .primary")
    page.wait_for_selector(".lab-run:not([data-running]) .lab-state:not(:empty)")
    tour.take("lab-simulation", whole=True)


TOURS: tuple[Callable[[Tour], None], ...] = (
    lobby,
    holdem,
    match,
    sequence,
    blackjack,
    casino,
    classroom,
    verify,
    lab,
)


def _deal(tour: Tour, wanted: Callable[[str, str], bool]) -> None:
    """A casino round with cards as they are wanted: ten, jack, queen and king are all T."""
    tens = str.maketrans("JQK", "TTT")
    seed = tour.page_server.client_seed(
        tour.visitor.text(".seed-facts code"), lambda cards, up: wanted(cards.translate(tens), up.translate(tens))
    )
    tour.page.fill("[name=clientSeed]", seed)
    tour.page.click(".place-bet")
    tour.page.wait_for_selector("[data-action]:visible")


def _join(visitor: Visitor, name: str, key: str = "") -> None:
    visitor.page.fill("[name=className]", name)
    if key:
        visitor.page.click(".class-join summary")
        visitor.page.fill("[name=dealerKey]", key)
    visitor.page.click(".class-join .primary")
    visitor.page.wait_for_selector(".desk.own")


def _play(visitor: Visitor, key: str, until: Callable[[], bool]) -> None:
    """Presses a key whenever it is the visitor's turn."""
    for _ in range(TURNS_MAX):
        if until():
            return
        if visitor.is_in_turn():
            visitor.page.keyboard.press(key)
        visitor.page.wait_for_timeout(60)
    raise AssertionError("it does not come to that")


def main(folder: Path, wanted: str = "", languages: tuple[str, ...] = LANGUAGES) -> None:
    """Takes the pictures; `wanted` names one tour."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        page_server = PageServer(Path(place) / "rooms.db", bot_delay_seconds=0.1)
        page_server.start()
        for language in languages:
            for size, theme in LOOKS:
                for visits in TOURS:
                    if wanted in ("", visits.__name__):
                        tour = Tour(browser, page_server, folder, language, size, theme)
                        visits(tour)
                        tour.close()
        page_server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"), *sys.argv[2:3])
