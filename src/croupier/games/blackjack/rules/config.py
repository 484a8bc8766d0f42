"""Every option of blackjack in one frozen value, and the three rule sets that Croupier is known for.

An option has one name everywhere: here, in JSON, in records and on the command line. Choices where house rules differ:

- The fraction of a chip: whatever a player *receives or stakes* by a fraction (3:2 of a bet, half of it for
  insurance or surrender) is rounded down to a whole chip. `share` is the only place where that happens.
- `double="9-11"` asks for a total of 9, 10 or 11 as the hand counts best, so a soft 19 does not qualify.
- `peek=False` is the European game: the dealer takes the second card after the players.
- `original_bets_only` makes a dealer's blackjack cost a seat exactly the bet it began with, whatever it doubled, split
  or bust since: the same money as if the dealer had peeked.
- `surrender="early"` comes before the dealer looks and always returns half. `"late"` never returns anything against
  a dealer's blackjack; where the dealer peeks it is offered only after that, so it always returns half. These are the
  two readings of the trainer's document (docs/deviations.md).
- `bet_max=0` is a game without bets: win, lose or push only.
"""

from typing import Annotated, Final, Literal, Self, TypeAlias, TypedDict, Unpack

import msgspec
from msgspec.structs import replace

from croupier.game.options import check_options, known_options
from croupier.game.refusal import Code, OptionError, Refusal

EDITION: Final = 2
"""The newest behaviour. In edition 1 a shoe went on in the order of its first shuffle, so it could not go on in a room,
where the players cut every deal."""
HOUSE_SEATS_MAX: Final = 7
PAYS_MAX: Final = 100
Decks: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=8)]
StandsOn: TypeAlias = Annotated[int, msgspec.Meta(ge=12, le=21)]
Bet: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Seats: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=200)]


class ChosenOptions(TypedDict, total=False):
    """What `replace` takes: every option, by the name and type that it has in `Options`."""

    edition: int
    decks: int
    ace: Literal["best", "one"]
    dealer_stands_on: int
    dealer_hits_soft_17: bool
    dealer_seat: bool
    peek: bool
    original_bets_only: bool
    blackjack_pays: str
    double: Literal["any", "9-11", "no"]
    double_after_split: bool
    hands_max: int
    hit_split_aces: bool
    resplit_aces: bool
    insurance: bool
    surrender: Literal["no", "late", "early"]
    penetration: float
    bet_min: int
    bet_max: int
    seats_min: int
    seats_max: int


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is decided before the first bet. Options that contradict each other raise `OptionError`, naming both."""

    edition: Annotated[int, msgspec.Meta(ge=1, le=EDITION)] = 1
    decks: Decks = 6
    ace: Literal["best", "one"] = "best"
    """What an ace counts: 1 or 11, the best for the hand, or always 1."""
    dealer_stands_on: StandsOn = 17
    """The dealer draws below this total."""
    dealer_hits_soft_17: bool = False
    """H17 instead of S17."""
    dealer_seat: bool = False
    """The dealer is a person in a seat, with open cards, who decides nothing."""
    peek: bool = True
    """The dealer has a hole card from the start and looks for blackjack under an ace or a ten."""
    original_bets_only: bool = False
    """Without peek: a dealer's blackjack takes the original bet only."""
    blackjack_pays: Annotated[str, msgspec.Meta(examples=["3:2", "6:5", "7:5", "2:1", "1:1", "none"])] = "3:2"
    """Any ratio of whole numbers, or `none`: then two cards of 21 are an ordinary 21, for the dealer too."""
    double: Literal["any", "9-11", "no"] = "any"
    double_after_split: bool = True
    hands_max: Annotated[int, msgspec.Meta(ge=1, le=4)] = 2
    """To how many hands a pair may be split; 1 forbids splitting."""
    hit_split_aces: bool = False
    resplit_aces: bool = False
    insurance: bool = True
    surrender: Literal["no", "late", "early"] = "no"
    penetration: Annotated[float, msgspec.Meta(ge=0, le=0.95)] = 0.0
    """How much of the shoe is dealt before there is a new one; 0 for a new shoe every round."""
    bet_min: Bet = 1
    bet_max: Bet = 10**6
    seats_min: Seats = 1
    seats_max: Seats = 1

    def __post_init__(self) -> None:
        self._check_ranges()
        no_bets = self.bet_max == 0
        clashes = (
            ("original_bets_only", "peek", self.original_bets_only and self.peek),
            ("resplit_aces", "hands_max", self.resplit_aces and self.hands_max < 3),
            ("hit_split_aces", "hands_max", self.hit_split_aces and self.hands_max == 1),
            ("insurance", "blackjack_pays", self.insurance and not self.has_blackjack),
            ("dealer_hits_soft_17", "ace", self.dealer_hits_soft_17 and self.ace == "one"),
            ("dealer_hits_soft_17", "dealer_stands_on", self.dealer_hits_soft_17 and self.dealer_stands_on != 17),
            ("blackjack_pays", "ace", self.has_blackjack and self.ace == "one"),
            ("peek", "dealer_seat", self.peek and self.dealer_seat),
            ("blackjack_pays", "dealer_seat", self.has_blackjack and self.dealer_seat),
            ("penetration", "dealer_seat", self.penetration > 0 and self.dealer_seat),
            ("bet_max", "dealer_seat", self.dealer_seat and not no_bets),
            ("insurance", "bet_max", self.insurance and no_bets),
            ("surrender", "bet_max", self.surrender != "no" and no_bets),
            ("double", "bet_max", self.double != "no" and no_bets),
            ("hands_max", "bet_max", self.hands_max > 1 and no_bets),
            ("bet_min", "bet_max", self.bet_min > self.bet_max or (self.bet_min == 0 and not no_bets)),
            ("seats_min", "seats_max", self.seats_min > self.seats_max),
        )
        for first, second, clash in clashes:
            if clash:
                facts = self._named(first, "first") | self._named(second, "second")
                raise OptionError(Refusal(Code.OPTIONS_CLASH, dict(facts)))

    def replace(self, **options: Unpack[ChosenOptions]) -> Self:
        """The same rules with other options. Raises OptionError, a ValueError, for what cannot be."""
        return replace(self, **known_options(self, options))

    @property
    def has_blackjack(self) -> bool:
        """Whether an ace and a ten as the first two cards are more than 21."""
        return self.blackjack_pays != "none"

    @property
    def blackjack_ratio(self) -> tuple[int, int]:
        """What a blackjack wins, as numerator and denominator of the bet."""
        numerator, _, denominator = self.blackjack_pays.partition(":")
        return int(numerator), int(denominator)

    def _check_ranges(self) -> None:
        check_options(self)
        if self.has_blackjack and not _is_ratio(self.blackjack_pays):
            raise self._wrong("blackjack_pays", f"3:2, 6:5, 1:1 – {PAYS_MAX}:1, none")
        if self.seats_max > HOUSE_SEATS_MAX and not self.dealer_seat:
            raise self._wrong("seats_max", f"1 – {HOUSE_SEATS_MAX}")

    def _named(self, option: str, place: str) -> dict[str, str]:
        return {place: option, f"{place}Value": str(getattr(self, option))}

    def _wrong(self, option: str, allowed: str) -> OptionError:
        facts = {"option": option, "value": str(getattr(self, option)), "allowed": allowed}
        return OptionError(Refusal(Code.BAD_OPTION, dict(facts)))


def _is_ratio(text: str) -> bool:
    numerator, _, denominator = text.partition(":")
    if not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in (numerator, denominator)):
        return False
    return int(numerator) <= PAYS_MAX and 0 < int(denominator) <= PAYS_MAX


def half(amount: int) -> int:
    """What insurance stakes and a surrender returns."""
    return share(amount, 1, 2)


def share(amount: int, numerator: int, denominator: int) -> int:
    """A fraction of an amount, rounded down to a whole chip: the one rounding rule."""
    return amount * numerator // denominator
