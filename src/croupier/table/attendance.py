"""The seats that may be listed in a deal, going by records: misses, owed cuts, rests, hands dealt again.

docs/fairness.md has the rules. A seat is followed as long as the same person sits there.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.dealing.cut2 import keeps
from croupier.dealing.findings import Finding, fact
from croupier.game.game import Change
from croupier.table.deal_check import CheckedDeal, fault
from croupier.table.deal_faults import DealFault
from croupier.table.deals import CUTS_FORGIVING, VOIDS_MAX, rest_hands
from croupier.table.verdict import Notice, RecordFault


class SeatPast(msgspec.Struct, frozen=True):
    """The record of the person in a seat."""

    is_person: bool | None = None
    """None while it may be a bot."""
    misses: int = 0
    cut_streak: int = 0
    owes: int | None = None
    """The deal whose cut is owed."""
    back_at_hand: int = 0


class Attendance:
    """Follows the seats of a table from deal to deal."""

    def __init__(self) -> None:
        self._seats: dict[int, SeatPast] = {}
        self._promises: dict[tuple[int, int], str] = {}
        """Promised cuts that were not given, by deal and seat."""
        self._first: int | None = None
        self._last: CheckedDeal | None = None
        self._hand_voids = 0
        self.notices: list[Finding] = []

    def forget(self) -> None:
        """Forget everything: deals are missing, or people have changed seats."""
        self._seats, self._last, self._hand_voids = {}, None, 0

    def may_restart(self, last: CheckedDeal) -> bool:
        """Whether the host may cancel the match after this deal: it waits for everybody, or for their agreement."""
        return last.proof.is_void and (last.everybody_needed or self._hand_voids >= VOIDS_MAX)

    def closed(self, paid: Sequence[Any], changes: Iterable[Change]) -> list[Finding]:
        """Take the events between two deals: owed cuts that came, people who came and left."""
        found = [finding for raw in paid if (finding := self._pay(raw)) is not None]
        for change in changes:
            if change.kind in ("taken", "left"):
                self._seats.pop(change.seat, None)
        return found

    def _pay(self, raw: Any) -> Finding | None:
        deal, seat, value = (raw.get(name) if isinstance(raw, dict) else None for name in ("deal", "seat", "value"))
        if type(deal) is not int or type(seat) is not int or set(raw) != {"deal", "seat", "value"}:
            return fault(RecordFault.PAID_CUT_FALSE, deal=0, seat=0)
        promise = self._promises.pop((deal, seat), None)
        if promise is None and (self._first is None or deal < self._first):
            # Missed before the first of these records.
            return None
        if promise is None or not keeps(promise, value):
            return fault(RecordFault.PAID_CUT_FALSE, deal=fact(deal), seat=fact(seat))
        past = self._seats.get(seat, SeatPast())
        if past.owes == deal:
            self._seats[seat] = replace(past, owes=None)
        return None

    def take(self, deal: CheckedDeal) -> list[Finding]:
        """Check who is listed in the next deal, and note who cut it."""
        if self._first is None:
            self._first = deal.number
        found = self._check_again(deal)
        listed = {cutter.seat for cutter in deal.proof.context.cutters}
        for seat in sorted(listed | set(deal.dealt_in)):
            found += self._check_seat(deal, seat, seat in listed)
        if not listed:
            self.notices.append(fault(Notice.NOBODY_CUT, deal=deal.number))
        if deal.proof.is_void:
            self._missed(deal)
        else:
            for cut in deal.proof.cuts:
                self._forgive(cut.seat)
        self._last = deal
        return found

    def _check_again(self, deal: CheckedDeal) -> list[Finding]:
        """A hand that is dealt again is dealt to those who had cut it, and after two voids only if all agree."""
        last = self._last
        if last is None or not last.proof.is_void or last.place != deal.place:
            self._hand_voids = 0
            return []
        if self._hand_voids >= VOIDS_MAX:
            self.notices.append(fault(Notice.AGREEMENT_UNKNOWN, deal=deal.number, hand=deal.place[0]))
        gave = {cut.seat for cut in last.proof.cuts}
        others = [cutter.seat for cutter in deal.proof.context.cutters if cutter.seat not in gave]
        if deal.everybody_needed:
            return []
        return [fault(DealFault.REDEAL_WITH_OTHERS, deal=deal.number, seat=seat) for seat in others]

    def _check_seat(self, deal: CheckedDeal, seat: int, listed: bool) -> list[Finding]:
        past = self._seats.get(seat, SeatPast())
        hand, shuffle = deal.place
        found = []
        if not shuffle:
            # A later shuffle of a game goes on without the cuts of players who are away.
            if past.is_person not in (None, listed):
                found.append(fault(RecordFault.SEAT_NOT_LISTED, deal=deal.number, seat=seat))
            self._seats[seat] = replace(past, is_person=listed)
        if listed and past.owes is not None:
            found.append(fault(DealFault.OWED_CUT_MISSING, deal=deal.number, seat=seat))
        elif listed and hand < past.back_at_hand:
            found.append(fault(DealFault.LISTED_EARLY, deal=deal.number, seat=seat))
        return found

    def _missed(self, deal: CheckedDeal) -> None:
        hand, shuffle = deal.place
        self._hand_voids += 1
        promised = {cutter.seat: cutter.promise for cutter in deal.proof.context.cutters}
        for seat in deal.proof.missing:
            past = self._seats.get(seat, SeatPast())
            misses = past.misses + 1
            rests = not shuffle and not deal.everybody_needed
            back = hand + rest_hands(misses) if rests else 0
            self._seats[seat] = SeatPast(past.is_person, misses, 0, deal.number, back)
            self._promises[deal.number, seat] = promised.get(seat, "")

    def _forgive(self, seat: int) -> None:
        past = self._seats.get(seat, SeatPast())
        if not past.misses:
            return
        streak = past.cut_streak + 1
        forgiven = streak >= CUTS_FORGIVING
        self._seats[seat] = replace(
            past, cut_streak=0 if forgiven else streak, misses=past.misses - 1 if forgiven else past.misses
        )
