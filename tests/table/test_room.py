"""A room from its creation through whole matches: what may be done when, by whom, and what can never happen."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.dealing.cut2 import promise_of
from croupier.game.game import Told, Viewer
from croupier.game.refusal import Refusal
from croupier.table import commands as c
from croupier.table.apply import CLOCK, Done, handle, open_room, replay
from croupier.table.deals import Cutting
from croupier.table.log import Logged, entry
from croupier.table.room import Phase, Room
from croupier.table.roomview import part, public, records_end, room_record
from croupier.wire.records import line, verify
from croupier.wire.room_state import Sent, StateEncoder
from tests.table.plain_state import plain_state

GAMES = [("poker", "holdem"), ("poker", "cash"), ("sequence", "house"), ("blackjack", "trainer")]


def _entry(who: str, now_ms: int, command: Any, room: Room | None, down: tuple[str, ...] = ()) -> Logged:
    logged = entry(who, who.capitalize(), now_ms, command, room=room, room_id="" if room else "0" * 64, down=down)
    assert isinstance(logged, Logged), logged
    return logged


class Play:
    """A room with its log, secrets and books, driven by hand."""

    def __init__(self, game: str, preset: str = "", seats: int = 0, **options: Any) -> None:
        self.random = Random(f"{game}{preset}")
        self.now_ms = 1_000_000
        self.secrets: dict[str, bytes] = {}
        self.books: dict[str, int] = {}
        self.told: list[Any] = []
        self.promised: dict[str, bytes] = {}
        """What is behind each promise."""
        self.states = StateEncoder()
        self.sent: dict[Viewer, Sent] = {}
        create = c.RoomCreate(game, preset, options=c.RoomOptions(seats=seats, pause_seconds=1, **options))
        self.log = [_entry("ann", self.now_ms, create, None)]
        opened = open_room("ROOM1", self.log[0])
        assert isinstance(opened, Room), opened
        self.room = opened
        self.promise("ann")

    def do(self, who: str, command: Any, down: tuple[str, ...] = ()) -> str | None:
        """Gives a command; None when it is done, else the code of the refusal."""
        self.now_ms += 10
        logged = _entry(who, self.now_ms, command, self.room, down)
        before = self.room
        done = handle(self.room, logged, self.random.randbytes(32))
        if isinstance(done, Refusal):
            assert self.room is before
            return done.code
        assert isinstance(done, Done)
        assert done.room.version == before.version + 1
        assert sum(chips for _, chips in done.entries) == 0
        for account, chips in done.entries:
            self.books[account] = self.books.get(account, 0) + chips
        self.room, self.told = done.room, [told.event for told in done.told]
        self.check_encoding(done.told)
        self.log.append(logged)
        self.secrets.update(done.secrets)
        if isinstance(command, c.RoomJoin | c.SpectatorSwitchToParticipant):
            self.promise(who)
        return None

    def check_encoding(self, told: tuple[Told[Any], ...]) -> None:
        """What is put together from parts encoded before is what would be encoded at once: for listeners who heard all
        of the round, and for one who has just come."""
        deadline_ms = self.room.deadline_ms
        self.states.take(self.room, deadline_ms, told)
        for viewer in (None, *(member.seat for member in self.room.players)):
            for sent in (self.sent.setdefault(viewer, Sent()), Sent()):
                plain = plain_state(self.room, deadline_ms, told, viewer, sent)
                assert self.states.encode(viewer, sent) == plain

    def wait(self) -> None:
        """Lets the time pass until the room's deadline."""
        assert self.room.deadline_ms is not None, "nothing is due"
        self.now_ms = max(self.now_ms, self.room.deadline_ms)
        assert self.do(CLOCK, c.Due()) is None

    def act(self, who: str, action: Any) -> str | None:
        return self.do(who, c.Play(action))

    def new_promise(self) -> str:
        secret = self.random.randbytes(32)
        promise = promise_of(secret)
        self.promised[promise] = secret
        return promise

    def promise(self, who: str) -> None:
        assert self.do(who, c.DealPromise(self.new_promise())) is None

    def cut(self, who: str) -> str | None:
        """Cuts the deal that waits, or gives the cut that is owed."""
        member, cutting = self.room.member(who), self.room.cutting
        assert member is not None
        if member.owes is not None:
            deal, promise = member.owes.deal, member.owes.promise
        else:
            assert isinstance(cutting, Cutting)
            deal = cutting.deal.context.deal
            promise = next(each.promise for each in cutting.deal.context.cutters if each.seat == member.seat)
        return self.do(who, c.DealCut(self.promised[promise].hex(), deal, self.new_promise()))

    def cut_all(self) -> None:
        while self.room.cutting is not None and self.room.cutting.waits_for:
            member = self.room.seated(self.room.cutting.waits_for[0])
            assert member is not None
            assert self.cut(member.id) is None

    def choose(self) -> None:
        """One random legal action of whoever's turn it is."""
        assert self.room.round is not None
        seat = self.random.choice(self.room.turn)
        member = self.room.seated(seat)
        assert member is not None
        offer = self.random.choice(self.room.round.menu(seat))
        value = self.random.choice(offer.among) if offer.among else self.random.randint(offer.low, offer.high)
        action = offer.choose(value) if offer.field else offer.action
        assert self.act(member.id, action) is None


def started(game: str, preset: str = "", players: int = 2, **options: Any) -> Play:
    play = Play(game, preset, **options)
    for number in range(1, players):
        assert play.do(f"p{number}", c.RoomJoin()) is None
        assert play.do(f"p{number}", c.PlayerReadySet(ready=True)) is None
    assert play.do("ann", c.HostStartGame()) is None
    play.cut_all()
    return play


def finish_round(play: Play) -> None:
    play.cut_all()
    while play.room.round is not None and not play.room.round.over:
        play.choose()
        play.cut_all()


@pytest.mark.parametrize(("game", "preset"), GAMES)
def test_whole_rounds_are_played_booked_recorded_and_proved(game: str, preset: str) -> None:
    play = started(game, preset, players=4 if game != "blackjack" else 3)
    lines: dict[int | None, list[str]] = {None: [], 0: [], 1: []}
    for _ in range(3):
        finish_round(play)
        assert play.room.round is not None
        for viewer, told in lines.items():
            entry = room_record(play.room, viewer)
            assert entry is not None
            told.append(line(entry))
            assert verify([*told, line(records_end(play.room))]).findings == ()
        assert sum(play.books.values()) == 0
        stacks = play.room.rules.stacks(play.room.setup)
        assert all(play.books.get(f"ROOM1/seat/{seat}", 0) == chips for seat, chips in enumerate(stacks))
        if play.room.phase is Phase.ENDED:
            break
        play.wait()
        if play.room.deadline_ms is None:
            break


@pytest.mark.parametrize(("game", "preset"), GAMES)
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_replay_equals_live(game: str, preset: str, seed: int) -> None:
    play = started(game, preset, players=4 if game != "blackjack" else 3)
    play.random.seed(seed)
    for _ in range(2):
        for _ in range(play.random.randint(0, 60)):
            if play.room.round is None or play.room.round.over:
                break
            play.choose() if play.random.random() < 0.9 else play.wait()
            play.cut_all()
        again = replay("ROOM1", play.log, play.secrets)
        assert msgspec.json.encode(public(again)) == msgspec.json.encode(public(play.room))
        for viewer in (None, *range(len(play.room.players))):
            assert msgspec.json.encode(part(again, viewer)) == msgspec.json.encode(part(play.room, viewer))
        if play.room.phase is not Phase.PLAYING or play.room.deadline_ms is None:
            break
        play.wait()
        play.cut_all()


def test_a_newcomer_sits_and_watches_when_no_seat_is_free() -> None:
    play = Play("poker", seats=2)
    assert play.do("bob", c.RoomJoin()) is None
    assert play.do("cat", c.RoomJoin()) is None
    assert [member.seat for member in play.room.members] == [0, 1, None]
    assert play.do("cat", c.RoomJoin()) == "ALREADY_IN_ROOM"
    assert play.do("cat", c.SpectatorSwitchToParticipant()) == "NO_FREE_SEAT"
    assert play.do("bob", c.PlayerSwitchToSpectator()) is None
    assert play.do("cat", c.SpectatorSwitchToParticipant()) is None


def test_start_needs_the_host_everybody_ready_and_enough_players() -> None:
    play = Play("poker")
    assert play.do("ann", c.HostStartGame()) == "TOO_FEW_PLAYERS_READY"
    play.do("bob", c.RoomJoin())
    assert play.do("bob", c.HostStartGame()) == "NOT_HOST"
    assert play.do("ann", c.HostStartGame()) == "NOT_EVERYBODY_READY"
    play.do("bob", c.PlayerReadySet(ready=True))
    assert play.do("ann", c.HostStartGame()) is None
    assert play.do("ann", c.HostStartGame()) == "NOT_IN_LOBBY"


def test_teams_must_be_equal_and_are_seated_alternately() -> None:
    play = Play("sequence")
    for who in ("bob", "cat", "dan"):
        play.do(who, c.RoomJoin())
        play.do(who, c.PlayerReadySet(ready=True))
    assert [member.team for member in play.room.members] == ["A", "B", "A", "B"]
    play.do("cat", c.PlayerTeamSet("B"))
    assert play.do("ann", c.HostStartGame()) == "TEAMS_UNEQUAL"
    play.do("bob", c.PlayerTeamSet("A"))
    assert play.do("ann", c.HostStartGame()) is None
    seats = {member.seat: member.team for member in play.room.members}
    assert seats == {0: "A", 1: "B", 2: "A", 3: "B"}
    assert Play("poker").do("ann", c.PlayerTeamSet("A")) == "NO_TEAMS"


def test_three_teams_are_filled_one_after_the_other() -> None:
    play = Play("sequence", "classic", seats=3)
    for _ in range(2):
        assert play.do("ann", c.HostAddBot("random")) is None
    assert [member.team for member in play.room.members] == ["A", "B", "C"]
    assert play.do("ann", c.HostStartGame()) is None


def test_switching_and_options_are_for_the_lobby_only() -> None:
    play = started("sequence")
    for command in (c.PlayerSwitchToSpectator(), c.PlayerReadySet(ready=True), c.PlayerTeamSet("A")):
        assert play.do("p1", command) == "NOT_IN_LOBBY"
    assert play.do("ann", c.HostSetOptions(c.RoomOptions())) == "NOT_IN_LOBBY"
    assert play.do("ann", c.HostAddBot("random")) == "NOT_IN_LOBBY"


def test_once_sequence_runs_only_spectators_may_leave() -> None:
    play = started("sequence")
    assert play.do("p1", c.RoomLeave()) == "SEAT_WAITS"
    play.do("eve", c.RoomJoinAsSpectator())
    assert play.do("eve", c.RoomLeave()) is None
    assert play.do("p1", c.RoomLeave()) == "SEAT_WAITS"


def test_the_hosts_leaving_passes_the_role_on() -> None:
    play = Play("poker")
    play.do("eve", c.RoomJoinAsSpectator())
    play.do("bob", c.RoomJoin())
    play.do("ann", c.RoomLeave())
    assert play.room.host == "bob", "a player before a spectator"
    play.do("bob", c.HostHandOver("eve"))
    assert play.room.host == "eve"
    play.do("eve", c.RoomLeave())
    assert play.room.host == "bob"


def test_who_leaves_holdem_folds_and_at_a_cash_table_takes_the_chips_along() -> None:
    play = started("poker", "cash", players=3)
    assert play.do("p1", c.RoomLeave()) is None
    finish_round(play)
    assert play.room.member("p1") is None
    assert play.books["ROOM1/seat/1"] == 0
    assert sum(play.books.values()) == 0


def test_late_join_and_rebuy_at_a_cash_table() -> None:
    play = started("poker", "cash", players=2, seats=4)
    assert play.do("late", c.RoomJoin()) is None
    member = play.room.member("late")
    assert member is not None
    assert member.seat == 2
    finish_round(play)
    assert play.room.rules.stacks(play.room.setup)[2] > 0
    assert sum(play.books.values()) == 0


def test_a_newcomer_who_waits_for_the_next_hand_buys_no_more_than_the_stack_on_the_way_leaves_room_for() -> None:
    play = started("poker", "cash", players=2, seats=4)
    assert play.do("late", c.RoomJoin()) is None
    assert play.do("late", c.PlayerBuyChips(1)) == "TOP_UP_TOO_BIG"
    finish_round(play)
    assert play.room.rules.stacks(play.room.setup)[2] == play.room.rules.stack_chips


def test_a_bot_that_has_lost_its_chips_buys_in_again_where_chips_can_be_bought() -> None:
    play = Play("poker", "cash", seats=2)
    play.promise("ann")
    assert play.do("ann", c.HostAddBot("random")) is None
    assert play.do("ann", c.HostStartGame()) is None
    while True:
        play.cut_all()
        while play.room.round is not None and not play.room.round.over:
            (seat,) = play.room.turn
            member = play.room.seated(seat)
            assert member is not None
            offer = play.room.round.menu(seat)[-1]
            assert play.act(member.id, offer.choose(offer.high) if offer.field else offer.action) is None
        assert play.room.round is not None
        ann, bot = play.room.round.state.stacks
        if not bot:
            break
        assert ann or play.do("ann", c.PlayerBuyChips(1000)) is None, "Ann has to ask for chips"
        play.wait()
    assert play.room.rules.stacks(play.room.setup)[1] == 1000
    assert sum(play.books.values()) == 0
    play.wait()
    play.cut_all()
    assert play.room.hand > 1
    assert play.room.turn


def test_no_late_join_in_a_tournament() -> None:
    play = started("poker", "holdem")
    play.do("late", c.RoomJoin())
    assert play.room.members[-1].seat is None
    assert play.do("late", c.SpectatorSwitchToParticipant()) == "NOT_IN_LOBBY"


def test_the_clock_plays_for_who_does_not_act_and_soon_stops_waiting() -> None:
    play = started("poker", "holdem", turn_seconds=10, bank_seconds=20)
    assert play.room.round is not None
    (seat,) = play.room.turn
    assert play.room.deadline_ms == play.room.own_time_since_ms + 30_000, "the turn and the bank"
    assert play.do(CLOCK, c.Due()) == "BUSY", "not before the deadline"
    assert play.do("p1", c.Due()) == "BAD_MESSAGE", "and nobody but the clock"
    play.wait()
    member = play.room.seated(seat)
    assert member is not None
    assert (member.missed, member.bank_ms) == (1, 0)
    for _ in range(12):
        play.wait()
        play.cut_all()
    assert all(member.missed >= 2 for member in play.room.players)
    if play.room.turn:
        assert play.room.deadline_ms == play.room.turn_since_ms + 1000
    assert play.do("p1", c.PlayerBack()) is None
    back = play.room.member("p1")
    assert back is not None
    assert back.missed == 0


def test_time_over_the_turn_comes_from_the_bank() -> None:
    play = started("poker", "holdem", turn_seconds=10, bank_seconds=20)
    (seat,) = play.room.turn
    member = play.room.seated(seat)
    assert member is not None
    play.now_ms = play.room.own_time_since_ms + 14_990
    play.choose()
    after = play.room.seated(seat)
    assert after is not None
    assert after.bank_ms == 15_000


def test_a_pause_stops_the_clock_and_the_play() -> None:
    play = started("poker", "holdem")
    deadline = play.room.deadline_ms
    assert play.do("ann", c.HostPause()) is None
    assert play.room.deadline_ms is None
    (seat,) = play.room.turn
    member = play.room.seated(seat)
    assert member is not None
    assert play.act(member.id, {"type": "HOLDEM_FOLD"}) == "PAUSED"
    play.now_ms += 60_000
    assert play.do("ann", c.HostResume()) is None
    assert play.room.deadline_ms is not None
    assert deadline is not None
    assert 60_000 <= play.room.deadline_ms - deadline <= 60_100


def test_a_kicked_player_cannot_come_back_and_blocks_nothing() -> None:
    play = started("sequence")
    assert play.do("ann", c.HostKick("p1")) is None
    assert play.do("p1", c.RoomJoin()) == "KICKED"
    assert play.act("p1", {"type": "TURN_PLAY_NORMAL"}) == "NOT_IN_ROOM"
    for _ in range(6):
        if play.room.turn == (0,):
            play.choose()
        else:
            assert play.room.deadline_ms == play.room.turn_since_ms
            play.wait()


def test_a_rematch_goes_back_to_the_lobby_and_hands_keep_counting() -> None:
    play = started("sequence")
    assert play.do("ann", c.HostRematch()) == "NOT_IN_LOBBY"
    finish_round(play)
    assert play.room.phase is Phase.ENDED
    assert play.do("p1", c.HostRematch()) == "NOT_HOST"
    assert play.do("ann", c.HostRematch()) is None
    assert (play.room.phase, [member.seat for member in play.room.members]) == (Phase.LOBBY, [0, 1])
    play.do("p1", c.PlayerReadySet(ready=True))
    assert play.do("ann", c.HostStartGame()) is None
    assert play.room.hand == 2


def test_a_rematch_takes_the_chips_of_the_last_match_back_to_the_bank() -> None:
    play = started("poker", "holdem", players=3)
    for _ in range(100):
        finish_round(play)
        if play.room.phase is Phase.ENDED:
            break
        play.wait()
    assert play.room.phase is Phase.ENDED
    assert sum(play.room.booked) == 3000
    assert play.do("ann", c.HostRematch()) is None
    assert set(play.books.values()) == {0}
    for who in ("p1", "p2"):
        play.do(who, c.PlayerReadySet(ready=True))
    assert play.do("ann", c.HostStartGame()) is None
    assert [play.books[f"ROOM1/seat/{seat}"] for seat in range(3)] == list(play.room.booked[:3]) == [1000] * 3


def test_bots_take_free_seats_and_go_again() -> None:
    play = Play("poker", seats=3)
    assert play.do("ann", c.HostAddBot("random")) is None
    assert play.do("ann", c.HostAddBot("random")) is None
    assert play.do("ann", c.HostAddBot("random")) == "NO_FREE_SEAT"
    assert play.do("ann", c.HostRemoveBot("bot-1")) is None
    assert play.do("ann", c.HostRemoveBot("bot-1")) == "NO_SUCH_MEMBER"
    assert play.do("ann", c.HostStartGame()) is None, "bots are always ready"


@pytest.mark.parametrize(
    ("create", "code"),
    [
        (c.RoomCreate("whist"), "NO_SUCH_GAME"),
        (c.RoomCreate("poker", "weird"), "NO_SUCH_PRESET"),
        (c.RoomCreate("blackjack", rules={"decks": 9}), "BAD_OPTION"),
        (c.RoomCreate("blackjack", rules={"original_bets_only": True}), "OPTIONS_CLASH"),
        (c.RoomCreate("blackjack", rules={"decks": "six"}), "BAD_OPTIONS"),
        (c.RoomCreate("blackjack", rules={"nonsense": 1}), "BAD_OPTIONS"),
        (c.RoomCreate("poker", options=c.RoomOptions(seats=11)), "BAD_OPTIONS"),
    ],
)
def test_a_room_that_cannot_be_is_refused_with_the_reason(create: c.RoomCreate, code: str) -> None:
    logged = entry("ann", "Ann", 0, create)
    refused = logged if isinstance(logged, Refusal) else open_room("ROOM1", logged)
    assert isinstance(refused, Refusal)
    assert refused.code == code
