"""One word a thing in every language, as players say it."""

import pytest

from croupier.locales import catalogue

OTHER_WORDS = {
    "ru": ("зерн", "кеш-", "никнейм", "лини", "арты на столе: 3"),
    "ko": ("플롭", "인슈어런스", "별명", "컷", "당신의 카드", "당신의 차례"),
    "zh": ("您", "晚投降", "迟投降", "现金局"),
}
"""What is said in another word elsewhere."""
SAID = {
    "ru": {"web.side.send": "Отправить", "web.side.talk": "Чат", "action.HOLDEM_MUCK": "Не показывая"},
    "ko": {
        "web.door.title": "방 {code}",
        "web.poker.your_turn": "내 차례",
        "web.poker.raise_to": "레이즈 {amount}까지",
    },
    "zh": {"sequence.preset.house": "自定规则", "web.poker.hands": "牌局记录"},
}


@pytest.mark.parametrize("language", OTHER_WORDS)
def test_a_thing_has_one_word(language: str) -> None:
    texts = {key: text for key, text in catalogue(language).items() if not key.startswith("mcp.")}
    for word in OTHER_WORDS[language]:
        assert [key for key, text in texts.items() if word in text] == [], word


@pytest.mark.parametrize("language", SAID)
def test_the_words_that_players_asked_for(language: str) -> None:
    texts = catalogue(language)
    assert {key: texts.get(key) for key in SAID[language]} == SAID[language]
