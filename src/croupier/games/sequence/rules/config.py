"""Every option of Sequence in one frozen value.

The house game is the default. The classic game differs in four ways: corners are free for everybody, a dead card may
be exchanged, three teams may play, and a jack has the eyes of the printed card. docs/deviations.md says what was chosen
where the rules are silent.
"""

from typing import Final

import msgspec

from croupier.game.refusal import OptionError, Refusal
from croupier.games.sequence.rules.cards import Jacks
from croupier.games.sequence.rules.codes import Code

EDITION: Final = 2
"""The newest behaviour. 2: jacks may go by the printed card."""
TEAM_COUNTS: Final = (2, 3)
SEQUENCE_COUNTS: Final = (1, 2)


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is decided before the first card. A value that cannot be played raises `OptionError`."""

    edition: int = 1
    sequences_to_win: int = 2
    sequences_to_win_of_three: int = 1
    """The same where three teams play."""
    team_counts: tuple[int, ...] = (2,)
    """How many teams there may be, the customary number first."""
    free_corners: bool = False
    """Corners belong to every team and never take a chip; else they are cells like others, without a card."""
    exchange_dead_cards: bool = False
    """A dead card may be exchanged for a fresh one, once a turn, before playing; else it stays in the hand."""
    bar_cleared_cell: bool = True
    """The very next player may not put a wild jack on the cell that a one-eyed jack has just cleared."""
    jacks: Jacks = Jacks.VARIANT

    def __post_init__(self) -> None:
        if not 1 <= self.edition <= EDITION:
            raise OptionError(Refusal(Code.UNKNOWN_EDITION, {"edition": self.edition, "high": EDITION}))
        for sequences in (self.sequences_to_win, self.sequences_to_win_of_three):
            if sequences not in SEQUENCE_COUNTS:
                raise OptionError(
                    Refusal(Code.WRONG_SEQUENCE_COUNT, {"sequences": sequences, "allowed": SEQUENCE_COUNTS})
                )
        if not self.team_counts or not set(self.team_counts) <= set(TEAM_COUNTS):
            raise OptionError(Refusal(Code.WRONG_TEAM_COUNT, {"teams": self.team_counts, "allowed": TEAM_COUNTS}))
        if self.edition == 1 and self.jacks is not Jacks.VARIANT:
            facts = {"first": "edition", "firstValue": "1", "second": "jacks", "secondValue": str(self.jacks)}
            raise OptionError(Refusal(Code.OPTIONS_CLASH, {**facts}))

    def sequences_needed(self, teams: int) -> int:
        """How many sequences win when so many teams play."""
        return self.sequences_to_win_of_three if teams == 3 else self.sequences_to_win
