"""What a player can do in a hand of Hold'em, and why it can be refused."""

from enum import StrEnum
from typing import Final, TypeAlias, final

from croupier.game.game import Action


@final
class Fold(Action, frozen=True, tag="HOLDEM_FOLD"):
    """Gives the hand up. Offered on every turn of betting, also where checking is free."""


@final
class Check(Action, frozen=True, tag="HOLDEM_CHECK"):
    """Stays in for nothing, where there is nothing to call."""


@final
class Call(Action, frozen=True, tag="HOLDEM_CALL"):
    """Matches the bet, or puts in the whole stack where that is less; then it does the same as all-in."""

    @property
    def stakes(self) -> bool:
        return True


@final
class Bet(Action, frozen=True, tag="HOLDEM_BET"):
    """The first bet of a street, `amount` chips."""

    amount: int

    @property
    def stakes(self) -> bool:
        return True


@final
class Raise(Action, frozen=True, tag="HOLDEM_RAISE"):
    """Raises the bet of this street *to* so many chips, what the player has already bet included."""

    to: int

    @property
    def stakes(self) -> bool:
        return True


@final
class AllIn(Action, frozen=True, tag="HOLDEM_ALL_IN"):
    """Puts the whole stack in: a call, a bet or a raise, whichever that makes.

    It is the only way to bet or raise less than the minimum. Not offered where it would be a raise and raising is
    not open to the player.
    """

    @property
    def stakes(self) -> bool:
        return True


@final
class Show(Action, frozen=True, tag="HOLDEM_SHOW"):
    """Turns a beaten hand up at the showdown."""


@final
class Muck(Action, frozen=True, tag="HOLDEM_MUCK"):
    """Gives a beaten hand up unseen at the showdown."""


@final
class ShowCard(Action, frozen=True, tag="HOLDEM_SHOW_CARD"):
    """Turns one hole card up, from 0, after winning unseen."""

    card: int


@final
class RunIt(Action, frozen=True, tag="HOLDEM_RUN_IT"):
    """In an all-in before the river: how often the rest of the board may be dealt at most. The fewest that anybody says
    counts."""

    times: int


HoldemAction: TypeAlias = Fold | Check | Call | Bet | Raise | AllIn | Show | Muck | ShowCard | RunIt

FOLD: Final = Fold()
CHECK: Final = Check()
CALL: Final = Call()
ALL_IN: Final = AllIn()
SHOW: Final = Show()
MUCK: Final = Muck()
RUN_ONCE: Final = RunIt(1)


class HoldemCode(StrEnum):
    """Why something was refused, where the codes of every game (`rules.refusal.Code`) do not say it."""

    CANNOT_CHECK = "CANNOT_CHECK"
    NOTHING_TO_CALL = "NOTHING_TO_CALL"
    NOTHING_TO_RAISE = "NOTHING_TO_RAISE"
    BET_ALREADY_MADE = "BET_ALREADY_MADE"
    BET_TOO_SMALL = "BET_TOO_SMALL"
    BET_TOO_BIG = "BET_TOO_BIG"
    RAISE_TOO_SMALL = "RAISE_TOO_SMALL"
    RAISE_TOO_BIG = "RAISE_TOO_BIG"
    ONLY_ALL_IN = "ONLY_ALL_IN"
    BETTING_NOT_REOPENED = "BETTING_NOT_REOPENED"
    NOBODY_CAN_CALL = "NOBODY_CAN_CALL"
    NO_MORE_RAISES = "NO_MORE_RAISES"
    OVER_THE_LIMIT = "OVER_THE_LIMIT"
    NOT_SHOWDOWN = "NOT_SHOWDOWN"
    SAY_HOW_OFTEN = "SAY_HOW_OFTEN"
    SHOW_OR_MUCK = "SHOW_OR_MUCK"

    TOO_FEW_PLAYERS = "TOO_FEW_PLAYERS"
    BUTTON_NOT_IN_PLAY = "BUTTON_NOT_IN_PLAY"
    BAD_HOLDEM_SETUP = "BAD_HOLDEM_SETUP"
    NOT_IN_TOURNAMENT = "NOT_IN_TOURNAMENT"
    TOP_UP_TOO_SMALL = "TOP_UP_TOO_SMALL"
    TOP_UP_TOO_BIG = "TOP_UP_TOO_BIG"
    NO_BOMB_POTS = "NO_BOMB_POTS"
