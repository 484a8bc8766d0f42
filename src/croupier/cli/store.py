"""`croupier store`: migrate and check stores, and move them between SQLite and PostgreSQL."""

import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from croupier.cli.console import EXIT_FAULTS, fail
from croupier.cli.groups import Commands
from croupier.cli.texts import t

Done = TypeVar("Done")
Url = Annotated[str, typer.Argument(metavar="URL", help=t("cli.store.url"))]
File = Annotated[Path, typer.Argument(metavar="FILE", help=t("cli.store.file"))]

app = Commands(help=t("cli.store.help"))


@app.command(help=t("cli.store.migrate"))
def migrate(url: Url) -> None:
    async def run() -> None:
        from croupier.store.export import hold_kept
        from croupier.store.open import open_store

        hold_kept(url)
        store = open_store(url)
        try:
            await store.tables(most=1)
        finally:
            await store.close()

    _run(run())
    typer.echo(t("cli.store.migrated", place=_shown(url)))


@app.command(help=t("cli.store.check"))
def check(
    url: Url,
    heads: Annotated[Path | None, typer.Option("--heads", metavar="FILE", help=t("cli.store.check_heads"))] = None,
) -> None:
    from croupier.assembly.store_audit import audit
    from croupier.store.heads import read_heads
    from croupier.store.seal_check import NO_HEADS

    async def run() -> Any:
        exported = NO_HEADS if heads is None else read_heads(heads)
        with _progress(shown=sys.stderr.isatty()) as progress:
            return await audit(url, exported, progress)

    report = _run(run())
    for each in report.findings:
        typer.echo(t(f"store.finding.{each.code}", **each.facts))
    if report.unsealed_records:
        typer.echo(t("cli.store.unsealed", records=report.unsealed_records, tables=report.unsealed_tables))
    if report.findings:
        typer.echo(t("cli.store.bad", place=_shown(url), count=len(report.findings)), err=True)
        raise typer.Exit(EXIT_FAULTS)
    typer.echo(t("cli.store.good", place=_shown(url)))
    if heads is None:
        typer.echo(t("cli.store.no_heads"))


@app.command(help=t("cli.store.heads"))
def heads(url: Url, file: Annotated[Path, typer.Argument(metavar="FILE", help=t("cli.store.heads_file"))]) -> None:
    from croupier.assembly.store_audit import export_heads

    async def run() -> tuple[int, int]:
        with _progress(shown=sys.stderr.isatty()) as progress:
            return await export_heads(url, file, time.time_ns() // 1_000_000, progress)

    tables, people = _run(run())
    typer.echo(t("cli.store.heads_written", tables=tables, people=people, file=file))


@app.command("export", help=t("cli.store.export"))
def export_(url: Url, file: File) -> None:
    from croupier.store.export import export_store

    moved = _run(export_store(url, file))
    typer.echo(t("cli.store.exported", people=moved.people, steps=moved.steps, file=file))


@app.command("import", help=t("cli.store.import"))
def import_(file: File, url: Url) -> None:
    from croupier.store.export import import_store

    moved = _run(import_store(file, url))
    typer.echo(t("cli.store.imported", people=moved.people, steps=moved.steps, place=_shown(url)))


@contextmanager
def _progress(*, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error."""
    if not shown:
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(t("cli.store.progress"), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _run(work: Coroutine[Any, Any, Done]) -> Done:
    """Run some work. An unusable store ends the command with a message in the user's language."""
    import asyncio

    from croupier.store.port import StoreError

    try:
        return asyncio.run(work)
    except StoreError as error:
        fail(t(f"store.{error.code}", **error.facts))


def _shown(url: str) -> str:
    from croupier.store.addresses import without_password

    return without_password(url)
