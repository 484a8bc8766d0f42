"""`croupier icm`: what tournament stacks are worth in prize money."""

from typing import Annotated

import typer

from croupier.cli.console import fail_with, print_json
from croupier.cli.pushfold_options import amounts
from croupier.cli.texts import t


def icm(
    stacks: Annotated[list[str], typer.Argument(metavar="STACK", help=t("cli.icm.stacks"))],
    payouts: Annotated[str, typer.Option(metavar="PRIZES", help=t("cli.icm.payouts"))],
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.icm.json"))] = False,
) -> None:
    held, prizes = amounts("STACKS", ",".join(stacks)), amounts("--payouts", payouts)
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.icm import icm as compute
    from croupier.lab.poker.ranges import EquityError

    try:
        with compiling_notice():
            values = compute(held, prizes)
    except EquityError as error:
        fail_with(error.refusal)
    total, pool = sum(held), sum(prizes)
    if as_json:
        players = [
            {"stack": stack, "chips": stack / total, "value": value, "share": value / pool}
            for stack, value in zip(held, values, strict=True)
        ]
        print_json({"payouts": prizes, "players": players})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for name in ("stack", "chips", "value", "share"):
        table.add_column(t(f"cli.icm.{name}"), justify="right")
    for stack, value in zip(held, values, strict=True):
        table.add_row(f"{stack:g}", f"{100 * stack / total:.2f} %", f"{value:.4f}", f"{100 * value / pool:.2f} %")
    Console(highlight=False).print(table)
