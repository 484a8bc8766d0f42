"""An arena's rounds as a dataset, with the names of the bots."""

from collections.abc import Sequence

from croupier.lab.arena.rounds import Match
from croupier.lab.dataset.rows import Rows
from croupier.lab.dataset.sources import rounds_of_records
from croupier.lab.dataset.writer import DatasetWriter


class ArenaWriter:
    """Takes the records of a match, block by block, as `match.play` keeps them. `file` says the seating, `place` the
    deal."""

    def __init__(self, match: Match, names: Sequence[str], writer: DatasetWriter) -> None:
        """`names` are those of the bots, in the order of the match."""
        self._match, self._names, self._writer = match, names, writer
        self._deals = [0] * match.seatings

    def keep(self, seating: int, lines: Sequence[str]) -> None:
        """Write the rounds of one seating of a block."""
        match = self._match
        players = tuple(self._names[match.bot_at(seating, seat)] for seat in range(match.seats))
        first = self._deals[seating] + 1
        self._deals[seating] += len(lines)
        for found in rounds_of_records(f"arena, seating {seating + 1}", lines, players, first):
            assert isinstance(found, Rows), "the arena's own records hold"
            self._writer.write(found)
