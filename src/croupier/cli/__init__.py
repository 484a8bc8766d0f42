"""The command line. Each command has a module, imported when it is called; heavy parts load when it runs."""

from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup

from croupier.cli.texts import t

COMMANDS: Final = (
    "arena",
    "equity",
    "mcp",
    "open",
    "play",
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


class _Commands(TyperGroup):
    """Lists commands by name and help, and imports only the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, found, rest = super().resolve_command(ctx, args)
        return name, _load(name) if name in COMMANDS else found, rest


def _load(name: str) -> Any:
    module = import_module(f"croupier.cli.{name}")
    parent = typer.Typer(add_completion=False, rich_markup_mode=None, callback=root)
    if hasattr(module, "app"):
        parent.add_typer(module.app, name=name)
    else:
        parent.command(name, help=t(f"cli.{name}.help"))(getattr(module, name))
    group = typer.main.get_command(parent)
    assert isinstance(group, TyperGroup)
    return group.commands[name]


def root() -> None:
    """Nothing to do before a command. Without a callback, typer would make a single command the root."""


app = typer.Typer(
    cls=_Commands,
    callback=root,
    help=t("cli.help"),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
for _name in COMMANDS:
    app.command(_name, help=t(f"cli.{_name}.help"))(root)


def main() -> None:
    """The `croupier` command."""
    app()
