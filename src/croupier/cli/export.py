"""`croupier export`: hands, actions and results of records and hand histories as Parquet or Arrow."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import EXIT_FAULTS, fail, fail_with, has_progress, print_json
from croupier.cli.texts import finding_text, refusal_text, t

if TYPE_CHECKING:
    from croupier.lab.dataset import Fault


def export(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help=t("cli.export.files"))],
    parquet: Annotated[Path | None, typer.Option(metavar="FOLDER", help=t("cli.export.parquet"))] = None,
    arrow: Annotated[Path | None, typer.Option(metavar="FOLDER", help=t("cli.export.arrow"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    if (parquet is None) == (arrow is None):
        fail(t("cli.export.which"))
    from croupier.lab.dataset import DatasetError, FileFormat
    from croupier.lab.dataset import export as export_files

    folder = parquet or arrow
    assert folder is not None
    file_format = FileFormat.PARQUET if parquet is not None else FileFormat.ARROW
    try:
        with _hands_counted(shown=has_progress(as_json=as_json)) as progress:
            done = export_files(files, folder, file_format, fault=_print_fault, progress=progress)
    except DatasetError as error:
        fail_with(error.refusal)
    except OSError as error:
        where, reason = Path(error.filename or folder), error.strerror or str(error)
        if where in files:
            fail(t("cli.unreadable", file=where, fault=reason))
        fail(t("cli.files.writing", file=where, reason=reason))
    if as_json:
        print_json(done)
    else:
        typer.echo(t("cli.export.done", hands=f"{done.hands:,}", files=", ".join(done.files)))
        if done.faults:
            typer.echo(t("cli.export.faults", faults=f"{done.faults:,}"))
    raise typer.Exit(EXIT_FAULTS if done.faults else 0)


def _print_fault(fault: "Fault") -> None:
    """Say on standard error what is wrong with a round."""
    from croupier.dealing.findings import Finding

    if isinstance(fault.found, Finding):
        facts = {"file": fault.file, "line": fault.place, "code": fault.found.code}
        message = t("cli.replay.record_fault", **facts, message=finding_text(fault.found))
        typer.echo(message + (t("cli.export.more", more=fault.more) if fault.more else ""), err=True)
        return
    message = refusal_text(fault.found)
    if fault.action and fault.text:
        message = t("cli.replay.at_action", action=fault.action, text=fault.text, message=message)
    typer.echo(t("cli.replay.fault", file=fault.file, hand=fault.name or fault.place, message=message), err=True)


@contextmanager
def _hands_counted(*, shown: bool) -> Iterator[Callable[[int], None]]:
    """The number of hands so far, on standard error: how many there are is not known before the end."""
    if not shown:
        yield lambda hands: None
        return
    from rich.console import Console

    with Console(stderr=True).status(t("cli.export.progress", hands=0)) as status:

        def tell(hands: int) -> None:
            if hands % 100 == 0:
                status.update(t("cli.export.progress", hands=f"{hands:,}"))

        yield tell
