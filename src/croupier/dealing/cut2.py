"""`cut-2`: several players, against a server that lies.

Everything about a deal is fixed in one message: its context, the promises of those who will cut it, and the roots of T
packs. Then the players cut, all of them or the deal is void. The cut decides which of the packs is played, and the
order in which its positions are dealt. docs/fairness.md says it byte by byte.

`CommittedDeal` and `CutDeal` are the server's side and hold secrets. Everything else can be computed by anybody.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Generic, TypeVar

import msgspec

from croupier.dealing import canonical
from croupier.dealing.concealed import Concealed
from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.hash_input import HASH_BYTES, frame, is_hash, is_whole, whole
from croupier.dealing.sealed_pack import OpenedCard, Opening, SealedPack
from croupier.dealing.stream import fisher_yates

C = TypeVar("C")

SCHEME: Final = "cut-2"
PACKS_HIDDEN: Final = 8
"""T if the pack is never opened whole. A false pack among them is found 7 times in 8."""
PACKS_OPENED: Final = 1
"""T if the pack is opened whole at the end: a false pack is always found."""
FIRST_BEFORE: Final = "0" * 64
"""The closing before a room's first deal."""
CUTTERS_MAX: Final = 200


class Cutter(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """A seat that must cut the deal, and its promise."""

    seat: int
    promise: str


class Cut(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """A seat's cut: the 32 bytes behind its promise."""

    seat: int
    value: str


class Context(msgspec.Struct, frozen=True, gc=False, rename="camel", forbid_unknown_fields=True):
    """Everything that is fixed before the cut. `rules`, `setup` and `pack` are canonical JSON, hashed as it stands.

    `room` is the room's own random name. `deal` counts every deal of the room from 1, void ones too; `hand` and
    `shuffle` say where in the match it belongs. `before` is the digest of the last deal's closing.
    """

    room: str
    deal: int
    hand: int
    shuffle: int
    rules: str
    setup: str
    pack: str
    packs: int
    before: str
    cutters: tuple[Cutter, ...]


def promise_of(value: bytes) -> str:
    """A player's promise for a future deal, from 32 random bytes that are used for that deal only."""
    return sha256(frame(b"croupier cut-2 promise", value)).hexdigest()


def keeps(promise: str, value: object) -> bool:
    """Whether this value was promised."""
    return is_hash(value) and promise_of(bytes.fromhex(str(value))) == promise


def context_hash(context: Context) -> bytes:
    """The context in 32 bytes."""
    cutters: list[bytes] = []
    for cutter in context.cutters:
        cutters += (whole(cutter.seat), bytes.fromhex(cutter.promise))
    parts = (
        bytes.fromhex(context.room),
        whole(context.deal),
        whole(context.hand),
        whole(context.shuffle),
        context.rules.encode(),
        context.setup.encode(),
        context.pack.encode(),
        whole(context.packs),
        bytes.fromhex(context.before),
    )
    return sha256(frame(b"croupier cut-2 context", *parts, *cutters)).digest()


def seal_of(hashed: bytes, roots: Sequence[str]) -> bytes:
    """The hash that the players cut: the context and all roots."""
    return sha256(frame(b"croupier cut-2 seal", hashed, *(bytes.fromhex(root) for root in roots))).digest()


def cut_of(seal: bytes, cuts: Sequence[Cut]) -> bytes:
    """The cut of all contributions, in the order of their seats."""
    entries: list[bytes] = []
    for cut in cuts:
        entries += (whole(cut.seat), bytes.fromhex(cut.value))
    return sha256(frame(b"croupier cut-2 cut", seal, *entries)).digest()


def choice(cut: bytes, packs: int) -> int:
    """Which of the packs is played."""
    return hmac.digest(cut, b"choice", "sha256")[0] % packs


def permutation(cut: bytes, size: int) -> tuple[int, ...]:
    """π: the k-th card dealt is the one at position π(k) of the played pack."""
    return fisher_yates(range(size), hmac.digest(cut, b"permutation", "sha256"))


def pictures(cut: str) -> tuple[int, ...]:
    """The code of a deal to read aloud: the first 24 bits of its cut, in hex, as four of 64 pictures (`picture.N`)."""
    bits = int(cut[:6], 16)
    return tuple(bits >> shift & 63 for shift in (18, 12, 6, 0))


def closing_digest(text: str) -> str:
    """The digest of a closing, which the next deal carries as `before`."""
    return sha256(frame(b"croupier cut-2 closing", text.encode())).hexdigest()


def pack_secret(master: bytes, hashed: bytes, number: int) -> bytes:
    """The secret of one of the packs."""
    return hmac.digest(master, frame(b"croupier cut-2 pack", hashed, whole(number)), "sha256")


class CommittedDeal(Concealed, Generic[C]):
    """A deal that is fixed and waits for its cuts. The same master, context and pack give the same deal again."""

    __slots__ = ("_packs", "_secrets", "context", "hashed", "roots", "seal")

    def __init__(self, master: bytes, context: Context, pack: Sequence[C]) -> None:
        assert len(master) == HASH_BYTES
        assert not check_context(context), check_context(context)
        self.context = context
        self.hashed = context_hash(context)
        self._secrets = tuple(pack_secret(master, self.hashed, number) for number in range(context.packs))
        self._packs = tuple(SealedPack(secret, self.hashed, pack) for secret in self._secrets)
        self.roots = tuple(sealed.root for sealed in self._packs)
        self.seal = seal_of(self.hashed, self.roots).hex()

    def cut(self, cuts: Sequence[Cut]) -> "CutDeal[C]":
        """The deal that all the cuts make of it."""
        return CutDeal(self, tuple(cuts), self._packs, self._secrets)

    def secrets(self) -> tuple[str, ...]:
        """The secrets of all packs. Only for a void deal."""
        return tuple(secret.hex() for secret in self._secrets)


class CutDeal(Concealed, Generic[C]):
    """A deal after its cut. The played pack and its order are fixed."""

    __slots__ = (
        "_secret",
        "context",
        "cut",
        "cuts",
        "hashed",
        "pack",
        "permutation",
        "played",
        "roots",
        "seal",
        "secrets",
    )

    def __init__(
        self,
        committed: CommittedDeal[C],
        cuts: tuple[Cut, ...],
        packs: tuple[SealedPack[C], ...],
        secrets: tuple[bytes, ...],
    ) -> None:
        assert tuple(cut.seat for cut in cuts) == tuple(cutter.seat for cutter in committed.context.cutters)
        self.context, self.hashed, self.roots, self.seal = (
            committed.context,
            committed.hashed,
            committed.roots,
            committed.seal,
        )
        self.cuts = cuts
        made = cut_of(bytes.fromhex(self.seal), cuts)
        self.cut = made.hex()
        self.played = choice(made, committed.context.packs)
        self.pack = packs[self.played]
        self.permutation = permutation(made, self.pack.size)
        self._secret = secrets[self.played]
        self.secrets: tuple[str | None, ...] = tuple(
            None if number == self.played else secret.hex() for number, secret in enumerate(secrets)
        )
        """The secrets of the packs that are not played, which are public, and None for the played pack."""

    @property
    def size(self) -> int:
        return self.pack.size

    def secret(self) -> str:
        """The secret of the played pack. It opens the whole pack."""
        return self._secret.hex()

    def order(self) -> tuple[C, ...]:
        """All cards in the order dealt."""
        return tuple([self.pack.card(position) for position in self.permutation])

    def opened(self, k: int) -> OpenedCard[C]:
        """Open the `k`-th card dealt. The caller decides who may see it."""
        return self.pack.opened(k, self.permutation[k])

    def opening(self, k: int) -> Opening:
        """The same, written down."""
        return self.opened(k).opening()


def check_context(context: Context) -> tuple[Finding, ...]:
    """One finding for each field of a context that is out of bounds or not canonical."""
    found = []
    for field in ("room", "before"):
        if not is_hash(getattr(context, field)):
            found.append(finding(Fault.CONTEXT_MALFORMED, field=field, value=fact(getattr(context, field))))
    for field, low in (("deal", 1), ("hand", 1), ("shuffle", 0), ("packs", 1)):
        value = getattr(context, field)
        if not is_whole(value) or value < low or (field == "packs" and value > PACKS_HIDDEN):
            found.append(finding(Fault.CONTEXT_MALFORMED, field=field, value=fact(value)))
    for field in ("rules", "setup", "pack"):
        if not canonical.is_canonical(getattr(context, field)):
            found.append(finding(Fault.CONTEXT_NOT_CANONICAL, field=field, value=fact(getattr(context, field))))
    seats = [cutter.seat for cutter in context.cutters]
    if len(seats) > CUTTERS_MAX or not all(map(is_whole, seats)) or seats != sorted(set(seats)):
        found.append(finding(Fault.CUTTERS_MALFORMED, seats=" ".join(map(str, seats))[:80]))
    for cutter in context.cutters:
        if not is_hash(cutter.promise):
            found.append(finding(Fault.PROMISE_MALFORMED, seat=fact(cutter.seat), value=fact(cutter.promise)))
    return tuple(found)


def check_roots(context: Context, roots: Sequence[str]) -> tuple[Finding, ...]:
    """Check that there is a root for each pack."""
    if len(roots) != context.packs:
        return (finding(Fault.ROOT_COUNT, roots=len(roots), packs=context.packs),)
    return tuple(finding(Fault.ROOT_MALFORMED, value=fact(root)) for root in roots if not is_hash(root))


def check_cuts(context: Context, cuts: Sequence[Cut]) -> tuple[Finding, ...]:
    """Check that exactly the cutters have cut, in order, each as promised."""
    seats = tuple(cut.seat for cut in cuts)
    if seats != tuple(cutter.seat for cutter in context.cutters):
        return (finding(Fault.CUTS_INCOMPLETE, seats=" ".join(map(str, seats))[:80]),)
    return check_given(context, cuts)


def check_given(context: Context, cuts: Sequence[Cut]) -> tuple[Finding, ...]:
    """Check that each of these cuts is as promised. A void deal lacks some."""
    promised = {cutter.seat: cutter.promise for cutter in context.cutters}
    return tuple(
        finding(Fault.CUT_NOT_PROMISED, seat=fact(cut.seat))
        for cut in cuts
        if cut.seat not in promised or not keeps(promised[cut.seat], cut.value)
    )


def check_secrets(
    hashed: bytes, roots: Sequence[str], pack: Sequence[str], secrets: Sequence[str | None], played: int | None
) -> tuple[Finding, ...]:
    """Check that every pack that is not played, or every pack of a void deal, was an honest shuffle."""
    if len(secrets) != len(roots):
        return (finding(Fault.SECRET_COUNT, secrets=len(secrets), packs=len(roots)),)
    found = []
    for number, (root, secret) in enumerate(zip(roots, secrets, strict=True)):
        if number == played:
            continue
        if secret is None or not is_hash(secret):
            found.append(finding(Fault.SECRET_MISSING, pack=number))
        elif SealedPack(bytes.fromhex(secret), hashed, pack).root != root:
            found.append(finding(Fault.PACK_FALSE, pack=number))
    return tuple(found)
