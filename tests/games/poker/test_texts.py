"""Every word of the game that a person can meet has its text in every language."""

from typing import get_args

import pytest

from croupier.games.poker import GAME, HoldemAction, HoldemCode
from croupier.games.poker.histories.phh.notation import PhhCode
from croupier.games.poker.rules.evaluate import Category
from croupier.games.poker.rules.events import HoldemEvent, Move, Post, Street
from croupier.locales import LANGUAGES, catalogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_codes_actions_events_hands_and_streets_have_texts(language: str) -> None:
    texts = catalogue(language)
    wanted = {f"code.{code}" for code in (*HoldemCode, *PhhCode)}
    wanted |= {f"action.{action.__struct_config__.tag}" for action in get_args(HoldemAction)}
    wanted |= {f"hand.{category}" for category in Category} | {f"street.{street}" for street in Street}
    wanted |= {f"event.HOLDEM_ACTED.{move}" for move in Move} | {f"event.HOLDEM_POSTED.{post}" for post in Post}
    wanted |= {f"poker.preset.{preset}" for preset in GAME.presets}
    assert not wanted - texts.keys()
    for event in get_args(HoldemEvent):
        assert any(key.startswith(f"event.{event.__struct_config__.tag}") for key in texts)
