"""`--preset` and `--rule NAME=VALUE`: the rules that every blackjack command of the lab takes."""

from typing import Annotated, Any

import typer

from croupier.cli.console import fail
from croupier.cli.texts import refusal_text, t
from croupier.game.refusal import OptionError
from croupier.games.blackjack import GAME, BlackjackRules
from croupier.lab.blackjack.rule_options import FIELDS, OPTIONS, changed_rules, choices


class RuleError(ValueError):
    """A preset or rule that cannot be used. Its text is in the user's language."""


def rules_help() -> str:
    """The end of `--help`: every rule by name, what it takes, and its default."""
    lines = [t("cli.rules.heading")]
    lines += [f"  {name}={_allowed(name)}  [{_shown(field.default)}]" for name, field in FIELDS.items()]
    # The \b line keeps click from filling the list into a paragraph.
    return "\b\n" + "\n".join(lines)


Preset = Annotated[str, typer.Option("--preset", help=t("cli.rules.preset", presets=", ".join(GAME.presets)))]
Rule = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME=VALUE", help=t("cli.rules.rule", names=", ".join(FIELDS))),
]


def parse_rules(preset: str, changes: list[str] | None) -> BlackjackRules:
    """A preset with some options changed; of two changes to one option the later holds. Raises RuleError.

    A name is an option of `BlackjackRules`, with `-` or `_`. A switch takes true or false, yes or no, on or off.
    """
    if preset not in GAME.presets:
        raise RuleError(t("cli.rules.noSuchPreset", preset=preset, presets=", ".join(GAME.presets)))
    start = GAME.presets[preset]
    assert isinstance(start, BlackjackRules)
    wanted: dict[str, str] = {}
    for change in changes or ():
        name, equals, value = change.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise RuleError(t("cli.rules.notNameValue", rule=change))
        if name not in FIELDS:
            raise RuleError(t("cli.rules.noSuchRule", name=name, names=", ".join(FIELDS)))
        wanted[name] = value.strip()
    try:
        return changed_rules(start, wanted)
    except OptionError as error:
        raise RuleError(refusal_text(error.refusal)) from None


def rules_or_exit(preset: str, changes: list[str] | None) -> BlackjackRules:
    """`parse_rules` for a command: what is wrong goes to standard error, and the command ends with 2."""
    try:
        return parse_rules(preset, changes)
    except RuleError as error:
        fail(str(error))


def rules_title(preset: str, changes: list[str] | None) -> str:
    """The rules as they were typed, for the title of a picture."""
    return " · ".join([preset, *(changes or ())])


def _allowed(name: str) -> str:
    option = OPTIONS[name]
    if option.kind == "number":
        return f"{option.low}–{option.high}"
    return "|".join(choices(name)) + ("|…" if option.kind in ("text", "other") else "")


def _shown(default: Any) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)
