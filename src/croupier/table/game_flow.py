"""The game in a room: successive rounds, deals that the players cut, and a clock that never waits for long."""

from typing import Any

from msgspec.structs import replace

from croupier.game.game import Change, Stamp, Told
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.table import cuts as cutting
from croupier.table import release_1
from croupier.table.codes import RoomCode
from croupier.table.commands import Play
from croupier.table.deals import Tail
from croupier.table.room import (
    DEAL_CARDS_MIN,
    DEAL_SHOWN_MS,
    MISSED_MAX,
    TEAM_IDS,
    Cutting1,
    Making,
    Member,
    Phase,
    Room,
)
from croupier.table.round import Round, begin


def start(making: Making) -> Refusal | None:
    """Start the match for the host: everybody must be ready, players enough, teams equal."""
    room = making.room
    if room.phase is not Phase.LOBBY:
        return Refusal(RoomCode.NOT_IN_LOBBY)
    low, _ = room.rules.seat_range
    if len(room.players) < low:
        return Refusal(RoomCode.TOO_FEW_PLAYERS_READY, {"players": len(room.players), "low": low})
    waiting = tuple(member.name for member in room.players if not (member.ready or member.id == room.host))
    if waiting:
        return Refusal(RoomCode.NOT_EVERYBODY_READY, {"names": waiting})
    refusal = _take_places(making)
    if refusal is not None:
        return refusal
    making.change(
        phase=Phase.PLAYING, match=room.match + 1, booked=(0,) * making.room.seats, changes=(), paused_at_ms=None
    )
    for member in making.room.players:
        making.member(member.id, bank_ms=1000 * room.options.bank_seconds, missed=0)
    refusal = _first_setup(making)
    if refusal is None:
        _book(making, "bank")
        refusal = _begin_round(making)
    if refusal is None and making.room.gathering:
        absent = tuple(member.name for member in making.room.players if not (member.bot or making.can_cut(member)))
        return Refusal(RoomCode.NOT_EVERYBODY_HERE, {"names": absent})
    return refusal


def _take_places(making: Making) -> Refusal | None:
    """Seats without gaps, teams alternating; at an open table everybody stays where they are."""
    room = making.room
    if room.is_open_table:
        return None
    players = sorted(room.players, key=lambda member: member.seat or 0)
    teams = room.rules.teams(len(players))
    if teams:
        sides = [[member for member in players if member.team == team] for team in TEAM_IDS[:teams]]
        if len({len(side) for side in sides}) != 1 or sum(map(len, sides)) != len(players):
            return Refusal(RoomCode.TEAMS_UNEQUAL, {"sizes": tuple(len(side) for side in sides)})
        players = [member for row in zip(*sides, strict=True) for member in row]
    for seat, member in enumerate(players):
        making.member(member.id, seat=seat)
    return None


def _first_setup(making: Making) -> Refusal | None:
    room = making.room
    seats = room.seats if room.is_open_table else len(room.players)
    setup = room.rules.setup(seats)
    for seat in range(seats):
        if room.seated(seat) is None:
            amended = room.rules.amend(setup, Change(seat, "left"))
            if isinstance(amended, Refusal):
                return amended
            setup = amended
    making.change(setup=setup)
    return None


def _begin_round(making: Making) -> Refusal | None:
    """Open the next round, and commit to its deal."""
    room = making.room
    opened = room.rules.opening(room.setup)
    if isinstance(opened, Refusal):
        return opened
    played = begin(room.rules, room.setup)
    # The void deals of a cancelled hand stay visible.
    dealt = room.dealt if room.round is None else ()
    making.change(hand=room.hand + 1, packs=(), pack_starts=(), dealt=dealt, voids=0)
    _advance(making, played, turn_since_ms=making.at_ms)
    return None


def _book(making: Making, against: str) -> None:
    """Adjust the ledger to the chips of the setup."""
    for seat, chips in enumerate(making.room.rules.stacks(making.room.setup)):
        making.book(seat, chips - making.room.booked[seat], against)


def buy_in(room: Room, seat: int) -> int:
    """A newcomer's chips: as many as everybody had at the start."""
    stacks = room.rules.stacks(room.rules.setup(room.seats))
    return stacks[seat] if stacks else 0


def _advance(making: Making, played: Round, **changes: Any) -> None:
    """After any move: commit to the next shuffle, end the round, or start the clock."""
    making.told += _stamped(making, played.told)
    _grant_showing(making, played)
    making.change(round=played, game_version=making.room.version + 1, **changes)
    if played.wants is not None:
        _commit(making, played)
    elif played.over:
        _end_round(making)


def _grant_showing(making: Making, played: Round) -> None:
    """Do not count the time to show a deal against anybody."""
    before = making.room.round
    dealt = len(played.dealt) - (0 if before is None or before.over else len(before.dealt))
    if dealt >= DEAL_CARDS_MIN and played.turn and making.log_format > 2:
        making.change(shown_at_ms=making.at_ms + DEAL_SHOWN_MS)
    elif not played.turn and making.room.shown_at_ms:
        making.change(shown_at_ms=0)


def _stamped(making: Making, told: tuple[Told[Any], ...]) -> tuple[Told[Any], ...]:
    """The rules' events, with people and times where the game's protocol has them."""
    room = making.room
    stamping = GAMES[room.rules.game].stamping
    if stamping is None:
        return told
    stamp = Stamp(room.person, making.at_ms, making.asked_version or room.game_version)
    return tuple([_told(each, stamping.event(each.event, stamp)) for each in told])


def _told(before: Told[Any], event: Any) -> Told[Any]:
    return before if event is before.event else Told(event, before.to)


def _commit(making: Making, played: Round) -> None:
    """Fix the next shuffle, for the players to cut."""
    if making.first_release:
        release_1.commit(making, played)
        return
    without_deal = cutting.commit(making, played)
    if without_deal is not None:
        _advance(making, without_deal)


def settle(making: Making) -> None:
    """After any command: deal, or void, a deal that everybody has answered, and continue what everybody agreed to.
    Apply the changes that waited for a cancelled hand."""
    room = making.room
    if room.cutting is not None or room.agreed is not None or room.gathering:
        _settle_deals(making)
        room = making.room
    if room.round is None and room.phase is Phase.PLAYING and making.log_format > 2:
        _apply_waiting(making)


def _settle_deals(making: Making) -> None:
    while (room := making.room).cutting is not None and not room.cutting.waits_for:
        if isinstance(room.cutting, Cutting1):
            _advance(making, release_1.deal(making), turn_since_ms=making.at_ms)
        elif not room.cutting.missing:
            _advance(making, cutting.deal(making), turn_since_ms=making.at_ms)
        else:
            without_deal = cutting.void(making)
            if without_deal is not None:
                _advance(making, without_deal, turn_since_ms=making.at_ms)
    if room.agreed is None and not room.gathering:
        return
    agreed = room.agreed is not None and not cutting.awaited_agreement(room)
    if room.phase is Phase.PLAYING and (agreed or (room.gathering and cutting.everybody_is_here(making))):
        without_deal = cutting.deal_again(making)
        if without_deal is not None:
            _advance(making, without_deal, turn_since_ms=making.at_ms)


def wake(making: Making) -> Refusal | None:
    """Somebody is back, or can cut again: continue a table that waited for them."""
    room = making.room
    waits = room.phase is Phase.PLAYING and room.next_at_ms is None and room.agreed is None and room.cutting is None
    if waits and (room.round is None or room.round.over):
        making.change(next_at_ms=making.at_ms + 1000)
    return None


def act(making: Making, member: Member, command: Play[Any]) -> Refusal | None:
    """Apply a player's action. Overtime comes from the player's time bank."""
    room = making.room
    if room.phase is not Phase.PLAYING or room.round is None:
        return Refusal(RoomCode.NOT_PLAYING)
    if room.paused_at_ms is not None:
        return Refusal(RoomCode.PAUSED)
    if member.seat is None:
        return Refusal(RoomCode.NOT_SEATED)
    over_ms = making.at_ms - room.own_time_since_ms - 1000 * room.options.turn_seconds
    making.asked_version = command.expected_version
    refusal = _act(making, room.round.act(command.action, member.seat), member)
    if refusal is None and (member.missed or over_ms > 0):
        making.member(member.id, missed=0, bank_ms=max(0, member.bank_ms - max(0, over_ms)))
    return refusal


def stand_up(making: Making, member: Member) -> Refusal | None:
    """Let a player give up the seat and watch, at a table where people come and go."""
    return leave(making, member, stands=True)


def leave(making: Making, member: Member, *, stands: bool = False) -> Refusal | None:
    """Let a player leave during a match, or with `stands` only give up the seat. The rules may refuse: then the seat
    waits for them."""
    room = making.room
    assert member.seat is not None
    in_round = room.round is not None and not room.round.over
    if room.round is not None and room.turn and not member.stands:
        left = room.round.leave(member.seat)
        if left.refusal is not None:
            return left.refusal
        # The seats still to act gain no time: otherwise repeated leaving could stall a table.
        is_same_turn = making.log_format > 2 and bool(left.turn) and set(left.turn) <= set(room.turn)
        _move(making, left, **{"turn_since_ms": room.turn_since_ms} if is_same_turn else {})
    making.member(member.id, **{"stands" if stands else "away": True})
    cutting.miss(making, member.seat)
    if not in_round:
        _clear_away(making)
    return None


def _clear_away(making: Making) -> None:
    """Between two rounds, at a table where people come and go, remove players who left, with their chips."""
    if not making.room.is_open_table:
        return
    for member in making.room.players:
        if member.is_out and member.seat is not None:
            _apply(making, Change(member.seat, "left"))
            if member.away:
                making.remove(member.id)
            else:
                making.member(member.id, seat=None, team="", ready=False, stands=False, missed=0)


def _refill_bots(making: Making) -> None:
    """Where chips can be bought, rebuy for bots without chips, so that nobody waits for a bot."""
    room = making.room
    stacks = room.rules.stacks(room.setup)
    for member in room.players:
        if member.bot and member.seat is not None and stacks and not stacks[member.seat]:
            change = Change(member.seat, "bought", buy_in(room, member.seat))
            if not isinstance(room.rules.amend(making.room.setup, change), Refusal):
                _apply(making, change)


def _act(making: Making, moved: Round, member: Member | None) -> Refusal | None:
    """Apply a move made by a player or on their behalf."""
    return _move(making, moved, acted_by="" if member is None else member.id, acted_at_ms=making.at_ms)


def _move(making: Making, moved: Round, **changes: Any) -> Refusal | None:
    if moved.refusal is not None:
        return moved.refusal
    room = making.room
    turn = room.turn
    # Seats that may act in any order share one clock; otherwise every decision has its own.
    same_clock = len(turn) > 1 and set(moved.turn) < set(turn)
    changes.setdefault("turn_since_ms", room.turn_since_ms if same_clock else making.at_ms)
    _advance(making, moved, **changes)
    return None


def _end_round(making: Making) -> None:
    room = making.room
    played = room.round
    assert played is not None
    making.change(setup=room.rules.following(played.state))
    if room.packs and room.last is not None:
        making.change(tail=Tail(played.moves[room.last.moves :], played.payouts))
    _book(making, "house")
    if room.rules.ended(played.state):
        making.change(phase=Phase.ENDED, changes=(), next_at_ms=None)
        return
    # The players cut every deal: no order of cards outlasts its round.
    _apply(making, Change(0, "reshuffled"))
    _apply_waiting(making)
    making.change(next_at_ms=making.at_ms + 1000 * room.options.pause_seconds)
    _refill_bots(making)


def _apply_waiting(making: Making) -> None:
    """Apply the changes requested during the round, and release players who have left meanwhile."""
    for change in making.room.changes:
        possible = _still_possible(making.room, change) if change.kind == "bought" else change
        if possible is not None:
            _apply(making, possible)
    making.change(changes=())
    _clear_away(making)


def amend(making: Making, change: Change) -> Refusal | None:
    """Let somebody come, go or buy chips: now if between two rounds, else when the round is over."""
    room = making.room
    amended = room.setup
    for waiting in (*room.changes, change):
        after = room.rules.amend(amended, waiting)
        if not isinstance(after, Refusal):
            amended = after
        # A purchase that is booked for the end of a round is cut down then to what the table allows.
        elif waiting is change or waiting.kind != "bought" or making.log_format < 4:
            return after
    if room.round is not None and not room.round.over:
        making.change(changes=(*room.changes, change))
        return None
    _apply(making, change)
    if making.room.next_at_ms is None:
        making.change(next_at_ms=making.at_ms + 1000)
    return None


def buy(making: Making, member: Member, chips: int) -> Refusal | None:
    """Buy chips: at once between two rounds, else booked for the end of this one. A new booking replaces the old."""
    room = making.room
    if room.phase is not Phase.PLAYING or member.seat is None:
        return Refusal(RoomCode.NOT_PLAYING)
    bought = Change(member.seat, "bought", chips)
    is_running = room.round is not None and not room.round.over
    in_round = is_running and room.booked[member.seat] > 0
    booked = [change for change in room.changes if change.seat == member.seat and change.kind == "bought"]
    if making.log_format < 3 and (in_round or booked):
        return Refusal(RoomCode.NOT_BETWEEN_ROUNDS)
    making.change(changes=tuple(change for change in room.changes if change not in booked))
    return _book_purchase(making, bought) if in_round else amend(making, bought)


def _book_purchase(making: Making, bought: Change) -> Refusal | None:
    """Book a purchase for a seat whose chips are in play. It may lose them all, so it may buy the table's maximum."""
    room = making.room
    emptied = room.rules.amend(room.setup, Change(bought.seat, "left"))
    possible = emptied if isinstance(emptied, Refusal) else room.rules.amend(emptied, bought)
    if isinstance(possible, Refusal):
        return possible
    making.change(changes=(*room.changes, bought))
    return None


def _still_possible(room: Room, bought: Change) -> Change | None:
    """As much of a booked purchase as the table allows after the round; None if that is nothing."""
    refusal = room.rules.amend(room.setup, bought)
    if not isinstance(refusal, Refusal):
        return bought
    high = refusal.facts.get("high")
    return replace(bought, chips=high) if isinstance(high, int) and 0 < high < bought.chips else None


def _apply(making: Making, change: Change) -> None:
    amended = making.room.rules.amend(making.room.setup, change)
    if isinstance(amended, Refusal):
        raise ValueError(f"{change} was possible when it was asked for: {amended}")
    making.change(setup=amended)
    if change.kind != "reshuffled":
        making.change(since=(*making.room.since, change))
    _book(making, "bank")


def due(making: Making) -> Refusal | None:
    """Act for the clock: void a deal that lacks cuts, play for seats that did not act, begin the next round."""
    room = making.room
    deadline = room.deadline_ms
    if deadline is None or deadline > making.at_ms:
        return Refusal(RoomCode.BUSY)
    if isinstance(room.cutting, Cutting1) and not making.first_release:
        # A deal of the first release of which nobody has seen a card: it is dealt again by `cut-2`.
        assert room.round is not None
        making.change(cutting=None)
        _commit(making, replace(room.round, told=()))
    elif room.cutting is not None:
        cutting.time_up(making)
    elif room.round is None or room.round.over:
        making.change(next_at_ms=None)
        # Where too few can play, the room waits until somebody comes, sits in or buys chips.
        _begin_round(making)
    else:
        for seat in room.turn:
            if room.turn_deadline_ms(seat) <= making.at_ms:
                _play_for(making, seat)
    return None


def _play_for(making: Making, seat: int) -> None:
    room = making.room
    assert room.round is not None
    if seat not in room.turn:
        return
    member = room.seated(seat)
    if member is not None and not member.is_out:
        making.member(member.id, missed=member.missed + 1, bank_ms=0)
        if member.missed + 1 == MISSED_MAX and making.log_format > 2:
            _sit_out(making, seat)
    refusal = _act(making, room.round.act(room.rules.absent(room.round.menu(seat)), seat), member)
    if refusal is not None:
        raise ValueError(f"what is done for the absent was refused: {refusal}")


def _sit_out(making: Making, seat: int) -> None:
    """If the rules say so, let a player who did not act sit out from the next round on, until they sit in again."""
    change = Change(seat, "sat_out")
    after = making.room.rules.amend(making.room.setup, change)
    if not isinstance(after, Refusal) and after != making.room.setup:
        amend(making, change)


def ask_bomb_pot(making: Making) -> Refusal | None:
    """Make the next hand a bomb pot, at the host's request."""
    room, asked = making.room, Change(0, "bomb")
    if room.phase is not Phase.PLAYING:
        return Refusal(RoomCode.NOT_PLAYING)
    running = room.round is not None and not room.round.over
    if asked in room.changes or (not running and room.rules.amend(room.setup, asked) == room.setup):
        return Refusal(RoomCode.BOMB_POT_COMES)
    return amend(making, asked)


def pause(making: Making) -> Refusal | None:
    if making.room.phase is not Phase.PLAYING:
        return Refusal(RoomCode.NOT_PLAYING)
    if making.room.paused_at_ms is not None:
        return Refusal(RoomCode.PAUSED)
    making.change(paused_at_ms=making.at_ms)
    return None


def resume(making: Making) -> Refusal | None:
    """Resume all clocks as if there had been no pause."""
    room = making.room
    if room.paused_at_ms is None:
        return Refusal(RoomCode.NOT_PLAYING)
    making.change(paused_at_ms=None)
    _put_off(making, making.at_ms - room.paused_at_ms)
    return None


def fall_asleep(making: Making, since_ms: int) -> Refusal | None:
    """Nobody is connected: stop everything, with the time left on every clock."""
    if making.room.asleep_at_ms is not None:
        return Refusal(RoomCode.BUSY)
    making.change(asleep_at_ms=min(since_ms, making.at_ms))
    return None


def wake_up(making: Making) -> Refusal | None:
    """Somebody is connected again: resume all clocks as if no time had passed."""
    room = making.room
    if room.asleep_at_ms is None:
        return Refusal(RoomCode.BUSY)
    making.change(asleep_at_ms=None)
    if room.paused_at_ms is None:
        _put_off(making, making.at_ms - room.asleep_at_ms)
    return None


def close(making: Making) -> Refusal | None:
    """Close a sleeping room. The chips of a match go back to the bank."""
    room = making.room
    if room.asleep_at_ms is None:
        return Refusal(RoomCode.BUSY)
    for number, chips in enumerate(room.booked):
        making.book(number, -chips, "bank")
    making.change(closed=True)
    return None


def _put_off(making: Making, passed: int) -> None:
    """Move every deadline by the milliseconds for which everything stood still."""
    room = making.room
    making.change(turn_since_ms=room.turn_since_ms + passed)
    if room.shown_at_ms:
        making.change(shown_at_ms=room.shown_at_ms + passed)
    if room.next_at_ms is not None:
        making.change(next_at_ms=room.next_at_ms + passed)
    if room.cutting is not None:
        making.change(cutting=replace(room.cutting, deadline_ms=room.cutting.deadline_ms + passed))
