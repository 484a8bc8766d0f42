"""Dealing by `cut-2` in a room: fix everything, take the cuts, then deal, or close the deal as void.

A person who misses a cut is not dealt in until they have given the cut they owe and rested for some hands. A hand that
was void twice waits until everybody seated agrees. docs/fairness.md has the rules; clients check that the room follows
them.
"""

from msgspec.structs import replace

from croupier.dealing.cut2 import FIRST_BEFORE, CommittedDeal, Context, Cut, Cutter, closing_digest, keeps
from croupier.dealing.shoe import Shoe
from croupier.game.refusal import Refusal
from croupier.table.codes import RoomCode
from croupier.table.commands import DealCut, DealDecline, DealPromise
from croupier.table.deals import (
    CUTS_FORGIVING,
    VOIDS_MAX,
    Cutting,
    Deal,
    Owed,
    Paid,
    Tail,
    VoidDeal,
    closing_text,
    last_deal,
    pack_text,
    packs_of,
    rest_hands,
    rules_text,
    setup_text,
)
from croupier.table.room import Making, Member, Room, secret_name
from croupier.table.round import Round


def commit(making: Making, played: Round, among: tuple[int, ...] | None = None) -> Round | None:
    """Fix the deal that the round waits for, and publish it before any cut is in. The cutters are the people dealt in.
    A person who cannot cut is left out of the deal; with `among`, so is everybody but these. Return the round if it
    goes on without a deal. Return None if it waits: for the cuts, or, where nobody can be left out, for everybody's
    agreement.
    """
    room = making.room
    again = bool(room.packs)
    if not again and _nobody_there(making, played):
        _give_up(making, played)
        return None
    first = played.rules.dealt_in(played.state)
    dealt_in, asked = first, set[int]()
    while seats := [seat for seat in dealt_in if seat not in asked]:
        asked.add(seats[0])
        if again or _is_dealt_in(making, seats[0], among):
            continue
        without = played.exclude(seats[0])
        if without.refusal is not None:
            _give_up(making, played)
            return None
        making.told += without.told
        played = replace(without, told=())
        if played.wants is None:
            return played
        # Whoever waits for the big blind may be dealt in instead. Logs of earlier formats did not ask them to cut.
        dealt_in = played.rules.dealt_in(played.state) if making.log_format > 3 else first
    making.change(round=played)
    cutting = (making.room.seated(seat) for seat in sorted(dealt_in) if _is_dealt_in(making, seat, among))
    people = (member for member in cutting if member is not None and not member.bot)
    _publish(making, played, tuple(Cutter(member.seat, member.promise) for member in people if member.seat is not None))
    return None


def _is_dealt_in(making: Making, seat: int, among: tuple[int, ...] | None) -> bool:
    """Whether a deal that waits for the cuts of the people dealt in can be dealt to a seat."""
    member = making.room.seated(seat)
    if member is None or member.bot:
        return member is not None
    return making.can_cut(member) and (among is None or seat in among)


def _nobody_there(making: Making, played: Round) -> bool:
    """Whether people are dealt in but none of them can cut."""
    seated = (making.room.seated(seat) for seat in played.rules.dealt_in(played.state))
    people = [member for member in seated if member is not None and not member.bot]
    return bool(people) and not any(map(making.can_cut, people))


def _give_up(making: Making, played: Round) -> None:
    """Too few are left for this deal. Cancel the hand, which keeps its number; a game that needs everybody waits."""
    room = making.room
    if needs_everybody(room, played):
        ask = room.voids >= VOIDS_MAX
        making.change(round=played, cutting=None, gathering=not ask, agreed=() if ask else None)
        return
    resting = any(member.promise and member.owes is None and member.back_at_hand > room.hand for member in room.players)
    later = making.at_ms + 1000 * max(1, room.options.pause_seconds)
    making.change(round=None, cutting=None, next_at_ms=later if resting else None)


def needs_everybody(room: Room, played: Round) -> bool:
    """Whether the game has no deal without one of its seats."""
    seats = played.rules.dealt_in(played.state)
    return not room.is_open_table and all(played.exclude(seat).refusal is not None for seat in seats)


def _publish(making: Making, played: Round, cutters: tuple[Cutter, ...]) -> None:
    room = making.room
    wanted = played.wants
    assert wanted is not None
    closing = closing_of(room)
    context = Context(
        room=room.id,
        deal=room.deals + 1,
        hand=room.hand,
        shuffle=len(room.packs),
        rules=rules_text(room.rules),
        setup=setup_text(room.match, played.setup, () if room.packs else played.moves),
        pack=pack_text(wanted.pack),
        packs=packs_of(room.rules),
        before=closing_digest(closing) if closing else FIRST_BEFORE,
        cutters=cutters,
    )
    deal = CommittedDeal(making.secret, context, wanted.pack)
    making.secrets.append((secret_name(context.deal), making.secret))
    for cutter in cutters:
        making.seat(cutter.seat, promise="")
    seats = tuple(cutter.seat for cutter in cutters)
    making.change(
        cutting=Cutting(deal, closing, making.at_ms + 1000 * room.options.cut_seconds, seats),
        deals=context.deal,
        since=(),
        paid=(),
        agreed=None,
        gathering=False,
    )


def closing_of(room: Room) -> str:
    """How the room's last deal has ended so far; empty before the first."""
    if room.last is None:
        return ""
    tail = room.tail
    if room.packs and room.round is not None and not room.round.over:
        # A later shuffle of the same round.
        tail = Tail(room.round.moves[room.last.moves :])
    return closing_text(room.last, tail, room.since, room.paid)


def promise(making: Making, member: Member, command: DealPromise) -> Refusal | None:
    """Take a player's promise for the next deal in which they are listed."""
    making.member(member.id, promise=command.promise)
    return None


def cut(making: Making, member: Member, command: DealCut) -> Refusal | None:
    """Take a player's cut; the last one awaited starts the deal. A late one is the cut that the player owed."""
    if member.owes is not None and member.owes.deal == command.deal:
        return _pay(making, member, command)
    cutting = _open(making.room)
    if cutting is None or cutting.deal.context.deal != command.deal or member.seat is None:
        return Refusal(RoomCode.NO_DEAL_TO_CUT)
    given = Cut(member.seat, command.value)
    if given in cutting.cuts:
        return None
    promised = {cutter.seat: cutter.promise for cutter in cutting.deal.context.cutters}
    if member.seat not in cutting.waits_for:
        return Refusal(RoomCode.NO_DEAL_TO_CUT)
    if not keeps(promised[member.seat], command.value):
        return Refusal(RoomCode.BAD_CUT)
    making.member(member.id, promise=command.promise)
    _answered(making, member.seat, cuts=(*cutting.cuts, given))
    return None


def _pay(making: Making, member: Member, command: DealCut) -> Refusal | None:
    assert member.owes is not None
    if not keeps(member.owes.promise, command.value):
        return Refusal(RoomCode.BAD_CUT)
    paid = Paid(member.owes.deal, member.owes.seat, command.value)
    making.change(paid=(*making.room.paid, paid))
    making.member(member.id, owes=None, promise=command.promise)
    return None


def decline(making: Making, member: Member, command: DealDecline) -> Refusal | None:
    """Note that a player does not cut this deal."""
    cutting = _open(making.room)
    if cutting is None or cutting.deal.context.deal != command.deal or member.seat not in cutting.waits_for:
        return Refusal(RoomCode.NO_DEAL_TO_CUT)
    miss(making, member.seat)
    return None


def miss(making: Making, seat: int) -> None:
    """Mark a seat as missing, if its cut is still awaited: it declined, or its player left."""
    cutting = _open(making.room)
    if cutting is not None and seat in cutting.waits_for:
        _answered(making, seat, missing=(*cutting.missing, seat))


def _answered(making: Making, seat: int, **fields: tuple[object, ...]) -> None:
    cutting = _open(making.room)
    assert cutting is not None
    left = tuple(other for other in cutting.waits_for if other != seat)
    making.change(cutting=replace(cutting, waits_for=left, **fields))


def _open(room: Room) -> Cutting | None:
    """The deal that waits for its cuts."""
    return room.cutting if isinstance(room.cutting, Cutting) else None


def time_up(making: Making) -> None:
    """End the wait: seats that have not answered are missing."""
    cutting = _open(making.room)
    assert cutting is not None
    making.change(cutting=replace(cutting, waits_for=(), missing=(*cutting.missing, *cutting.waits_for)))


def deal(making: Making) -> Round:
    """Everybody has cut: continue the round with its cards."""
    room = making.room
    cutting, played = _open(room), room.round
    assert cutting is not None
    assert played is not None
    made = cutting.deal.cut(sorted(cutting.cuts, key=lambda cut: cut.seat))
    for given in cutting.cuts:
        _forgive(making, given.seat)
    done = Deal(cutting.closing, made, len(played.moves))
    starts = (*room.pack_starts, len(played.dealt))
    making.change(
        cutting=None,
        last=last_deal(done),
        dealt=(*room.dealt, done),
        packs=(*room.packs, made),
        pack_starts=starts,
        voids=0,
    )
    return replace(played, told=()).supply(Shoe.cut(made))


def _forgive(making: Making, seat: int) -> None:
    member = making.room.seated(seat)
    if member is None or not member.misses:
        return
    streak = member.cut_streak + 1
    forgiven = streak >= CUTS_FORGIVING
    making.member(
        member.id, cut_streak=0 if forgiven else streak, misses=member.misses - 1 if forgiven else member.misses
    )


def void(making: Making) -> Round | None:
    """Close a deal that somebody did not cut, and deal the hand again to those who did. Return the round if it goes on
    without a deal, and None if it waits.
    """
    room = making.room
    cutting, played = _open(room), room.round
    assert cutting is not None
    assert played is not None
    committed = cutting.deal
    missing = tuple(sorted(cutting.missing))
    cuts = tuple(sorted(cutting.cuts, key=lambda cut: cut.seat))
    outcome = VoidDeal(committed.context, committed.roots, committed.seal, cuts, missing, committed.secrets())
    closed = Deal(cutting.closing, outcome, len(played.moves))
    for cutter in committed.context.cutters:
        if cutter.seat in missing:
            _note_miss(making, cutter)
    dealt = (*room.dealt, closed)
    making.change(cutting=None, last=last_deal(closed), dealt=dealt, voids=room.voids + 1, tail=Tail())
    played = replace(played, told=())
    if not room.packs and not cuts:
        # Nobody is left to deal to.
        _give_up(making, played)
        return None
    if not room.packs:
        # A later shuffle of a game goes on without the cuts of players who are away. So does the hand here.
        for seat in missing:
            without = played.exclude(seat)
            if without.refusal is not None:
                _give_up(making, played)
                return None
            making.told += without.told
            played = replace(without, told=())
            if played.wants is None:
                return played
    if making.room.voids >= VOIDS_MAX:
        making.change(round=played, agreed=())
        return None
    return commit(making, played, tuple(cut.seat for cut in cuts))


def _note_miss(making: Making, cutter: Cutter) -> None:
    room = making.room
    member = room.seated(cutter.seat)
    if member is None:
        return
    misses = member.misses + 1
    rests = room.round is not None and not room.packs and not needs_everybody(room, room.round)
    making.member(
        member.id,
        misses=misses,
        cut_streak=0,
        owes=Owed(room.deals, cutter.seat, cutter.promise),
        back_at_hand=room.hand + rest_hands(misses) if rests else 0,
    )


def agree(making: Making, member: Member) -> Refusal | None:
    """Note that a player agrees to go on after a hand was void twice, or if nobody could be left out of it."""
    agreed = making.room.agreed
    if agreed is None or member.seat is None:
        return Refusal(RoomCode.NOTHING_TO_AGREE)
    making.change(agreed=tuple(sorted({*agreed, member.id})))
    return None


def awaited_agreement(room: Room) -> tuple[str, ...]:
    """The people who have not agreed yet."""
    if room.agreed is None:
        return ()
    people = (member for member in room.players if not member.bot and not member.is_out)
    return tuple(member.id for member in people if member.id not in room.agreed)


def everybody_is_here(making: Making) -> bool:
    """Whether a game that waited for everybody can be dealt."""
    room = making.room
    assert room.round is not None
    seated = (room.seated(seat) for seat in room.round.rules.dealt_in(room.round.state))
    return all(member is not None and (bool(member.bot) or making.can_cut(member)) for member in seated)


def deal_again(making: Making) -> Round | None:
    """Everybody agrees, or is present: deal the hand again. Returns what `commit` does."""
    room = making.room
    assert room.round is not None
    last = room.last
    among: tuple[int, ...] | None = None
    is_again = last is not None and last.cut is None and last.hand == room.hand
    if last is not None and is_again and not needs_everybody(room, room.round):
        among = tuple(cut.seat for cut in last.cuts)
    return commit(making, replace(room.round, told=()), among)
