"""Files that a command writes: refused before the work where that can be known, and never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from croupier.cli.console import fail
from croupier.cli.texts import LANGUAGE, t

PICTURE_ENDINGS: Final = (".png", ".svg", ".pdf")


def wanted_file(path: Path | None, *endings: str) -> None:
    """End the command with 2 if a file is wanted and its ending is not one of these or its folder does not exist."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        fail(t("cli.files.ending", file=path, endings=", ".join(endings)))
    if not path.resolve().parent.is_dir():
        fail(t("cli.files.folder", file=path))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """End the command with 2 if the file cannot be written."""
    try:
        yield
    except OSError as error:
        fail(t("cli.files.writing", file=path, reason=error.strerror or str(error)))


def picture_language() -> str:
    """The language for a picture's words: the user's, or English, with a notice, where no font can write that."""
    from croupier.lab.plots import plot_language

    language = plot_language(LANGUAGE)
    if language != LANGUAGE:
        typer.echo(t("cli.files.font"), err=True)
    return language
