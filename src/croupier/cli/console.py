"""What every command prints in the same way: failures, JSON, progress bars."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn

import typer

from croupier.cli.texts import refusal_text, t

if TYPE_CHECKING:
    from croupier.game.refusal import Refusal

EXIT_FAULTS: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_INTERRUPTED: Final = 130


def fail(text: str) -> NoReturn:
    """End the command because of what was typed: the text on standard error, exit code 2."""
    typer.echo(text, err=True)
    raise typer.Exit(EXIT_BAD_INPUT)


def fail_with(refusal: "Refusal") -> NoReturn:
    """End the command with a refusal's message, in the user's language."""
    fail(refusal_text(refusal))


def print_json(value: Any) -> None:
    """Print a value as one line of JSON. Infinite numbers become null."""
    import msgspec

    typer.echo(msgspec.json.encode(value).decode())


def has_progress(*, as_json: bool) -> bool:
    """Whether a person is watching standard error."""
    return not as_json and sys.stderr.isatty()


@contextmanager
def progress_bar(key: str, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, labelled with a text. It is told how much is done, and of how much."""
    if not shown:
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(t(key), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def game_commands(key: str) -> typer.Typer:
    """A command with one subcommand a game, so that the game is always named; its help is a text."""
    group = typer.Typer(help=t(key), no_args_is_help=True, rich_markup_mode=None)
    # Without a callback, typer would make a single subcommand the command itself.
    group.callback()(_keep_group)
    return group


def _keep_group() -> None:
    """Nothing to do before a subcommand."""
