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

from typing import Final, Literal

import msgspec

from croupier.game.refusal import OptionError, Refusal
from croupier.games.blackjack.rules.codes import BlackjackCode

EDITION: Final = 1
"""The newest behaviour."""
RANGES: Final[dict[str, tuple[float, float]]] = {
    "edition": (1, EDITION),
    "decks": (1, 8),
    "dealer_stands_on": (12, 21),
    "hands_max": (1, 4),
    "penetration": (0, 0.95),
    "bet_min": (0, 10**12),
    "bet_max": (0, 10**12),
    "seats_min": (1, 200),
    "seats_max": (1, 200),
}
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "ace": ("best", "one"),
    "double": ("any", "9-11", "no"),
    "surrender": ("no", "late", "early"),
}
HOUSE_SEATS_MAX: Final = 7
PAYS_MAX: Final = 100


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is decided before the first bet. Options that contradict each other raise `OptionError`, naming both."""

    edition: int = 1
    decks: int = 6
    ace: Literal["best", "one"] = "best"
    """What an ace counts: 1 or 11, the best for the hand, or always 1."""
    dealer_stands_on: int = 17
    """The dealer draws below this total."""
    dealer_hits_soft_17: bool = False
    """H17 instead of S17."""
    dealer_seat: bool = False
    """The dealer is a person in a seat, with open cards, who decides nothing."""
    peek: bool = True
    """The dealer has a hole card from the start and looks for blackjack under an ace or a ten."""
    original_bets_only: bool = False
    """Without peek: a dealer's blackjack takes the original bet only."""
    blackjack_pays: str = "3:2"
    """Any ratio of whole numbers, or `none`: then two cards of 21 are an ordinary 21, for the dealer too."""
    double: Literal["any", "9-11", "no"] = "any"
    double_after_split: bool = True
    hands_max: int = 2
    """To how many hands a pair may be split; 1 forbids splitting."""
    hit_split_aces: bool = False
    resplit_aces: bool = False
    insurance: bool = True
    surrender: Literal["no", "late", "early"] = "no"
    penetration: float = 0.0
    """How much of the shoe is dealt before it is shuffled anew; 0 shuffles before every round."""
    bet_min: int = 1
    bet_max: int = 10**6
    seats_min: int = 1
    seats_max: int = 1

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
                raise OptionError(Refusal(BlackjackCode.OPTIONS_CLASH, dict(facts)))

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
        for option, (low, high) in RANGES.items():
            if not low <= getattr(self, option) <= high:
                raise self._wrong(option, f"{low} – {high}")
        for option, choices in CHOICES.items():
            if getattr(self, option) not in choices:
                raise self._wrong(option, ", ".join(choices))
        if self.has_blackjack and not _is_ratio(self.blackjack_pays):
            raise self._wrong("blackjack_pays", f"3:2, 6:5, 1:1 – {PAYS_MAX}:1, none")
        if self.seats_max > HOUSE_SEATS_MAX and not self.dealer_seat:
            raise self._wrong("seats_max", f"1 – {HOUSE_SEATS_MAX}")

    def _named(self, option: str, place: str) -> dict[str, str]:
        return {place: option, f"{place}Value": str(getattr(self, option))}

    def _wrong(self, option: str, allowed: str) -> OptionError:
        facts = {"option": option, "value": str(getattr(self, option)), "allowed": allowed}
        return OptionError(Refusal(BlackjackCode.BAD_OPTION, dict(facts)))


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
