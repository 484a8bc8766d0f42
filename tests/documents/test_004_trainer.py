"""Document 004, rules and words of the blackjack trainer, point by point: tests are named after its sections."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier import locales
from croupier.cards import PACK, cards
from croupier.games.blackjack import TRAINER, Double, Hit, Split, Stand, Surrender
from croupier.games.blackjack.rules.hands import total
from tests.games.blackjack.hands import deal, hand, offers, seat

ROOT = Path(__file__).parents[2]


# 1. Rules


def test_1_a_shoe_of_one_to_eight_packs_without_jokers() -> None:
    assert len(PACK) == 52
    assert TRAINER.decks == 6
    for decks in range(1, 9):
        assert replace(TRAINER, decks=decks).decks == decks


def test_1_the_dealer_s_first_card_is_open_and_the_second_hidden() -> None:
    played = deal(TRAINER, "Ts 6d 6c Th")
    dealer = played.view().dealer
    assert dealer.cards == cards("6d")
    assert not dealer.is_revealed


def test_1_a_blackjack_is_paid_at_once_unless_the_dealer_has_one() -> None:
    won = deal(TRAINER, "As 9d Kc 7h")
    assert won.over
    assert won.payouts == (100,), "1:1, as the document's own program pays"
    assert deal(replace(TRAINER, blackjack_pays="3:2"), "As 9d Kc 7h").payouts == (150,)
    assert deal(TRAINER, "As Ad Kc Kh").payouts == (0,)


def test_1_hit_stand_double_split_and_surrender_are_offered_where_they_are_allowed() -> None:
    assert offers(deal(TRAINER, "8s 6d 8c Th")) == {"HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER"}
    assert offers(deal(TRAINER, "8s 6d 2c Th").act(Hit())) == {"HIT", "STAND"}


def test_1_the_dealer_stands_on_every_17_soft_or_hard() -> None:
    assert deal(TRAINER, "Ts 6d 8c Ah").act(Stand()).payouts == (100,), "18 beats a soft 17"
    drawn = deal(TRAINER, "Ts 6d 8c Th 5s").act(Stand())
    assert drawn.payouts == (-100,), "16 takes one more"


def test_1_double_down_takes_one_card_on_any_two_after_a_split_too() -> None:
    played = deal(TRAINER, "Ts 6d 7c Th 4s Ks").act(Double())
    assert played.over
    assert len(hand(played).cards) == 3
    split = deal(TRAINER, "8s 6d 8c Th 3s 2d").act(Split())
    assert "DOUBLE" in offers(split)


def test_1_a_pair_is_split_to_four_hands_and_aces_by_their_flag() -> None:
    assert TRAINER.hands_max == 4
    played = deal(TRAINER, "As 6d Ac Th 5h 9d").act(Split())
    assert played.over, "split aces get one card each"
    freer = deal(replace(TRAINER, hit_split_aces=True), "As 6d Ac Th 5h 9d").act(Split())
    assert "HIT" in offers(freer)


def test_1_surrender_is_for_the_first_two_cards_and_returns_half() -> None:
    assert TRAINER.surrender == "late"
    assert deal(TRAINER, "Ts Kd 6c 7h").act(Surrender()).payouts == (-50,)
    assert deal(TRAINER, "Ts 6d 2c 7h 2s").act(Hit()).act(Surrender()).refusal.code == "CANNOT_SURRENDER"


def test_1_a_late_surrender_is_never_possible_against_a_dealer_s_blackjack() -> None:
    played = deal(TRAINER, "Ts Ad 6c Kh")
    assert played.over
    assert played.payouts == (-100,)
    european = replace(TRAINER, peek=False)
    assert deal(european, "Ts Ad 6c Kh").act(Surrender()).payouts == (-100,), "the half is lost with the rest"


@pytest.mark.parametrize("peek", [True, False])
def test_3_the_other_reading_is_an_option_a_surrender_costs_half_even_before_a_dealer_s_blackjack(peek: bool) -> None:
    rules = replace(TRAINER, surrender="early", peek=peek)
    assert deal(rules, "Ts Ad 6c Kh").act(Surrender()).payouts == (-50,)
    assert deal(rules, "Ts Kd 6c 7h").act(Surrender()).payouts == (-50,), "and half against anything else"


def test_1_payouts_and_no_insurance() -> None:
    assert deal(TRAINER, "Ts 9d 9c 8h").act(Stand()).payouts == (100,)
    assert deal(TRAINER, "Ts 9d 8c 9h").act(Stand()).payouts == (0,)
    assert deal(TRAINER, "Ts 9d 7c 9h").act(Stand()).payouts == (-100,)
    assert not TRAINER.insurance


def test_1_a_bust_loses_whatever_the_dealer_does() -> None:
    played = deal(TRAINER, "Ts 6d 6c Th Ks").act(Hit())
    assert played.over
    assert played.payouts == (-100,)


# 2. Hard, soft, pair


@pytest.mark.parametrize(
    ("held", "points", "soft"),
    [("Ts 6c", 16, False), ("As 6c", 17, True), ("As 6c Td", 17, False), ("As Ac 9d", 21, True)],
)
def test_2_hard_and_soft_totals(held: str, points: int, soft: bool) -> None:
    counted = total(cards(held), "best")
    assert (counted.best, counted.is_soft) == (points, soft)


def test_2_any_two_ten_valued_cards_are_a_pair() -> None:
    assert "SPLIT" in offers(deal(TRAINER, "Ts 6d Kc Th"))
    assert "SPLIT" not in offers(deal(TRAINER, "Ts 6d 9c Th"))


# 3. Results


def test_3_a_dealer_s_blackjack_beats_all_but_a_blackjack() -> None:
    assert deal(TRAINER, "Ts Ad Tc Kh").payouts == (-100,)
    both = deal(TRAINER, "As Ad Kc Kh")
    assert (both.payouts, seat(both).hands[0].result) == ((0,), "push")


# 4 and 5. Words


def test_4_the_words_of_the_glossary_are_those_of_page_terminal_and_lab() -> None:
    texts = locales.catalogue("en")
    plays = {"HIT": "Hit", "STAND": "Stand", "DOUBLE": "Double Down", "SPLIT": "Split", "SURRENDER": "Surrender"}
    for play, word in plays.items():
        assert texts[f"action.BLACKJACK_{play}"] == word
        assert {texts[f"{key}.{play.lower()}"] for key in ("web.lab.play", "cli.train.play")} == {word}
    assert texts["web.blackjack.result.push"] == "Push"
    assert texts["strategy.upcard"] == "Upcard"
    ties = [key for key in texts if re.match("(web|play).blackjack", key) and re.search(r"\bties?\b", texts[key], re.I)]
    assert not ties


@pytest.mark.parametrize(
    ("language", "upcard", "hole_card", "shoe", "insurance"),
    [
        ("en", "upcard", "hole card", "shoe", "insurance"),
        ("ko", "업카드", "홀카드", "슈", "보험"),
        ("zh", "明牌", "暗牌", "牌靴", "保险"),
        ("ru", "открытая карта дилера", "закрыт", "шуз", "страх"),
    ],
)
def test_5_the_dealer_s_cards_are_upcard_and_hole_card_and_everything_has_one_name(
    language: str, upcard: str, hole_card: str, shoe: str, insurance: str
) -> None:
    """In the page, in the terminal and in the lab alike."""
    texts = {key: text.lower() for key, text in locales.catalogue(language).items()}
    words = {
        upcard: ("strategy.upcard", "web.blackjack.insure", "play.blackjack.insurance_offered", "cli.train.question"),
        hole_card: (
            *("web.blackjack.told.hole_card", "web.blackjack.told.HOLE_CARD_REVEALED", "code.DECIDE_INSURANCE_FIRST"),
            *("web.blackjack.told.DEALER_PEEKED.blackjack", "web.blackjack.told.DEALER_PEEKED.nothing"),
            *("play.blackjack.face_down", "play.blackjack.revealed"),
            *("play.blackjack.peeked", "play.blackjack.peeked_blackjack"),
        ),
        shoe: ("web.blackjack.told.SHOE_SHUFFLED", "play.blackjack.shuffled", "code.SHOE_EMPTY"),
        insurance: ("blackjack.insure", "web.lab.rule.insurance"),
    }
    assert not [(key, texts[key]) for word, keys in words.items() for key in keys if word not in texts[key]]


ALLOWED = re.compile(
    r"natural(Width|Height)|natural (blackjack|order|numbers?|words?|language)|gym\.make|bare .?natural", re.IGNORECASE
)
"""A picture's own width, an order, numbers; the name that another library gives it; and the rule itself."""
BARE = re.compile(r"natural|내추럴|натурал(?!ьн\w+ блэкджек)", re.IGNORECASE)


def test_5_a_blackjack_is_never_called_a_bare_natural() -> None:
    """Neither in code, in names within it, nor in what people read."""
    folders = [ROOT / folder for folder in ("src", "docs", "tests", "benchmarks", "deploy")]
    paths = [*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*"))]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted(paths)
        if path.suffix
        in {*(".py", ".js", ".mjs", ".cjs", ".toml", ".md", ".html", ".css", ".json", ".sql", ".conf", ".svg")}
        and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if BARE.search(line) and not ALLOWED.search(line)
    ]
    assert not found, "\n".join(found)
