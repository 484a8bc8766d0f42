"""Findings of checks. A check returns a tuple of findings, which is empty if all is well.

No check raises because of what stands in a proof: whatever a record holds, the answer is a list of named faults.
"""

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec

from croupier.dealing.hash_input import WHOLE_MAX

Fact: TypeAlias = int | str

SHOWN_CHARACTERS_MAX: Final = 80


class Finding(msgspec.Struct, frozen=True):
    """One fault, by its code, with the facts that locate it and fill in its message (`finding.CODE` in `locales`)."""

    code: str
    facts: dict[str, Fact] = {}


class Fault(StrEnum):
    """Every code of a finding about a draw."""

    PROOF_MALFORMED = "PROOF_MALFORMED"
    PACK_OUT_OF_RANGE = "PACK_OUT_OF_RANGE"

    SERVER_SEED_MALFORMED = "SERVER_SEED_MALFORMED"
    SEED_NOT_REVEALED = "SEED_NOT_REVEALED"
    COMMITMENT_MALFORMED = "COMMITMENT_MALFORMED"
    COMMITMENT_MISMATCH = "COMMITMENT_MISMATCH"
    CLIENT_SEED_NOT_TEXT = "CLIENT_SEED_NOT_TEXT"
    CLIENT_SEED_LENGTH = "CLIENT_SEED_LENGTH"
    NONCE_OUT_OF_RANGE = "NONCE_OUT_OF_RANGE"
    NEXT_COMMITMENT_MALFORMED = "NEXT_COMMITMENT_MALFORMED"
    NEXT_COMMITMENT_NOT_NEW = "NEXT_COMMITMENT_NOT_NEW"

    NONCE_REPEATED = "NONCE_REPEATED"
    NONCE_MISSING = "NONCE_MISSING"
    SERVER_SEED_REUSED = "SERVER_SEED_REUSED"
    CLIENT_SEED_REUSED = "CLIENT_SEED_REUSED"
    NEXT_COMMITMENT_MISSING = "NEXT_COMMITMENT_MISSING"
    NEXT_COMMITMENT_CHANGED = "NEXT_COMMITMENT_CHANGED"
    NEXT_COMMITMENT_MISMATCH = "NEXT_COMMITMENT_MISMATCH"

    CONTEXT_MALFORMED = "CONTEXT_MALFORMED"
    PACK_SIZE_MISMATCH = "PACK_SIZE_MISMATCH"
    ROOT_MALFORMED = "ROOT_MALFORMED"
    ROOT_MISMATCH = "ROOT_MISMATCH"
    SEAT_MISPLACED = "SEAT_MISPLACED"
    SEAT_COUNT_MISMATCH = "SEAT_COUNT_MISMATCH"
    ANCHOR_MALFORMED = "ANCHOR_MALFORMED"
    LINK_OUT_OF_RANGE = "LINK_OUT_OF_RANGE"
    CONTRIBUTION_MALFORMED = "CONTRIBUTION_MALFORMED"
    CONTRIBUTION_WITHOUT_CHAIN = "CONTRIBUTION_WITHOUT_CHAIN"
    CONTRIBUTION_OFF_CHAIN = "CONTRIBUTION_OFF_CHAIN"
    OPENING_OUT_OF_RANGE = "OPENING_OUT_OF_RANGE"
    OPENING_REPEATED = "OPENING_REPEATED"
    POSITION_MISMATCH = "POSITION_MISMATCH"
    SALT_MALFORMED = "SALT_MALFORMED"
    PATH_MALFORMED = "PATH_MALFORMED"
    OPENING_NOT_IN_ROOT = "OPENING_NOT_IN_ROOT"
    CARD_NOT_TEXT = "CARD_NOT_TEXT"
    CARD_NOT_IN_PACK = "CARD_NOT_IN_PACK"
    CARD_TOO_OFTEN = "CARD_TOO_OFTEN"
    PACK_NOT_WHOLLY_OPENED = "PACK_NOT_WHOLLY_OPENED"
    WHOLE_PACK_UNDECLARED = "WHOLE_PACK_UNDECLARED"

    DEAL_REPEATED = "DEAL_REPEATED"
    DEAL_MISSING = "DEAL_MISSING"
    LINK_NOT_NEXT = "LINK_NOT_NEXT"

    CONTEXT_NOT_CANONICAL = "CONTEXT_NOT_CANONICAL"
    CUTTERS_MALFORMED = "CUTTERS_MALFORMED"
    PROMISE_MALFORMED = "PROMISE_MALFORMED"
    ROOT_COUNT = "ROOT_COUNT"
    CUTS_INCOMPLETE = "CUTS_INCOMPLETE"
    CUT_NOT_PROMISED = "CUT_NOT_PROMISED"
    SECRET_COUNT = "SECRET_COUNT"
    SECRET_MISSING = "SECRET_MISSING"
    PACK_FALSE = "PACK_FALSE"


def finding(code: Fault, **facts: Fact) -> Finding:
    """A finding with these facts."""
    return Finding(code, facts)


def fact(value: object) -> Fact:
    """A value of a record as a fact: a number if JSON can carry it, otherwise text."""
    return value if type(value) is int and abs(value) <= WHOLE_MAX else shown(value)


def shown(value: object) -> str:
    """A value of a record as short text that is safe to print anywhere."""
    # Python refuses to write very long numbers in decimal.
    if type(value) is int:
        return str(value) if abs(value) <= WHOLE_MAX else f"({value.bit_length()} bit)"
    if isinstance(value, str):
        clipped = value if len(value) <= SHOWN_CHARACTERS_MAX else value[:SHOWN_CHARACTERS_MAX] + "…"
        return clipped.encode("unicode_escape").decode()
    return f"({type(value).__name__})"
