"""`croupier arena`: bots against each other over duplicate deals."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from croupier.cli.console import EXIT_INTERRUPTED, fail_with, has_progress, print_json, progress_bar
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.texts import LANGUAGE, t
from croupier.game.registry import GAMES

if TYPE_CHECKING:
    from croupier.lab.arena.match import Estimate, Report
    from croupier.lab.arena.rounds import Match


def arena(  # noqa: PLR0913, PLR0917  # an option each
    bots: Annotated[list[str], typer.Argument(metavar="BOT", help=t("cli.arena.bots"))],
    game: Annotated[str, typer.Option(help=t("cli.arena.game", games=tuple(GAMES)))] = "",
    preset: Annotated[str, typer.Option(help=t("cli.arena.preset"))] = "",
    hands: Annotated[int, typer.Option(help=t("cli.arena.hands"))] = 2000,
    seats: Annotated[int, typer.Option(min=0, max=200, help=t("cli.arena.seats"))] = 0,
    seed: Annotated[int, typer.Option(help=t("cli.arena.seed"))] = 0,
    workers: Annotated[int, typer.Option(help=t("cli.arena.workers"))] = 0,
    seconds: Annotated[float, typer.Option(help=t("cli.arena.seconds"))] = 1.0,
    records: Annotated[Path | None, typer.Option(metavar="FILE", help=t("cli.arena.records"))] = None,
    parquet: Annotated[Path | None, typer.Option(metavar="FOLDER", help=t("cli.arena.parquet"))] = None,
    arrow: Annotated[Path | None, typer.Option(metavar="FOLDER", help=t("cli.arena.arrow"))] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help=t("cli.arena.png"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    wanted_file(records, ".jsonl")
    wanted_file(png, *PICTURE_ENDINGS)
    from croupier.bots import RosterError
    from croupier.lab.arena.entrants import ArenaError
    from croupier.lab.arena.match import game_of, make_match, play
    from croupier.lab.dataset.errors import DatasetError

    datasets = {file_format: folder for file_format, folder in (("parquet", parquet), ("arrow", arrow)) if folder}
    try:
        match = make_match(
            game or game_of(bots),
            bots,
            hands,
            preset=preset,
            seats=seats,
            seed=seed,
            seconds_max=seconds,
            records=records is not None or bool(datasets),
        )
        files = [] if records is None else [_numbered(records, number + 1) for number in range(match.seatings)]
        with (
            _open(files) as write_records,
            _dataset(datasets, match) as write_rows,
            progress_bar("cli.arena.progress", shown=has_progress(as_json=as_json)) as progress,
        ):

            def keep(seating: int, lines: Sequence[str]) -> None:
                write_records(seating, lines)
                write_rows(seating, lines)

            report = play(match, workers=workers, progress=progress, keep=keep)
    except (ArenaError, RosterError, DatasetError) as error:
        fail_with(error.refusal)
    except KeyboardInterrupt:
        typer.echo(t("cli.arena.nothing"), err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    if not report.complete:
        typer.echo(t("cli.arena.stopped", rounds=f"{report.rounds:,}"), err=True)
    if png is not None:
        _draw(report, png)
    if as_json:
        _print_json(report, files)
    else:
        _print_table(report)
        _print_notes(report, files, png, tuple(datasets.values()))


def _numbered(file: Path, number: int) -> Path:
    return file.with_stem(f"{file.stem}-{number}")


@contextmanager
def _open(files: Sequence[Path]) -> Iterator[Callable[[int, Sequence[str]], None]]:
    """A function that appends lines to the file of a seating."""
    with ExitStack() as stack:
        opened: list[TextIO] = []
        for file in files:
            stack.enter_context(writing(file))
            opened.append(stack.enter_context(file.open("w", encoding="utf-8")))

        def keep(seating: int, lines: Sequence[str]) -> None:
            opened[seating].writelines(f"{line}\n" for line in lines)

        yield keep if opened else lambda seating, lines: None


@contextmanager
def _dataset(folders: Mapping[str, Path], match: "Match") -> Iterator[Callable[[int, Sequence[str]], None]]:
    """A function that writes the rounds of a seating into the datasets that are wanted, by their format."""
    if not folders:
        yield lambda seating, lines: None
        return
    from croupier.lab.arena.match import bot_names
    from croupier.lab.dataset import DatasetWriter, FileFormat
    from croupier.lab.dataset.arena import ArenaWriter

    with ExitStack() as stack:
        writers = []
        for file_format, folder in folders.items():
            stack.enter_context(writing(folder))
            writer = stack.enter_context(DatasetWriter(folder, FileFormat(file_format)))
            writers.append(ArenaWriter(match, bot_names(match.bots), writer))

        def keep(seating: int, lines: Sequence[str]) -> None:
            for each in writers:
                each.keep(seating, lines)

        yield keep


def _draw(report: "Report", png: Path) -> None:
    from croupier.lab.arena.plot import arena_chart
    from croupier.locales import game_name, text

    language = picture_language()
    facts = {"game": game_name(language, report.game), "rounds": report.rounds, "seed": report.seed}
    with writing(png):
        arena_chart(report, png, text(language, "arena.title", **facts), language)


def _print_json(report: "Report", files: Sequence[Path]) -> None:
    import msgspec

    plain: dict[str, Any] = msgspec.to_builtins(report)
    del plain["history"]
    print_json(plain | {"records": [str(file) for file in files]})


def _print_table(report: "Report") -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.locales import game_name

    table = Table(title=t("cli.arena.title", game=game_name(LANGUAGE, report.game), rounds=f"{report.rounds:,}"))
    table.add_column(t("cli.arena.bot"), overflow="fold")
    for heading in (_unit(report.unit), t("arena.win_rate")):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in (t("cli.arena.illegal"), t("cli.arena.mean"), t("cli.arena.longest")):
        table.add_column(heading, justify="right")
    for standing in report.standings:
        table.add_row(
            standing.bot,
            f"{standing.net:+,}" if standing.rate is None else _interval(standing.rate, 1, "{:+.1f}", "{:.1f}"),
            _interval(standing.win_rate, 100, "{:.1f} %", "{:.1f}"),
            f"{standing.illegal:,}",
            f"{standing.milliseconds_mean:.2f}",
            f"{standing.milliseconds_longest:.2f}",
        )
    Console().print(table, markup=False)


def _print_notes(report: "Report", files: Sequence[Path], png: Path | None, datasets: Sequence[Path]) -> None:
    """Print what does not fit into the table."""
    if report.elo is not None:
        first, second = (standing.bot for standing in report.standings)
        lead = {"ahead": f"{report.elo.ahead:+.0f}", "low": f"{report.elo.low:+.0f}", "high": f"{report.elo.high:+.0f}"}
        typer.echo(t("cli.arena.elo", first=first, second=second, **lead))
    for standing in report.standings:
        for code, count in standing.reasons.items():
            example = (standing.examples.get(code) or [""])[0]
            typer.echo(t("cli.arena.reason", bot=standing.bot, count=count, code=_reason(code), example=example))
    typer.echo(t("cli.arena.interval", deals=f"{report.deals:,}", seconds=f"{report.seconds:.1f}"))
    for file in files:
        typer.echo(t("cli.arena.kept", file=file))
    for folder in datasets:
        typer.echo(t("cli.arena.dataset", folder=folder))
    if png is not None:
        typer.echo(t("cli.arena.drawn", file=png))


def _unit(unit: str) -> str:
    """The unit of the result: points in a game without chips."""
    return t(f"arena.unit.{unit.partition('/')[0]}") if unit else t("cli.arena.net")


def _reason(code: str) -> str:
    """Why the rules acted for a bot: in words, unless it is a code of the rules."""
    from croupier.lab.arena.entrants import FAULTS

    return t(f"arena.fault.{code}") if code in FAULTS else code


def _interval(found: "Estimate", scale: float, mean: str, margin: str) -> str:
    written = mean.format(scale * found.mean)
    return written if found.margin is None else f"{written} ± {margin.format(scale * found.margin)}"
