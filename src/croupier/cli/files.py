"""Files that a command writes. What cannot be written is refused before the work begins, and never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EISDIR
from os import W_OK, access, strerror
from pathlib import Path
from typing import Final

import typer

from croupier.cli.console import fail
from croupier.cli.texts import LANGUAGE, t

PICTURE_ENDINGS: Final = (".png", ".svg", ".pdf")


def wanted_file(path: Path | None, *endings: str) -> None:
    """Create the folder of an output file. End the command with 2 if the file has none of these endings, or folder or
    file cannot be created."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        fail(t("cli.files.ending", file=path, endings=", ".join(endings)))
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(t("cli.files.folder", file=path, reason=error.strerror or str(error)))
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError(EISDIR, strerror(EISDIR))
        if not access(path if path.exists() else path.resolve().parent, W_OK):
            raise PermissionError(EACCES, strerror(EACCES))


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """End the command with 2 if the file cannot be written."""
    try:
        yield
    except OSError as error:
        fail(t("cli.files.writing", file=path, reason=error.strerror or str(error)))


def picture_language() -> str:
    """The language of a picture: the user's, or English, with a notice, if no font can write it."""
    from croupier.lab.plots import plot_language

    language = plot_language(LANGUAGE)
    if language != LANGUAGE:
        typer.echo(t("cli.files.font"), err=True)
    return language
