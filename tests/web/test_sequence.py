"""Sequence in the browser: a card and a cell make a move, whichever comes first, by mouse, touch or keys."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.audit import audit
from tests.web.page_server import PHONE, Visitor

Visit = Callable[..., Visitor]
TURNS_MAX = 120


def _open_room(host: Visitor, sequences_to_win: int = 2) -> str:
    host.page.click("[data-create=sequence]")
    host.page.fill("dialog [name=sequences_to_win]", str(sequences_to_win))
    host.page.fill("dialog [name=seats]", "2")
    host.page.click("dialog form .primary")
    return host.page.locator(".big-code").inner_text()


def _against_a_bot(visitor: Visitor) -> None:
    visitor.page.click("[data-play=sequence]")
    visitor.page.wait_for_selector(".sequence.my-turn .hand-card.playable")


def _chips(visitor: Visitor) -> int:
    return visitor.page.locator(".cell.taken").count()


def _play_any(visitor: Visitor) -> None:
    """Plays the first card that can be played, and waits until that was done. A dead card can only be exchanged."""
    turn = int(visitor.page.locator(".sequence").get_attribute("data-turn") or 0)
    playable = visitor.page.locator(".my-turn .hand-card.playable:not(.dead)")
    if not playable.count():
        visitor.page.locator(".my-turn .hand-card.playable.dead").first.click()
        visitor.page.get_by_role("button", name="Exchange").click()
    playable.first.click()
    visitor.page.locator(".card-chosen .cell.lit").first.click()
    _wait_for_turn(visitor, turn + 1)


def _wait_for_turn(visitor: Visitor, turn: int) -> None:
    over = "!document.querySelector('.sequence-result').hidden"
    visitor.page.wait_for_function(
        f"() => Number(document.querySelector('.sequence').dataset.turn) >= {turn} || {over}"
    )


def test_a_classic_game_goes_to_its_end_and_the_result_is_explained(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-create=sequence]")
    ann.page.select_option("dialog [name=preset]", "classic")
    ann.page.fill("dialog [name=sequences_to_win]", "1")
    ann.page.fill("dialog [name=seats]", "2")
    ann.page.click("dialog form .primary")
    ann.page.get_by_role("button", name="Add a bot", exact=True).first.click()
    ann.page.click("dialog [data-bot=builder]")
    ann.page.get_by_role("button", name="Start the game").click()
    ann.page.wait_for_selector(".sequence")
    for _ in range(TURNS_MAX):
        # The end of the match may lie over the result already.
        ann.page.wait_for_selector(".sequence.my-turn, .sequence-result:not([hidden])", state="attached")
        if ann.page.locator(".sequence-result:not([hidden])").count():
            break
        _play_any(ann)
    assert "wins" in (ann.page.locator(".sequence-result").text_content() or "")
    assert ann.page.locator(".lines .line").count() >= 1
    first = ann.page.locator(".standings tbody tr").first.inner_text()
    assert first.startswith("1")
    assert first.endswith("1"), "the winner has a line"
    assert ann.page.locator(".trust.failed").count() == 0


def test_the_cell_may_be_chosen_first(visit: Visit) -> None:
    ann = visit()
    _against_a_bot(ann)
    before = _chips(ann)
    ann.page.locator(".cell.lit").first.click()
    assert "choose the card" in ann.text(".sequence .prompt")
    ann.page.locator(".hand-card.playable").first.click()
    ann.page.wait_for_function(f"() => document.querySelectorAll('.cell.taken').length > {before}")


def test_a_cell_that_the_menu_does_not_offer_takes_no_chip(visit: Visit) -> None:
    ann = visit()
    _against_a_bot(ann)
    ann.page.locator(".cell.lit").first.click()
    ann.page.locator(".hand-card.playable").first.click()
    ann.page.wait_for_selector(".cell:has(.team-A)")
    ann.page.wait_for_selector(".sequence.my-turn .hand-card.playable")
    chips = _chips(ann)
    ann.page.locator(".cell:has(.team-A)").first.click()
    assert "Nothing can be played there" in ann.text(".sequence .prompt")
    assert _chips(ann) == chips


def test_a_move_needs_no_mouse(visit: Visit) -> None:
    ann = visit()
    _against_a_bot(ann)
    before = _chips(ann)
    for place in range(1, 8):
        ann.page.keyboard.press(str(place))
        if ann.page.locator(".card-chosen").count():
            break
    ann.page.keyboard.press("b")
    assert "can be played" in (ann.page.evaluate("document.activeElement.getAttribute('aria-label')") or "")
    first = ann.page.evaluate("document.activeElement.dataset.cell")
    ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("ArrowLeft")
    assert ann.page.evaluate("document.activeElement.dataset.cell") == first
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function(f"() => document.querySelectorAll('.cell.taken').length > {before}")
    assert ann.page.evaluate("document.activeElement.dataset.cell") == first


def test_two_people_play_and_one_refreshes(visit: Visit) -> None:
    ann, bob = visit(), visit(viewport=PHONE)
    code = _open_room(ann)
    bob.enter(f"/#/room/{code}")
    bob.page.fill("[name=nickname]", "Bob")
    bob.page.get_by_role("button", name="Take a seat").click()
    bob.page.get_by_role("button", name="I am ready").click()
    ann.page.get_by_role("button", name="Start the game").click()
    for turn in range(1, 5):
        for each in (ann, bob):
            each.page.wait_for_selector(".sequence")
            _wait_for_turn(each, turn)
        mover = ann if ann.page.locator(".sequence.my-turn").count() else bob
        mover.page.wait_for_selector(".sequence.my-turn")
        _play_any(mover)
        if turn == 2:
            bob.page.reload()
    for each in (ann, bob):
        _wait_for_turn(each, 5)
    taken = "[...document.querySelectorAll('.cell.taken')].map((cell) => cell.dataset.cell)"
    assert bob.page.evaluate(taken) == ann.page.evaluate(taken), "both see the same board, whatever jacks took away"
    assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ann.page.locator(".alarm:not([hidden])").count() == 0


def test_the_board_has_names_and_contrast(visit: Visit) -> None:
    ann = visit(reduced_motion="reduce")
    _against_a_bot(ann)
    audit(ann.page)


def test_the_hand_is_sorted_by_suit_and_by_rank(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=sequence]")
    ann.page.wait_for_selector(".hand-card.playable")
    cards = "() => [...document.querySelectorAll('.hand-card .card')].map((card) => card.dataset.card)"
    drawn = ann.page.evaluate(cards)

    def by(order: str) -> list[str]:
        def worth(card: str) -> tuple[bool, int, int]:
            places = ("23456789TQKAJ".index(card[0]), "shcd".index(card[1]))
            return (card[0] == "J", *(places if order == "rank" else places[::-1]))

        return sorted(drawn, key=worth)

    for name, expected in (
        ("by suit", by("suit")),
        ("by rank", by("rank")),
        ("as drawn", drawn),
        ("by suit", by("suit")),
    ):
        ann.page.keyboard.press("KeyS")
        expect(ann.page.locator("[data-do=sort]")).to_have_text(f"Sort: {name}")
        assert ann.page.evaluate(cards) == expected
    ann.page.reload()
    ann.page.wait_for_selector(".hand-card")
    expect(ann.page.locator("[data-do=sort]")).to_have_text("Sort: by suit")
