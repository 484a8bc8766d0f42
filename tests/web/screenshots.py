"""Pictures of every screen in every language, light and dark, on a desktop and on a phone.

python -m tests.web.screenshots [FOLDER]
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from croupier.locales import LANGUAGES
from tests.web.house import DESKTOP, PHONE, House, Visitor, arrive, chromium

SIZES: dict[str, Any] = {"desktop": DESKTOP, "phone": PHONE}
TURNS_MAX = 200


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        house = House(Path(place) / "rooms.db", bot_delay_seconds=0.2)
        house.start()
        for language in LANGUAGES:
            for size, theme in (("desktop", "dark"), ("desktop", "light"), ("phone", "light"), ("phone", "dark")):
                _tour(browser, house, language, size, theme, folder)
        house.stop()


def _tour(browser: Browser, house: House, language: str, size: str, theme: str, folder: Path) -> None:
    """Through all screens, as a newcomer sees them."""
    visitor = arrive(
        browser, house.link, locale=language, viewport=SIZES[size], color_scheme=theme, settings={"pace": "fast"}
    )
    page = visitor.page

    def take(screen: str, whole: bool = False) -> None:
        page.wait_for_timeout(400)
        page.screenshot(path=folder / f"{screen}-{size}-{theme}-{language}.png", full_page=whole)

    visitor.enter()
    take("lobby", whole=True)
    page.click("[data-create=holdem]")
    take("create")
    page.click("dialog form .primary")
    page.wait_for_selector(".big-code")
    take("waiting")
    visitor.enter()
    page.click("[data-play=holdem]")
    page.wait_for_selector(".controls.active")
    take("holdem-turn")
    _play(visitor, lambda: bool(page.locator(".board .card").count() or page.locator(".message.result").count()))
    take("holdem-flop")
    _play(visitor, lambda: bool(page.locator(".message.result").count()))
    take("holdem-result")
    page.wait_for_selector(".last-hands:visible")
    page.click(".last-hands")
    take("holdem-replay")
    page.keyboard.press("Escape")
    page.click(".trust")
    take("trust")
    visitor.context.close()


def _play(visitor: Visitor, until: Any) -> None:
    for _ in range(TURNS_MAX):
        if until():
            return
        if visitor.is_in_turn():
            visitor.page.keyboard.press("KeyC")
        visitor.page.wait_for_timeout(80)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots"))
