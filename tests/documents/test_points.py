"""Every section of documents 001 to 004 has a test; `test_000_classroom.py` counts the points of 000 by itself."""

from typing import Final

from tests.documents import (
    test_001_casino_messages,
    test_001_casino_rules,
    test_002_page,
    test_002_sequence,
    test_003_holdem,
    test_004_trainer,
)
from tests.documents.points import unheld

ELSEWHERE_001: Final = {
    "1": "tests.documents.test_001_casino_messages:test_8_the_configuration_is_the_document_s",
    "5.1": "tests.documents.test_001_casino_rules:test_2_3_a_pair_after_a_split_is_not_split_again",
    "5.2": "tests.documents.test_001_casino_rules:test_2_3_each_split_hand_may_be_doubled",
    "6.1": "tests.server.test_casino_commands:"
    "test_a_round_is_resumed_after_a_disconnection_a_restart_and_thirty_idle_minutes",
    "6.2": "tests.server.test_casino_commands:test_of_simultaneous_commands_on_one_version_one_is_done",
    "7.1": "tests.server.test_casino_commands:test_refusals_leave_everything_as_it_was",
    "7.2": "tests.server.test_casino_commands:test_whatever_two_players_do_no_chip_comes_or_goes",
}


def test_every_section_of_document_001_has_a_test() -> None:
    sections = "1 2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 3.4 4.1 4.2 5.1 5.2 5.3 6.1 6.2 7.1 7.2 7.3 8"
    modules = (test_001_casino_rules, test_001_casino_messages)
    assert not unheld(sections, *modules, elsewhere=ELSEWHERE_001)


def test_every_section_of_document_002_has_a_test() -> None:
    """Its first section says what it is for."""
    sections = "2 3 4.1 4.2 4.3 5.1 5.2 6 7 7.4 7.5 8"
    assert not unheld(sections, test_002_sequence, test_002_page, elsewhere={})


def test_every_section_of_document_003_has_a_test() -> None:
    """Counted as its table of contents does; the end of the game is the eighth."""
    assert not unheld("1 2 2.3 3 4 5 6 7 8", test_003_holdem, elsewhere={})


def test_every_section_of_document_004_has_a_test() -> None:
    assert not unheld("1 2 3 4 5", test_004_trainer, elsewhere={})
