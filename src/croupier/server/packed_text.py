"""Long texts that wait in memory until their readers have taken them: compressed, and bounded in all."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from croupier.server.replays import BusyError

BLOCK_BYTES: Final = 256 * 1024
FAST: Final = 1
"""The level of compression: records of games are a tenth of their length even so."""
HELD_BYTES_MAX: Final = 512 * 1024 * 1024


class PackedText(NamedTuple):
    """A text in compressed blocks, to be sent one after the other."""

    length: int
    """In bytes, as it is sent."""
    blocks: list[bytes]

    @property
    def held_bytes(self) -> int:
        """How much memory it takes."""
        return sum(map(len, self.blocks))


def packed(lines: Iterable[str]) -> PackedText:
    """The lines as a text."""
    blocks, block, length = [], bytearray(), 0
    for text in lines:
        block += text.encode() + b"\n"
        if len(block) >= BLOCK_BYTES:
            blocks.append(zlib.compress(block, FAST))
            length += len(block)
            block.clear()
    return PackedText(length + len(block), [*blocks, zlib.compress(block, FAST)])


class Outbound:
    """The texts that are being sent."""

    def __init__(self) -> None:
        self.held_bytes = 0

    def check(self) -> None:
        """Raises BusyError while too much waits for readers that are slow."""
        if self.held_bytes >= HELD_BYTES_MAX:
            raise BusyError

    def send(self, text: PackedText) -> Iterator[bytes]:
        """The blocks as they are sent. The text counts from the first one until the reader has the last, or is gone."""
        held = text.held_bytes
        self.held_bytes += held
        try:
            for block in text.blocks:
                yield zlib.decompress(block)
        finally:
            self.held_bytes -= held
