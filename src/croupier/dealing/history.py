"""Checks over the proofs of successive shuffles: no nonce, deal or link is skipped or used twice.

A proof whose own fields are broken is skipped here; `cards_of` names its faults. The fact `proof` is the number of the
proof, from 0, that does not fit the ones before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.hash_input import is_whole
from croupier.dealing.proof import Cut1Proof, Proof, Shuffle1Proof, read_again

Shuffles: TypeAlias = Sequence[tuple[int, Shuffle1Proof]]
Deals: TypeAlias = Sequence[tuple[int, Cut1Proof]]


def check_history(
    proofs: Sequence[Proof], *, from_start: bool = False, undealt: Mapping[int, int] | None = None
) -> tuple[Finding, ...]:
    """`check_nonces` and `check_deals`: each passes over the other's proofs."""
    return check_nonces(proofs, from_start=from_start) + check_deals(proofs, from_start=from_start, undealt=undealt)


def check_nonces(proofs: Sequence[Proof], *, from_start: bool = False) -> tuple[Finding, ...]:
    """Checks successive shuffles by `shuffle-1`, abandoned rounds included.

    On a pair of seeds the nonces are 0, 1, 2 … The first pair may have begun earlier, unless `from_start`. A new
    commitment needs a fresh client seed and must have been announced on the pair before it. An old one, whose seed
    is known by then, never comes back.
    """
    shuffles = [
        (index, proof)
        for index, proof in enumerate(map(read_again, proofs))
        if isinstance(proof, Shuffle1Proof) and is_whole(proof.nonce)
    ]
    return (*_check_counting(shuffles, from_start), *_check_client_seeds(shuffles), *_check_rotations(shuffles))


def check_deals(
    proofs: Sequence[Proof], *, from_start: bool = False, undealt: Mapping[int, int] | None = None
) -> tuple[Finding, ...]:
    """Checks successive deals by `cut-1`, aborted hands included.

    At a table, hands follow each other by 1, and within a hand shuffles, from 0, by 1. A hand that everybody sat out
    has a number and no deal: `undealt` says how many of them came right before a proof. Each deal uses up exactly one
    link of each chain that is listed in it. Table and chains may have begun earlier, unless `from_start`: then the
    chains begin with link 1.
    """
    deals = [
        (index, proof)
        for index, proof in enumerate(map(read_again, proofs))
        if isinstance(proof, Cut1Proof) and is_whole(proof.context.hand) and is_whole(proof.context.shuffle)
    ]
    return (*_check_deal_order(deals, undealt or {}), *_check_links(deals, from_start))


def _check_counting(shuffles: Shuffles, from_start: bool) -> Iterator[Finding]:
    """A nonce below the expected one was used already, or its turn has passed; above it, nonces are missing."""
    following: dict[tuple[str, str], int] = {}
    for place, (index, proof) in enumerate(shuffles):
        pair = proof.server_seed_hash, proof.client_seed
        begun_earlier = place == 0 and not from_start
        expected = proof.nonce if begun_earlier else following.get(pair, 0)
        if proof.nonce < expected:
            yield finding(Fault.NONCE_REPEATED, proof=index, nonce=proof.nonce, expected=expected)
        if proof.nonce > expected:
            yield finding(Fault.NONCE_MISSING, proof=index, nonce=proof.nonce, expected=expected)
        following[pair] = max(expected, proof.nonce + 1)


def _check_client_seeds(shuffles: Shuffles) -> Iterator[Finding]:
    """The same client seed under another commitment, reported once per pair."""
    commitments: dict[str, set[str]] = {}
    for index, proof in shuffles:
        under = commitments.setdefault(proof.client_seed, set())
        if under and proof.server_seed_hash not in under:
            yield finding(Fault.CLIENT_SEED_REUSED, proof=index, seed=fact(proof.client_seed))
        under.add(proof.server_seed_hash)


def _check_rotations(shuffles: Shuffles) -> Iterator[Finding]:
    """Every commitment after the first is new, and is the one announced on the pair before it."""
    announced: dict[str, str | None] = {}
    current: str | None = None
    for index, proof in shuffles:
        committed, following = proof.server_seed_hash, proof.next_server_seed_hash
        promise = None if current is None else announced[current]
        if current is not None and committed != current:
            if committed in announced:
                yield finding(Fault.SERVER_SEED_REUSED, proof=index, hash=fact(committed))
            elif promise is None:
                yield finding(Fault.NEXT_COMMITMENT_MISSING, proof=index, hash=fact(committed))
            elif committed != promise:
                yield finding(
                    Fault.NEXT_COMMITMENT_MISMATCH, proof=index, announced=fact(promise), used=fact(committed)
                )
        current = committed
        before = announced.get(committed)
        if before is not None and following is not None and before != following:
            yield finding(Fault.NEXT_COMMITMENT_CHANGED, proof=index, announced=fact(before), now=fact(following))
        announced[committed] = before if following is None else following


def _check_deal_order(deals: Deals, undealt: Mapping[int, int]) -> Iterator[Finding]:
    last: dict[str, tuple[int, int]] = {}
    for index, proof in deals:
        table, hand, shuffle = proof.context.table, proof.context.hand, proof.context.shuffle
        if table in last:
            last_hand, last_shuffle = last[table]
            if (hand, shuffle) <= last[table]:
                yield finding(Fault.DEAL_REPEATED, proof=index, table=fact(table), hand=hand, shuffle=shuffle)
            elif (hand, shuffle) not in {(last_hand, last_shuffle + 1), (last_hand + 1 + undealt.get(index, 0), 0)}:
                yield finding(Fault.DEAL_MISSING, proof=index, table=fact(table), hand=hand, shuffle=shuffle)
        last[table] = max((hand, shuffle), last.get(table, (hand, shuffle)))


def _check_links(deals: Deals, from_start: bool) -> Iterator[Finding]:
    last: dict[tuple[str, str], int] = {}
    for index, proof in deals:
        for entry in proof.contributions:
            if entry.anchor is None or not is_whole(entry.link):
                continue
            chain = proof.context.table, entry.anchor
            begun_earlier = chain not in last and not from_start
            expected = entry.link if begun_earlier else last.get(chain, 0) + 1
            if entry.link != expected:
                yield finding(
                    Fault.LINK_NOT_NEXT, proof=index, seat=fact(entry.seat), link=entry.link, expected=expected
                )
            last[chain] = max(expected, entry.link)
