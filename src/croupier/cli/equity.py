"""`croupier equity`: how often each of several poker hands or ranges wins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer

from croupier import locales
from croupier.cli.console import fail, fail_with, has_progress, print_json, progress_bar
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.poker.breakdown import ComboEquity
    from croupier.lab.poker.equity import Equity

VARIANT_NAMES: Final = (
    "holdem", "short-deck", "double-board-holdem", "omaha", "omaha5", "omaha6", "omaha-hilo", "double-board-omaha",
)  # fmt: skip
"""The names of `lab.poker.variants`, which is not loaded for the help."""


def equity(  # noqa: PLR0913, PLR0917  # an option each
    hands: Annotated[list[str] | None, typer.Argument(metavar="HAND", help=t("cli.equity.hands"))] = None,
    board: Annotated[str, typer.Option(help=t("cli.equity.board"))] = "",
    dead: Annotated[str, typer.Option(help=t("cli.equity.dead"))] = "",
    ranges: Annotated[bool, typer.Option("--ranges", help=t("cli.equity.ranges"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.equity.json"))] = False,
    exact: Annotated[bool, typer.Option("--exact", help=t("cli.equity.exact"))] = False,
    monte_carlo: Annotated[bool, typer.Option("--monte-carlo", help=t("cli.equity.monte_carlo"))] = False,
    samples: Annotated[int, typer.Option(help=t("cli.equity.samples"))] = 10_000_000,
    seed: Annotated[int, typer.Option(help=t("cli.equity.seed"))] = 0,
    cluster: Annotated[str, typer.Option(metavar="tcp://HOST:PORT", help=t("cli.equity.cluster"))] = "",
    variant: Annotated[str, typer.Option(help=t("cli.equity.variant", variants=", ".join(VARIANT_NAMES)))] = "holdem",
    board2: Annotated[str, typer.Option(help=t("cli.equity.board2"))] = "",
    combos: Annotated[int | None, typer.Option("--breakdown", metavar="N", help=t("cli.equity.breakdown"))] = None,
    heat_map: Annotated[str, typer.Option(metavar="FILE", help=t("cli.equity.heat_map"))] = "",
) -> None:
    if exact and monte_carlo:
        fail(t("code.EQUITY_METHODS"))
    from croupier.lab.cluster import ClusterError
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.breakdown import breakdown
    from croupier.lab.poker.equity import Method
    from croupier.lab.poker.equity import equity as compute
    from croupier.lab.poker.ranges import EquityError

    if heat_map:
        _check_heat_map(heat_map, variant)
    method = Method.EXACT if exact else Method.MONTE_CARLO if monte_carlo else None
    try:
        with compiling_notice(), progress_bar("cli.equity.progress", shown=has_progress(as_json=as_json)) as progress:
            result = compute(
                hands or [],
                board,
                dead,
                method=method,
                samples=samples,
                seed=seed,
                cluster=cluster,
                progress=progress,
                variant=variant,
                board2=board2,
            )
            found: tuple[ComboEquity, ...] = ()
            if combos is not None or heat_map:
                number = 1 if combos is None else combos
                found = breakdown(
                    hands or [], number, board, dead, variant=variant, board2=board2, samples=samples, seed=seed
                )
    except (EquityError, ClusterError) as error:
        fail_with(error.refusal)
    listed = found if combos is not None else ()
    if as_json:
        print_json(msgspec.to_builtins(result) | ({"breakdown": listed} if listed else {}))
    else:
        _print_table(result)
        _print_breakdown(listed)
    if heat_map:
        _draw(found, hands or [], 1 if combos is None else combos, heat_map)


def _check_heat_map(file: str, variant: str) -> None:
    """Refuse a picture that cannot be drawn before computing anything."""
    from croupier.lab.poker.variants import VARIANTS

    if variant in VARIANTS and VARIANTS[variant].hole_cards != 2:
        fail(t("code.EQUITY_HEAT_MAP"))
    wanted_file(Path(file), *PICTURE_ENDINGS)


def _draw(found: "tuple[ComboEquity, ...]", hands: list[str], number: int, file: str) -> None:
    from croupier.lab.poker.breakdown import draw_heat_map

    others = ", ".join(hand for place, hand in enumerate(hands, start=1) if place != number)
    language = picture_language()
    title = locales.text(language, "cli.equity.heat_title", range=hands[number - 1], others=others)
    with writing(Path(file)):
        draw_heat_map(found, Path(file), title, language)
    typer.echo(t("cli.equity.drawn", file=file), err=True)


def _print_breakdown(found: "tuple[ComboEquity, ...]") -> None:
    from rich.console import Console
    from rich.table import Table

    if not found:
        return
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(t("cli.equity.combo"))
    table.add_column(t("cli.equity.equity"), justify="right", no_wrap=True)
    for combo in found:
        table.add_row(combo.hand, f"{combo.equity:.4%}")
    Console(highlight=False).print(table)


def _print_table(result: "Equity") -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.lab.poker.equity import Method

    sampled = result.method is Method.MONTE_CARLO
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(t("cli.equity.hand"), overflow="fold")
    for name in ("equity", "win", "tie", *(["interval"] if sampled else [])):
        table.add_column(t(f"cli.equity.{name}"), justify="right", no_wrap=True)
    for hand in result.hands:
        row = [hand.hand, f"{hand.equity:.4%}", f"{hand.win:.4%}", f"{hand.tie:.4%}"]
        if hand.low is not None and hand.high is not None:
            row.append(f"{hand.low:.4%} – {hand.high:.4%}")
        table.add_row(*row)
    Console(highlight=False).print(table)
    method = "by_monte_carlo" if sampled else "by_exact"
    typer.echo(t(f"cli.equity.{method}", boards=f"{result.boards:,}", seconds=f"{result.seconds:.3f}"))
