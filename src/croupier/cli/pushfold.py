"""`croupier pushfold`: push/fold equilibria of two to nine players, in chips or in prize money."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import fail, has_progress, print_json, progress_bar
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.pushfold_options import Ante, BigBlindAnte, Blinds, Payouts, Players, Stack, Stacks, spot_or_exit
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.poker.pushfold.solve import Solution


def pushfold(  # noqa: PLR0913, PLR0917  # an option each
    stack: Stack = 10.0,
    players: Players = 2,
    stacks: Stacks = "",
    blinds: Blinds = "0.5/1",
    ante: Ante = 0.0,
    big_blind_ante: BigBlindAnte = 0.0,
    payouts: Payouts = "",
    target: Annotated[float, typer.Option(help=t("cli.pushfold.target"))] = 0.0001,
    seconds: Annotated[float, typer.Option(help=t("cli.pushfold.seconds"))] = 60.0,
    overcalls: Annotated[bool, typer.Option("--overcalls", help=t("cli.pushfold.overcalls"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.pushfold.json"))] = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help=t("cli.pushfold.png"))] = None,
) -> None:
    spot = spot_or_exit(stack, players, stacks, blinds, ante, big_blind_ante, payouts)
    wanted_file(png, *PICTURE_ENDINGS)
    for option, value in (("--target", target), ("--seconds", seconds)):
        if not 0 < value < float("inf"):
            fail(t("cli.pushfold.badLimit", option=option, value=f"{value:g}"))
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.pushfold.solve import solve

    with compiling_notice(), progress_bar("cli.pushfold.progress", shown=has_progress(as_json=as_json)) as progress:
        solution = solve(spot, target, seconds, lambda found: progress(int(found.seconds), int(seconds)))
    if png is not None:
        from croupier.lab.poker.pushfold.plot import charts
        from croupier.locales import text

        language = picture_language()
        title = text(language, "pushfold.title", stacks=", ".join(f"{each:g}" for each in spot.stacks))
        with writing(png):
            charts(solution, png, title, language)
    if as_json:
        from croupier.lab.poker.pushfold.report import report

        print_json(report(solution))
    else:
        _print(solution, overcalls=overcalls)


def _print(solution: "Solution", *, overcalls: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.cli.texts import LANGUAGE
    from croupier.lab.poker.hand_classes import range_text
    from croupier.lab.poker.pushfold.plot import decision_title

    console, spot = Console(highlight=False), solution.spot
    table = Table(box=None, pad_edge=False, header_style="")
    for name in ("seat", "stackHeld", "ev", "gain"):
        table.add_column(t(f"cli.pushfold.{name}"), justify="right")
    for seat, stack, ev, gain in zip(spot.seats, spot.stacks, solution.expected, solution.gains, strict=True):
        table.add_row(seat, f"{stack:g}", f"{ev:+.4f}", f"{gain:.6f}")
    console.print(table)
    console.print()
    for each in solution.decisions:
        if len(each.after) < 2 or overcalls:
            console.print(decision_title(LANGUAGE, solution, each), soft_wrap=True)
            console.print(f"  {range_text(each.frequencies)}", soft_wrap=True)
    console.print()
    unit = t("cli.pushfold.inPrizes" if spot.payouts else "cli.pushfold.inChips")
    facts = {"iterations": solution.iterations, "seconds": f"{solution.seconds:.2f}"}
    console.print(f"{unit} {t('cli.pushfold.ended', **facts)}", soft_wrap=True)
    if spot.players > 2:
        console.print(t("cli.pushfold.model"), soft_wrap=True)
