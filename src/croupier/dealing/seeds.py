"""The seeds of `shuffle-1`: their form, and the commitment to a server seed."""

from hashlib import sha256
from typing import Final

from croupier.dealing.findings import Fault, Finding, fact, finding
from croupier.dealing.hash_input import WHOLE_MAX, is_hash, is_text, is_whole

CLIENT_SEED_CHARACTERS_MIN: Final = 8
CLIENT_SEED_CHARACTERS_MAX: Final = 256
NONCE_MAX: Final = WHOLE_MAX


def commitment(server_seed: str) -> str:
    """SHA-256 of the server seed, in hex: shown before the client seed is taken.

    It is taken over the 64 ASCII characters of the seed's text, not over the 32 bytes that they stand for, so that
    anybody can check it by pasting the seed into any SHA-256 tool.
    """
    assert is_hash(server_seed)
    return sha256(server_seed.encode()).hexdigest()


def check_server_seed(server_seed: object) -> tuple[Finding, ...]:
    """A server seed is 32 bytes, written as 64 lower-case hexadecimal characters."""
    return () if is_hash(server_seed) else (finding(Fault.SERVER_SEED_MALFORMED, value=fact(server_seed)),)


def check_commitment(server_seed_hash: object, server_seed: object) -> tuple[Finding, ...]:
    """Check that the seed fits the commitment. None is a seed that is not revealed yet."""
    found = []
    if not is_hash(server_seed_hash):
        found.append(finding(Fault.COMMITMENT_MALFORMED, value=fact(server_seed_hash)))
    if server_seed is None:
        found.append(finding(Fault.SEED_NOT_REVEALED))
    elif not is_hash(server_seed):
        found.extend(check_server_seed(server_seed))
    elif not found and commitment(str(server_seed)) != server_seed_hash:
        found.append(
            finding(Fault.COMMITMENT_MISMATCH, committed=str(server_seed_hash), computed=commitment(str(server_seed)))
        )
    return tuple(found)


def check_client_seed(client_seed: object) -> tuple[Finding, ...]:
    """A client seed is any 8 to 256 characters (Unicode code points) with a UTF-8 form."""
    if not is_text(client_seed):
        return (finding(Fault.CLIENT_SEED_NOT_TEXT, value=fact(client_seed)),)
    length = len(str(client_seed))
    if not CLIENT_SEED_CHARACTERS_MIN <= length <= CLIENT_SEED_CHARACTERS_MAX:
        return (
            finding(
                Fault.CLIENT_SEED_LENGTH, length=length, low=CLIENT_SEED_CHARACTERS_MIN, high=CLIENT_SEED_CHARACTERS_MAX
            ),
        )
    return ()


def check_nonce(nonce: object) -> tuple[Finding, ...]:
    """A nonce is a whole number from 0 to 2^53 − 1."""
    if is_whole(nonce):
        return ()
    return (finding(Fault.NONCE_OUT_OF_RANGE, value=fact(nonce), high=NONCE_MAX),)
