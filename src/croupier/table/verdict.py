"""The result of a check of records: what is wrong, what cannot be known, and how much was checked."""

from enum import StrEnum

import msgspec

from croupier.dealing.findings import Finding
from croupier.notebook import table_html
from croupier.table.round import Round


class RecordFault(StrEnum):
    """The faults of records besides those of proofs."""

    FILE_EMPTY = "FILE_EMPTY"
    RECORD_MALFORMED = "RECORD_MALFORMED"
    GAME_UNKNOWN = "GAME_UNKNOWN"
    EDITION_MISMATCH = "EDITION_MISMATCH"
    RULES_MALFORMED = "RULES_MALFORMED"
    SETUP_MALFORMED = "SETUP_MALFORMED"
    SETUP_REFUSED = "SETUP_REFUSED"
    PROOF_MISSING = "PROOF_MISSING"
    PROOF_UNUSED = "PROOF_UNUSED"
    CONTEXT_MISMATCH = "CONTEXT_MISMATCH"
    SHOE_MISMATCH = "SHOE_MISMATCH"
    CARD_UNKNOWN = "CARD_UNKNOWN"
    CARD_MISMATCH = "CARD_MISMATCH"
    CARD_NOT_PROVEN = "CARD_NOT_PROVEN"
    CARD_HIDDEN = "CARD_HIDDEN"
    CARD_COUNT_MISMATCH = "CARD_COUNT_MISMATCH"
    ACTION_MALFORMED = "ACTION_MALFORMED"
    ACTION_REFUSED = "ACTION_REFUSED"
    PAYOUT_MISMATCH = "PAYOUT_MISMATCH"
    ROUND_UNFINISHED = "ROUND_UNFINISHED"
    ROUND_BROKEN_OFF = "ROUND_BROKEN_OFF"
    PAYOUTS_MISSING = "PAYOUTS_MISSING"
    PURSE_MISMATCH = "PURSE_MISMATCH"

    DEAL_DIFFERS = "DEAL_DIFFERS"
    CUTTER_NOT_DEALT_IN = "CUTTER_NOT_DEALT_IN"
    SEAT_NOT_LISTED = "SEAT_NOT_LISTED"
    PAID_CUT_FALSE = "PAID_CUT_FALSE"
    ROOM_DIFFERS = "ROOM_DIFFERS"
    SCHEMES_MIXED = "SCHEMES_MIXED"
    DEALS_MISSING = "DEALS_MISSING"
    DEAL_AGAIN = "DEAL_AGAIN"
    HAND_MISCOUNTED = "HAND_MISCOUNTED"
    MATCH_MISCOUNTED = "MATCH_MISCOUNTED"
    CLOSING_DIFFERS = "CLOSING_DIFFERS"
    SETUP_UNEXPLAINED = "SETUP_UNEXPLAINED"
    END_MISSING = "END_MISSING"
    END_MALFORMED = "END_MALFORMED"
    END_MISMATCH = "END_MISMATCH"

    LOG_EMPTY = "LOG_EMPTY"
    LOG_OTHER_KIND = "LOG_OTHER_KIND"
    LOG_OTHER_ROOM = "LOG_OTHER_ROOM"
    LOG_DEALS_NOT_IN_RECORD = "LOG_DEALS_NOT_IN_RECORD"
    LOG_LACKS_DEALS = "LOG_LACKS_DEALS"
    LOG_DEAL_DIFFERS = "LOG_DEAL_DIFFERS"
    LOG_CUT_NOT_IN_RECORD = "LOG_CUT_NOT_IN_RECORD"
    LOG_CUT_CALLED_MISSING = "LOG_CUT_CALLED_MISSING"
    LOG_PROMISE_UNKNOWN = "LOG_PROMISE_UNKNOWN"
    LOG_NOT_AGREED = "LOG_NOT_AGREED"
    LOG_CARD_DIFFERS = "LOG_CARD_DIFFERS"
    LOG_MOVES_DIFFER = "LOG_MOVES_DIFFER"
    LOG_MOVE_NOT_MINE = "LOG_MOVE_NOT_MINE"
    LOG_PAYOUTS_DIFFER = "LOG_PAYOUTS_DIFFER"
    LOG_ROUND_NOT_IN_RECORD = "LOG_ROUND_NOT_IN_RECORD"

    LOG_ROUND_MISSING = "LOG_ROUND_MISSING"
    LOG_ROUND_ABANDONED = "LOG_ROUND_ABANDONED"
    LOG_ROUND_DIFFERS = "LOG_ROUND_DIFFERS"
    LOG_ROUND_CARD_DIFFERS = "LOG_ROUND_CARD_DIFFERS"
    LOG_REFUSED_BET_DEALT = "LOG_REFUSED_BET_DEALT"
    LOG_SEED_DIFFERS = "LOG_SEED_DIFFERS"


class Notice(StrEnum):
    """Notices: what a check cannot know, or what a player should know, without a fault."""

    RECORD_ALONE = "RECORD_ALONE"
    CUT_1_PROVES_LESS = "CUT_1_PROVES_LESS"
    FIRST_SETUP_UNKNOWN = "FIRST_SETUP_UNKNOWN"
    HANDS_WITHOUT_RECORD = "HANDS_WITHOUT_RECORD"
    DEALS_VOID = "DEALS_VOID"
    AGREEMENT_UNKNOWN = "AGREEMENT_UNKNOWN"
    NOBODY_CUT = "NOBODY_CUT"
    ROUNDS_UNPROVEN = "ROUNDS_UNPROVEN"
    LOG_UNREADABLE = "LOG_UNREADABLE"
    LOG_TELLS_NOTHING = "LOG_TELLS_NOTHING"
    LOG_GOES_ON = "LOG_GOES_ON"
    LOG_BEGINS_LATER = "LOG_BEGINS_LATER"
    LOG_ENDS_EARLIER = "LOG_ENDS_EARLIER"
    LOG_CUT_TOO_LATE = "LOG_CUT_TOO_LATE"
    LOG_CARDS_HIDDEN = "LOG_CARDS_HIDDEN"
    LOG_ROUND_RUNS = "LOG_ROUND_RUNS"
    LOG_ROUNDS_UNPROVEN = "LOG_ROUNDS_UNPROVEN"
    LOG_NEVER_DEALT = "LOG_NEVER_DEALT"
    LOG_LACKS_ROUNDS = "LOG_LACKS_ROUNDS"
    LOG_HAS_ALARMS = "LOG_HAS_ALARMS"


class Checked(msgspec.Struct, frozen=True, rename="camel"):
    """How much was checked."""

    rounds: int = 0
    """Rounds replayed to the end: every action, payout and card."""
    deals: int = 0
    """Shuffles that were played."""
    voids: int = 0
    cards: int = 0
    """Cards whose draw was proved."""
    unseen: int = 0
    """Cards that the record's reader was never shown."""
    links: int = 0
    """Deals that were compared with the closing of the one before."""
    log_lines: int | None = None
    """Lines of the player's own log that were compared; None without one."""


class Verdict(msgspec.Struct, frozen=True):
    """The findings of a check. `rounds` are the replayed rounds, None where that was not possible.

    Findings and notices have the number of their line, from 1.
    """

    rounds: tuple[Round | None, ...]
    findings: tuple[tuple[int, Finding], ...]
    notices: tuple[tuple[int, Finding], ...] = ()
    checked: Checked = Checked()

    @property
    def ok(self) -> bool:
        return not self.findings

    def _repr_html_(self) -> str:
        """In a notebook: how much was checked, and what is wrong, line by line."""
        rows = [
            (line, found.code, ", ".join(f"{name}: {value}" for name, value in found.facts.items()))
            for line, found in self.findings
        ]
        said = f"{len(rows)} findings; rounds checked: {self.checked.rounds}, cards proved: {self.checked.cards}"
        return table_html(("line", "finding", "facts"), rows, said)
