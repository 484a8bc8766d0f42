"""The purse of a player against the house: a round must start with what the last one left."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.dealing.findings import Finding, fact
from croupier.dealing.proof import Shuffle1Proof
from croupier.table.deal_check import fault
from croupier.table.record_check import RecordCheck
from croupier.table.verdict import RecordFault


def check_purses(checks: Sequence[tuple[int, RecordCheck]]) -> Iterator[tuple[int, Finding]]:
    """Compare the purses of successive rounds at the casino if no round can be missing between them. A purse without a
    whole chip may have been refilled."""
    left: Fraction | None = None
    """In chips."""
    last: Shuffle1Proof | None = None
    for line, check in checks:
        proofs = [proof for proof in check.proofs if isinstance(proof, Shuffle1Proof)]
        played, record = check.round, check.record
        if played is None or record is None or not proofs or len(played.rules.stacks(played.setup)) != 1:
            left = last = None
            continue
        purse = Fraction(played.rules.stacks(played.setup)[0], record.chip)
        if left is not None and last is not None and left >= 1 and left != purse and _goes_on(last, proofs[0], check):
            yield line, fault(RecordFault.PURSE_MISMATCH, seat=0, recorded=_chips(purse), expected=_chips(left))
        left = None
        if played.over:
            left = Fraction(played.rules.stacks(played.rules.following(played.state))[0], record.chip)
        last = proofs[-1]


def _chips(amount: Fraction) -> int | str:
    return fact(amount.numerator) if amount.denominator == 1 else f"{float(amount):.2f}"


def _goes_on(last: Shuffle1Proof, first: Shuffle1Proof, check: RecordCheck) -> bool:
    """Whether no round can be missing between two shuffles: the next nonce, a new seed, or the same shoe."""
    if last.next_server_seed_hash is None:
        return False
    if not check.shuffles:
        return first == last
    if first.server_seed_hash != last.server_seed_hash:
        return first.server_seed_hash == last.next_server_seed_hash
    if first.client_seed != last.client_seed:
        return first.nonce == 0
    return first.nonce == last.nonce + 1
