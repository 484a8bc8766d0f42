"""`--preset` and `--rule NAME=VALUE`: how every blackjack command of the lab is told what to play by."""

from typing import Annotated, Any, Final, NoReturn, get_args, get_origin

import msgspec
import typer

from croupier.cli.texts import t
from croupier.rules.blackjack import GAME, BlackjackRules
from croupier.rules.blackjack.codes import BlackjackCode
from croupier.rules.blackjack.config import CHOICES, RANGES
from croupier.rules.refusal import OptionError, Refusal

FIELDS: Final = {field.name: field for field in msgspec.structs.fields(BlackjackRules)}
YES: Final = ("true", "yes", "on", "1")
NO: Final = ("false", "no", "off", "0")


class RuleError(ValueError):
    """A preset or rule that cannot be used; its text is for the person who typed it, in that person's language."""


def rules_help() -> str:
    """Every rule name with what it takes, what the casino plays and what it decides: the end of `--help`."""
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
    """A preset with some options changed, later changes over earlier ones, or a `RuleError`.

    `NAME` is an option of `BlackjackRules`, with `-` for `_` if one likes; a switch takes true or false, yes or no.
    """
    if preset not in GAME.presets:
        raise RuleError(t("cli.rules.noSuchPreset", preset=preset, presets=", ".join(GAME.presets)))
    start = GAME.presets[preset]
    assert isinstance(start, BlackjackRules)
    chosen: dict[str, Any] = msgspec.structs.asdict(start)
    for change in changes or ():
        name, equals, value = change.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise RuleError(t("cli.rules.notNameValue", rule=change))
        if name not in FIELDS:
            raise RuleError(t("cli.rules.noSuchRule", name=name, names=", ".join(FIELDS)))
        chosen[name] = _value(name, value.strip())
    try:
        return BlackjackRules(**chosen)
    except OptionError as error:
        raise RuleError(t(f"code.{error.refusal.code}", **error.refusal.facts)) from None


def rules_or_exit(preset: str, changes: list[str] | None) -> BlackjackRules:
    """The same for a command: what is wrong goes to stderr and the command ends with 2."""
    try:
        return parse_rules(preset, changes)
    except RuleError as error:
        fail(str(error))


def rules_title(preset: str, changes: list[str] | None) -> str:
    """What was typed as rules, for the title of a picture."""
    return " · ".join([preset, *(changes or ())])


def fail(text: str) -> NoReturn:
    """Ends the command because of what was typed: the text on stderr, exit code 2."""
    typer.echo(text, err=True)
    raise typer.Exit(2)


def _value(name: str, text: str) -> Any:
    wanted = FIELDS[name].type
    if wanted is bool and text.lower() in YES + NO:
        return text.lower() in YES
    try:
        # A choice is checked by the rules themselves, which say what they would take.
        return msgspec.convert(text, str if get_origin(wanted) else wanted, strict=False)
    except msgspec.ValidationError:
        refusal = Refusal(BlackjackCode.BAD_OPTION, {"option": name, "value": text, "allowed": _allowed(name)})
        raise RuleError(t(f"code.{refusal.code}", **refusal.facts)) from None


def _allowed(name: str) -> str:
    wanted = FIELDS[name].type
    if wanted is bool:
        return "true|false"
    if get_origin(wanted):
        assert get_args(wanted) == CHOICES[name], "the type and the check name the same choices"
        return "|".join(CHOICES[name])
    if name in RANGES:
        low, high = RANGES[name]
        return f"{low}–{high}"
    return "3:2|6:5|…|none"


def _shown(default: Any) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)
