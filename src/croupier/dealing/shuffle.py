"""`shuffle-1`: one player against the house. The two seeds and the nonce decide the order; revealing them proves it."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeVar

from croupier.dealing.seeds import check_client_seed, check_nonce, check_server_seed

C = TypeVar("C")

PACK_CARDS_MAX: Final = 416
"""Eight decks. The bound on the bias is stated for packs up to this size."""


def shuffle(pack: Sequence[C], server_seed: str, client_seed: str, nonce: int) -> tuple[C, ...]:
    """The pack in the order in which it is dealt.

    For i from n − 1 down to 1, let h be the SHA-256 of the UTF-8 text `serverSeed:clientSeed:nonce:i`, as a 256-bit
    big-endian number. Let j be h mod (i + 1), and swap the cards at i and j.

    The modulus favours some j over others by at most 2^-256 each. Added up over all steps, the distribution of the
    order is within m/4 · 2^-256, summed over m = 2 … n, of uniform in total variation: below 2^-241 for n ≤ 416.

    A client seed may contain colons; the text still reads one way only, because the server seed has a fixed length
    and the last two parts are digits.
    """
    assert not (check_server_seed(server_seed) + check_client_seed(client_seed) + check_nonce(nonce))
    assert len(pack) <= PACK_CARDS_MAX
    order = list(pack)
    beginning = sha256(f"{server_seed}:{client_seed}:{nonce}:".encode())
    for i in range(len(order) - 1, 0, -1):
        step = beginning.copy()
        step.update(b"%d" % i)
        j = int.from_bytes(step.digest(), "big") % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
