"""The command line. Each command has a module, imported when it is called; heavy parts load when it runs."""

import errno
import sys
from importlib import import_module
from os import environ
from typing import Annotated, Any, Final

import typer

from croupier import __version__
from croupier.cli.groups import BriefGroup, Commands
from croupier.cli.texts import t

COMMANDS: Final = (
    "arena",
    "completion",
    "equity",
    "export",
    "icm",
    "mcp",
    "open",
    "play",
    "pushfold",
    "replay",
    "serve",
    "verify",
    "simulate",
    "train",
    "evolve",
    "solve",
    "store",
    "strategy",
)
"""Each is a module of this package, with `app` if it has subcommands, else with a function of its name."""


UNWRITABLE: Final = (errno.ENOSPC, errno.EFBIG, errno.EIO)
"""The errors of a standard output that cannot be written."""


class _Commands(BriefGroup):
    """Lists commands by name and help, and imports only the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, found, rest = super().resolve_command(ctx, args)
        return name, _load(name) if name in COMMANDS else found, rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _plain(error.message)
            raise


_BOUNDS: Final = {
    "Input should be a valid integer": "cli.whole_number",
    "Input should be a valid number": "cli.number",
    "Input should be greater than or equal to ": "cli.at_least",
    "Input should be less than or equal to ": "cli.at_most",
}
"""How a value of the wrong type is refused, in the words of the library that reads the command line."""


def _plain(message: str) -> str:
    """The same in plain words."""
    for words, key in _BOUNDS.items():
        if message.startswith(words):
            return t(key, bound=message.removeprefix(words).partition(",")[0])
    return message


def _load(name: str) -> Any:
    module = import_module(f"croupier.cli.{name}")
    parent = Commands(add_completion=False, callback=root)
    if hasattr(module, "app"):
        parent.add_typer(module.app, name=name)
    else:
        parent.command(name, help=t(f"cli.{name}.help"))(getattr(module, name))
    group = typer.main.get_command(parent)
    assert isinstance(group, BriefGroup)
    return group.commands[name]


def root() -> None:
    """Nothing to do before a command. Without a callback, typer would make a single command the root."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"croupier {__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool, typer.Option("--version", help=t("cli.version"), callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """What can stand before a command."""


app = Commands(
    cls=_Commands,
    callback=options,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=t("cli.help"),
    add_completion=False,
)
for _name in COMMANDS:
    app.command(_name, help=t(f"cli.{_name}.help"))(root)


def main() -> None:
    """The `croupier` command. A package with a game that cannot be used is named."""
    if "_CROUPIER_COMPLETE" in environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # (imported there, not listed)

        completion_init()
    try:
        app(prog_name="croupier", complete_var="_CROUPIER_COMPLETE")
    except ModuleNotFoundError as error:
        from croupier.cli.console import EXIT_BAD_INPUT
        from croupier.lab import EXTRA, PACKAGES

        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        typer.echo(t("code.LAB_MISSING", extra=EXTRA), err=True)
        raise SystemExit(EXIT_BAD_INPUT) from None
    except OSError as error:
        # Every command says which of its files fails; what is left is standard output, where a disk may be full.
        from croupier.cli.console import EXIT_BAD_INPUT

        if error.errno not in UNWRITABLE:
            raise
        typer.echo(t("cli.no_output", reason=error.strerror), err=True)
        sys.stdout = None  # else its rest is tried again when the program ends
        raise SystemExit(EXIT_BAD_INPUT) from None
    except ValueError as error:
        from croupier.cli.console import EXIT_BAD_INPUT
        from croupier.game.registry import GameClashError, GameLoadError

        if not isinstance(error, GameClashError | GameLoadError):
            raise
        typer.echo(t("cli.bad_games", fault=str(error)), err=True)
        raise SystemExit(EXIT_BAD_INPUT) from None
