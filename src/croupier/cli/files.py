"""Files that a command is asked to write: refused before the work where that can be known, and never by a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from croupier.cli.blackjack_rules import fail
from croupier.cli.texts import LANGUAGE, t


def wanted_file(path: Path | None, *endings: str) -> None:
    """Ends the command with 2 unless the file, if one is wanted, has one of the endings and a folder to be in."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        fail(t("cli.files.ending", file=path, endings=", ".join(endings)))
    if not path.resolve().parent.is_dir():
        fail(t("cli.files.folder", file=path))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Ends the command with 2 when the file turns out not to be writable."""
    try:
        yield
    except OSError as error:
        fail(t("cli.files.writing", file=path, reason=error.strerror or str(error)))


def picture_language() -> str:
    """The language for a picture's words: the user's, or English, and says so, where no font can write that."""
    from croupier.lab.plots import plot_language

    language = plot_language(LANGUAGE)
    if language != LANGUAGE:
        typer.echo(t("cli.files.font"), err=True)
    return language
