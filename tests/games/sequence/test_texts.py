"""What a person reads: the board in letters, and a message for every refusal and event in every language."""

import string
from random import Random

import msgspec
import pytest

from croupier import locales
from croupier.game.refusal import OptionError, Refusal
from croupier.games.sequence import CLASSIC, HOUSE, Jacks, SequenceRules, SequenceSetup
from croupier.games.sequence.rules.actions import ExchangeDeadCard, SequenceAction
from croupier.games.sequence.rules.codes import Code
from croupier.games.sequence.rules.events import SequenceEvent
from croupier.games.sequence.rules.state import State
from croupier.games.sequence.rules.text import COLUMNS_MAX, board_text
from tests.games.sequence.play import normal, play_out, position, refused, remove, shown, wild


def test_a_board_shows_cards_chips_and_sequences() -> None:
    state = position("", "", chips={"A": (12,), "B": (13,)}, sequences={"B": [(50, 51, 52, 53, 54)]}, turn_number=8)
    lines = shown(state).splitlines()
    assert lines[0].split() == [f"+{column}" for column in range(10)]
    assert lines[2] == "10  6C    5C    4C A  3C B  2C    AH    KH    QH    TH    TS"
    assert lines[6] == "50  TC B* TS B* 8C B* 7H B* 2H B* 3H    KH    TD    6H    2D"
    assert lines[-1] == "#8  A 0/2  B 1/2"


def test_a_board_fits_into_80_columns() -> None:
    state = position("", "", "", chips={"A": range(50), "C": range(50, 100)}, teams=3, turn_number=99_999)
    assert max(map(len, board_text(CLASSIC.view(state, None)).splitlines())) <= COLUMNS_MAX == 80


def refusals() -> dict[str, Refusal]:
    """Every code of Sequence, by something that really is refused."""
    held = "spade_2_1 spade_3_1 spade_4_1 heart_j_1 heart_j_2 diamond_j_2"
    state = position(held, "", chips={"A": (1, 5), "B": (86, 2, 6)})
    protected = position("heart_j_1 heart_j_2", "", sequences={"B": [(50, 51, 52, 53, 54)]}, cleared_cell=40)
    exchanged = position("spade_2_1 heart_j_2", "", chips={"A": (1, 86)}, exchanged=True)
    cases: list[tuple[SequenceRules, State, SequenceAction]] = [
        (HOUSE, state, normal("heart_9_1", 28)),
        (HOUSE, state, normal("heart_j_1", 28)),
        (HOUSE, state, wild("heart_j_1", 28)),
        (HOUSE, state, remove("heart_j_2", 28)),
        (HOUSE, state, wild("heart_j_2", 100)),
        (HOUSE, state, normal("spade_2_1", 1)),
        (HOUSE, state, normal("spade_4_1", 1)),
        (HOUSE, state, normal("spade_3_1", 2)),
        (CLASSIC, state, wild("diamond_j_2", 0)),
        (HOUSE, protected, wild("heart_j_2", 40)),
        (HOUSE, state, remove("heart_j_1", 5)),
        (HOUSE, protected, remove("heart_j_1", 50)),
        (HOUSE, state, ExchangeDeadCard("spade_2_1")),
        (CLASSIC, state, ExchangeDeadCard("spade_4_1")),
        (CLASSIC, exchanged, ExchangeDeadCard("spade_2_1")),
    ]
    found = [refused(state, action, rules) for rules, state, action in cases]
    for setup in (SequenceSetup(seats=3), SequenceSetup(seats=6, teams=3)):
        refusal = HOUSE.opening(setup)
        assert isinstance(refusal, Refusal)
        found.append(refusal)
    found.append(HOUSE.leave(state, 0))
    for options in ({"sequences_to_win": 3}, {"edition": 99}, {"edition": 1, "jacks": Jacks.PRINTED}):
        with pytest.raises(OptionError) as raised:
            SequenceRules(**options)
        found.append(raised.value.refusal)
    return {refusal.code: refusal for refusal in found}


def test_every_refusal_has_a_message_in_every_language_with_all_its_facts() -> None:
    by_code = refusals()
    assert set(by_code) == {*Code, "BAD_OPTION", "OPTIONS_CLASH"}
    for language in locales.LANGUAGES:
        for code, refusal in by_code.items():
            message = locales.catalogue(language)[f"code.{code}"]
            assert facts_in(message) == set(refusal.facts), (language, code)


def test_every_event_has_a_message_in_every_language() -> None:
    for rules, seed in ((HOUSE, 3), (CLASSIC, 3), (CLASSIC, 35)):
        for step in play_out(rules, 2, Random(seed)).steps:
            for told in step.told:
                key, facts = message_of(told.event)
                for language in locales.LANGUAGES:
                    message = locales.catalogue(language)[key]
                    assert facts_in(message) <= set(facts), (language, key)


def message_of(event: SequenceEvent) -> tuple[str, dict[str, object]]:
    facts = msgspec.to_builtins(event)
    key = f"event.{facts.pop('type')}"
    if "action" in facts:
        facts |= facts.pop("action")
        key += f".{facts.pop('type')}"
    if "winner" in facts:
        key += ".draw" if facts["winner"] is None else ".win"
    return key, facts


def facts_in(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}
