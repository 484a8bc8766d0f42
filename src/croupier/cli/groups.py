"""Commands that list other commands."""

import re
from typing import Any

from typer.core import TyperGroup


class BriefGroup(TyperGroup):
    """Lists its commands with the beginning of their help, and never with half a sentence."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for command in self.commands.values():
            command.short_help = command.short_help or _brief(command.help or "")
        super().format_commands(ctx, formatter)


def _brief(text: str) -> str:
    """A help text up to its first colon, bracket or full stop."""
    return re.split(r"[:：(（。]|[.] | — ", text)[0].strip().removesuffix(".")
