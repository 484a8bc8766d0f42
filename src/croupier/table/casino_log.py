"""Records of the casino compared with their player's log: every bet, its seeds, its cards and its result.

The log is what `clients/casino.py` writes and the page offers for download: `croupier-shuffle-1-log-1`.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from croupier.dealing.findings import Finding, fact, shown
from croupier.dealing.proof import Shuffle1Proof
from croupier.dealing.shuffle1_log import (
    Alarm,
    Amount,
    BetRefused,
    BetSent,
    CardsSeen,
    Committed,
    Draw,
    Line,
    NeverDealt,
    Revealed,
)
from croupier.table.deal_check import fault
from croupier.table.record_check import RecordCheck
from croupier.table.verdict import Notice, RecordFault

SEAT: Final = 0
GAME: Final = "blackjack"
"""The pack of the casino."""


class CasinoLog(msgspec.Struct, frozen=True):
    """The lines of a player's log of the casino, each with its number. A line that could not be read is the Finding
    that says so."""

    lines: tuple[tuple[int, Line | Finding], ...]


class RecordedRound:
    """A round of the file, by the draw that decided it."""

    def __init__(self, proof: Shuffle1Proof, check: RecordCheck) -> None:
        self.proof, self.check = proof, check
        self.draw: Draw = proof.server_seed_hash, proof.client_seed, proof.nonce
        record = check.record
        assert record is not None
        self.cards = record.cards
        self._chip = record.chip
        self.is_abandoned = record.payouts is None and not (check.round is not None and check.round.over)
        """Whether the record says that the round was never finished. A casino finishes every round that it deals."""

    def chips(self, units: int) -> Fraction:
        return Fraction(units, self._chip)

    @property
    def bet(self) -> Fraction | None:
        """The bet before the cards."""
        action = self.check.moves[0]["action"] if self.check.moves else None
        amount = action.get("amount") if isinstance(action, dict) else None
        return self.chips(amount) if type(amount) is int else None

    @property
    def result(self) -> dict[str, Fraction]:
        """Stake, payout and final balance; empty for a round that cannot be played to its end."""
        played = self.check.round
        if played is None or not played.over or played.rules.game != GAME:
            return {}
        seat = played.view(SEAT).seats[SEAT]
        left = played.rules.stacks(played.rules.following(played.state))[SEAT]
        staked = sum(hand.bet for hand in seat.hands) + seat.insurance
        return {
            "staked": self.chips(staked),
            "payout": self.chips(seat.final_payout),
            "balance": self.chips(left),
        }


class CasinoLogCheck:
    """The comparison of one player's log with the records of one file."""

    def __init__(self, checks: Sequence[tuple[int, RecordCheck]]) -> None:
        self.findings: list[tuple[int, Finding]] = []
        self.notices: list[tuple[int, Finding]] = []
        self.lines = 0
        """The number of lines compared."""
        rounds = [
            RecordedRound(proof, check)
            for _, check in checks
            for proof in check.proofs[:1]
            if isinstance(proof, Shuffle1Proof)
        ]
        self._rounds = {played.draw: played for played in rounds}
        self._hashes: dict[str, list[RecordedRound]] = {}
        for played in rounds:
            self._hashes.setdefault(played.proof.server_seed_hash, []).append(played)
        self._bets: dict[Draw, list[tuple[int, BetSent]]] = {}
        self._refused: set[str] = set()
        self._seen: dict[Draw, tuple[int, CardsSeen]] = {}
        """The last sighting of each round, with its line."""
        self._cards: dict[Draw, dict[tuple[int, str], int]] = {}
        """Every card seen at its place, with the line of its first sighting."""
        self._revealed: set[str] = set()
        self._never_dealt = 0
        self._alarms: list[str] = []

    def run(self, log: CasinoLog) -> None:
        """Compare every line, then check what must hold for all of them together."""
        for number, line in log.lines:
            if isinstance(line, Finding):
                self.notices.append((number, line))
                continue
            self.lines += 1
            self._line(number, line)
        if not self._rounds and self._seen:
            self._fault(1, RecordFault.LOG_OTHER_KIND)
            return
        for draw, (number, seen) in self._seen.items():
            self._compare(number, draw, seen)
        for draw, sent in self._bets.items():
            self._compare_bets(draw, sent)
        self._notes()

    def _line(self, number: int, line: Line) -> None:
        match line:
            case Committed():
                self._committed(number, line)
            case BetSent():
                self._bets.setdefault(line.draw, []).append((number, line))
            case BetRefused():
                self._refused.add(line.command_id)
            case CardsSeen():
                if line.cards or line.draw not in self._seen:
                    self._seen[line.draw] = number, line
                cards = self._cards.setdefault(line.draw, {})
                for place, card in enumerate(line.cards):
                    if card is not None:
                        cards.setdefault((place, card), number)
            case Revealed():
                self._revealed.add(line.server_seed_hash)
                for played in self._hashes.get(line.server_seed_hash, ()):
                    if played.proof.server_seed not in (None, line.server_seed):
                        self._seed_differs(number, line.server_seed_hash, "serverSeed")
            case NeverDealt():
                self._never_dealt += 1
                if (line.server_seed_hash, line.client_seed, line.nonce) in self._rounds:
                    self._fault(number, RecordFault.LOG_REFUSED_BET_DEALT, nonce=fact(line.nonce))
            case Alarm():
                self._alarms.append(line.code)
            case _:
                pass

    def _committed(self, number: int, line: Committed) -> None:
        for played in self._hashes.get(line.server_seed_hash, ()):
            if played.proof.next_server_seed_hash != line.next_server_seed_hash:
                self._seed_differs(number, line.server_seed_hash, "nextServerSeedHash")
            round_ = played.check.round
            if round_ is not None and getattr(round_.rules, "decks", line.decks) != line.decks:
                self._seed_differs(number, line.server_seed_hash, "decks")

    def _seed_differs(self, number: int, hash_: str, field: str) -> None:
        self._fault(number, RecordFault.LOG_SEED_DIFFERS, hash=shown(hash_)[:16], field=field)

    def _compare(self, number: int, draw: Draw, seen: CardsSeen) -> None:
        """Check that a round is in the record as it was seen. A running round is not there yet."""
        played = self._rounds.get(draw)
        if played is None:
            newest = max(number for number, _ in self._seen.values())
            if seen.over or number < newest:
                self._fault(number, RecordFault.LOG_ROUND_MISSING, round=fact(seen.round_id))
            else:
                self._note(number, Notice.LOG_ROUND_RUNS, round=fact(seen.round_id))
            return
        for (place, card), line in self._cards[draw].items():
            recorded = played.cards[place] if place < len(played.cards) else None
            if recorded != card:
                self._card_differs(line, seen, place, card, recorded)
        if played.is_abandoned:
            self._fault(number, RecordFault.LOG_ROUND_ABANDONED, round=fact(seen.round_id))
        if not seen.over or played.is_abandoned:
            return
        if seen.cards and len(seen.cards) != len(played.cards):
            self._differs(number, seen.round_id, "cards", Fraction(len(seen.cards)), Fraction(len(played.cards)))
        said: dict[str, Amount | None] = {"staked": seen.staked, "payout": seen.payout}
        if seen.cards and played.result.get("balance", 0) >= 1:
            # A purse without a whole chip may have been filled up. A line made from the history has no balance.
            said["balance"] = seen.balance
        for field, due in played.result.items():
            own = said.get(field)
            if own is not None and _exact(own) != due:
                self._differs(number, seen.round_id, field, _exact(own), due)

    def _card_differs(self, line: int, seen: CardsSeen, place: int, card: str, recorded: str | None) -> None:
        facts: dict[str, Any] = {"round": fact(seen.round_id), "card": place, "seen": shown(card)}
        self._fault(line, RecordFault.LOG_ROUND_CARD_DIFFERS, **facts, recorded=shown(recorded or "?"))

    def _differs(self, number: int, round_id: int, field: str, own: Fraction, recorded: Fraction) -> None:
        facts: dict[str, Any] = {"round": fact(round_id), "field": field, "seen": _text(own)}
        self._fault(number, RecordFault.LOG_ROUND_DIFFERS, **facts, recorded=_text(recorded))

    def _compare_bets(self, draw: Draw, sent: list[tuple[int, BetSent]]) -> None:
        """Check that no refused bet was dealt, and that a dealt one has the amount that was sent."""
        played = self._rounds.get(draw)
        if played is None:
            return
        open_ = [(number, bet) for number, bet in sent if bet.command_id not in self._refused]
        if not open_ and draw not in self._seen:
            self._fault(sent[-1][0], RecordFault.LOG_REFUSED_BET_DEALT, nonce=fact(draw[2]))
        elif open_ and played.bet is not None and played.bet not in {_exact(bet.amount) for _, bet in open_}:
            number, bet = open_[-1]
            round_id = self._seen[draw][1].round_id if draw in self._seen else 0
            self._differs(number, round_id, "amount", _exact(bet.amount), played.bet)

    def _notes(self) -> None:
        unproven = sum(1 for draw in self._seen if draw[0] not in self._revealed)
        others = sum(1 for draw in self._rounds if draw not in self._seen and draw not in self._bets)
        counts = {
            Notice.LOG_ROUNDS_UNPROVEN: unproven,
            Notice.LOG_NEVER_DEALT: self._never_dealt,
            Notice.LOG_LACKS_ROUNDS: others,
        }
        for code, count in counts.items():
            if count:
                self._note(0, code, count=count)
        if self._alarms:
            codes = ", ".join(dict.fromkeys(self._alarms))
            self._note(0, Notice.LOG_HAS_ALARMS, count=len(self._alarms), codes=shown(codes))

    def _fault(self, line: int, code: RecordFault, /, **facts: int | str) -> None:
        self.findings.append((line, fault(code, **facts)))

    def _note(self, line: int, code: Notice, /, **facts: int | str) -> None:
        self.notices.append((line, fault(code, **facts)))


def _exact(amount: Amount) -> Fraction:
    """The exact value of an amount in the log, which has at most hundredths."""
    return Fraction(round(Fraction(amount) * 100), 100)


def _text(amount: Fraction) -> str:
    return shown(amount.numerator) if amount.denominator == 1 else f"{float(amount):.2f}"
