"""A client's checks of a room's deals: fixed before the cut, cut by everybody, chained to the one before."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.dealing import canonical, cut2
from croupier.dealing.cut2 import Context, Cut
from croupier.dealing.findings import Fault, Finding
from croupier.dealing.hash_input import is_hash
from croupier.dealing.sealed_pack import SealedPack
from croupier.table.client_memory import Memory, Miss, State
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.deal_news import DealFixed, DealMade, DealOpened, DealVoid
from croupier.table.deals import ASKED_FOR, CUTS_FORGIVING, rest_hands
from croupier.table.kept_seat import check_kept_seat, seat_after
from croupier.table.mirror import MirrorError
from croupier.table.round_checker import FixedDeal, RoundChecker, read_start, tells_of

CHOKING: Final = (
    *(AssertionError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    msgspec.MsgspecError,
)
"""The exceptions of the rules and checks for input that no honest room sends."""
DEALS_LOOKED_AT: Final = 10
"""Void deals are counted among this many."""


class DealChecker(RoundChecker):
    """A client's knowledge of a room's deals."""

    def __init__(self, me: str, memory: Memory | None = None) -> None:
        super().__init__(me, memory)
        self.code = ""
        """The cut of the newest deal, for people to compare; hex."""
        self.gave: dict[int, str] = {}
        """The cuts that this client gave, by deal."""
        self.acknowledged: set[int] = set()
        self.seconds: dict[int, str] = {}
        """How long the room took to use each of these cuts."""
        self._open_deal: int | None = None
        """The deal that was seen fixed and is not yet decided."""
        self._members: dict[int, str] = {}
        """The people in the seats."""
        self._place: int | None = None
        """Where this player sits."""
        self._is_away = False
        """Whether the room says that this player is away."""
        self._held: int | None = None
        """The seat in which this player has sat without a break since the newest deal was fixed."""
        self.accepted: set[str] = set()
        """The alarms that the player attributes to another device of theirs."""
        self.own_requests: Callable[[int, int], Sequence[tuple[str, int]]] | None = None
        """What this player asked for between two hands, as kind and chips, in any program that shares the memory."""
        self.is_own_promise: Callable[[str], bool] | None = None
        """Whether a promise was made by any program that shares the memory."""

    def bridge(self, missed: Sequence[Any], last: int) -> tuple[Finding, ...]:
        """The deals between the newest that this client knew and the one that the room has now, up to `last`, each as
        it was fixed: every one must be chained to the one before it."""
        self._found, self._noted = [], []
        memory = self.memory
        assert memory is not None
        try:
            for fixed in msgspec.convert(list(missed), list[DealFixed]):
                memory = self._bridged(memory, fixed)
                if self._found:
                    break
        except msgspec.ValidationError as error:
            self._fault(DealFault.STATE_MALFORMED, fault=str(error)[:200])
        except MirrorError as error:
            self._fault(error.code, **error.facts)
        except CHOKING as error:
            self._fault(DealFault.STATE_MALFORMED, fault=f"{type(error).__name__}: {error}"[:200])
        if memory.deal != last and not self._found:
            self._fault(DealFault.DEAL_NOT_NEXT, deal=last + 1, expected=memory.deal + 1)
        if not self._found:
            self.memory = memory
            self._base, self._tail, self._last_setup = None, {}, None
            self._carried = self._noted
        return tuple(self._found)

    def _bridged(self, memory: Memory, fixed: DealFixed) -> Memory:
        context = fixed.context
        found = cut2.check_context(context) + cut2.check_roots(context, fixed.roots)
        if found:
            self._found += found
            return memory
        if context.room != memory.room or context.deal != memory.deal + 1:
            self._fault(DealFault.DEAL_NOT_NEXT, deal=context.deal, expected=memory.deal + 1)
            return memory
        if (start := read_start(context)) is None:
            self._fault(Fault.CONTEXT_MALFORMED, field="setup", value=context.setup[:60])
            return memory
        closing = self._check_closing(fixed, memory, self._seen_of_closing(fixed, memory))
        if self._found or closing is None:
            return memory
        memory = self._check_missed_void(memory, closing)
        self._check_bridged(context, memory, closing)
        memory = replace(memory, seat=seat_after(memory, context, closing))
        if DealFault.PROMISE_NOT_MINE not in self.accepted:
            self._found += check_kept_seat(memory.seat, context, self.is_own_promise)
        # It is unknown who sat where meanwhile, so a paid debt is forgotten.
        unpaid = {seat: miss for seat, miss in _paid(memory.misses, closing).items() if not miss.paid}
        unpaid = unpaid if start["match"] == memory.match else {}
        voids = memory.voids if closing["cut"] is not None else (*memory.voids, memory.deal)
        seal = cut2.seal_of(cut2.context_hash(context), fixed.roots).hex()
        return _shown(replace(memory, voids=_recent(voids, context.deal)), context, seal, unpaid)

    def recall_moves(self, hand: int, deal: int, since: int, moves: Sequence[Any]) -> None:
        """Before the first state: how far a hand had come when any program of this user last saw it. Its newest deal
        was cut after the first `since` of these moves."""
        self._recalled = hand, moves
        self._tail, self._tail_of = {"begun": list(moves[since:])}, deal

    @property
    def told_moves(self) -> tuple[int, int, int, Sequence[Any]] | None:
        """The moves of the present hand, as `recall_moves` takes them; None before its cards, and where it was not seen
        when they were dealt."""
        newest = self._shuffles[-1] if self._shuffles else 0
        return (self._hand, newest, self._cut_at[newest], self._moves) if newest in self._cut_at else None

    def _fixed(self, fixed: DealFixed, state: State) -> tuple[int, int] | None:
        assert self.memory is not None
        context, memory = fixed.context, self.memory
        found = cut2.check_context(context) + cut2.check_roots(context, fixed.roots)
        if found:
            self._found += found
            return None
        if context.room != memory.room:
            self._fault(DealFault.ROOM_REPLACED, room=context.room[:16])
            return None
        hashed = cut2.context_hash(context)
        seal = cut2.seal_of(hashed, fixed.roots)
        if context.deal <= memory.deal:
            self._known_again(fixed, seal.hex())
        elif memory.deal and context.deal > memory.deal + 1:
            if self._came_back:
                return memory.deal + 1, context.deal - 1
            self._fault(DealFault.DEAL_NOT_NEXT, deal=context.deal, expected=memory.deal + 1)
        else:
            self._new_deal(fixed, seal.hex(), state)
        self._deals[context.deal] = FixedDeal(fixed, hashed, seal)
        self._open_deal = context.deal
        return None

    def _known_again(self, fixed: DealFixed, seal: str) -> None:
        """Take a deal that was shown before. After a reload the whole round is sent again: the same deals, still
        chained, up to the newest that this client knew."""
        assert self.memory is not None
        deal = fixed.context.deal
        if deal == self.memory.deal and seal != self.memory.seal:
            self._fault(DealFault.DEAL_CHANGED, deal=deal)
        elif not self._came_back:
            self._fault(DealFault.DEAL_NOT_NEXT, deal=deal, expected=self.memory.deal + 1)
        before = self._deals.get(deal - 1)
        closing = self._closing_of(fixed)
        if before is not None and closing is not None and not tells_of(closing, before):
            self._fault(DealFault.DEAL_CHANGED, deal=deal - 1)

    def _check_whole(self) -> None:
        """When the whole round is sent again, nothing known may be left out or taken back."""
        assert self.memory is not None
        told = self._deals.get(self.memory.deal)
        if not self._came_back or not self._deals:
            return
        if told is None:
            self._fault(DealFault.DEAL_NOT_NEXT, deal=max(self._deals), expected=self.memory.deal + 1)
        elif (self.memory.cut and not told.cut) or (self.memory.missing and not told.missing):
            self._fault(DealFault.DEAL_TAKEN_BACK, deal=self.memory.deal)

    def _new_deal(self, fixed: DealFixed, seal: str, state: State) -> None:
        assert self.memory is not None
        context, memory = fixed.context, self.memory
        closing = self._check_closing(fixed, memory, self._seen_of_closing(fixed, memory))
        if self._found:
            return
        if closing is not None:
            memory = self._check_missed_void(memory, closing)
        if closing is not None and closing["cut"] is not None and not memory.cut:
            # It was cut while this client was away.
            memory = self._forgiven(memory.cutters)
        self._check_own_changes(context, memory, closing)
        self._check_place(context, memory, closing)
        self._check_contents(context, memory, closing, state)
        misses = _paid(memory.misses, closing)
        start = read_start(context)
        if start is not None and start["match"] != memory.match:
            misses = {} if self._was_away else self._reseated(misses)
        self._check_cutters(context, memory, misses, state)
        if not self._found:
            self.memory = replace(_shown(memory, context, seal, misses), seat=self._seat)
            # For a deal that is already cut, it was not seen where people sat since it was fixed.
            is_open = context.deal == state.public.deal and bool(state.public.waits_for)
            self._held = self._place if is_open else None

    def _reseated(self, misses: dict[str, Miss]) -> dict[str, Miss]:
        """The misses by the seats of another match. Who left in between owes nothing; who was away cannot know it."""
        seats = {member: str(seat) for seat, member in self._members.items()}
        return {seats[miss.member]: miss for miss in misses.values() if miss.member in seats and not miss.gone}

    def _check_own_changes(self, context: Context, memory: Memory, closing: dict[str, Any] | None) -> None:
        """Nobody may take this player's seat away between two deals, or buy chips or sit in again in their name."""
        changes = [] if closing is None or self._place is None else closing["changes"]
        own = [change for change in changes if change["seat"] == self._place]
        taken = max((place for place, change in enumerate(own) if change["kind"] == "taken"), default=-1)
        if self._held == self._place and any(change["kind"] == "left" for change in own):
            self._fault(DealFault.MOVE_NOT_MINE, move="left")
        # Earlier requests belong to the player who sat there before.
        done = Counter((change["kind"], change["chips"]) for change in own[taken + 1 :] if change["kind"] in ASKED_FOR)
        if self.own_requests is None or DealFault.MOVE_NOT_MINE in self.accepted or not done:
            return
        # A request sent in one hand may have reached the room in the next.
        asked = Counter(self.own_requests(memory.hand - 1, context.hand))
        for kind, chips in done - asked:
            # A purchase booked during a hand is reduced to what the table allows after it.
            is_less = any(kind == other and chips < most for other, most in asked - done)
            if not (is_less and self._is_full(context, self._place)):
                self._fault(DealFault.MOVE_NOT_MINE, move=f"{kind} {chips}" if chips else kind)

    def _seen_of_closing(self, fixed: DealFixed, memory: Memory) -> dict[str, Any]:
        """The rest of the previous deal's closing, as far as this client saw it."""
        if memory.missing:
            # Nothing is played on a void deal.
            return {"payouts": None, "moves": []}
        tail = self._tail if memory.deal == self._tail_of else {}
        if not fixed.context.shuffle:
            return tail if fixed.context.hand > memory.hand else {}
        start = self._cut_at.get(memory.deal)
        if memory.deal not in self._deals or start is None:
            # The round is no longer sent.
            return {"payouts": None, **tail}
        # When the whole round is told again, there may be moves after the deal, too.
        return {"payouts": None, "within" if self._came_back else "moves": self._moves[start:]}

    def _check_closing(self, fixed: DealFixed, memory: Memory, seen: dict[str, Any]) -> dict[str, Any] | None:
        """The stated end of the previous deal must be the end that this client saw."""
        closing, deal = self._closing_of(fixed), fixed.context.deal
        if self._found or not memory.deal:
            return closing
        if closing is None:
            self._fault(DealFault.DEAL_NOT_NEXT, deal=deal, expected=memory.deal + 1)
            return None
        known: dict[str, Any] = {"deal": memory.deal, "seal": memory.seal, **seen}
        if memory.missing:
            known |= {"missing": list(memory.missing), "cut": None}
        elif memory.cut:
            known |= {"missing": [], "cut": memory.cut}
        elif self._open_deal == memory.deal:
            # This client saw it fixed, but neither cut nor void.
            self._fault(DealFault.DEAL_NOT_NEXT, deal=deal, expected=memory.deal)
        told = closing["moves"] if isinstance(closing["moves"], list) else [None]
        begun, within = known.pop("begun", []), known.pop("within", told)
        if told[: len(begun)] != begun or within[: len(told)] != told:
            self._fault(DealFault.CLOSING_MISMATCH, deal=deal - 1, field="moves")
        for field, value in known.items():
            if closing[field] != value:
                self._fault(DealFault.CLOSING_MISMATCH, deal=deal - 1, field=field)
        return closing

    def _check_cutters(self, context: Context, memory: Memory, misses: dict[str, Miss], state: State) -> None:
        """Exactly the people dealt in must cut, without those who may not be back yet."""
        listed = [cutter.seat for cutter in context.cutters]
        mirror = self._mirror
        if mirror is None or context.hand != self._hand:
            return
        everybody, dealt_in = mirror.needs_everybody, mirror.dealt_in
        people = [seat for seat in sorted(dealt_in) if seat in self._members]
        decided = (DealMade, DealVoid)
        is_open = not any(isinstance(news, decided) and news.deal == context.deal for news in state.deals)
        if self._seat in dealt_in and self._seat not in listed and self._must_list(context, memory, misses):
            self._fault(DealFault.NOT_LISTED, deal=context.deal)
        elif is_open and (not set(listed) <= set(people) if context.shuffle else listed != people):
            self._fault(DealFault.CUTTERS_CHANGED, deal=context.deal, seats=" ".join(map(str, listed))[:80])
        if memory.missing and (context.hand, context.shuffle) == (memory.hand, memory.shuffle) and not everybody:
            for other in sorted(set(listed) - set(memory.gave)):
                self._fault(DealFault.REDEAL_WITH_OTHERS, deal=context.deal, seat=other)
        for name, miss in misses.items():
            other = int(name)
            if other not in listed:
                continue
            if not miss.paid:
                self._fault(DealFault.OWED_CUT_MISSING, deal=context.deal, seat=other)
            elif not everybody and context.hand < miss.back_at_hand:
                self._fault(DealFault.LISTED_EARLY, deal=context.deal, seat=other)

    def _must_list(self, context: Context, memory: Memory, misses: dict[str, Miss]) -> bool:
        """Whether this player's cut must go into a deal. A later shuffle goes on without players who are away or have
        not cut it, but not without one who was there all the time and cut the one before."""
        if not context.shuffle:
            return True
        is_again = memory.missing and (context.hand, context.shuffle) == (memory.hand, memory.shuffle)
        if is_again and self._seat not in memory.gave:
            return False  # Only those who cut it are dealt in again: nobody who came back meanwhile.
        is_away = self._was_away or self._is_away or str(self._seat) in misses
        return not is_away and all(number in self.gave for number in self._shuffles)

    def _made(self, made: DealMade) -> None:
        assert self.memory is not None
        deal = self._deals.get(made.deal)
        if deal is None or deal.missing or (self.memory.deal == made.deal and self.memory.missing):
            self._fault(DealFault.DEAL_TAKEN_BACK, deal=made.deal)
            return
        if deal.context.hand != self._hand or deal.context.shuffle != len(self._shuffles):
            self._fault(DealFault.HAND_BROKEN_OFF, deal=made.deal, hand=self._hand)
            return
        found = cut2.check_cuts(deal.context, made.cuts)
        if found:
            self._found += found
            return
        self._check_own_cut(deal, made.cuts)
        deal.cut = cut2.cut_of(deal.seal, made.cuts)
        deal.played = cut2.choice(deal.cut, deal.context.packs)
        pack = canonical.read(deal.context.pack)
        self._found += cut2.check_secrets(deal.hashed, deal.roots, pack, made.secrets, deal.played)
        deal.order = cut2.permutation(deal.cut, len(pack))
        self.code = deal.cut.hex()
        if self.memory.deal == made.deal:
            if self.memory.cut and self.memory.cut != self.code:
                self._fault(DealFault.DEAL_TAKEN_BACK, deal=made.deal)
            if not self.memory.cut:
                self.memory = replace(self._forgiven(self.memory.cutters), cut=self.code)
        self._shuffles.append(made.deal)
        self._mark_cut(deal.context)
        self._open_deal = None

    def _mark_cut(self, context: Context) -> None:
        """Note how many moves the round had when a deal was cut, or void."""
        start = read_start(context)
        if not context.shuffle:
            self._cut_at[context.deal] = len(start["moves"]) if start is not None else 0
        elif not self._came_back:
            self._cut_at[context.deal] = len(self._moves)

    def _check_own_cut(self, deal: FixedDeal, cuts: Sequence[Cut]) -> None:
        """This client's contribution must be in the cut, for the seat in which it is dealt its cards."""
        number = deal.context.deal
        given = self.gave.get(number)
        if given is None:
            return
        promise = cut2.promise_of(bytes.fromhex(given))
        deal.own_seat = next((cutter.seat for cutter in deal.context.cutters if cutter.promise == promise), None)
        shown = next((cut.value for cut in cuts if cut.seat == deal.own_seat), None)
        if shown is None:
            self._fault(DealFault.CUT_LEFT_OUT, deal=number)
        elif shown != given:
            self._fault(DealFault.CUT_REPLACED, deal=number)

    def _forgiven(self, seats: Sequence[int]) -> Memory:
        """The memory after a complete deal: enough deals cut in time forgive one miss."""
        assert self.memory is not None
        misses = dict(self.memory.misses)
        for seat in map(str, seats):
            miss = misses.get(seat)
            if miss is None or not miss.misses or self._members.get(int(seat)) != miss.member:
                continue
            streak = miss.streak + 1
            forgiven = streak >= CUTS_FORGIVING
            left = miss.misses - 1 if forgiven else miss.misses
            misses[seat] = replace(miss, streak=0 if forgiven else streak, misses=left)
        return replace(self.memory, misses=misses, hand_voids=0)

    def _void(self, void: DealVoid) -> None:
        assert self.memory is not None
        memory, deal = self.memory, self._deals.get(void.deal)
        if deal is None or deal.cut or (memory.deal == void.deal and memory.cut):
            self._fault(DealFault.DEAL_TAKEN_BACK, deal=void.deal)
            return
        gave = tuple(cut.seat for cut in void.cuts)
        listed = [cutter.seat for cutter in deal.context.cutters]
        if not void.missing:
            self._fault(DealFault.VOID_FOR_NOBODY, deal=void.deal)
        for seat in sorted(set(void.missing) & set(gave)):
            self._fault(DealFault.VOID_WITH_CUT, deal=void.deal, seat=seat)
        if not self._found and sorted((*void.missing, *gave)) != listed:
            self._fault(DealFault.CUT_LEFT_OUT, deal=void.deal)
        self._found += cut2.check_given(deal.context, void.cuts)
        pack = canonical.read(deal.context.pack)
        self._found += cut2.check_secrets(deal.hashed, deal.roots, pack, void.secrets, None)
        self._open_deal = None
        deal.missing = tuple(void.missing)
        self._mark_cut(deal.context)
        if self._found or memory.deal != void.deal:
            return
        if memory.missing:
            if memory.missing != deal.missing:
                self._fault(DealFault.DEAL_TAKEN_BACK, deal=void.deal)
            return
        self._check_own_miss(void, deal)
        self._remember_void(void, deal)

    def _check_own_miss(self, void: DealVoid, deal: FixedDeal) -> None:
        """Check a deal that is void because this player is called missing: late, or left out."""
        assert self.memory is not None
        given = self.gave.get(void.deal)
        promise = None if given is None else cut2.promise_of(bytes.fromhex(given))
        mine = [cutter.seat for cutter in deal.context.cutters if cutter.promise == promise]
        if void.deal <= self.memory.decided_deal:
            return
        if not set(mine) & set(void.missing):
            # When a hand is cancelled, nobody has a seat in it, but everybody keeps theirs in the room.
            if given is None and any(self._members.get(seat) == self.me for seat in void.missing):
                self._note(DealNote.CUT_TOO_LATE, deal=void.deal)
            return
        self.memory = self._left_out(self.memory, void.deal)

    def _check_missed_void(self, memory: Memory, closing: dict[str, Any]) -> Memory:
        """The newest deal was void while this client was away: its cut must be among those that came."""
        given = self.gave.get(memory.deal)
        is_missed = closing["cut"] is None and not memory.missing and memory.deal > memory.decided_deal
        came = (cut.get("value") for cut in closing["cuts"] if isinstance(cut, dict))
        if given is None or not is_missed or given in came:
            return memory
        return self._left_out(memory, memory.deal)

    def _left_out(self, memory: Memory, deal: int) -> Memory:
        """A deal is void because this player, who has cut it, is called missing."""
        times = memory.missing_though_cut + 1
        if deal in self.acknowledged or times > 1:
            self._fault(DealFault.MISSING_THOUGH_CUT, deal=deal)
        else:
            self._note(DealNote.CUT_NOT_COUNTED, deal=deal, seconds=self.seconds.get(deal, "–"))
        return replace(memory, missing_though_cut=times)

    def _remember_void(self, void: DealVoid, deal: FixedDeal) -> None:
        assert self.memory is not None
        memory, context = self.memory, deal.context
        misses = dict(memory.misses)
        promised = {cutter.seat: cutter.promise for cutter in context.cutters}
        rests = context.shuffle == 0 and not (self._mirror is not None and self._mirror.needs_everybody)
        for seat in void.missing:
            before = misses.get(str(seat))
            member = self._members.get(seat, "")
            count = 1 if before is None else before.misses + 1
            back = context.hand + rest_hands(count) if rests else 0
            misses[str(seat)] = Miss(void.deal, member, promised[seat], back, count)
        self.memory = replace(
            memory,
            missing=tuple(void.missing),
            gave=tuple(cut.seat for cut in void.cuts),
            misses=misses,
            voids=_recent((*memory.voids, void.deal), void.deal),
            hand_voids=memory.hand_voids + 1,
        )

    def _opened(self, opened: DealOpened) -> None:
        """Check a whole played pack: it must be the committed one, and its cards those that were dealt."""
        deal = self._deals.get(opened.deal)
        if deal is None or not deal.cut or not is_hash(opened.secret):
            self._fault(DealFault.SECRET_NOT_REVEALED, deal=opened.deal)
            return
        pack = canonical.read(deal.context.pack)
        sealed: SealedPack[str] = SealedPack(bytes.fromhex(opened.secret), deal.hashed, pack)
        if sealed.root != deal.roots[deal.played]:
            self._fault(Fault.PACK_FALSE, pack=deal.played)
            return
        deal.cards = tuple(sealed.card(position) for position in deal.order)


def _shown(memory: Memory, context: Context, seal: str, misses: dict[str, Miss]) -> Memory:
    """The memory once another deal was shown."""
    return replace(
        memory,
        deal=context.deal,
        seal=seal,
        hand=context.hand,
        shuffle=context.shuffle,
        match=canonical.read(context.setup).get("match", 0),
        rules=context.rules,
        setup=context.setup,
        cut="",
        missing=(),
        gave=(),
        cutters=tuple(cutter.seat for cutter in context.cutters),
        misses=misses,
        hand_voids=memory.hand_voids if context.hand == memory.hand else 0,
    )


def _paid(misses: dict[str, Miss], closing: dict[str, Any] | None) -> dict[str, Miss]:
    """The misses, with owed cuts given since then marked as paid. Players who left their seat are forgotten."""
    if closing is None:
        return misses
    after = dict(misses)
    for raw in closing["paid"]:
        for seat, miss in misses.items():
            if isinstance(raw, dict) and miss.deal == raw.get("deal") and cut2.keeps(miss.promise, raw.get("value")):
                after[seat] = replace(miss, paid=True)
    for raw in closing["changes"]:
        if raw["kind"] in ("taken", "left"):
            after.pop(str(raw["seat"]), None)
    return after


def _recent(voids: Sequence[int], deal: int) -> tuple[int, ...]:
    return tuple(number for number in dict.fromkeys(voids) if number > deal - DEALS_LOOKED_AT)
