"""A round is a value: actions make the next one, refusals leave it, seeds deal it."""

import pytest
from msgspec.structs import replace

from croupier.cards import cards
from croupier.dealing.shoe import Shoe
from croupier.game.refusal import OptionError
from croupier.games.blackjack import CASINO, TRAINER, BlackjackSetup, Hit, PlaceBet, Stand
from croupier.table.round import Round, Seeds, begin
from tests.table.rounds import SEEDS, finished, seeded


def test_a_round_on_seeds_is_played_in_a_few_lines() -> None:
    played = begin(CASINO, seeds=SEEDS).act(PlaceBet(100))
    while not played.over:
        played = played.act(Stand())
    assert sum(played.payouts) in {-200, -100, 0, 100, 150, 200}


def test_without_seeds_the_round_waits_for_a_shoe() -> None:
    played = begin(CASINO).act(PlaceBet(100))
    assert played.wants is not None
    assert len(played.wants.pack) == 312
    assert (played.turn, played.menu()) == ((), ())
    played = played.supply(Shoe.stacked(cards("Th 7d 9s Tc")))
    assert played.wants is None
    assert played.turn == (0,)


def test_the_older_value_stays_as_it_was() -> None:
    first = begin(CASINO, seeds=SEEDS)
    bet = first.act(PlaceBet(5))
    assert first.turn == (0,)
    assert first.moves == ()
    assert bet.act(Stand()).moves != bet.moves


def test_a_refused_action_leaves_the_round_and_says_why() -> None:
    played = begin(CASINO, seeds=SEEDS)
    refused = played.act(Hit())
    assert refused.refusal is not None
    assert (refused.state, refused.moves, refused.dealt, refused.heard(0)) == (played.state, (), (), ())
    assert refused.act(PlaceBet(5)).refusal is None


def test_each_shuffle_uses_the_next_nonce() -> None:
    assert [played.proofs[0].nonce for played in seeded(rounds=4)] == [0, 1, 2, 3]


def test_the_rest_of_a_shoe_that_goes_on_is_shuffled_with_the_next_nonce_and_holds_no_card_dealt_before() -> None:
    rounds = seeded(replace(TRAINER, decks=1), rounds=3)
    assert [played.proofs[0].nonce for played in rounds] == [0, 1, 2]
    dealt = [card for played in rounds for card in played.dealt]
    assert len(set(dealt)) == len(dealt)


def test_in_edition_1_a_shoe_that_goes_on_uses_no_new_nonce_and_the_same_order() -> None:
    rounds = seeded(replace(TRAINER, decks=1, edition=1), rounds=3)
    assert [played.proofs[0].nonce for played in rounds] == [0, 0, 0]
    dealt = [card for played in rounds for card in played.dealt]
    assert len(set(dealt)) == len(dealt)


def test_a_setup_that_the_rules_refuse_is_an_error_that_says_why() -> None:
    with pytest.raises(OptionError, match="WRONG_SEAT_COUNT"):
        begin(CASINO, BlackjackSetup((1, 2)))
    with pytest.raises(OptionError, match="purses"):
        begin(CASINO, BlackjackSetup((-1,)))


def test_nobody_can_leave_while_cards_are_awaited_or_after_the_end() -> None:
    waiting = begin(CASINO).act(PlaceBet(5))
    assert waiting.leave(0).refusal is not None
    assert finished(begin(CASINO, seeds=SEEDS)).leave(0).refusal is not None


def test_neither_seeds_nor_round_print_a_secret() -> None:
    played: Round = begin(CASINO, seeds=SEEDS).act(PlaceBet(5))
    for text in (repr(SEEDS), repr(played), str(played)):
        assert SEEDS.server_seed not in text
        assert repr(played.state.hole.open() if played.state.hole else "?") not in text or "dealt" in text


def test_seeds_print_the_players_part() -> None:
    assert repr(Seeds("00" * 32, "my own seed", 3)) == "Seeds(<server seed>, 'my own seed', nonce=3)"
