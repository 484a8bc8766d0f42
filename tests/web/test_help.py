"""How every game is played, and what the keys do: one key away, in every language."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from croupier import locales
from croupier.game.registry import GAMES
from tests.web.audit import audit
from tests.web.page_server import Visitor

Visit = Callable[..., Visitor]


@pytest.mark.parametrize("language", locales.LANGUAGES)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_says_how_it_is_played(game: str, language: str) -> None:
    said = [key for key in locales.catalogue(language) if key.startswith(f"how.{game}.")]
    assert [f"how.{game}.{place + 1}" for place in range(len(said))] == said
    assert len(said) >= 5


def test_the_sheet_opens_in_the_lobby_and_by_one_key_at_a_table(visit: Visit) -> None:
    ann = visit()
    for game, name in (("blackjack", "Blackjack"), ("sequence", "Sequence"), ("poker", "Poker")):
        ann.page.get_by_role("button", name=f"How to play: {name}").click()
        expect(ann.page.locator("dialog h2")).to_have_text(f"How to play: {name}")
        assert ann.page.locator("dialog .how-to li").count() >= 5, game
        assert not any("." in text and " " not in text for text in ann.page.locator("dialog dd").all_inner_texts())
        ann.page.keyboard.press("Escape")
    ann.open_room(seats=2)
    ann.page.keyboard.press("?")
    expect(ann.page.locator("dialog .facts")).to_contain_text("Big blind")
    expect(ann.page.locator("dialog .facts")).to_contain_text("Hands per level10")
    expect(ann.page.locator("dialog")).to_contain_text("it ends when one player has everything")
    expect(ann.page.locator("dialog .keys")).to_contain_text("Write in the chat")
    audit(ann.page)
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("dialog")).to_have_count(0)
