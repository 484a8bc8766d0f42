"""The options of a push/fold spot, as the commands take them."""

import re
from typing import TYPE_CHECKING, Annotated, Final

import typer

from croupier.cli.console import fail
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.poker.pushfold.spot import Spot

SEPARATORS: Final = re.compile(r"[,/\s]+")
AMOUNT: Final = re.compile(r"[0-9]{1,15}(\.[0-9]{1,9})?|\.[0-9]{1,9}")

Stack = Annotated[float, typer.Option(help=t("cli.pushfold.stack"))]
Players = Annotated[int, typer.Option(help=t("cli.pushfold.players"))]
Stacks = Annotated[str, typer.Option(metavar="STACKS", help=t("cli.pushfold.stacks"))]
Blinds = Annotated[str, typer.Option(metavar="SMALL/BIG", help=t("cli.pushfold.blinds"))]
Ante = Annotated[float, typer.Option(help=t("cli.pushfold.ante"))]
BigBlindAnte = Annotated[float, typer.Option(help=t("cli.pushfold.big_blind_ante"))]
Payouts = Annotated[str, typer.Option(metavar="PRIZES", help=t("cli.pushfold.payouts"))]


def amounts(option: str, text: str) -> tuple[float, ...]:
    """The amounts of a text, separated by commas, slashes or blanks. Ends the command if a word is no amount."""
    words = [word for word in SEPARATORS.split(text) if word]
    for word in words:
        if not AMOUNT.fullmatch(word):
            fail(t("cli.pushfold.badAmount", option=option, word=word))
    return tuple(float(word) for word in words)


def spot_or_exit(
    stack: float, players: int, stacks: str, blinds: str, ante: float, big_blind_ante: float, payouts: str
) -> "Spot":
    """The spot that the options describe. Ends the command with what is wrong with them."""
    both = amounts("--blinds", blinds)
    if len(both) != 2:
        fail(t("cli.pushfold.badBlinds", blinds=blinds))
    from croupier.cli.console import fail_with
    from croupier.lab.poker.pushfold.spot import PLAYERS_MAX, PLAYERS_MIN, Spot, check
    from croupier.lab.poker.ranges import EquityError

    held = amounts("--stacks", stacks)
    if not held and not PLAYERS_MIN <= players <= PLAYERS_MAX:
        error = EquityError("PUSHFOLD_PLAYERS", count=players, low=PLAYERS_MIN, high=PLAYERS_MAX)
        fail_with(error.refusal)
    held = held or (stack,) * players
    spot = Spot(held, *both, ante, big_blind_ante, amounts("--payouts", payouts))
    try:
        check(spot)
    except EquityError as error:
        fail_with(error.refusal)
    return spot
