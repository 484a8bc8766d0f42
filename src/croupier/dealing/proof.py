"""Proofs: what a round's record holds about each of its shuffles, and the check of it.

A round with several shuffles has a proof for each, in order: with the next nonce for `shuffle-1`, with the next shuffle
number for `cut-1`. `history` checks the proofs of successive rounds against each other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from croupier.dealing import cut2
from croupier.dealing.cut1 import (
    Context,
    Contribution,
    CutPack,
    check_context,
    check_contributions,
    context_hash,
    is_computable,
    permutation,
)
from croupier.dealing.cut2 import Cut, CutDeal
from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.hash_input import is_hash
from croupier.dealing.sealed_pack import Opening, SealedPack, check_opening, check_opening_form, implied_root
from croupier.dealing.seeds import check_client_seed, check_commitment, check_nonce
from croupier.dealing.shuffle import PACK_CARDS_MAX, shuffle

C = TypeVar("C")


class _Proof(msgspec.Struct, frozen=True, rename="camel", tag_field="scheme", forbid_unknown_fields=True):
    """Base of the proofs. The tag is the scheme's name."""


class Shuffle1Proof(_Proof, frozen=True, tag="shuffle-1"):
    """One shuffle by `shuffle-1`. The server seed is None until it is revealed.

    `next_server_seed_hash` is the commitment that was shown before this seed was revealed, once there is one.
    """

    server_seed_hash: str
    client_seed: str
    nonce: int
    server_seed: str | None = None
    next_server_seed_hash: str | None = None


class Cut1Proof(_Proof, frozen=True, tag="cut-1"):
    """One shuffle by `cut-1`, with the openings of the shown cards; with `whole`, of all cards."""

    context: Context
    size: int
    root: str
    contributions: tuple[Contribution, ...]
    openings: tuple[Opening, ...]
    whole: bool = False


class Cut2Proof(_Proof, frozen=True, tag="cut-2"):
    """One deal by `cut-2`. `secrets` has None for the played pack, until the whole pack is opened by it.

    `closing` is the text of the closing before this deal, empty for the first; the context carries its digest. A void
    deal lists the `missing` seats and has no openings.
    """

    context: cut2.Context
    roots: tuple[str, ...]
    closing: str
    cuts: tuple[Cut, ...]
    secrets: tuple[str | None, ...]
    missing: tuple[int, ...] = ()
    openings: tuple[Opening, ...] = ()

    @property
    def is_void(self) -> bool:
        return bool(self.missing)


Proof: TypeAlias = Shuffle1Proof | Cut1Proof | Cut2Proof
Cards: TypeAlias = tuple[str | None, ...]
Findings: TypeAlias = tuple[Finding, ...]


def prove(
    pack: CutPack[C] | CutDeal[C], opened: Iterable[int] | None = None, closing: str = ""
) -> Cut1Proof | Cut2Proof:
    """The proof of a deal that opens these of the cards dealt, from 0; without `opened`, the whole pack."""
    return _prove_1(pack, opened) if isinstance(pack, CutPack) else _prove_2(pack, opened, closing)


def _prove_2(deal: CutDeal[C], opened: Iterable[int] | None, closing: str) -> Cut2Proof:
    secrets = deal.secrets
    if opened is None:
        secrets = tuple(deal.secret() if secret is None else secret for secret in secrets)
    openings = tuple(deal.opening(k) for k in sorted(set(opened or ())))
    return Cut2Proof(deal.context, deal.roots, closing, deal.cuts, secrets, openings=openings)


def _prove_1(pack: CutPack[C], opened: Iterable[int] | None) -> Cut1Proof:
    size = pack.committed.size
    chosen = range(size) if opened is None else sorted(set(opened))
    openings = tuple(pack.opening(k) for k in chosen)
    committed = pack.committed
    return Cut1Proof(committed.context, size, committed.root, pack.contributions, openings, whole=len(openings) == size)


def read_proof(raw: object) -> Proof | Finding:
    """The proof in a record's decoded JSON, or a finding that says where it is malformed."""
    try:
        proof: Proof = msgspec.convert(raw, Proof)
    except msgspec.ValidationError as error:
        fault, _, where = str(error).partition(" - at ")
        return finding(Fault.PROOF_MALFORMED, where=where.strip("`") or "$", fault=fault)
    except UnicodeEncodeError:
        return finding(Fault.PROOF_MALFORMED, where="$", fault="not UTF-8")
    return proof


def read_again(proof: Proof) -> Proof | Finding:
    """The proof, if the type of every field is right. A proof made in Python was not checked before."""
    try:
        plain = msgspec.to_builtins(proof)
    except TypeError as error:
        return finding(Fault.PROOF_MALFORMED, where="$", fault=str(error))
    return read_proof(plain)


def cards_of(proof: Proof, pack: Sequence[str], seats: int | None = None) -> tuple[Cards, Findings]:
    """The cards in the order dealt, as far as the proof tells them, and every fault found in it.

    The cards are proven only if there are no findings. `pack` is the pack before the shuffle, as texts, in canonical
    order. From `shuffle-1` comes the whole order, from `cut-1` the cards that were opened, each at its k, and None for
    those that were not; from a proof too broken to compute with, None for all. `seats` is how many seats must be listed
    in a cut, where that is known.
    """
    unknown: Cards = (None,) * len(pack)
    sound = read_again(proof)
    if isinstance(sound, Finding):
        return unknown, (sound,)
    if not 1 <= len(pack) <= PACK_CARDS_MAX:
        return unknown, (finding(Fault.PACK_OUT_OF_RANGE, cards=len(pack), low=1, high=PACK_CARDS_MAX),)
    match sound:
        case Shuffle1Proof():
            return _shuffled(sound, pack)
        case Cut1Proof():
            return _cut(sound, pack, seats)
        case Cut2Proof():
            return _cut_2(sound, pack)


def _shuffled(proof: Shuffle1Proof, pack: Sequence[str]) -> tuple[Cards, Findings]:
    seeds = check_client_seed(proof.client_seed) + check_nonce(proof.nonce)
    found = check_commitment(proof.server_seed_hash, proof.server_seed) + seeds
    following = proof.next_server_seed_hash
    if following is not None and not is_hash(following):
        found += (finding(Fault.NEXT_COMMITMENT_MALFORMED, value=fact(following)),)
    elif following == proof.server_seed_hash:
        found += (finding(Fault.NEXT_COMMITMENT_NOT_NEW, value=fact(following)),)
    if proof.server_seed is None or not is_hash(proof.server_seed) or seeds:
        return (None,) * len(pack), found
    return shuffle(pack, proof.server_seed, proof.client_seed, proof.nonce), found


def _cut(proof: Cut1Proof, pack: Sequence[str], seats: int | None) -> tuple[Cards, Findings]:
    found = check_context(proof.context)
    if proof.size != len(pack):
        found += (finding(Fault.PACK_SIZE_MISMATCH, size=fact(proof.size), cards=len(pack)),)
    if not is_hash(proof.root):
        found += (finding(Fault.ROOT_MALFORMED, value=fact(proof.root)),)
    blocked = bool(found)
    found += check_contributions(proof.contributions, seats)
    if blocked or not all(map(is_computable, proof.contributions)):
        return (None,) * len(pack), found
    found += _check_openings(proof)
    cards, more = _check_cards(proof, pack)
    return cards, found + more


def _cut_2(proof: Cut2Proof, pack: Sequence[str]) -> tuple[Cards, Findings]:
    """The cards of a `cut-2` deal: all if the played pack's secret is known, otherwise the opened ones."""
    unknown: Cards = (None,) * len(pack)
    found = cut2.check_context(proof.context) + cut2.check_roots(proof.context, proof.roots)
    if found:
        return unknown, found
    found = cut2.check_cuts(proof.context, proof.cuts)
    if found:
        return unknown, found
    hashed = cut2.context_hash(proof.context)
    cut = cut2.cut_of(cut2.seal_of(hashed, proof.roots), proof.cuts)
    played = cut2.choice(cut, proof.context.packs)
    order = cut2.permutation(cut, len(pack))
    found = cut2.check_secrets(hashed, proof.roots, pack, proof.secrets, played)
    if found and found[0].code == Fault.SECRET_COUNT:
        return unknown, found
    secret = proof.secrets[played]
    if secret is not None:
        if not is_hash(secret) or SealedPack(bytes.fromhex(secret), hashed, pack).root != proof.roots[played]:
            return unknown, (*found, finding(Fault.PACK_FALSE, pack=played))
        opened = SealedPack(bytes.fromhex(secret), hashed, pack)
        return tuple(opened.card(position) for position in order), found
    root = proof.roots[played]
    found += tuple(fault for opening in proof.openings for fault in check_opening(opening, root, order, hashed))
    cards, more = _check_opened(proof.openings, pack)
    return cards, found + more


def _check_openings(proof: Cut1Proof) -> Findings:
    """Checks every opening against the root and the cut.

    When all openings agree on another root, the fault is the root's: one finding, not two for every card.
    """
    order = permutation(proof.root, proof.contributions, proof.size, proof.context)
    hashed = context_hash(proof.context, proof.size)
    found = tuple(fault for opening in proof.openings for fault in check_opening(opening, proof.root, order, hashed))
    if all(fault.code != Fault.OPENING_NOT_IN_ROOT for fault in found):
        return found
    sound = {opening.k: opening for opening in proof.openings if not check_opening_form(opening, proof.size)}
    roots = {implied_root(opening, proof.size, hashed) for opening in sound.values()}
    if len(sound) > 1 and len(roots) == 1 and None not in roots:
        return (finding(Fault.ROOT_MISMATCH, root=proof.root, computed=str(roots.pop())),)
    return found


def _check_cards(proof: Cut1Proof, pack: Sequence[str]) -> tuple[Cards, Findings]:
    """The opened cards at their places; all of them must be opened if the proof says so."""
    cards, found = _check_opened(proof.openings, pack)
    opened = len({opening.k for opening in proof.openings})
    if proof.whole and opened != proof.size:
        found += (finding(Fault.PACK_NOT_WHOLLY_OPENED, opened=opened, size=proof.size),)
    if not proof.whole and opened == proof.size:
        found += (finding(Fault.WHOLE_PACK_UNDECLARED, size=proof.size),)
    return cards, found


def _check_opened(openings: Sequence[Opening], pack: Sequence[str]) -> tuple[Cards, Findings]:
    """The opened cards at their places; no more of any card than the pack holds."""
    found: list[Finding] = []
    held = Counter(pack)
    cards: dict[int, str | None] = {}
    for opening in openings:
        if opening.k in cards:
            found.append(finding(Fault.OPENING_REPEATED, k=fact(opening.k)))
            continue
        cards[opening.k] = opening.card if opening.card in held else None
        if opening.card not in held:
            found.append(finding(Fault.CARD_NOT_IN_PACK, k=fact(opening.k), card=fact(opening.card)))
    for card, count in Counter(card for card in cards.values() if card is not None).items():
        if count > held[card]:
            found.append(finding(Fault.CARD_TOO_OFTEN, card=fact(card), count=count, held=held[card]))
    return tuple(cards.get(k) for k in range(len(pack))), tuple(found)
