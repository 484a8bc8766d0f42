"""Files that a command is asked to write: refused before the work, not after it."""

from pathlib import Path

from croupier.cli.blackjack_rules import fail
from croupier.cli.texts import t


def wanted_file(path: Path | None, *endings: str) -> None:
    """Ends the command with 2 unless the file, if one is wanted, has one of the endings and a folder to be in."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        fail(t("cli.files.ending", file=path, endings=", ".join(endings)))
    if not path.resolve().parent.is_dir():
        fail(t("cli.files.folder", file=path))
