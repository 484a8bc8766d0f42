"""The options of a game's rules, read from the types of their fields: the one home of bounds and choices.

A number has its bounds in its type, `Annotated[int, msgspec.Meta(ge=1, le=8)]`; a choice is a `Literal` or an `Enum`, a
switch a `bool`. A text names the usual values as `msgspec.Meta(examples=[...])`. A number that may be left open says
what holds then as `msgspec.Meta(extra={"usual": 10})`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import inspect
from msgspec.structs import fields, force_setattr, replace

from croupier.game.refusal import Code, OptionError, Refusal

EDITION = "edition"
"""The one field of rules that is no option."""


class Option(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One option: its name and the values it takes."""

    name: str
    kind: Literal["number", "switch", "choice", "text", "other"]
    """`text` takes more than the `choices` that a form offers; `other` is for lists and structures, which no form asks
    for."""
    low: float | None = None
    high: float | None = None
    whole: bool = False
    """Whether a number must be whole."""
    choices: tuple[str, ...] = ()
    optional: bool = False
    """Whether it may be left open (`null`)."""
    usual: float | None = None
    """What holds where a number is left open."""

    @property
    def allowed(self) -> str:
        """What it takes, for people."""
        if self.kind == "number":
            return f"{_shown(self.low)} – {_shown(self.high)}"
        return "true, false" if self.kind == "switch" else ", ".join(self.choices)

    def admits(self, value: Any) -> bool:
        """Whether the value is within the bounds or among the choices. Its type is not checked."""
        if value is None:
            return self.optional
        if self.kind == "number" and isinstance(value, int | float):
            return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)
        return self.kind != "choice" or value in self.choices


@cache
def options_of(rules: type[msgspec.Struct]) -> Mapping[str, Option]:
    """The options of rules by name, the edition among them."""
    info = inspect.type_info(rules)
    assert isinstance(info, inspect.StructType)
    found = {field.name: _option(field.name, field.type) for field in info.fields}
    for field in fields(rules):
        if get_origin(field.type) is Literal:  # `inspect` sorts the choices; people know them in the order written
            found[field.name] = replace(found[field.name], choices=tuple(map(str, get_args(field.type))))
    return found


def check_options(rules: Any) -> None:
    """Raises OptionError for an option that has the wrong type, is out of its bounds, or not among its choices. A
    choice given as text, and a list for a tuple, are converted to the field's type."""
    kind: type[msgspec.Struct] = type(rules)
    known = options_of(kind)
    for field in fields(kind):
        option, value = known[field.name], getattr(rules, field.name)
        try:
            meant = msgspec.convert(value, field.type)
        except msgspec.ValidationError as error:
            raise OptionError(_bad(option, repr(value), _expected(str(error)))) from None
        if not option.admits(meant):
            raise OptionError(_bad(option, value))
        if meant is not value:
            force_setattr(rules, field.name, meant)


def written(rules: Any) -> dict[str, Any]:
    """The rules as plain values, with all options that their edition has: those that a later one brought
    (`fields_since`) are left out, so that rules of every edition are written as they always were."""
    since: Mapping[str, int] = getattr(rules, "fields_since", {})
    plain = msgspec.to_builtins(rules)
    return {name: value for name, value in plain.items() if since.get(name, 1) <= rules.edition}


def known_options(rules: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, if the rules have options of these names. Raises OptionError that names the options there are."""
    kind: type[msgspec.Struct] = type(rules)
    names = options_of(kind)
    for name, value in values.items():
        if name not in names:
            facts = {"option": name, "value": str(value)[:40], "allowed": ", ".join(names)}
            raise OptionError(Refusal(Code.UNKNOWN_OPTION, {**facts}))
    return dict(values)


def bad_option(rules: type[msgspec.Struct], values: Mapping[str, Any]) -> Refusal | None:
    """The refusal of rules with an option that is out of its bounds or not among its choices; None if all are fine."""
    for name, option in options_of(rules).items():
        if name in values and not option.admits(values[name]):
            return _bad(option, values[name])
    return None


def _bad(option: Option, value: Any, expected: str = "") -> Refusal:
    facts = {"option": option.name, "value": str(value)[:40], "allowed": option.allowed or expected}
    return Refusal(Code.BAD_OPTION, {**facts})


def _expected(error: str) -> str:
    """The type that msgspec expected, in a word: `Expected `array`, got `int`` is `array`."""
    said = error.partition("`")[2].partition("`")[0]
    return {"array": "a list", "object": "an object"}.get(said, said)


def _shown(bound: float | None) -> str:
    return "…" if bound is None else str(bound)


def _option(name: str, kind: inspect.Type) -> Option:
    if isinstance(kind, inspect.UnionType):
        inner = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        if len(inner) == 1 and len(kind.types) == 2:
            return replace(_option(name, inner[0]), optional=True)
    match kind:
        case inspect.Metadata(type=inspect.IntType() | inspect.FloatType() as number, extra={"usual": usual}):
            return replace(_option(name, number), usual=usual)
        case inspect.BoolType():
            return Option(name, "switch")
        case inspect.IntType():
            return Option(name, "number", _above(kind, 1), _below(kind, 1), whole=True)
        case inspect.FloatType():
            return Option(name, "number", _above(kind, 0), _below(kind, 0))
        case inspect.LiteralType():
            return Option(name, "choice", choices=tuple(map(str, kind.values)))
        case inspect.EnumType():
            return Option(name, "choice", choices=tuple(str(each.value) for each in kind.cls))
        case inspect.Metadata(type=inspect.StrType(), extra_json_schema={"examples": examples}):
            return Option(name, "text", choices=tuple(examples))
    return Option(name, "other")


def _above(kind: inspect.IntType | inspect.FloatType, step: int) -> float | None:
    return kind.gt + step if kind.gt is not None else kind.ge


def _below(kind: inspect.IntType | inspect.FloatType, step: int) -> float | None:
    return kind.lt - step if kind.lt is not None else kind.le
