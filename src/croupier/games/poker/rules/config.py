"""Every option of the poker family in one frozen value. A variant is a choice of five of them: the pack, how many hole
cards, how many of these are used, the betting, and what the pot is split between. Choices where house rules differ:

- An ante of every seat counts towards the pots like a bet, so who could pay only a part of it competes for that part
  of the others' antes. The ante that the big blind pays for the table is dead money in the main pot, whoever is in.
- An ante is paid before a blind.
- Odd chips of a split pot go one each to its winners in order from the left of the button, or, by option and in
  edition 1, all to the first of them.
- Players who go out in one hand with equal stacks share the place.
- Two boards are dealt side by side, with one burned card a street for both.
- In fixed-limit, the small bet is the big blind and the big bet twice that.
"""

from enum import StrEnum
from typing import Annotated, Final, Self, TypeAlias, TypedDict, Unpack

import msgspec
from msgspec.structs import replace

from croupier.cards import PACK, RANKS, Card
from croupier.game.options import check_options, known_options
from croupier.game.refusal import Code, OptionError, Refusal

EDITION: Final = 5
"""The newest behaviour. 2: odd chips of a split pot go one each to its winners. 3: proofs and records call the game
`poker`; before, it was `holdem`. 4: variants, and what home games ask for; before, there was no-limit Hold'em only.
5: the dead button, missed blinds, and bomb pots that the host asks for."""
VARIANTS_SINCE: Final = 4
RETURNS_SINCE: Final = 5
"""The edition with missed blinds and the dead button."""
CHIPS_MAX: Final = 10**14
"""More than any table has, and every sum of stacks is still exact in the floating point of a browser."""
DOUBLINGS_MAX: Final = 30
"""From here on the blinds stay: they are a thousand million times the first ones."""
HANDS_PER_LEVEL: Final = 10
LEVELS_MAX: Final = 100
SEATS_MIN: Final = 2
SEATS_MAX: Final = 10
BOARD_CARDS: Final = 5
BURNED_CARDS: Final = 3
RUNS_MAX: Final = 3
"""How often the rest of a board can be dealt."""
Chips: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=CHIPS_MAX)]
ChipsOrZero: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=CHIPS_MAX)]


class Mode(StrEnum):
    """A tournament ends when one player has all the chips; in a cash game people buy chips, sit out and go."""

    TOURNAMENT = "tournament"
    CASH = "cash"


_CASH: Final = Mode.CASH


class AnteFrom(StrEnum):
    """The ante is paid by every seat, or by the big blind, one ante for the whole table."""

    EACH = "each"
    BIG_BLIND = "big_blind"


class OddChips(StrEnum):
    """Odd chips of a split pot: one each to the winners from the left of the button, or all to the first of them."""

    EACH = "each"
    FIRST = "first"


class Pack(StrEnum):
    """All 52 cards, or the 36 from six to ace: a flush beats a full house there, A-6-7-8-9 is the lowest straight."""

    FULL = "full"
    SHORT = "short"


PACK_CARDS: Final = {Pack.FULL: PACK, Pack.SHORT: PACK[4 * RANKS.index("6") :]}
"""The cards of each pack."""


class Used(StrEnum):
    """Which hole cards make a hand: any of them, or exactly two with three of the board."""

    ANY = "any"
    TWO = "two"


class Betting(StrEnum):
    """How much a bet or raise may be: all chips, the pot, or one fixed amount."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    FIXED_LIMIT = "fixed_limit"


class Split(StrEnum):
    """What each pot is for: the best hand; half each for the best and the best low of eight or better; or half each for
    the best hand on either of two boards."""

    HIGH = "high"
    HIGH_LOW = "high_low"
    TWO_BOARDS = "two_boards"


_TWO_BOARDS: Final = Split.TWO_BOARDS


class BlindsFrom(StrEnum):
    """The blinds are posted by the two seats after the button, or by the button alone, which posts the big one."""

    TWO_SEATS = "two_seats"
    BUTTON = "button"


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The blinds and the ante of one level."""

    small_blind: int
    big_blind: int
    ante: int = 0


class ChosenOptions(TypedDict, total=False):
    """What `replace` takes: every option, by the name and type that it has in `HoldemOptions`."""

    edition: int
    mode: Mode
    stack_chips: int
    small_blind: int
    big_blind: int
    ante: int
    ante_from: AnteFrom
    hands_per_level: int | None
    levels: tuple[Level, ...]
    odd_chips: OddChips
    top_up_to_chips: int | None
    pack: Pack
    hole_cards: int
    used: Used
    betting: Betting
    pot: Split
    blinds_from: BlindsFrom
    straddle: bool
    bomb_every: int
    bomb_ante: int
    run_times: int
    rabbit: bool
    winner_shows: bool
    rake_permille: int
    rake_cap: int
    seven_deuce: int
    dead_button: bool
    missed_blinds: bool


class HoldemOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is decided before the first hand. Options that contradict each other raise `OptionError`, naming both."""

    edition: Annotated[int, msgspec.Meta(ge=1, le=EDITION)] = 1
    mode: Mode = Mode.TOURNAMENT
    stack_chips: Chips = 1000
    """What every seat starts with."""
    small_blind: ChipsOrZero = 5
    big_blind: Chips = 10
    ante: ChipsOrZero = 0
    ante_from: AnteFrom = AnteFrom.EACH
    hands_per_level: Annotated[int, msgspec.Meta(ge=1, le=10_000, extra={"usual": HANDS_PER_LEVEL})] | None = None
    """How many hands a level lasts; 10 in a tournament if not said, and never in a cash game."""
    levels: tuple[Level, ...] = ()
    """A written schedule; its last level stays. Without it, blinds and ante double from level to level."""
    odd_chips: OddChips = OddChips.FIRST
    top_up_to_chips: Chips | None = None
    """In a cash game, the most that buying chips may bring a stack to; if not said, `stack_chips`."""

    pack: Pack = Pack.FULL
    hole_cards: Annotated[int, msgspec.Meta(ge=2, le=6)] = 2
    used: Used = Used.ANY
    betting: Betting = Betting.NO_LIMIT
    pot: Split = Split.HIGH
    blinds_from: BlindsFrom = BlindsFrom.TWO_SEATS

    straddle: bool = False
    """With three or more players the seat after the big blind posts twice as much, and acts last before the flop."""
    bomb_every: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Every so many hands is a bomb pot; 0 for never."""
    bomb_ante: ChipsOrZero = 0
    """What everybody posts for a bomb pot. With 0 for `bomb_every`, a hand is one only if the host asks for it."""
    run_times: Annotated[int, msgspec.Meta(ge=1, le=RUNS_MAX)] = 1
    """How often the rest of the board may be dealt, if all who are in an all-in agree."""
    rabbit: bool = False
    """After a hand that ended early, the cards that would have come are opened."""
    winner_shows: bool = False
    """Who won unseen is asked whether to show one card, all or none."""
    rake_permille: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    """What the house takes of every thousand chips of a pot, once there was a flop."""
    rake_cap: ChipsOrZero = 0
    """The most that it takes of a hand; 0 for no such limit."""
    seven_deuce: ChipsOrZero = 0
    """What everybody dealt in pays to a winner who shows a seven and a deuce."""
    dead_button: bool = False
    """The big blind moves to the next player, the small blind and the button to where the big and the small blind were,
    also if nobody is there now; else the button moves to the next player, and the blinds follow on it."""
    missed_blinds: bool = False
    """In a cash game, who missed blinds posts them to be dealt in again, or waits for the big blind."""

    def __post_init__(self) -> None:
        check_options(self)
        if len(self.levels) > LEVELS_MAX:
            raise self._wrong("levels", f"0–{LEVELS_MAX}")
        cash = self.mode is Mode.CASH
        levels = self.levels or (Level(self.small_blind, self.big_blind, self.ante),)
        clashes = (
            ("small_blind", "big_blind", self.small_blind > self.big_blind),
            ("stack_chips", "big_blind", self.stack_chips < self.big_blind),
            ("ante", "ante_from", self.ante_from is AnteFrom.BIG_BLIND and not any(level.ante for level in levels)),
            ("ante", "levels", bool(self.ante and self.levels)),
            ("edition", "odd_chips", self.edition == 1 and self.odd_chips is not OddChips.FIRST),
            ("mode", "hands_per_level", cash and self.hands_per_level is not None),
            ("mode", "levels", cash and bool(self.levels)),
            ("mode", "top_up_to_chips", not cash and self.top_up_to_chips is not None),
            ("stack_chips", "top_up_to_chips", cash and self.stack_chips > self.top_up_limit_chips),
            ("pack", "pot", self.pack is Pack.SHORT and self.pot is Split.HIGH_LOW),
            ("small_blind", "blinds_from", self._button_blind and not self.levels and self.small_blind > 0),
            ("straddle", "blinds_from", self._button_blind and self.straddle),
            ("bomb_every", "bomb_ante", bool(self.bomb_every) and not self.bomb_ante),
            ("edition", "bomb_ante", bool(self.bomb_ante) and not self.bomb_every and self.edition < RETURNS_SINCE),
            ("run_times", "pot", self.run_times > 1 and self.boards > 1),
            ("rake_cap", "rake_permille", self.rake_cap > 0 and not self.rake_permille),
            ("mode", "rake_permille", not cash and self.rake_permille > 0),
            ("seven_deuce", "hole_cards", self.seven_deuce > 0 and self.hole_cards != 2),
            ("seven_deuce", "pack", self.seven_deuce > 0 and self.pack is Pack.SHORT),
            ("levels", "blinds_from", self._button_blind and any(level.small_blind for level in self.levels)),
            ("dead_button", "blinds_from", self._button_blind and self.dead_button),
            ("missed_blinds", "blinds_from", self._button_blind and self.missed_blinds),
            ("mode", "missed_blinds", not cash and self.missed_blinds),
        )
        too_new = [(name, getattr(self, name)) for name in FIELDS_SINCE if self.edition < FIELDS_SINCE[name]]
        clashes += tuple(("edition", name, value != _DEFAULTS[name]) for name, value in too_new)
        for first, second, clash in clashes:
            if clash:
                facts = {"first": first, "firstValue": str(getattr(self, first))}
                facts |= {"second": second, "secondValue": str(getattr(self, second))}
                raise OptionError(Refusal(Code.OPTIONS_CLASH, {**facts}))
        for level in self.levels:
            if not (0 <= level.small_blind <= level.big_blind <= CHIPS_MAX and level.big_blind and level.ante >= 0):
                raise self._wrong("levels", "0 ≤ small_blind ≤ big_blind, 0 < big_blind, 0 ≤ ante")

    def replace(self, **options: Unpack[ChosenOptions]) -> Self:
        """The same rules with other options. Raises OptionError, a ValueError, for what cannot be."""
        return replace(self, **known_options(self, options))

    @property
    def top_up_limit_chips(self) -> int:
        """The most that buying chips may bring a stack to."""
        return self.stack_chips if self.top_up_to_chips is None else self.top_up_to_chips

    @property
    def level_hands(self) -> int:
        """How many hands a level lasts; 0 where there are no levels."""
        return 0 if self.mode is _CASH else self.hands_per_level or HANDS_PER_LEVEL

    def level_number(self, hand: int) -> int:
        """The level of the hand with this number (both from 1); 0 where there are no levels."""
        level_hands = self.level_hands
        return (hand - 1) // level_hands + 1 if level_hands else 0

    def level(self, number: int) -> Level:
        """The blinds and the ante of the level with this number."""
        if not number:
            return Level(self.small_blind, self.big_blind, self.ante)
        if self.levels:
            return self.levels[min(number, len(self.levels)) - 1]
        times = 2 ** min(number - 1, DOUBLINGS_MAX)
        return Level(self.small_blind * times, self.big_blind * times, self.ante * times)

    @property
    def first_big_blind(self) -> int:
        """The big blind of the first hand."""
        return self.level(self.level_number(1)).big_blind

    @property
    def boards(self) -> int:
        """How many boards are dealt."""
        return 2 if self.pot is _TWO_BOARDS else 1

    @property
    def pack_cards(self) -> tuple[Card, ...]:
        """The cards that are shuffled."""
        return PACK_CARDS[self.pack]

    @property
    def seats_max(self) -> int:
        """As many seats as the pack has cards for, burned ones counted."""
        left = len(self.pack_cards) - BURNED_CARDS - BOARD_CARDS * self.boards
        return min(SEATS_MAX, left // self.hole_cards)

    def is_bomb(self, hand: int) -> bool:
        """Whether the hand with this number is a bomb pot."""
        return self.bomb_every > 0 and hand % self.bomb_every == 0

    @property
    def _button_blind(self) -> bool:
        return self.blinds_from is BlindsFrom.BUTTON

    def _wrong(self, option: str, allowed: str) -> OptionError:
        facts = {"option": option, "value": str(getattr(self, option)), "allowed": allowed}
        return OptionError(Refusal(Code.BAD_OPTION, {**facts}))


_VARIANTS: Final = ("pack", "hole_cards", "used", "betting", "pot", "blinds_from")
_HOME_GAMES: Final = (
    *("straddle", "bomb_every", "bomb_ante", "run_times", "rabbit"),
    *("winner_shows", "rake_permille", "rake_cap", "seven_deuce"),
)
FIELDS_SINCE: Final[dict[str, int]] = {
    **dict.fromkeys((*_VARIANTS, *_HOME_GAMES), VARIANTS_SINCE),
    **dict.fromkeys(("dead_button", "missed_blinds"), RETURNS_SINCE),
}
"""Options by the edition that brought them: rules of an earlier one are written without them, as they always were."""
_DEFAULTS: Final = {field.name: field.default for field in msgspec.structs.fields(HoldemOptions)}
