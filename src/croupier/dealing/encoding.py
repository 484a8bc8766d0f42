"""Values as bytes for hashing: different values always have different bytes."""

import re
from typing import Final

HASH_BYTES: Final = 32
WHOLE_MAX: Final = 2**53 - 1
"""The highest whole number in a proof: JavaScript holds no higher one exactly."""

_HASH_TEXT: Final = re.compile(r"[0-9a-f]{64}")


def frame(*parts: bytes) -> bytes:
    """The parts in order, each after its length as four bytes, big-endian."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def whole(value: int) -> bytes:
    """A whole number as eight bytes, big-endian."""
    return value.to_bytes(8, "big")


def is_hash(value: object) -> bool:
    """Whether this is 32 bytes in hex: 64 lower-case hexadecimal characters."""
    return isinstance(value, str) and _HASH_TEXT.fullmatch(value) is not None


def is_whole(value: object) -> bool:
    """Whether this is a whole number from 0 to `WHOLE_MAX`. True and False are not numbers here."""
    return type(value) is int and 0 <= value <= WHOLE_MAX


def is_text(value: object) -> bool:
    """Whether this is text with a UTF-8 form. A lone surrogate has none."""
    if not isinstance(value, str):
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
