"""Records compared with a player's own log: line by line, what their client saw, gave and was promised. A completely
forged record agrees with itself, but not with the log of a player who was dealt other cards. The log is what
`clients/room_guard.py` writes and the page offers for download.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from croupier.dealing.cut2 import Context
from croupier.dealing.findings import Finding, shown
from croupier.game.game import Game
from croupier.game.registry import GAMES
from croupier.table.closing import read_closing
from croupier.table.deal_check import CheckedDeal, fault
from croupier.table.deal_news import DealFixed, DealMade, DealNews, DealOpened, DealVoid
from croupier.table.deals import VOIDS_MAX
from croupier.table.kept_seat import CHANGING_HANDS
from croupier.table.record_check import RecordCheck
from croupier.table.verdict import Notice, RecordFault


class OwnCut(msgspec.Struct, rename="camel"):
    """A cut that this player gave."""

    deal: int
    promise: str
    seal: str
    value: str


class OwnCard(msgspec.Struct, rename="camel"):
    """A card that was shown with its proof."""

    shuffle: int
    k: int
    card: str


class Acknowledged(msgspec.Struct, rename="camel"):
    deal: int


class LogLine(msgspec.Struct, rename="camel"):
    """A line of a player's own log: the fields that are compared."""

    at_ms: int
    program: str = ""
    """The tab, or run of a program, that wrote the line. The server tells each of them everything."""
    format: str = ""
    room: str = ""
    promise: str = ""
    cut: OwnCut | None = None
    acknowledged: Acknowledged | None = None
    bridged: tuple[DealFixed, ...] = ()
    agreed: int | None = None
    decided: str = ""
    hand: int | None = None
    action: Any = None
    """What this player did, in its hand."""
    seat: int | None = None
    whole: bool = False
    """Whether the moves are all those of the hand so far, sent again from the beginning."""
    deals: tuple[DealNews, ...] = ()
    moves: tuple[Any, ...] = ()
    cards: tuple[OwnCard, ...] = ()
    payouts: tuple[int, ...] = ()
    """The number of the hand, then the payout of each seat."""
    alarms: tuple[Finding, ...] = ()


class OwnLog(msgspec.Struct, frozen=True):
    """The lines of a player's own log, each with its number. A line that could not be read is the Finding that says
    why."""

    lines: tuple[tuple[int, LogLine | Finding], ...]


class OwnRound(msgspec.Struct):
    """A round according to the log."""

    line: int
    moves: list[Any] = []
    told: dict[str, list[Any]] = {}
    """For each program that wrote the log, the moves since the hand was last sent from the beginning."""
    payouts: tuple[int, ...] | None = None
    cards: dict[tuple[int, int, str], int] = {}
    """Shuffle, k and card, with the line."""


class OwnLogCheck:
    """The comparison of one log with the records of one file."""

    def __init__(self, checks: Sequence[tuple[int, RecordCheck]]) -> None:
        self.findings: list[tuple[int, Finding]] = []
        self.notices: list[tuple[int, Finding]] = []
        self.lines = 0
        """The number of lines compared."""
        self._checks = checks
        self._deals = {deal.number: deal for _, check in checks for deal in check.deals}
        self._rounds = {check.deals[-1].place[0]: check for _, check in checks if check.has_own_deal and check.deals}
        self._room = next(iter(self._deals.values())).proof.context.room if self._deals else ""
        self._seen: dict[int, tuple[int, int]] = {}
        """The deals in the log: line and hand."""
        self._absent: dict[int, int] = {}
        """The deals among them that the record lacks, with the line."""
        self._promises: set[str] = set()
        self._seats: dict[int, tuple[int, int]] = {}
        """The line, and the seat that this player had when a deal was fixed."""
        self._cuts: dict[int, tuple[int, OwnCut]] = {}
        self._acknowledged: set[int] = set()
        self._agreed: set[int] = set()
        self._decided_at = 0
        """The last line in which the player decided to go on despite an alarm."""
        self._own: dict[int, OwnRound] = {}
        self._dealt_hands: set[int] = set()
        """Hands with a deal that everybody cut."""
        self._actions: dict[int, list[Any]] = {}
        """What this player did, by hand."""
        self._newest_hand = 0
        self._hidden_cards = 0
        self._alarms: list[str] = []

    def run(self, log: OwnLog) -> None:
        """Compare every line, then check what must hold for all of them together."""
        for number, line in log.lines:
            if isinstance(line, Finding):
                self.notices.append((number, line))
                continue
            self.lines += 1
            self._line(number, line)
        if not self.lines:
            self._fault(1, RecordFault.LOG_EMPTY)
            return
        self._compare_ranges()
        self._compare_cuts()
        self._compare_rounds()
        self._compare_own_moves()
        if self._hidden_cards:
            self._note(0, Notice.LOG_CARDS_HIDDEN, count=self._hidden_cards)
        if self._alarms:
            codes = ", ".join(dict.fromkeys(self._alarms))
            self._note(0, Notice.LOG_HAS_ALARMS, count=len(self._alarms), codes=shown(codes))

    def _line(self, number: int, line: LogLine) -> None:
        rooms = {line.room, *(fixed.context.room for fixed in self._fixed_in(line))} - {""}
        for room in rooms:
            if self._room and room != self._room:
                self._fault(number, RecordFault.LOG_OTHER_ROOM, room=shown(room)[:16])
                self._room = ""
        self._promises |= {line.promise} - {""}
        self._alarms += [shown(alarm.code) for alarm in line.alarms]
        if line.decided:
            self._decided_at = number
        if line.hand is not None:
            self._newest_hand = line.hand
        if line.action is not None:
            self._actions.setdefault(self._newest_hand, []).append(line.action)
        if line.agreed is not None:
            self._agreed.add(line.agreed)
        if line.acknowledged is not None:
            self._acknowledged.add(line.acknowledged.deal)
        if line.cut is not None:
            self._promises.add(line.cut.promise)
            self._cuts[line.cut.deal] = number, line.cut
        for fixed in line.bridged:
            self._fixed(number, fixed)
        # A player who gets a hand from its beginning may have taken the seat after its void deals.
        earlier = {news.deal for news in line.deals if isinstance(news, DealVoid)} if line.whole else set()
        for news in line.deals:
            if isinstance(news, DealFixed) and line.seat is not None and news.context.deal not in earlier:
                self._seats.setdefault(news.context.deal, (number, line.seat))
            self._news(number, news)
        self._take_round(number, line)

    def _fixed_in(self, line: LogLine) -> Iterable[DealFixed]:
        return (*line.bridged, *(news for news in line.deals if isinstance(news, DealFixed)))

    def _take_round(self, number: int, line: LogLine) -> None:
        if line.hand is None:
            return
        own = self._own.setdefault(line.hand, OwnRound(number))
        # A returning player may get less at first, from a node that is behind. Nothing more is sent of a cancelled
        # hand.
        told = [] if line.whole else own.told.get(line.program, [])
        told = own.told[line.program] = [*told, *line.moves]
        if any(before != now for before, now in zip(own.moves, told, strict=False)):
            self._fault(number, RecordFault.LOG_MOVES_DIFFER, hand=line.hand)
        own.moves = max(own.moves, told, key=len)
        for card in line.cards:
            own.cards.setdefault((card.shuffle, card.k, card.card), number)
        if line.payouts and line.payouts[0] == line.hand:
            own.payouts = line.payouts[1:]

    def _news(self, number: int, news: DealNews) -> None:
        if isinstance(news, DealFixed):
            self._fixed(number, news)
            return
        if isinstance(news, DealMade) and news.deal in self._seen:
            self._dealt_hands.add(self._seen[news.deal][1])
        deal = self._deals.get(news.deal)
        if deal is None:
            return
        proof = deal.proof
        match news:
            case DealMade():
                secrets = [
                    shown_one is None or shown_one == kept
                    for shown_one, kept in zip(news.secrets, proof.secrets, strict=False)
                ]
                good = {
                    "missing": not proof.is_void,
                    "cuts": news.cuts == proof.cuts,
                    "secrets": all(secrets) and len(news.secrets) == len(proof.secrets),
                }
            case DealVoid():
                good = {
                    "missing": news.missing == proof.missing,
                    "cuts": news.cuts == proof.cuts,
                    "secrets": news.secrets == proof.secrets,
                }
            case DealOpened():
                good = {"secrets": news.secret in proof.secrets}
        self._differs(number, deal.number, good)

    def _fixed(self, number: int, fixed: DealFixed) -> None:
        context = fixed.context
        self._seen.setdefault(context.deal, (number, context.hand))
        deal = self._deals.get(context.deal)
        if deal is None:
            self._absent.setdefault(context.deal, number)
            return
        good = {
            field: getattr(context, field) == getattr(deal.proof.context, field) for field in Context.__struct_fields__
        }
        good |= {"roots": fixed.roots == deal.proof.roots, "closing": fixed.closing == deal.proof.closing}
        self._differs(number, context.deal, good)

    def _differs(self, number: int, deal: int, good: dict[str, bool]) -> None:
        for field in (field for field, same in good.items() if not same):
            self._fault(number, RecordFault.LOG_DEAL_DIFFERS, deal=deal, field=field)

    def _compare_ranges(self) -> None:
        """Find deals of the log that the record lacks, and deals of the record that the log should have seen."""
        last = max(self._deals, default=0)
        finished = {hand for hand, own in self._own.items() if own.payouts is not None}
        going_on = [
            deal for deal in self._absent if deal > last and not any(hand >= self._seen[deal][1] for hand in finished)
        ]
        for first, until in _runs(set(self._absent) - set(going_on)):
            self._fault(self._absent[first], RecordFault.LOG_DEALS_NOT_IN_RECORD, first=first, last=until)
        if going_on:
            self._note(self._absent[min(going_on)], Notice.LOG_GOES_ON, deal=min(going_on))
        if not self._seen:
            if self._deals and not self._own:
                self._note(0, Notice.LOG_TELLS_NOTHING)
            return
        low, high = min(self._seen), max(self._seen)
        for first, until in _runs({deal for deal in self._deals if low < deal < high} - set(self._seen)):
            self._fault(self._seen[low][0], RecordFault.LOG_LACKS_DEALS, first=first, last=until)
        if self._deals and min(self._deals) < low:
            self._note(self._seen[low][0], Notice.LOG_BEGINS_LATER, deal=low)
        if last > high:
            self._note(self._seen[high][0], Notice.LOG_ENDS_EARLIER, deal=high)

    def _compare_cuts(self) -> None:
        self._follow_seat()
        for number, cut in self._cuts.values():
            deal = self._deals.get(cut.deal)
            if deal is not None:
                self._compare_cut(number, cut, deal)
        for number, (line, seat) in self._seats.items():
            deal = self._deals.get(number)
            promise = None if deal is None else _promise(deal, seat)
            if promise is not None and promise not in self._promises and self._decided_at < line:
                self._fault(line, RecordFault.LOG_PROMISE_UNKNOWN, deal=number, seat=seat)
            if deal is not None and promise is not None and self._must_agree(deal):
                self._check_agreed(line, deal)

    def _follow_seat(self) -> None:
        """Note the seat of this player also in the deals that their client missed, as long as they kept it."""
        for number in sorted(set(self._seen) - set(self._seats)):
            _, seat = self._seats.get(number - 1, (0, None))
            before, deal = self._deals.get(number - 1), self._deals.get(number)
            if before is None or deal is None or seat is None or before.start.match != deal.start.match:
                continue
            closing = read_closing(deal.proof.closing)
            gone = closing is None or any(each.seat == seat and each.kind in CHANGING_HANDS for each in closing.changes)
            if not gone and _promise(before, seat) in self._promises | {None}:
                self._seats[number] = self._seen[number][0], seat

    def _compare_cut(self, line: int, cut: OwnCut, deal: CheckedDeal) -> None:
        seat = next((each.seat for each in deal.proof.context.cutters if each.promise == cut.promise), None)
        given = {each.seat: each.value for each in deal.proof.cuts}
        if cut.seal != deal.seal or seat is None:
            self._fault(line, RecordFault.LOG_DEAL_DIFFERS, deal=deal.number, field="seal")
        elif seat in deal.proof.missing:
            if deal.number in self._acknowledged:
                self._fault(line, RecordFault.LOG_CUT_CALLED_MISSING, deal=deal.number)
            else:
                self._note(line, Notice.LOG_CUT_TOO_LATE, deal=deal.number)
        elif given.get(seat) != cut.value:
            self._fault(line, RecordFault.LOG_CUT_NOT_IN_RECORD, deal=deal.number)

    def _must_agree(self, deal: CheckedDeal) -> bool:
        """Whether the hand was void so often that everybody had to agree to this deal."""
        before = deal.number - 1
        voids = 0
        while before in self._deals and self._deals[before].proof.is_void and self._deals[before].place == deal.place:
            voids, before = voids + 1, before - 1
        return voids >= VOIDS_MAX

    def _check_agreed(self, line: int, deal: CheckedDeal) -> None:
        hand = deal.place[0]
        if hand not in self._agreed:
            self._fault(line, RecordFault.LOG_NOT_AGREED, deal=deal.number, hand=hand)

    def _compare_rounds(self) -> None:
        undealt = [check for _, check in self._checks if check.record is not None and not check.has_own_deal]
        for hand, own in sorted(self._own.items()):
            check = self._rounds.get(hand)
            if check is not None:
                self._compare_round(hand, own, check)
            elif own.payouts is not None and hand not in self._dealt_hands:
                # A round without a deal has no number in its record.
                while undealt and not _is_round(own, undealt[0]):
                    undealt.pop(0)
                if not undealt:
                    self._fault(own.line, RecordFault.LOG_ROUND_NOT_IN_RECORD, hand=hand)
                undealt = undealt[1:]

    def _compare_round(self, hand: int, own: OwnRound, check: RecordCheck) -> None:
        record = check.record
        assert record is not None
        recorded = check.moves if own.payouts is not None else check.moves[: len(own.moves)]
        if own.moves != recorded:
            self._fault(own.line, RecordFault.LOG_MOVES_DIFFER, hand=hand)
        if own.payouts is not None and own.payouts != record.payouts:
            self._fault(own.line, RecordFault.LOG_PAYOUTS_DIFFER, hand=hand)
        for (shuffle, k, card), line in own.cards.items():
            place = check.starts[shuffle] + k if 0 <= shuffle < len(check.starts) else -1
            recorded_card = record.cards[place] if 0 <= place < len(record.cards) else None
            if recorded_card is None and 0 <= place < len(record.cards):
                # A record for somebody else. The card is bound by the roots and cuts, which are compared.
                self._hidden_cards += 1
            elif recorded_card != card:
                said = shown(recorded_card or "?")
                self._fault(line, RecordFault.LOG_CARD_DIFFERS, hand=hand, card=place, seen=shown(card), recorded=said)

    def _compare_own_moves(self) -> None:
        """Check that nobody put in chips in this player's name. A player who went on despite that alarm has another
        device."""
        for hand, check in self._rounds.items():
            game = GAMES.get(check.record.game) if check.record is not None else None
            promised = {cutter.promise: cutter.seat for cutter in check.deals[-1].proof.context.cutters}
            seats = [seat for promise, seat in promised.items() if promise in self._promises]
            if game is None or not seats or self._decided_at:
                continue
            did = Counter(_read_action(game, raw) for raw in self._actions.get(hand, ()))
            for number, move in enumerate(check.moves):
                action = _read_action(game, move["action"])
                if move["seat"] != seats[0] or action is None or not action.stakes:
                    continue
                if did[action] <= 0:
                    line = self._own[hand].line if hand in self._own else 1
                    self._fault(line, RecordFault.LOG_MOVE_NOT_MINE, hand=hand, move=number)
                did[action] -= 1

    def _fault(self, line: int, code: RecordFault, /, **facts: int | str) -> None:
        self.findings.append((line, fault(code, **facts)))

    def _note(self, line: int, code: Notice, /, **facts: int | str) -> None:
        self.notices.append((line, fault(code, **facts)))


def _promise(deal: CheckedDeal, seat: int) -> str | None:
    return next((cutter.promise for cutter in deal.proof.context.cutters if cutter.seat == seat), None)


def _read_action(game: Game, raw: Any) -> Any:
    """An action in the game's own type; None if it is not one."""
    try:
        return msgspec.convert(raw, game.action)
    except msgspec.ValidationError:
        return None


def _is_round(own: OwnRound, check: RecordCheck) -> bool:
    return check.record is not None and (own.moves, own.payouts) == (check.moves, check.record.payouts)


def _runs(numbers: set[int]) -> list[tuple[int, int]]:
    """The numbers in order, as runs without a gap: first and last of each."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs
