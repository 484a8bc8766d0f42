"""The command line: one module a command, each light to import; heavy parts load when the command runs."""

import typer

from croupier.cli.texts import t

app = typer.Typer(help=t("cli.help"), no_args_is_help=True, add_completion=False, rich_markup_mode=None)


def main() -> None:
    """The `croupier` command."""
    app()
