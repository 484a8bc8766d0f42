"""The check of all `cut-2` deals in a file: one room, no deal left out, each chained to the one before. A deal's
closing must agree with the record of its round. A round must start from the result of the one before it, with the
arrivals, departures and purchases that the closing names.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.dealing import canonical
from croupier.dealing.cut2 import FIRST_BEFORE
from croupier.dealing.findings import Finding, fact, shown
from croupier.dealing.hash_input import is_hash
from croupier.dealing.proof import Cut1Proof, Shuffle1Proof
from croupier.table.attendance import Attendance
from croupier.table.closing import Closing, follows, read_closing
from croupier.table.deal_check import CheckedDeal, Start, fault
from croupier.table.deal_faults import DealFault
from croupier.table.record import FORMAT_1, TableEnd
from croupier.table.record_check import RecordCheck
from croupier.table.room import is_open_table
from croupier.table.setups import Path, fresh_setup
from croupier.table.verdict import Notice, RecordFault


class TableCheck:
    """Takes the records of a file in order. Findings and notices have the number of their line."""

    def __init__(self) -> None:
        self.findings: list[tuple[int, Finding]] = []
        self.notices: list[tuple[int, Finding]] = []
        self.links = 0
        self.voids = 0
        self.deals = 0
        self._attendance = Attendance()
        self._line = 0
        self._room = ""
        self._last: CheckedDeal | None = None
        self._last_check: RecordCheck | None = None
        """The record that contains the last deal."""
        self._old: bool = False
        """Whether there were rounds by `cut-1` before."""
        self._undealt: list[tuple[int, RecordCheck]] = []
        """Records of rounds without a deal, since the last deal."""
        self._ended = False
        self._called_off = 0
        """Hands without a record."""
        self._kind = ""
        """Whether the file comes from a room or a table against the house."""

    def take(self, line: int, check: RecordCheck) -> None:
        """The next record."""
        self._line = line
        if self._ended and check.record is not None:
            self._fault(RecordFault.END_MISMATCH, field="format")
        self._check_schemes(check)
        for deal in check.deals:
            self._deal(deal, check)
        if check.has_own_deal and check.deals and check.deals[-1].proof.is_void:
            self._fault(RecordFault.DEAL_DIFFERS, deal=check.deals[-1].number, field="voids")
        if check.record is not None and not check.has_own_deal:
            self._undealt.append((line, check))

    @property
    def _is_room(self) -> bool:
        """Whether the file has only rounds of a room without a deal."""
        newer = (check.record is not None and check.record.format != FORMAT_1 for _, check in self._undealt)
        return not self._kind and any(newer)

    def _check_schemes(self, check: RecordCheck) -> None:
        """Once a room deals by `cut-2` it never goes back; a table against the house has its own records."""
        schemes = ["house" if isinstance(proof, Shuffle1Proof) else "room" for proof in check.shuffles]
        for kind in schemes:
            if self._kind not in ("", kind):
                self._fault(RecordFault.SCHEMES_MIXED)
            self._kind = kind
        if any(isinstance(proof, Cut1Proof) for proof in check.shuffles):
            self._old = True
            if self._last is not None:
                self._fault(DealFault.SCHEME_OLD, scheme="cut-1")

    def finish(self) -> None:
        """There are no more records."""
        if not self._ended and (self._last is not None or self._is_room):
            self._fault(RecordFault.END_MISSING, deal=0 if self._last is None else self._last.number)
        if self._called_off:
            self._note(Notice.HANDS_WITHOUT_RECORD, count=self._called_off)
        if self.voids:
            self._note(Notice.DEALS_VOID, voids=self.voids, deals=self.deals + self.voids)

    def end(self, line: int, end: TableEnd, voids: RecordCheck) -> None:
        """The last line of a download: where it ends, and how the last deal closed."""
        self._line = line
        if self._ended:
            self._fault(RecordFault.END_MISMATCH, field="format")
            return
        for deal in voids.deals:
            self._deal(deal, voids)
        self._ended = True
        self._line = line
        if not is_hash(end.room) or (self._room and end.room != self._room):
            self._fault(RecordFault.ROOM_DIFFERS, deal=fact(end.deals), room=shown(end.room)[:16])
        last = self._last
        if end.deals != (0 if last is None else last.number):
            self._fault(RecordFault.END_MISMATCH, field="deals")
        elif last is None:
            if end.closing:
                self._fault(RecordFault.END_MISMATCH, field="closing")
        else:
            closing = read_closing(end.closing)
            if closing is None:
                self._fault(DealFault.CLOSING_MALFORMED, deal=last.number + 1)
            else:
                self._check_closing(closing, None)
                self._explain(closing, None)
                self._found(self._attendance.closed(closing.plain["paid"], closing.changes))

    def _deal(self, deal: CheckedDeal, check: RecordCheck) -> None:
        context = deal.proof.context
        self.voids += deal.proof.is_void
        self.deals += not deal.proof.is_void
        if not self._room:
            self._room = context.room
        elif context.room != self._room:
            self._fault(RecordFault.ROOM_DIFFERS, deal=deal.number, room=context.room[:16])
            self._room = context.room
            self._last = None
            self._undealt = []
            self._attendance = Attendance()
        last = self._last
        closing = self._closing(deal)
        if last is None:
            self._first(deal)
        elif deal.number <= last.number:
            self._fault(RecordFault.DEAL_AGAIN, deal=deal.number)
            self._attendance.forget()
        elif deal.number != last.number + 1:
            self._fault(RecordFault.DEALS_MISSING, first=last.number + 1, last=deal.number - 1)
            self._attendance.forget()
        elif closing is not None:
            self.links += 1
            self._check_closing(closing, deal)
            self._check_place(deal, last, check)
            self._explain(closing, deal)
        self._take_attendance(deal, closing)
        self._last, self._last_check, self._undealt = deal, check, []

    def _take_attendance(self, deal: CheckedDeal, closing: Closing | None) -> None:
        if self._last is not None and self._last.start.match != deal.start.match:
            self._attendance.forget()
        found: list[Finding] = []
        if closing is not None:
            found += self._attendance.closed(closing.plain["paid"], closing.changes)
        self._found(found + self._attendance.take(deal))
        self.notices += [(self._line, each) for each in self._attendance.notices]
        self._attendance.notices = []

    def _first(self, deal: CheckedDeal) -> None:
        """The first deal of the file. A room's records begin with its first deal."""
        context = deal.proof.context
        if deal.number != 1:
            self._fault(RecordFault.DEALS_MISSING, first=1, last=deal.number - 1)
            return
        if context.before != FIRST_BEFORE:
            self._fault(DealFault.BEFORE_MISMATCH, deal=1)
        if self._old:
            # Rounds of the first release came before.
            self._note(Notice.FIRST_SETUP_UNKNOWN, deal=1)
            return
        called_off = context.hand - 1 - len(self._undealt)
        if called_off < 0 or context.shuffle:
            self._fault(RecordFault.HAND_MISCOUNTED, deal=1, hand=context.hand)
        self._called_off += max(0, called_off)
        start = deal.start
        if not 1 <= start.match <= context.hand:
            self._fault(RecordFault.MATCH_MISCOUNTED, deal=1)
        elif context.hand > 1 and (is_open_table(start.rules) or (start.match > 1 and self._undealt)):
            # Purchases, arrivals and departures before the first deal are not recorded.
            self._note(Notice.FIRST_SETUP_UNKNOWN, deal=1)
            self._check_first_rules(start)
        else:
            self._check_way(Path(start.match, start.rules, fresh_setup(start.rules, start.setup, ())), deal)

    def _check_first_rules(self, start: Start) -> None:
        """Rounds without a deal before the first one had the rules of their match."""
        for line, undealt in self._undealt if start.match == 1 else ():
            if undealt.round is not None and undealt.round.rules != start.rules:
                self.findings.append((line, fault(DealFault.RULES_CHANGED, deal=1)))

    def _closing(self, deal: CheckedDeal) -> Closing | None:
        """The closing of the deal before, if it is what this one is chained to."""
        proof, number = deal.proof, deal.number
        if not follows(proof.closing, proof.context.before) or (number > 1 and not proof.closing):
            self._fault(DealFault.BEFORE_MISMATCH, deal=number)
            return None
        if not proof.closing:
            return None
        closing = read_closing(proof.closing)
        if closing is None:
            self._fault(DealFault.CLOSING_MALFORMED, deal=number)
        elif closing.plain["deal"] != number - 1:
            self._fault(RecordFault.CLOSING_DIFFERS, deal=number - 1, field="deal")
        return closing

    def _check_closing(self, closing: Closing, following: CheckedDeal | None) -> None:
        """The closing of the last deal must agree with the record."""
        last, check = self._last, self._last_check
        assert last is not None
        assert check is not None
        void = last.proof.is_void
        expected: dict[str, Any] = {"deal": last.number, "seal": last.seal, "cut": last.cut}
        expected["missing"] = list(last.proof.missing)
        expected["cuts"] = msgspec.to_builtins(last.proof.cuts) if void else []
        expected["secrets"] = list(last.proof.secrets) if void else []
        same_hand = following is not None and following.place[0] == last.place[0]
        if void:
            expected |= {"moves": [], "payouts": None}
        elif same_hand:
            assert following is not None
            expected |= {"moves": check.moves[last.round_moves : following.round_moves], "payouts": None}
        elif check.record is not None:
            payouts = check.record.payouts
            expected |= {
                "moves": check.moves[last.round_moves :],
                "payouts": None if payouts is None else list(payouts),
            }
        if same_hand:
            expected["changes"] = []
        for field, value in expected.items():
            if not _same(closing.plain[field], value):
                self._fault(RecordFault.CLOSING_DIFFERS, deal=last.number, field=field)

    def _check_place(self, deal: CheckedDeal, last: CheckedDeal, check: RecordCheck) -> None:
        """Hands, shuffles and matches must increase by one; a cancelled hand has used up a number."""
        hand, shuffle = deal.place
        last_hand, last_shuffle = last.place
        match, last_match = deal.start.match, last.start.match
        if hand == last_hand:
            expected = last_shuffle if last.proof.is_void else last_shuffle + 1
            good = shuffle == expected and match == last_match and not self._undealt
            # Within a round only: a record has one.
            good = good and (check is self._last_check or last.proof.is_void)
        else:
            # A round that went on without a deal after a void one has the number of that.
            same = last.proof.is_void and any(undealt is self._last_check for _, undealt in self._undealt)
            numbers = len(self._undealt) - same
            good = shuffle == 0 and hand > last_hand + numbers
            if good and hand > last_hand + 1 + numbers:
                self._called_off += hand - last_hand - 1 - numbers
        if not good:
            self._fault(RecordFault.HAND_MISCOUNTED, deal=deal.number, hand=hand)
        if match == last_match and deal.start.rules != last.start.rules:
            self._fault(DealFault.RULES_CHANGED, deal=deal.number)

    def _explain(self, closing: Closing, following: CheckedDeal | None) -> None:
        """The next deal, and rounds without one before it, must start from the result of the last deal and the changes
        since."""
        last, check = self._last, self._last_check
        assert last is not None
        assert check is not None
        if following is not None and following.place[0] == last.place[0]:
            if following.start.setup != last.start.setup:
                self._fault(RecordFault.SETUP_UNEXPLAINED, deal=following.number)
            return
        path = Path.after(last, check, closing.changes, may_restart=self._attendance.may_restart(last))
        self._check_way(path, following)

    def _check_way(self, path: Path, following: CheckedDeal | None) -> None:
        """Follow the rounds without a deal to the next deal, if there is one."""
        for line, undealt in self._undealt:
            played = undealt.round
            if played is not None and not path.reach(played.rules, played.setup):
                number = 0 if self._last is None else self._last.number
                self.findings.append((line, fault(RecordFault.SETUP_UNEXPLAINED, deal=number)))
            path.play(undealt)
        if following is None:
            if not path.can_end:
                self._fault(RecordFault.END_MISMATCH, field="changes")
            return
        start = following.start
        if not path.reach(start.rules, start.setup, start.match):
            self._fault(RecordFault.SETUP_UNEXPLAINED, deal=following.number)
        elif start.match != path.match:
            self._fault(RecordFault.MATCH_MISCOUNTED, deal=following.number)

    def _found(self, findings: Sequence[Finding]) -> None:
        self.findings += [(self._line, each) for each in findings]

    def _fault(self, code: str, /, **facts: int | str) -> None:
        self.findings.append((self._line, Finding(code, dict(facts))))

    def _note(self, code: Notice, /, **facts: int | str) -> None:
        self.notices.append((self._line, Finding(code, dict(facts))))


def _same(one: Any, other: Any) -> bool:
    """Whether two values have the same text."""
    try:
        return canonical.write(one) == canonical.write(other)
    except canonical.CanonicalError:
        return False
