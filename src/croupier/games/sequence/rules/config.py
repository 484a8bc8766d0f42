"""Every option of Sequence in one frozen value.

The rules of the document are the default. The classic game differs in four ways: corners are free for everybody, a dead
card may be exchanged, three teams may play, and a jack has the eyes of the printed card. docs/deviations.md says what
was chosen where the rules are silent.
"""

from typing import Annotated, Final, Self, TypeAlias, TypedDict, Unpack

import msgspec
from msgspec.structs import replace

from croupier.game.options import check_options, known_options
from croupier.game.refusal import Code as CommonCode
from croupier.game.refusal import OptionError, Refusal
from croupier.games.sequence.rules.cards import Jacks
from croupier.games.sequence.rules.codes import Code

EDITION: Final = 2
"""The newest behaviour. 2: jacks may go by the printed card."""
TEAM_COUNTS: Final = (2, 3)
SequenceCount: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=2)]


class ChosenOptions(TypedDict, total=False):
    """What `replace` takes: every option, by the name and type that it has in `Options`."""

    edition: int
    sequences_to_win: int
    sequences_to_win_of_three: int
    team_counts: tuple[int, ...]
    free_corners: bool
    exchange_dead_cards: bool
    bar_cleared_cell: bool
    jacks: Jacks


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is decided before the first card. A value that cannot be played raises `OptionError`."""

    edition: Annotated[int, msgspec.Meta(ge=1, le=EDITION)] = 1
    sequences_to_win: SequenceCount = 2
    sequences_to_win_of_three: SequenceCount = 1
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
        check_options(self)
        if not self.team_counts or not set(self.team_counts) <= set(TEAM_COUNTS):
            raise OptionError(Refusal(Code.WRONG_TEAM_COUNT, {"teams": self.team_counts, "allowed": TEAM_COUNTS}))
        if self.edition == 1 and self.jacks is not Jacks.VARIANT:
            facts = {"first": "edition", "firstValue": "1", "second": "jacks", "secondValue": str(self.jacks)}
            raise OptionError(Refusal(CommonCode.OPTIONS_CLASH, {**facts}))

    def replace(self, **options: Unpack[ChosenOptions]) -> Self:
        """The same rules with other options. Raises OptionError, a ValueError, for what cannot be."""
        return replace(self, **known_options(self, options))

    def sequences_needed(self, teams: int) -> int:
        """How many sequences win when so many teams play."""
        return self.sequences_to_win_of_three if teams == 3 else self.sequences_to_win
