"""What a poker player chooses in advance, and the preset bets."""

from collections.abc import Callable
from functools import partial
from itertools import chain, combinations

import pytest
from playwright.sync_api import expect

from croupier.cards import PACK, cards
from croupier.games.poker.rules.evaluate import rank
from tests.web.page_server import Visitor
from tests.web.screens import two_at_a_table

Visit = Callable[..., Visitor]

CHOOSE = """async ([choice, seen, bet]) => {
  const { Controls } = await import('/games/poker/controls.js');
  const done = [];
  const controls = new Controls(async (action) => { done.push(action.type); return true; });
  document.body.append(controls.element);
  const view = (bet, toAct) => ({
    hand: 1, street: 'FLOP', bet, total: 60, toCall: Math.max(bet - 10, 0), bigBlind: 10, you: 0, toAct,
    seats: [{ seat: 0, chips: 500, bet: 10, inHand: true, hasCards: true, allIn: false }],
  });
  controls.show(view(seen, [1]), [], 0);
  const button = controls.early.querySelector(`[data-choice=${choice}]`);
  if (!button.checkVisibility()) return 'not offered';
  button.click();
  controls.show(view(bet, [1]), [], 0);
  const kept = button.getAttribute('aria-pressed');
  const types = bet > 10 ? ['FOLD', 'CALL', 'ALL_IN'] : ['FOLD', 'CHECK'];
  controls.show(view(bet, [0]), types.map((type) => ({ action: { type: `HOLDEM_${type}` } })), 0);
  controls.element.remove();
  return [kept, ...done];
}"""


@pytest.mark.parametrize(
    ("choice", "seen", "bet", "done"),
    [
        ("check_fold", 10, 10, ["true", "HOLDEM_CHECK"]),
        ("check_fold", 10, 30, ["true", "HOLDEM_FOLD"]),
        ("check", 10, 10, ["true", "HOLDEM_CHECK"]),
        ("check", 10, 30, ["false"]),
        ("check", 30, 30, "not offered"),
        ("call", 30, 30, ["true", "HOLDEM_CALL"]),
        ("call", 30, 90, ["false"]),
        ("call", 10, 10, "not offered"),
        ("call_any", 10, 10, ["true", "HOLDEM_CHECK"]),
        ("call_any", 30, 90, ["true", "HOLDEM_CALL"]),
    ],
)
def test_a_choice_made_in_advance_holds_as_long_as_it_fits_the_bet(
    alone: Visitor, choice: str, seen: int, bet: int, done: object
) -> None:
    assert alone.page.evaluate(CHOOSE, [choice, seen, bet]) == done


SHOW_CARD = """async () => {
  const { Controls } = await import('/games/poker/controls.js');
  const controls = new Controls(async () => true);
  document.body.append(controls.element);
  const seat = { seat: 0, chips: 500, bet: 0, inHand: true, hasCards: true, allIn: false, cards: ['Th', '2c'] };
  const view = { hand: 1, street: 'SHOWDOWN', bet: 0, total: 0, toCall: 0, bigBlind: 10, you: 0, seats: [seat] };
  const offer = { action: { type: 'HOLDEM_SHOW_CARD', card: 0 }, field: 'card', among: [0, 1] };
  controls.show(view, [offer, { action: { type: 'HOLDEM_MUCK' } }], 0);
  const shown = [...controls.few.querySelectorAll('.small-card')].map((card) => card.ariaLabel);
  controls.element.remove();
  return shown;
}"""


def test_the_cards_that_a_winner_may_show_are_drawn_on_their_buttons(alone: Visitor) -> None:
    assert alone.page.evaluate(SHOW_CARD) == ["10 of hearts", "2 of clubs"]


RUN_OUT = """async () => {
  const { Felt } = await import('/games/poker/felt.js');
  const { blankView } = await import('/games/poker/story.js');
  const felt = new Felt();
  const awards = [
    { pot: 0, board: 0, winners: [0], shares: [60] },
    { pot: 0, board: 1, winners: [0, 1], shares: [30, 29] },
    { pot: 1, board: 1, winners: [1], shares: [1000] },
  ];
  const boards = [['As', 'Ks', 'Qs', 'Js', 'Ts'], ['2c', '3c', '4c', '5c', '7d']];
  const view = { ...blankView(2), board: boards[0], otherBoards: [boards[1]], awards };
  felt.show(view, (seat) => ({ name: ['Ann', 'Bob'][seat] }), 0);
  const told = [...felt.element.querySelectorAll('.won-here')].map((each) => each.textContent);
  felt.show({ ...view, otherBoards: [] }, (seat) => ({ name: ['Ann', 'Bob'][seat] }), 0);
  return [told, [...felt.element.querySelectorAll('.won-here')].map((each) => each.textContent)];
}"""


def test_each_board_of_a_run_out_says_who_won_how_much_on_it(alone: Visitor) -> None:
    assert alone.page.evaluate(RUN_OUT) == [["Ann +60", "Ann +30 · Bob +1,029"], [""]]


AMOUNT = """([preset, low, high]) => import('/games/poker/presets.js').then(({ presetAmount }) =>
  presetAmount(preset, { bet: 40, total: 100, toCall: 20, bigBlind: 10 }, { low, high }))"""


@pytest.mark.parametrize(
    ("preset", "amount"), [("min", 70), ("2.5bb", 70), ("12bb", 120), ("50%", 100), ("100%", 160), ("all_in", 500)]
)
def test_a_preset_is_a_share_of_the_pot_after_calling_or_so_many_big_blinds(
    alone: Visitor, preset: str, amount: int
) -> None:
    assert alone.page.evaluate(AMOUNT, [preset, 70, 500]) == amount


def test_preset_bets_are_changed_kept_and_explained(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".amount:visible")
    ann.page.get_by_role("button", name="Change the preset bets").click()
    ann.page.fill("dialog [name=preflop]", "3bb 60 %")
    ann.page.click("dialog form .primary")
    expect(ann.page.locator("dialog .fault")).to_contain_text("“60” is no preset bet")
    ann.page.fill("dialog [name=preflop]", "40bb 60%")
    ann.page.click("dialog form .primary")
    expect(ann.page.locator(".presets .preset")).to_have_text(["Min", "40 BB", "60%", "All-in"])
    ann.page.locator(".presets").get_by_text("40 BB").click()
    expect(ann.page.locator(".amount-field")).to_have_value("400")
    ann.page.reload()
    expect(ann.page.locator(".presets .preset")).to_have_text(["Min", "40 BB", "60%", "All-in"])


EQUITIES = """([hands, boards, rules]) => import('/games/poker/runout.js').then(({ equities }) => {
  const cards = (text) => text.split(' ').filter(Boolean);
  const found = equities(new Map(hands.map((hand, seat) => [seat, cards(hand)])), boards.map(cards), rules);
  return found && [[...found.bySeat.values()], found.isSampled];
})"""
HOLDEM = {"pack": "full", "pot": "high", "used": "any"}
OMAHA_HILO = {"pack": "full", "pot": "high_low", "used": "two"}


def _plain_equities(hands: list[str], board: str) -> list[float]:
    """Every board that can come, by the plain evaluator."""
    held, lying = [cards(hand) for hand in hands], cards(board)
    left = [card for card in PACK if card not in {*lying, *chain(*held)}]
    shares, boards = [0.0] * len(held), 0
    for more in combinations(left, 5 - len(lying)):
        ranks = [rank((*hand, *lying, *more)) for hand in held]
        winners = [seat for seat, each in enumerate(ranks) if each == min(ranks)]
        boards += 1
        for seat in winners:
            shares[seat] += 1 / len(winners)
    return [share / boards for share in shares]


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (["As Ah", "Kd Qd"], "Jd Td 2c"),
        (["2c 7d", "2h 7s"], "Ks Kd Kh Kc"),
        (["As Ks", "Qh Qd", "7c 8c"], "6c 9c Qs"),
    ],
)
def test_chances_of_an_all_in_are_those_of_every_board_that_can_come(
    alone: Visitor, hands: list[str], board: str
) -> None:
    found, is_sampled = alone.page.evaluate(EQUITIES, [hands, [board], HOLDEM])
    assert found == pytest.approx(_plain_equities(hands, board), abs=1e-12)
    assert not is_sampled


def test_before_the_flop_and_on_two_boards_chances_are_of_a_sample(alone: Visitor) -> None:
    for boards in ([""], ["", ""]):
        found, is_sampled = alone.page.evaluate(EQUITIES, [["As Ah", "Ks Kh"], boards, HOLDEM])
        assert found == pytest.approx([0.8264, 0.1736], abs=0.015), "aces against kings of the same suits"
        assert is_sampled
    found, is_sampled = alone.page.evaluate(EQUITIES, [["As Ks", "Ah Kh"], ["Qs Js Ts", "Qh Jh Th"], HOLDEM])
    assert found == [0.5, 0.5], "each has one board already"


def test_chances_of_a_high_low_game_halve_the_pot_where_there_is_a_low(alone: Visitor) -> None:
    hands = ["Ac 2c Kd Kh", "As Ad 9h 9s"]
    found, is_sampled = alone.page.evaluate(EQUITIES, [hands, ["3h 4d 8c As"], OMAHA_HILO])
    assert sum(found) == pytest.approx(1)
    assert not is_sampled
    assert found[0] >= 0.5, "the only low is there on every river"
    assert alone.page.evaluate(EQUITIES, [hands, ["3h 4d 8c"], OMAHA_HILO]) is None, "too much to weigh"


NOTE_CHANCES = """() => {
  window.chancesNoted = [];
  const note = () => {
    const shown = [...document.querySelectorAll(".seat-equity:not([hidden])")].map((each) => each.textContent);
    if (shown.length) window.chancesNoted.push(shown);
  };
  const every = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(note).observe(document.querySelector(".poker"), every);
}"""


def test_an_all_in_on_the_flop_shows_everybodys_chances(visit: Visit) -> None:
    ann, bob = two_at_a_table(partial(visit, settings={"pace": "fast"}), pauseSeconds=30)
    for visitor in (ann, bob, bob):
        visitor.page.wait_for_selector(".controls.active")
        visitor.page.keyboard.press("KeyC")
    ann.page.wait_for_selector(".board .card")
    ann.page.wait_for_selector(".controls.active")
    ann.page.evaluate(NOTE_CHANCES)
    ann.page.keyboard.press("Digit5")
    ann.page.click(".action.raise")
    bob.page.wait_for_selector(".controls.active")
    bob.page.keyboard.press("KeyC")
    ann.page.wait_for_selector(".message.result")
    noted = ann.page.evaluate("window.chancesNoted")
    assert noted, "the chances are seen while the board runs out"
    for shown in noted:
        assert len(shown) == 2
        assert abs(sum(float(text.rstrip(" %")) for text in shown) - 100) < 0.3
    assert ann.page.locator(".seat-equity:visible").count() == 0
    board = ann.page.locator(".board .card").evaluate_all("cards => cards.map((card) => card.ariaLabel)")
    drawn = ann.page.locator(".lines .event .small-card").evaluate_all("cards => cards.map((card) => card.ariaLabel)")
    assert set(board) <= set(drawn), "the log draws every card that it tells of"
    assert board[0] in " ".join(ann.page.locator("[role=log] p").all_inner_texts()), "and says it by its name"


STORY = """(hands) => import('/games/poker/night.js').then(({ story }) => story({ all: hands }))"""


def _told_hand(number: int, winner: int, amount: int, **shown: object) -> dict[str, object]:
    award = {"type": "HOLDEM_POT_AWARDED", "winners": [winner], "shares": [amount], "amount": amount, **shown}
    return {"hand": number, "names": {"0": "Ann", "1": "Bob"}, "events": [award]}


def test_the_story_of_a_night_tells_the_biggest_pot_and_the_best_hand(alone: Visitor) -> None:
    flush = {"category": "FLUSH", "cards": ["As", "Js", "9s", "4s", "2s"]}
    hands = [_told_hand(1, 0, 120), _told_hand(2, 1, 40, **flush), _told_hand(3, 0, 60)]
    assert alone.page.evaluate(STORY, hands) == [
        "3 hands were played.",
        "The biggest pot: Ann won 120 in hand 1.",
        "The best hand: Bob with flush (A) in hand 2.",
        "Ann won the most pots: 2.",
    ]
