"""The screens of the page, each with the way to it and with what one must press there."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import expect

from tests.web.page_server import Visitor

Visit = Callable[..., Visitor]
TURNS_MAX: Final = 400
LAB_MS_MAX: Final = 60_000


def lobby(visit: Visit) -> Visitor:
    return visit()


def settings(visit: Visit) -> Visitor:
    ann = visit()
    ann.page.get_by_role("button", name="Settings").click()
    ann.page.wait_for_selector("dialog.settings")
    return ann


def create(visit: Visit) -> Visitor:
    ann = visit()
    ann.page.click("[data-create=poker]")
    ann.page.wait_for_selector("dialog form .primary")
    return ann


def waiting(visit: Visit) -> Visitor:
    """The host, a friend, a bot, and seats that are free."""
    ann = visit()
    bob = visit(f"/#/room/{ann.open_room(seats=6, turnSeconds=60)}")
    bob.page.fill("[name=nickname]", "Bartholomew the 3rd")
    bob.page.click(".door .primary")
    ann.page.click("[data-do=bot]")
    ann.page.click("dialog [data-bot=caller]")
    expect(ann.page.locator(".people.seated:not(.free-seats) li")).to_have_count(3)
    return ann


def door(visit: Visit) -> Visitor:
    code = visit().open_room(seats=3)
    return visit(f"/#/room/{code}")


def _at_table(visit: Visit, game: str) -> Visitor:
    ann = visit()
    ann.page.click(f"[data-play={game}]")
    return ann


def blackjack_bet(visit: Visit) -> Visitor:
    ann = _at_table(visit, "blackjack")
    ann.page.wait_for_selector(".bet-maker:visible")
    return ann


def blackjack_turn(visit: Visit) -> Visitor:
    """A blackjack ends at once: then the next round is tried."""
    return _dealt(blackjack_bet(visit))


def _dealt(ann: Visitor) -> Visitor:
    for _ in range(TURNS_MAX):
        if ann.page.locator("[data-action=BLACKJACK_STAND]:visible").count():
            return ann
        ann.page.keyboard.press("KeyB")
        ann.page.wait_for_timeout(50)
    raise AssertionError("it is never the player's turn")


def blackjack_seven(visit: Visit) -> Visitor:
    """Seven seats: as many as there can be."""
    ann = visit()
    ann.page.click("[data-create=blackjack]")
    ann.page.fill("dialog [name=seats]", "7")
    ann.page.click("dialog form .primary")
    ann.page.click("[data-do=fill]")
    expect(ann.page.locator(".people.seated:not(.free-seats) li")).to_have_count(7)
    ann.page.click("[data-do=start]")
    return _dealt(ann)


def poker_turn(visit: Visit) -> Visitor:
    ann = _at_table(visit, "poker")
    ann.page.wait_for_selector(".controls.active")
    return ann


def two_at_a_table(visit: Visit, **options: int) -> tuple[Visitor, Visitor]:
    """Ann has the button, and so the small blind and the first turn; Bob came by a link."""
    ann = visit()
    ann.page.fill("#nickname", "Ann")
    code = ann.open_room(seats=2, **options)
    bob = visit(f"/room/{code.lower()}")
    bob.page.fill("[name=nickname]", "Bob")
    bob.page.click(".door .primary")
    expect(ann.page.locator(".hint")).to_contain_text("Bob")
    bob.page.get_by_role("button", name="I am ready").click()
    ann.page.get_by_role("button", name="Start the game").click()
    for visitor in (ann, bob):
        visitor.page.wait_for_selector(".seat.own .card[data-card]:not(.back)")
    return ann, bob


def poker_four(visit: Visit) -> Visitor:
    """Four seats: two are at the level of the board."""
    ann = visit()
    ann.open_room(seats=4, turnSeconds=60)
    ann.page.click("[data-do=fill]")
    expect(ann.page.locator(".people.seated:not(.free-seats) li")).to_have_count(4)
    ann.page.click("[data-do=start]")
    ann.page.wait_for_selector(".controls.active")
    return ann


def poker_ten(visit: Visit) -> Visitor:
    """Ten seats: as many as there can be."""
    ann = visit()
    ann.open_room(seats=10, turnSeconds=60)
    for _ in range(9):
        ann.page.click("[data-do=bot]")
        ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    ann.page.wait_for_selector(".controls.active")
    return ann


def poker_six_cards(visit: Visit) -> Visitor:
    """Two boards, six cards each, six players, after the flop; the host may ask for bomb pots."""
    ann = visit()
    ann.page.click("[data-create=poker]")
    ann.page.locator("dialog [name=preset]").first.select_option("double-board-omaha")
    for folded in ann.page.locator("dialog details:not([open]) > summary").all()[::-1]:
        folded.click()
    for name, value in (("seats", 6), ("turnSeconds", 60), ("hole_cards", 6), ("bomb_ante", 30)):
        ann.page.locator(f"dialog [name$={name}]").first.fill(str(value))
    ann.page.click("dialog form .primary")
    for _ in range(5):
        ann.page.click("[data-do=bot]")
        ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    play(ann, "KeyC", lambda: ann.page.locator(".boards .slot .card").count() >= 6)
    ann.page.wait_for_selector(".controls.active")
    return ann


def play(visitor: Visitor, key: str, until: Callable[[], bool]) -> None:
    """Presses a key whenever it is the visitor's turn."""
    for _ in range(TURNS_MAX):
        if until():
            return
        if visitor.is_in_turn():
            visitor.page.keyboard.press(key)
        visitor.page.wait_for_timeout(60)
    raise AssertionError("it does not come to that")


def poker_result(visit: Visit) -> Visitor:
    ann = visit()
    ann.open_room(seats=3, pauseSeconds=20)
    for _ in range(2):
        ann.page.click("[data-do=bot]")
        ann.page.click("dialog [data-bot=caller]")
    ann.page.click("[data-do=start]")
    play(ann, "KeyC", lambda: bool(ann.page.locator(".message.result").count()))
    return ann


def open_last_hand(visitor: Visitor) -> None:
    """Open the replay of the last hand. Where the match ended with it, its end covers the table and is folded first."""
    page = visitor.page
    ended = page.locator(".ended:not(.folded):visible")
    page.add_locator_handler(ended, lambda: page.click(".ended [data-do=fold]"))
    page.click(".last-hands:not([hidden])")
    page.remove_locator_handler(ended)
    page.wait_for_selector("dialog .steps")


def poker_replay(visit: Visit) -> Visitor:
    ann = poker_result(visit)
    open_last_hand(ann)
    return ann


def ended(visit: Visit) -> Visitor:
    """A match to its end, all-in every hand."""
    ann = visit()
    ann.open_room(seats=3, stack_chips=20, hands_per_level=1, pauseSeconds=0)
    for bot in ("random", "caller"):
        ann.page.click("[data-do=bot]")
        ann.page.click(f"dialog [data-bot={bot}]")
    ann.page.click("[data-do=start]")
    ann.page.wait_for_selector(".poker")

    def over() -> bool:
        if ann.page.locator(".amount:visible").count():
            ann.page.keyboard.press("Digit5")
            ann.page.keyboard.press("KeyR")
        return bool(ann.page.locator(".ended:visible").count())

    play(ann, "KeyC", over)
    return ann


def sequence_turn(visit: Visit) -> Visitor:
    ann = _at_table(visit, "sequence")
    ann.page.wait_for_selector(".sequence.my-turn .hand-card.playable")
    return ann


def casino_bet(visit: Visit) -> Visitor:
    ann = visit("/#/casino")
    ann.page.fill("[name=nickname]", "Ann")
    ann.page.click(".door .primary")
    ann.page.wait_for_selector(".bet-maker:visible")
    return ann


def casino_turn(visit: Visit) -> Visitor:
    ann = casino_bet(visit)
    for _ in range(TURNS_MAX):
        if ann.page.locator("[data-action=BLACKJACK_STAND]:visible").count():
            return ann
        ann.page.keyboard.press("KeyB")
        ann.page.wait_for_timeout(100)
    raise AssertionError("it is never the player's turn")


def classroom_door(visit: Visit) -> Visitor:
    return visit("/#/classroom")


def verify(visit: Visit) -> Visitor:
    return visit("/#/verify")


def lab_strategy(visit: Visit) -> Visitor:
    """From further down the lobby, by the link that is there."""
    ann = visit()
    ann.page.set_default_timeout(LAB_MS_MAX)
    ann.page.click("[data-place=lab]")
    ann.page.wait_for_selector(".strategy-grid")
    return ann


def lab_equity(visit: Visit) -> Visitor:
    ann = visit("/#/lab/equity")
    ann.page.wait_for_selector(".lab-run .primary")
    return ann


def lab_simulation(visit: Visit) -> Visitor:
    ann = visit("/#/lab/simulation")
    ann.page.wait_for_selector(".lab-run .primary")
    return ann


def lab_pushfold(visit: Visit) -> Visitor:
    ann = visit("/#/lab/pushfold")
    ann.page.wait_for_selector(".lab-run .primary")
    return ann


def lab_solver(visit: Visit) -> Visitor:
    ann = visit("/#/lab/solver")
    ann.page.wait_for_selector(".painter")
    return ann


SCREENS: Final[dict[str, tuple[Callable[[Visit], Visitor], tuple[str, ...]]]] = {
    "lobby": (lobby, ("#nickname", ".game:first-child [data-play]", ".game:first-child [data-create]")),
    "settings": (settings, ("dialog header .icon", "dialog select", "dialog input")),
    "create": (create, ("dialog form .primary", "dialog header .icon")),
    "waiting": (waiting, ("[data-do=start]", "[data-do=bot]", "[data-do=options]")),
    "door": (door, (".door .primary", ".door .quiet-button", ".door [name=nickname]")),
    "blackjack_bet": (blackjack_bet, (".place-bet", ".bet-maker button", ".bet-maker input", ".chips-row button")),
    "blackjack_turn": (
        blackjack_turn,
        (".controls .action", ".bj-seat.own .card", ".bj-dealer .card", ".chips-row button"),
    ),
    "blackjack_seven": (blackjack_seven, (".controls .action", ".bj-seat .card", ".bj-pod")),
    "poker_turn": (poker_turn, (".controls .action", ".seat.own .card", ".seat .pod", ".total-pot")),
    "poker_ten": (poker_ten, (".controls .action", ".seat.own .card", ".seat .pod")),
    "poker_six_cards": (
        poker_six_cards,
        (".controls .action", ".seat.own .card", ".seat .hole .card", ".boards .slot"),
    ),
    "poker_result": (poker_result, (".message.result", ".seat.own .card", ".seat .pod")),
    "poker_replay": (poker_replay, ("dialog .steps button", "dialog header .icon")),
    "ended": (ended, (".ended button", ".standings tbody tr")),
    "sequence_turn": (sequence_turn, (".hand-card", ".cell")),
    "casino_bet": (casino_bet, (".place-bet", ".bet-maker button", ".bet-maker input")),
    "casino_turn": (casino_turn, (".controls .action", ".bj-seat .card")),
    "classroom_door": (classroom_door, (".class-join .primary", "[name=className]")),
    "verify": (verify, ("h1", ".verify-ways > .panel:first-child .file-button")),
    "lab_strategy": (lab_strategy, ("h1", ".lab-way")),
    "lab_equity": (lab_equity, ("h1", ".lab-run .primary")),
    "lab_pushfold": (lab_pushfold, ("h1", ".lab-run .primary")),
    "lab_solver": (lab_solver, ("h1", ".lab-run .primary")),
    "lab_simulation": (lab_simulation, ("h1", ".lab-run .primary")),
}
