"""The classroom table (document 000): its codes in their order, who hears what, and in which order."""

import unicodedata
from itertools import count

import pytest
from msgspec.structs import replace

from croupier.cards import PACK, cards
from croupier.game.game import EVERYONE
from croupier.game.refusal import Refusal
from croupier.game.sealed import Sealed
from croupier.games.blackjack import CLASSROOM
from croupier.games.blackjack.classroom import (
    Classroom,
    ClassroomState,
    ClassroomStep,
    ClassroomView,
    Notice,
    PlayerView,
    StateChanged,
    view,
)
from croupier.games.blackjack.rules.menu import explain
from croupier.games.blackjack.rules.names import WHITE_SPACE
from croupier.games.blackjack.rules.state import BlackjackState, Status

KEY = "the dealer's key"
ROOM = Classroom(Sealed(KEY))


class Class:
    """A classroom with a stacked shoe; remembers what everybody was told."""

    def __init__(self, deck: str = "", room: Classroom = ROOM) -> None:
        self.room, self.deck = room, list(cards(deck))
        self.state = ClassroomState()
        self.heard: list[object] = []

    def do(self, step: ClassroomStep | Refusal) -> "Class | Refusal":
        if isinstance(step, Refusal):
            return step
        while True:
            self.state = step.state
            assert all(told.to == EVERYONE for told in step.told)
            self.heard += [told.event for told in step.told]
            wanted = self.room.awaits(self.state)
            if wanted is None:
                return self
            drawn, self.deck = self.deck[: wanted.count], self.deck[wanted.count :]
            step = self.room.deal(self.state, tuple(drawn))

    def join(self, who: str, key: str = "", name: str | None = None) -> "Class | Refusal":
        return self.do(self.room.join(self.state, who, who if name is None else name, key))

    def start(self, who: str = "dealer") -> "Class | Refusal":
        return self.do(self.room.start(self.state, who))

    def hit(self, who: str) -> "Class | Refusal":
        return self.do(self.room.hit(self.state, who))

    def stand(self, who: str) -> "Class | Refusal":
        return self.do(self.room.stand(self.state, who))

    def leave(self, who: str) -> "Class | Refusal":
        return self.do(self.room.leave(self.state, who))

    @property
    def view(self) -> ClassroomView:
        return view(self.state)

    def player(self, who: str) -> PlayerView:
        return next(player for player in self.view.players if player.player_id == who)


def started(deck: str, *players: str) -> Class:
    """A round with the dealer in the first seat: two cards each, in seat order, the dealer's first."""
    table = Class(deck)
    assert table.join("dealer", KEY) is table
    for player in players or ("ann", "bob"):
        assert table.join(player) is table
    assert table.start() is table
    table.heard.clear()
    return table


def code(answer: object) -> str:
    assert isinstance(answer, Refusal), f"{answer} was not refused"
    return answer.code


def test_join_is_refused_in_round_then_twice_then_by_name_then_by_the_dealers_seat() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    assert code(table.join("ann", KEY, name="")) == "GAME_IN_PROGRESS", "the phase is checked first"
    table = Class()
    table.join("ann")
    assert code(table.join("ann", KEY, name="")) == "ALREADY_JOINED", "then the connection"
    table.join("dealer", KEY)
    assert code(table.join("eve", KEY, name="   ")) == "INVALID_NAME", "then the name"
    assert code(table.join("eve", KEY)) == "DEALER_ALREADY_EXISTS", "then the dealer's seat"


@pytest.mark.parametrize(("name", "good"), [("a", True), ("가" * 20, True), ("b" * 21, False), (" \t\n", False)])
def test_a_name_is_trimmed_and_1_to_20_long(name: str, good: bool) -> None:
    table = Class()
    answer = table.join("x", name=name)
    assert (answer is table) is good
    assert good or code(answer) == "INVALID_NAME"
    table.join("y", name="  spaced  ")
    assert table.player("y").name == "spaced"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("🂡" * 10, "🂡" * 10),
        ("🂡" * 11, None),
        ("👩‍🏫" * 4, "👩‍🏫" * 4),
        ("👩‍🏫" * 5, None),
        ("\u3000김\u2003선생\u00a0", "김 선생"),
        ("\x85\u2028 \v", None),
        ("\x1c", "?"),
        ("\u200b", "?"),
        ("\u180e", "?"),
    ],
)
def test_names_are_trimmed_and_measured_as_dotnet_does(name: str, kept: str | None) -> None:
    """`Length` counts UTF-16 code units, and `Trim` takes what `Char.IsWhiteSpace` names: neither U+001C nor U+200B.
    A name of which nothing can be seen is measured all the same, and shown as a question mark."""
    table = Class()
    answer = table.join("x", name=name)
    if kept is None:
        assert code(answer) == "INVALID_NAME"
    else:
        assert answer is table
        assert table.player("x").name == kept


def test_white_space_is_what_unicode_and_dotnet_call_so() -> None:
    categories = ("Zs", "Zl", "Zp")
    separators = {chr(point) for point in range(0x10000) if unicodedata.category(chr(point)) in categories}
    assert set(WHITE_SPACE) == separators | set("\t\n\v\f\r\x85")


def test_duplicate_names_are_allowed_and_shown_apart() -> None:
    table = Class()
    assert table.join("x", name="twin") is table
    assert table.join("y", name="Twin") is table
    assert table.join("z", name="tw\u202ein\x1b[2J") is table
    assert [player.name for player in table.view.players] == ["twin", "Twin (2)", "twin[2J"]
    table.leave("x")
    assert [player.name for player in table.view.players] == ["Twin (2)", "twin[2J"], "nobody becomes somebody else"


def test_a_wrong_key_joins_as_a_player() -> None:
    table = Class()
    table.join("x", "wrong")
    assert not table.player("x").is_dealer
    table.join("dealer", KEY)
    assert table.player("dealer").is_dealer
    assert table.view.dealer_player_id == "dealer"


def test_start_is_refused_in_the_written_order() -> None:
    table = Class("Tc 7c 2d 3d")
    table.join("dealer", KEY)
    assert code(table.start("nobody")) == "NOT_JOINED"
    assert code(table.start()) == "INSUFFICIENT_PLAYERS"
    table.join("ann")
    assert code(table.start("ann")) == "NOT_DEALER"
    table.start()
    assert code(table.start("ann")) == "GAME_IN_PROGRESS", "the phase comes before the dealer"


def test_two_cards_each_and_the_turn_goes_to_the_first_playing_player() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    assert table.player("dealer").cards == cards("Tc 7c")
    assert table.player("ann").cards == cards("2d 3d")
    assert table.player("bob").score == 9
    assert table.view.current_turn_player_id == "ann"
    assert table.view.phase == "InRound"


def test_hit_and_stand_are_refused_in_the_written_order() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    assert code(table.hit("nobody")) == "NOT_JOINED"
    assert code(table.hit("dealer")) == "DEALER_IS_AUTO"
    assert code(table.stand("bob")) == "NOT_YOUR_TURN"
    table.stand("ann")
    assert code(table.stand("ann")) == "NOT_YOUR_TURN", "a player who is done is not in turn either"
    table.stand("bob")
    assert code(table.hit("dealer")) == "GAME_NOT_INROUND", "the phase comes before the dealer"
    assert code(table.hit("nobody")) == "NOT_JOINED", "and joining before the phase"


def test_already_done_is_told_to_whoever_is_in_turn_but_not_playing() -> None:
    state = started("Tc 7c 2d 3d 4d 5d").state.round
    assert isinstance(state, BlackjackState)
    asked = replace(state, undecided=(2,))
    assert explain(CLASSROOM, asked, 1, None).code == "ALREADY_DONE"  # type: ignore[arg-type]  # any action will do


def test_after_a_hit_over_21_is_busted_21_stands_and_below_keeps_the_turn() -> None:
    table = started("Tc 7c 2d 3d Td 5d 4c Tc 2c 9s")
    table.hit("ann")
    assert table.player("ann").turn_state == "Playing"
    assert table.view.current_turn_player_id == "ann"
    table.hit("ann")
    assert (table.player("ann").score, table.player("ann").turn_state) == (19, "Playing")
    table.hit("ann")
    assert (table.player("ann").score, table.player("ann").turn_state) == (21, "Standing")
    assert table.view.current_turn_player_id == "bob"
    table.hit("bob")
    assert (table.player("bob").score, table.player("bob").turn_state) == (24, "Busted")


def test_an_ace_counts_one() -> None:
    assert started("Tc 7c Ad Kd 4d 5d").player("ann").score == 11


def test_the_dealer_draws_below_17_and_stands_from_17() -> None:
    table = started("2c 3c Td 9d 4s 5s 6s 6c", "ann")
    table.stand("ann")
    assert table.player("dealer").cards == cards("2c 3c 4s 5s 6s")
    assert (table.player("dealer").score, table.player("dealer").turn_state) == (20, "Standing")


def test_the_dealer_draws_even_when_every_player_is_busted() -> None:
    table = started("2c 3c Td 9d 8s Ts 5s", "ann")
    table.hit("ann")
    assert table.player("dealer").cards == cards("2c 3c Ts 5s")
    assert table.player("ann").outcome == "Lose"


def test_busted_loses_dealer_busted_wins_else_compare_and_equal_ties() -> None:
    table = started("Tc 7c Td 9d Td 7d Td 6s", "ann", "bob", "cat")
    for player in ("ann", "bob", "cat"):
        table.stand(player)
    outcomes = [table.player(player).outcome for player in ("ann", "bob", "cat")]
    assert outcomes == ["Win", "Tie", "Lose"]
    assert table.player("dealer").outcome == "None"
    table = started("Tc 6c Td 2d Ks", "ann")
    table.stand("ann")
    assert (table.player("dealer").turn_state, table.player("ann").outcome) == ("Busted", "Win")


def test_after_the_round_idle_no_turn_and_the_results_stay_until_the_next_start() -> None:
    table = started("Tc 7c Td 9d  2c 3c 4c 5c", "ann")
    table.stand("ann")
    assert (table.view.phase, table.view.current_turn_player_id) == ("Idle", "")
    assert (table.player("ann").cards, table.player("ann").outcome) == (cards("Td 9d"), "Win")
    table.join("late")
    assert (table.player("ann").outcome, table.player("late").cards) == ("Win", ())
    table.deck = list(cards("2c 3c 4c 5c 6c 7c"))
    table.start()
    assert (table.player("ann").cards, table.player("ann").outcome) == (cards("4c 5c"), "None")


def test_a_player_leaves_and_only_that_player_goes() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    table.leave("bob")
    assert [player.player_id for player in table.view.players] == ["dealer", "ann"]
    assert table.view.current_turn_player_id == "ann"
    assert len(table.heard) == 1


def test_a_turn_of_somebody_who_leaves_moves_on() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    table.leave("ann")
    assert table.view.current_turn_player_id == "bob"


def test_when_no_player_is_left_the_round_ends() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    table.leave("ann")
    table.leave("bob")
    assert (table.view.phase, table.player("dealer").cards) == ("Idle", cards("Tc 7c"))


def test_when_nobody_is_left_who_can_play_the_round_is_settled() -> None:
    table = started("Tc 7c Td 9d 4d 5d")
    table.stand("ann")
    table.leave("bob")
    assert (table.view.phase, table.player("ann").outcome) == ("Idle", "Win")


def test_the_dealer_leaves_notice_once_then_the_reset_state_once() -> None:
    table = started("Tc 7c 2d 3d 4d 5d")
    table.leave("dealer")
    assert table.heard == [Notice("GAME_TERMINATED"), StateChanged(view(ClassroomState()))]
    assert table.state == ClassroomState()
    assert code(table.hit("ann")) == "NOT_JOINED", "connections are cleared too"
    assert table.join("ann") is table


def test_the_shoe_runs_out_notice_then_idle_state() -> None:
    room = Classroom(Sealed(KEY), rules=replace(CLASSROOM, decks=1))
    table = Class(room=room)
    table.deck = list(PACK)
    table.join("dealer", KEY)
    for number in range(24):
        table.join(f"player {number}")
    table.start()
    table.heard.clear()
    for _ in count():
        turn = table.view.current_turn_player_id
        if not turn:
            break
        table.hit(turn)
    assert [type(event) for event in table.heard[-2:]] == [Notice, StateChanged]
    assert table.heard[-2] == Notice("SHOE_EMPTY")
    assert table.view.phase == "Idle"
    assert all(player.outcome == "None" for player in table.view.players)


def test_more_players_than_cards_end_at_once_with_an_empty_shoe() -> None:
    table = Class(room=Classroom(Sealed(KEY), rules=replace(CLASSROOM, decks=1)))
    table.join("dealer", KEY)
    for number in range(26):
        table.join(f"player {number}")
    table.heard.clear()
    table.start()
    assert table.heard[0] == Notice("SHOE_EMPTY")
    assert table.view.phase == "Idle"


def test_a_good_command_tells_everybody_once_and_a_refused_one_nobody() -> None:
    table = started("Tc 2c 2d 3d 4d 5d  9h 9s 9c 9d 8c 8d 8h")
    for command in (lambda: table.stand("ann"), lambda: table.stand("bob"), table.start):
        table.heard.clear()
        before = table.state
        answer = command()
        if isinstance(answer, Refusal):
            assert (table.heard, table.state) == ([], before)
        else:
            assert [type(event) for event in table.heard] == [StateChanged]


def test_the_key_is_not_printed() -> None:
    assert KEY not in repr(ROOM)


def test_options_names_players_and_decks() -> None:
    room = Classroom(Sealed(KEY), replace(CLASSROOM, decks=2, dealer_stands_on=15), players_min=3, name_length_max=5)
    table = Class("Tc 5c 2d 3d 4d 5d", room)
    assert code(table.join("x", name="longer")) == "INVALID_NAME"
    table.join("dealer", KEY, name="d")
    table.join("ann")
    assert code(table.start()) == "INSUFFICIENT_PLAYERS"
    table.join("bob")
    table.start()
    table.stand("ann")
    table.stand("bob")
    assert table.player("dealer").score == 15


def test_hands_are_never_active_when_idle() -> None:
    table = started("Tc 7c Td 9d 4d 5d")
    table.stand("ann")
    table.stand("bob")
    assert table.state.round is not None
    assert all(hand.status is not Status.ACTIVE for seat in table.state.round.seats for hand in seat.hands)
