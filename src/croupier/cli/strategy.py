"""`croupier strategy show` and `croupier strategy diff`: strategy tables in the terminal and as pictures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import fail
from croupier.cli.files import picture_language, wanted_file, writing
from croupier.cli.groups import Commands
from croupier.cli.texts import refusal_text, t

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.lab.blackjack.strategy import StrategyTable

app = Commands(help=t("cli.strategy.help"))

Files = Annotated[list[Path], typer.Argument(metavar="FILE", help=t("cli.strategy.files"))]


@app.command(help=t("cli.strategy.show"))
def show(
    files: Files,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help=t("cli.strategy.png"))] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help=t("cli.strategy.svg"))] = None,
) -> None:
    from rich.console import Console

    wanted_file(png, ".png", ".pdf")
    wanted_file(svg, ".svg")
    if len(files) > 1 and (png or svg):
        fail(t("cli.strategy.onePicture"))
    console = Console()
    for file in files:
        table = load_or_exit(file)
        console.print(file.name, style="bold", highlight=False)
        print_table(console, table)
        for picture in (png, svg):
            if picture is not None:
                from croupier.lab.blackjack.strategy_plot import strategy_chart

                with writing(picture):
                    strategy_chart(table, picture, file.stem, picture_language())


@app.command(help=t("cli.strategy.diff"))
def diff(files: Files) -> None:
    """Exit with 1 if the tables differ, like `diff`."""
    from rich.console import Console

    from croupier.lab.blackjack.strategy import difference

    if len(files) < 2:
        fail(t("cli.strategy.twoFiles", count=len(files)))
    first = load_or_exit(files[0])
    console = Console()
    differ = False
    for file in files[1:]:
        found = difference(first, load_or_exit(file))
        differ = differ or bool(found)
        console.print(t("cli.strategy.differences", first=files[0], second=file, count=len(found)), highlight=False)
        for cell in found:
            hand = f"{t(f'strategy.{cell.kind}')} {cell.hand}"
            console.print("  ", end="")
            console.print(f"{hand} – {cell.up}: ", end="", highlight=False)
            _print_entry(console, cell.first)
            console.print(" → ", end="")
            _print_entry(console, cell.second)
            console.print()
    raise typer.Exit(1 if differ else 0)


def load_or_exit(file: Path) -> "StrategyTable":
    """A table from a file. A fault goes to standard error, and the command ends with 2."""
    from croupier.lab.blackjack.strategy import StrategyError, load

    try:
        return load(file)
    except StrategyError as error:
        fail(("" if "file" in error.refusal.facts else f"{file}: ") + refusal_text(error.refusal))


def print_table(console: "Console", table: "StrategyTable", *, soft: bool = True, pairs: bool = True) -> None:
    """Print a strategy table in colour, and the meaning of its letters."""
    from rich.table import Table
    from rich.text import Text

    from croupier.lab.blackjack.strategy import UPS
    from croupier.lab.blackjack.strategy_plot import COLOURS, shown_rows

    for kind in ("hard", *(["soft"] if soft else []), *(["pairs"] if pairs else [])):
        grid = Table(box=None, pad_edge=False, padding=(0, 0), header_style="bold", title_justify="left")
        grid.add_column(t(f"strategy.{kind}"), justify="right")
        for up in UPS:
            grid.add_column(f" {up} ", justify="center")
        for hand in shown_rows(table, kind):
            entries = [table.play(kind, hand, up) for up in UPS]
            label = f"{hand},{hand} " if kind == "pairs" else f"{hand} "
            grid.add_row(label, *(Text(f" {entry:<2}", style=_style(entry)) for entry in entries))
        console.print(grid)
        console.print()
    used = {entry for kind, _, _, entry in table.cells() if pairs or kind != "pairs"}
    for entry in (name for name in COLOURS if name in used):
        console.print(Text(f" {entry:<2}", style=_style(entry)), t(f"strategy.play.{entry}"), highlight=False)
    console.print()


def _print_entry(console: "Console", entry: str) -> None:
    from rich.text import Text

    console.print(Text(f" {entry} ", style=_style(entry)), end="")


def _style(entry: str) -> str:
    from croupier.lab.blackjack.strategy_plot import COLOURS

    background, letter = COLOURS[entry]
    return f"{letter} on {background}"
