"""Teams, seats, hands, options: what a game starts from."""

import pytest
from msgspec.structs import replace

from croupier.game.game import Change, Draw, Over, Step, Turn, numbers_in
from croupier.game.refusal import OptionError, Refusal
from croupier.games.sequence import CLASSIC, GAME, HOUSE, SequenceRules, SequenceSetup
from croupier.games.sequence.rules.cards import PACK
from croupier.games.sequence.rules.events import HandsDealt, HandTaken
from croupier.games.sequence.rules.state import Phase, State
from tests.games.sequence.play import events, normal, opened, position

HAND_SIZES = {2: 7, 4: 6, 6: 5, 8: 4, 10: 3, 12: 3}


def dealt(rules: SequenceRules, setup: SequenceSetup) -> Step:
    state = opened(rules, setup).state
    awaited = rules.awaits(state)
    assert isinstance(awaited, Draw)
    return rules.deal(state, PACK[: awaited.count])


@pytest.mark.parametrize(("seats", "hand_size"), HAND_SIZES.items())
def test_hand_sizes(seats: int, hand_size: int) -> None:
    state = dealt(HOUSE, HOUSE.setup(seats)).state
    assert HOUSE.seats(state) == seats
    assert HOUSE.view(state, None).hand_size_by_seat == (hand_size,) * seats
    assert HOUSE.view(state, None).pack_left == 104 - seats * hand_size


@pytest.mark.parametrize("seats", HAND_SIZES)
def test_two_teams_of_equal_size_seated_alternately(seats: int) -> None:
    assert HOUSE.view(dealt(HOUSE, HOUSE.setup(seats)).state, None).team_by_seat == ("A", "B") * (seats // 2)


@pytest.mark.parametrize("seats", [3, 5, 7, 9, 11])
def test_teams_must_be_equal(seats: int) -> None:
    facts = {"seats": seats, "teams": 2, "allowed": (2, 4, 6, 8, 10, 12)}
    assert HOUSE.opening(HOUSE.setup(seats)) == Refusal("TEAMS_NOT_EQUAL", facts)


@pytest.mark.parametrize("seats", [-2, 0, 1, 13, 14])
def test_two_to_twelve_play(seats: int) -> None:
    assert HOUSE.seat_range == CLASSIC.seat_range == (2, 12)
    assert HOUSE.opening(HOUSE.setup(seats)) == Refusal("WRONG_SEAT_COUNT", {"seats": seats, "low": 2, "high": 12})


def test_the_house_game_has_two_teams_only() -> None:
    assert HOUSE.opening(SequenceSetup(seats=6, teams=3)) == Refusal("WRONG_TEAM_COUNT", {"teams": 3, "allowed": (2,)})


def test_the_first_seat_must_be_at_the_table() -> None:
    refusal = HOUSE.opening(SequenceSetup(seats=4, first_seat=4))
    assert refusal == Refusal("NO_SUCH_SEAT", {"seat": 4, "seats": 4})


def test_hands_are_dealt_card_by_card_from_the_first_seat() -> None:
    step = dealt(HOUSE, SequenceSetup(seats=4, first_seat=2))
    public, *hands = events(step)
    assert public == HandsDealt(2, 6, 80)
    assert hands == [HandTaken(seat, PACK[place:24:4]) for seat, place in enumerate((2, 3, 0, 1))]
    assert HOUSE.awaits(step.state) == Turn((2,))
    assert numbers_in(HOUSE.known(step.state, 3)) == (1, 5, 9, 13, 17, 21)


def test_each_hand_is_told_to_its_own_seat_only() -> None:
    _, *hands = dealt(HOUSE, HOUSE.setup(4)).told
    assert [[seat for seat in (0, 1, 2, 3, None) if told.to.hears(seat)] for told in hands] == [[0], [1], [2], [3]]


def test_the_next_game_starts_one_seat_further() -> None:
    over = position("", "", "", "", phase=Phase.OVER)
    firsts = []
    for _ in range(4):
        following = HOUSE.following(over)
        firsts.append(following.first_seat)
        over = replace(over, setup=following)
    assert firsts == [1, 2, 3, 0]


def test_presets_are_the_house_game_and_the_classic_game() -> None:
    assert GAME.presets == {"house": HOUSE, "classic": CLASSIC}
    assert SequenceRules(edition=2) == HOUSE
    assert (HOUSE.game, HOUSE.edition, HOUSE.sequences_to_win) == ("sequence", 2, 2)


@pytest.mark.parametrize("sequences", [-1, 0, 3])
def test_a_game_is_won_with_one_or_two_sequences(sequences: int) -> None:
    for option in ("sequences_to_win", "sequences_to_win_of_three"):
        with pytest.raises(OptionError) as raised:
            SequenceRules(**{option: sequences})
        facts = {"option": option, "value": str(sequences), "allowed": "1 – 2"}
        assert raised.value.refusal == Refusal("BAD_OPTION", facts)


@pytest.mark.parametrize("teams", [(), (1,), (2, 4)])
def test_a_game_has_two_or_three_teams(teams: tuple[int, ...]) -> None:
    with pytest.raises(OptionError) as raised:
        SequenceRules(team_counts=teams)
    assert raised.value.refusal == Refusal("WRONG_TEAM_COUNT", {"teams": teams, "allowed": (2, 3)})


def over(winner: int | None, seats: int, teams: int) -> State:
    return position(*[""] * seats, teams=teams, phase=Phase.OVER, winner=winner)


def test_points_sum_to_zero() -> None:
    assert HOUSE.awaits(over(1, 4, 2)) == Over((-1, 1, -1, 1))
    assert HOUSE.awaits(over(None, 4, 2)) == Over((0, 0, 0, 0))
    assert CLASSIC.awaits(over(2, 6, 3)) == Over((-1, -1, 2, -1, -1, 2))


def test_sequence_is_played_without_chips_of_value() -> None:
    assert HOUSE.chips(dealt(HOUSE, HOUSE.setup(2)).state) == ()


def test_a_player_who_goes_is_waited_for() -> None:
    state = dealt(HOUSE, HOUSE.setup(2)).state
    assert HOUSE.leave(state, 1) == Refusal("SEAT_WAITS", {"seat": 1})
    assert HOUSE.leave(state, 2) == Refusal("NO_SUCH_SEAT", {"seat": 2, "seats": 2})


def test_a_game_is_a_match_of_its_own() -> None:
    assert HOUSE.ended(over(0, 2, 2))


def test_for_a_player_who_does_not_act_in_time_the_first_legal_play_is_made() -> None:
    state = position("spade_2_1 heart_j_2", "", chips={"B": (1,)})
    assert HOUSE.absent(HOUSE.menu(state, 0)) == normal("spade_2_1", 86)


def test_seats_change_hands_in_the_lobby_only() -> None:
    assert HOUSE.amend(HOUSE.setup(2), Change(0, "left")) == Refusal("NOT_BETWEEN_ROUNDS")


def test_how_many_teams_a_number_of_seats_makes() -> None:
    assert [HOUSE.teams(seats) for seats in (2, 12)] == [2, 2]
    assert [CLASSIC.teams(seats) for seats in (2, 3, 6, 9)] == [2, 3, 2, 3]
