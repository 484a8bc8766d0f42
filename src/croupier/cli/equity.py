"""`croupier equity`: how often each of several poker hands or ranges wins."""

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import fail, fail_with, has_progress, print_json, progress_bar
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.poker.equity import Equity


def equity(  # noqa: PLR0913, PLR0917  # an option each
    hands: Annotated[list[str] | None, typer.Argument(metavar="HAND...", help=t("cli.equity.hands"))] = None,
    board: Annotated[str, typer.Option(help=t("cli.equity.board"))] = "",
    dead: Annotated[str, typer.Option(help=t("cli.equity.dead"))] = "",
    ranges: Annotated[bool, typer.Option("--ranges", help=t("cli.equity.ranges"))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.equity.json"))] = False,
    exact: Annotated[bool, typer.Option("--exact", help=t("cli.equity.exact"))] = False,
    monte_carlo: Annotated[bool, typer.Option("--monte-carlo", help=t("cli.equity.monte_carlo"))] = False,
    samples: Annotated[int, typer.Option(help=t("cli.equity.samples"))] = 10_000_000,
    seed: Annotated[int, typer.Option(help=t("cli.equity.seed"))] = 0,
    cluster: Annotated[str, typer.Option(metavar="tcp://HOST:PORT", help=t("cli.equity.cluster"))] = "",
) -> None:
    if exact and monte_carlo:
        fail(t("code.EQUITY_METHODS"))
    from croupier.lab.cluster import ClusterError
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.equity import Method
    from croupier.lab.poker.equity import equity as compute
    from croupier.lab.poker.ranges import EquityError

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
            )
    except (EquityError, ClusterError) as error:
        fail_with(error.refusal)
    if as_json:
        print_json(result)
    else:
        _print_table(result)


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
