"""Every attack on a player at the page, in Chromium: caught, and unseen by a page without the check for it."""

import pytest

from tests.lying_server import page_attacks_cards, page_attacks_deals
from tests.lying_server.page_alarm import (
    check_evidence,
    check_going_on,
    check_leaving,
    check_nothing_is_bet,
    check_words,
)
from tests.lying_server.page_attack import ATTACKS, PageAttack
from tests.lying_server.page_table import PageTable

assert page_attacks_cards
assert page_attacks_deals
SOAK = pytest.mark.soak
DRAWN = [attack if number % 4 == 0 else pytest.param(attack, marks=SOAK) for number, attack in enumerate(ATTACKS)]
"""Of the page without a check, every fourth attack is played each time, and all of them in the long run: that each
check is needed is shown without a browser, too (`test_attacks.py`, `tests/twin`)."""


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_attack_is_caught(table: PageTable, attack: PageAttack) -> None:
    table.open_page()
    assert not attack.play(table)
    check_words(table, attack.caught)
    check_nothing_is_bet(table)
    check_evidence(table, attack.caught)
    if attack.lasts:
        check_leaving(table)
    else:
        check_going_on(table)


@pytest.mark.parametrize("attack", DRAWN, ids=lambda attack: attack.name)
def test_without_its_check_the_attack_goes_through(table: PageTable, attack: PageAttack) -> None:
    table.open_page(without=attack.checks)
    assert attack.play(table), table.alarm.locator(".faults").all_inner_texts()
    assert not table.alarm.count()
    assert not table.page.locator(".trust.failed, .notice.alarm:visible").count()
