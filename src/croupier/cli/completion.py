"""`croupier completion`: the script that makes a shell complete commands and options."""

from typing import Annotated, Final

import typer

from croupier.cli.console import fail
from croupier.cli.texts import t

SHELLS: Final = ("bash", "zsh", "fish", "powershell")
VARIABLE: Final = "_CROUPIER_COMPLETE"


def completion(shell: Annotated[str, typer.Argument(help=t("cli.completion.shell", shells=SHELLS))]) -> None:
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # (imported there, not listed)

    if shell not in SHELLS:
        fail(t("cli.completion.no_shell", shell=shell, shells=SHELLS))
    typer.echo(get_completion_script(prog_name="croupier", complete_var=VARIABLE, shell=shell))
