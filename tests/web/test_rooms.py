"""Around the table: watching, pausing, sending away, options, coming back by the list of last rooms."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.page_server import PageServer, Visitor, arrive

Visit = Callable[..., Visitor]


def _with_bot(visit: Visit, **options: int) -> tuple[Visitor, str]:
    ann = visit()
    ann.page.fill("#nickname", "Ann")
    code = ann.open_room(**options)
    ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
    ann.page.click("dialog [data-bot=caller]")
    expect(ann.page.locator(".waiting .people").first).to_contain_text("Caller 1")
    return ann, code


def _watching(visit: Visit, code: str, name: str) -> Visitor:
    visitor = visit(f"/#/room/{code}")
    visitor.page.fill("[name=nickname]", name)
    visitor.page.get_by_role("button", name="Just watch").click()
    visitor.page.wait_for_selector(".side")
    return visitor


def test_who_watches_sees_backs_only_and_may_do_nothing(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=2)
    eve = _watching(visit, code, "Eve")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    eve.page.wait_for_selector(".seat .card.back")
    assert eve.page.locator(".seat .card:not(.back):visible").count() == 0
    assert eve.page.locator(".action:visible, .toggle:visible").count() == 0


def test_the_host_pauses_goes_on_and_sends_somebody_away(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=3)
    eve = _watching(visit, code, "Eve")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("button", name="Pause the game").click()
    for visitor in (ann, eve):
        expect(visitor.page.locator(".notice.paused")).to_be_visible()
    assert not ann.is_in_turn(), "nothing is offered while the game is paused"
    ann.page.get_by_role("button", name="Go on").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("tab", name="People").click()
    ann.page.get_by_role("button", name="Remove: Eve").click()
    ann.page.locator("dialog").get_by_role("button", name="Remove").click()
    expect(eve.page.locator("[data-play=poker]")).to_be_visible()


def test_the_host_lets_people_in_and_refuses_others_for_good(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=4)
    ann.page.get_by_role("tab", name="People").click()
    ann.page.select_option("[name=entry]", "approval")
    expect(ann.page.locator("[name=entry]")).to_have_value("approval")
    bob, eve = visit(f"/#/room/{code}"), visit(f"/#/room/{code}")
    for visitor, name in ((bob, "<b>Bob</b>"), (eve, "Eve")):
        visitor.page.fill("[name=nickname]", name)
        visitor.page.get_by_role("button", name="Take a seat").click()
        expect(visitor.page.get_by_text("The host must let you in")).to_be_visible()
    expect(ann.page.locator(".wants-in li")).to_have_count(2)
    expect(ann.page.locator(".wants-in")).to_contain_text("<b>Bob</b> wants to come in.")
    bob.page.reload()
    expect(bob.page.get_by_text("The host must let you in")).to_be_visible()
    ann.page.get_by_role("button", name="Let in: <b>Bob</b>").click()
    bob.page.wait_for_selector(".side")
    ann.page.get_by_role("button", name="Refuse: Eve").click()
    ann.page.uncheck("dialog [name=address]")
    ann.page.locator("dialog").get_by_role("button", name="Remove").click()
    expect(eve.page.locator(".toast", has_text="The host has removed you from this room.")).to_be_visible()
    expect(ann.page.locator(".wants-in")).to_be_hidden()


def test_signing_out_elsewhere_ends_other_browsers_and_keeps_this_one(visit: Visit) -> None:
    ann, _ = _with_bot(visit, seats=3)
    token = ann.page.evaluate("localStorage.getItem('croupier.token')")
    thief = visit()
    thief.page.evaluate("token => localStorage.setItem('croupier.token', token)", token)
    thief.page.reload()
    expect(thief.page.locator("#nickname")).to_have_count(0)
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.get_by_role("button", name="Sign out everywhere else").click()
    expect(ann.page.locator(".toast", has_text="You are signed out everywhere but here.")).to_be_visible()
    expect(thief.page.locator("#nickname")).to_be_visible()
    assert ann.page.evaluate("localStorage.getItem('croupier.token')") != token
    ann.page.reload()
    expect(ann.page.locator(".waiting .people").first).to_contain_text("Ann")


def test_the_host_changes_the_rules_before_the_game(visit: Visit) -> None:
    ann, _ = _with_bot(visit, seats=4)
    ann.page.get_by_role("button", name="Change the rules").click()
    ann.page.select_option("dialog [name=preset]", "cash")
    assert ann.page.locator("dialog [name=hands_per_level]:visible").count() == 0
    ann.page.fill("dialog [name=seats]", "5")
    ann.page.click("dialog form .primary")
    expect(ann.page.locator(".waiting")).to_contain_text("Hold'em cash game · 2 of 5 seats taken")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.get_by_role("button", name="Sit out").click()
    assert ann.page.locator(".toast").count() == 0, "nothing was refused"


def test_a_listed_room_is_found_and_a_last_room_is_found_again(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=poker]")
    ann.page.check("dialog [name=listed]")
    ann.page.click("dialog form .primary")
    code = ann.text(".big-code")
    bob = visit()
    expect(bob.page.get_by_role("link", name=code)).to_be_visible()
    ann.page.click(".brand")
    ann.page.locator(".room-list").last.get_by_role("link", name=code).click()
    expect(ann.page.locator(".big-code")).to_have_text(code)


def test_the_waiting_room_names_the_stakes_and_the_clock(visit: Visit) -> None:
    ann = visit()
    ann.open_room(seats=2, small_blind=25, big_blind=50, ante=5, turnSeconds=15)
    stakes = ["Blinds 25/50", "1,000 chips each", "Ante 5", "Seconds per turn 15", "Time bank 60"]
    expect(ann.page.locator(".stakes li"), "what is as usual is not named").to_have_text(stakes)


def test_a_seat_is_chosen_before_the_match_and_at_a_table_where_people_come_and_go(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=blackjack]")
    ann.page.fill("dialog [name=seats]", "4")
    ann.page.click("dialog form .primary")
    code = ann.text(".big-code")
    ann.page.get_by_role("button", name="Take seat 3").click()
    expect(ann.page.get_by_role("button", name="Take seat 1")).to_be_visible()
    ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
    ann.page.click("dialog [data-bot=regular]")
    eve = _watching(visit, code, "Eve")
    ann.page.get_by_role("button", name="Start the game").click()
    offer = eve.page.locator(".seat-offer")
    expect(offer.get_by_role("button")).to_have_text(["Seat 2", "Seat 4"])
    offer.get_by_role("button", name="Take seat 4").click()
    expect(offer).to_be_hidden()


def test_what_happened_before_the_table_was_drawn_is_told_to_the_host_too(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    expect(ann.page.locator(".lines .event").first).to_contain_text("Hand 1, blinds")


def test_what_was_said_and_what_happened_reaches_latecomers_and_survives_a_refresh(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=3)
    ann.page.fill("[name=message]", "Good evening")
    ann.page.keyboard.press("Enter")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.keyboard.press("KeyC")
    expect(ann.page.locator(".lines .event", has_text="Flop")).to_have_count(1)
    ann.page.reload()
    eve = _watching(visit, code, "Eve")
    for visitor in (ann, eve):
        lines = visitor.page.locator(".lines")
        expect(lines.locator("li").first).to_contain_text("None of it is proved")
        expect(lines.locator(".told", has_text="Flop")).to_have_text(
            re.compile(r"(.* of (clubs|diamonds|hearts|spades)){3}")
        )
        assert not lines.locator(".small-card").count(), "what only the server says is not drawn as a card"
        expect(lines.locator(".chat", has_text="Good evening")).to_have_count(1)
        expect(lines.locator(".told", has_text="blind").first).to_be_attached()


def test_a_removal_is_taken_back_and_the_room_is_handed_only_to_who_is_here_after_a_question(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=3)
    eve = _watching(visit, code, "Eve")
    ann.page.get_by_role("tab", name="People").click()
    side = ann.page.locator(".side")
    side.get_by_role("button", name="Remove: Eve").click()
    ann.page.locator("dialog").get_by_role("button", name="Remove").click()
    expect(eve.page.locator("[data-play=poker]")).to_be_visible()
    side.get_by_role("button", name="Let in again: Eve").click()
    expect(side.locator(".removed")).to_be_hidden()
    eve.page.goto(eve.page.url.split("#")[0] + f"#/room/{code}")
    eve.page.get_by_role("button", name="Just watch").click()
    eve.page.wait_for_selector(".side")
    expect(side.get_by_role("button", name="Make host: Eve")).to_be_visible()
    eve.page.close()
    expect(side.get_by_role("button", name="Make host: Eve")).to_have_count(0)
    expect(side.get_by_role("button", name="Remove: Eve")).to_be_visible()
    _watching(visit, code, "Cy")
    side.get_by_role("button", name="Make host: Cy").click()
    ann.page.locator("dialog").get_by_role("button", name="Make host").click()
    expect(side.get_by_role("button", name="Remove: Cy")).to_have_count(0)


def test_folding_for_free_and_leaving_in_a_hand_ask_first(visit: Visit) -> None:
    ann, _ = _with_bot(visit, seats=2)
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    ann.page.keyboard.press("KeyC")
    expect(ann.page.locator(".prompt")).to_be_visible()
    ann.page.wait_for_selector(".controls.active")
    ann.page.wait_for_selector("[data-action=stay]:has-text('Check'), .action:has-text('Check')")
    ann.page.keyboard.press("KeyF")
    dialog = ann.page.locator("dialog [data-do=confirm]")
    dialog.get_by_role("button", name="Go back").click()
    assert ann.is_in_turn()
    ann.page.get_by_role("button", name="Leave", exact=False).first.click()
    dialog.get_by_role("button", name="Go back").click()
    assert ann.is_in_turn()


def test_the_door_tells_what_one_needs_to_know_before_it_asks(visit: Visit) -> None:
    _, code = _with_bot(visit, seats=2)
    eve = visit(f"/#/room/{code}")
    door = eve.page.locator(".door")
    expect(door).to_contain_text("Hold'em tournament")
    expect(door).to_contain_text("Host: Ann")
    expect(door).to_contain_text("Blinds 5/10")
    expect(door).to_contain_text("All 2 seats are taken")
    expect(door.get_by_role("button", name="Take a seat")).to_be_hidden()
    assert eve.page.input_value("[name=nickname]").startswith("Guest ")
    eve.page.select_option(".language select", "ko")
    expect(door).to_contain_text("방장: Ann")


def test_a_dead_link_says_so_before_it_asks_for_a_name(visit: Visit) -> None:
    eve = visit("/#/room/AAAAAA")
    expect(eve.page.locator(".door .fault")).to_be_visible()
    assert eve.page.locator("[name=nickname]").count() == 0
    assert all("404" in complaint for complaint in eve.complaints)
    eve.complaints.clear()


def test_the_door_of_a_room_whose_game_is_not_offered_says_so_before_it_asks_for_a_name(
    browser: Browser, tmp_path: Path
) -> None:
    """As when its package was taken away: the room is still there, and its link is still sent round."""
    page_server = PageServer(tmp_path / "rooms.db")
    page_server.start()
    ann = arrive(browser, page_server.link)
    ann.enter()
    code = ann.open_room(seats=3)
    page_server.stop()
    ann.context.close()
    page_server = PageServer(tmp_path / "rooms.db", games=("sequence",))
    page_server.start()
    eve = arrive(browser, page_server.link)
    said = {
        "en": "This room cannot be played here",
        "ko": "이 방은 여기서 플레이할 수 없습니다",
        "zh": "此房间无法在这里玩",
        "ru": "В этой комнате здесь играть нельзя",
    }
    eve.enter(f"/room/{code}")
    for language, text in said.items():
        eve.page.select_option(".language select", language)
        expect(eve.page.locator(".door .fault")).to_contain_text(text)
        assert eve.page.locator("[name=nickname]").count() == 0
        assert eve.page.locator(".door button:visible").count() == 0
    eve.page.click(".door a")
    eve.page.wait_for_selector("[data-play=sequence]")
    eve.context.close()
    page_server.stop()
    assert all("404" in complaint for complaint in eve.complaints)


def test_who_comes_to_a_running_tournament_is_told_that_they_watch_and_why(visit: Visit) -> None:
    ann, code = _with_bot(visit, seats=2)
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".controls.active")
    eve = visit(f"/#/room/{code}")
    expect(eve.page.locator(".door .hint")).to_contain_text("stay as they are until it is over: you watch")
    eve.page.keyboard.press("Enter")
    eve.page.wait_for_selector(".side")


def test_one_click_fills_the_free_seats_with_bots(visit: Visit) -> None:
    ann = visit()
    ann.open_room(seats=5)
    ann.page.click("[data-do=fill]")
    expect(ann.page.locator(".people.seated:not(.free-seats) li")).to_have_count(5)
    expect(ann.page.locator("[data-do=fill]")).to_be_hidden()


def test_a_room_that_lets_people_in_by_approval_is_opened_so(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=poker]")
    ann.page.select_option("dialog [name=entry]", "approval")
    ann.page.click("dialog form .primary")
    bob = visit(f"/#/room/{ann.text('.big-code')}")
    bob.page.click(".door .primary")
    expect(bob.page.get_by_text("The host must let you in")).to_be_visible()
    expect(ann.page.locator(".wants-in li")).to_have_count(1)


def test_a_refused_option_is_named_as_the_form_shows_it(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=blackjack]")
    ann.page.fill("dialog [name=bet_min]", "500")
    ann.page.fill("dialog [name=bet_max]", "100")
    ann.page.click("dialog form .primary")
    expect(ann.page.locator(".toast").last).to_contain_text("Lowest bet=500")
    expect(ann.page.locator(".toast").last).to_contain_text("Highest bet=100")


def test_a_double_click_opens_one_form(visit: Visit) -> None:
    ann = visit()
    ann.page.dblclick("[data-create=poker]")
    ann.page.wait_for_selector("dialog form")
    ann.page.wait_for_load_state("networkidle")
    assert ann.page.locator("dialog").count() == 1
