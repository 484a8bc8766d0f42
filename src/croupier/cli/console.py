"""What every command prints in the same way: failures, JSON, progress bars."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn

import typer

from croupier.cli.groups import Commands
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


def tell(*lines: str) -> None:
    """Print lines, if anybody reads them: a server goes on without a reader."""
    try:
        for line in lines:
            typer.echo(line)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else its rest is tried again at the end


def fail_with(refusal: "Refusal") -> NoReturn:
    """End the command with a refusal's message, in the user's language."""
    fail(refusal_text(refusal))


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, all names in camelCase. Infinite numbers become null; what cannot be seen is
    escaped."""
    import json

    import msgspec

    # Outside of strings JSON is ASCII, so every letter found here stands in a string.
    text = msgspec.json.encode(_in_camel_case(msgspec.to_builtins(value, str_keys=True))).decode()
    typer.echo(text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text))


def _in_camel_case(value: Any) -> Any:
    """Plain values with every name in camelCase: `small_blind` is `smallBlind`. Codes, which are UPPER_SNAKE, stay."""
    if isinstance(value, dict):
        return {_camel(name) if name.islower() else name: _in_camel_case(part) for name, part in value.items()}
    return [_in_camel_case(part) for part in value] if isinstance(value, list | tuple) else value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others)) if first and all(others) else name


def has_progress(*, as_json: bool) -> bool:
    """Whether a person is watching standard error."""
    return not as_json and sys.stderr.isatty()


@contextmanager
def progress_bar(key: str, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """A labelled bar on standard error. Call it with how much is done, and of how much."""
    if not shown:
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(t(key), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def game_commands(key: str) -> typer.Typer:
    """A command with one subcommand per game, so that the game is always named. `key` is the text of its help."""
    group = Commands(help=t(key))
    # Without a callback, typer would make a single subcommand the command itself.
    group.callback()(_keep_group)
    return group


def _keep_group() -> None:
    """Nothing to do before a subcommand."""
