"""Writes the tables of docs/protocol.md from the code: `python -m tests.server.make_protocol`. A test compares them."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from croupier import bots
from croupier.game.registry import GAMES
from croupier.locales import LANGUAGES
from croupier.wire import casino
from croupier.wire.room import REACTIONS
from croupier.wire.schema import ANSWERS, REQUESTS, SCHEMA_REFERENCE, Messages, described, message_schemas
from tests.server.field_notes import enum_orders, field_notes
from tests.server.hub_tables import hub_tables

FILE: Final = Path(__file__).parents[2] / "docs" / "protocol.md"
BEGIN: Final = "<!-- made from the code, by tests/server/make_protocol.py -->\n"
END: Final = "<!-- end of what is made from the code -->\n"

_FIELDS_OF_ALL: Final = ("type", "requestId")


def tables() -> str:
    """What can be named, every message with its fields, every value that they refer to, and the same for the hub."""
    return "\n".join(["## Names\n", _names(), *_Tables().parts(), hub_tables()])


def _names() -> str:
    """What texts of requests may be, where a request takes one of several."""
    rows = ["| `game` | `preset` | `bot` |", "| --- | --- | --- |"]
    rows += [f"| `{name}` | {_listed(game.presets)} | {_listed(bots.names(name))} |" for name, game in GAMES.items()]
    first = "A preset or a bot that is not named is the first one."
    others = f"A `language` is one of {_listed(LANGUAGES)}; a `reaction` one of {_listed(REACTIONS)}."
    return "\n".join([*rows, "", f"{first} {others}"]) + "\n"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


class _Tables:
    def __init__(self) -> None:
        schemas, self._named = message_schemas(SCHEMA_REFERENCE)
        self._names = {struct: str(schema["$ref"]).rpartition("/")[2] for struct, schema in schemas.items()}
        self._tags = {name: str(struct.__struct_config__.tag) for struct, name in self._names.items()}
        self._notes = field_notes(schemas)
        self._orders = enum_orders(schemas)

    def parts(self) -> list[str]:
        values = sorted(set(self._named) - set(self._names.values()))
        parts = ["## Requests\n", *self._messages(REQUESTS), "## Answers\n", *self._messages(ANSWERS)]
        return [*parts, "## Values\n", *(self._value(name) for name in values)]

    def _messages(self, messages: Messages) -> list[str]:
        written = []
        for tag, structs in messages.items():
            written.append(f"### {tag}\n")
            abouts = [described((struct,)) for struct in structs]
            shared = abouts[0] if len(set(abouts)) == 1 else ""
            written += [f"{_flat(shared)}\n"] if shared else []
            for struct, about in zip(structs, abouts, strict=True):
                written += [f"{_kind_of(struct)}:\n"] if len(structs) > 1 else []
                written += [f"{_flat(about)}\n"] if about and not shared else []
                written.append(self._fields(self._named[self._names[struct]], _FIELDS_OF_ALL))
        return written

    def _value(self, name: str) -> str:
        schema = self._named[name]
        about = f"\n{_as_on_the_wire(_flat(schema['description']), schema)}\n" if "description" in schema else ""
        body = self._fields(schema, ()) if schema.get("type") == "object" else f"{self._kind(schema)}\n"
        return f"### {name}\n{about}\n{body}"

    def _fields(self, schema: dict[str, Any], skipped: tuple[str, ...]) -> str:
        fields = {name: kind for name, kind in schema.get("properties", {}).items() if name not in skipped}
        if not fields:
            return "No fields of its own.\n"
        own = frozenset(schema["properties"])
        notes = self._notes.get((schema["title"], own)) or self._notes.get((schema["title"], own - {"type"}), {})
        rows = ["| field | value | |", "| --- | --- | --- |"]
        for name, kind in fields.items():
            presence, note = _presence(name, kind, schema), notes.get(name, "")
            note = _as_on_the_wire(note, schema)
            about = f"{note} ({presence})" if note and presence else note or presence
            rows.append(f"| `{name}` | {self._kind(kind)} | {about} |")
        return "\n".join(rows) + "\n"

    def _kind(self, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            shown = self._tags.get(name, name)
            return f"[{shown}](#{shown.lower()})"
        if "anyOf" in schema:
            return _either(schema["anyOf"], self._kind)
        if "enum" in schema:
            values = self._orders.get((schema.get("title", ""), frozenset(schema["enum"])), schema["enum"])
            return _listed(map(str, values))
        match schema.get("type"):
            case "array" if "prefixItems" in schema:
                return f"list: {', '.join(map(self._kind, schema['prefixItems']))}"
            case "array":
                return f"list of {self._kind(schema['items'])}" if schema.get("items") else "list"
            case "object":
                values = schema.get("additionalProperties")
                return f"object of {self._kind(values)}" if isinstance(values, dict) and values else "object"
            case None:
                return "any JSON"
            case kind:
                return f"{kind}{_bounds(schema)}"


def _kind_of(struct: type[Any]) -> str:
    """Where a message of this shape belongs, when there are several of one type."""
    if struct.__module__ == casino.__name__:
        return "In the casino"
    return f"As {_words(struct.__name__)}" if struct.__name__.endswith("State") else "In a room"


def _presence(name: str, kind: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema.get("required", ()):
        return ""
    default = kind.get("default")
    if default in (None, "", [], {}) or isinstance(default, dict):
        return "optional"
    return f"optional, else `{json.dumps(default, ensure_ascii=False)}`"


def _either(kinds: list[dict[str, Any]], written: Callable[[dict[str, Any]], str]) -> str:
    """Any of these; a number may be a whole one, and that need not be said."""
    if [each.get("type") for each in kinds[:2]] == ["integer", "number"]:
        kinds = kinds[1:]
    return " or ".join(dict.fromkeys(map(written, kinds)))


def _bounds(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum", schema.get("minLength")), schema.get("maximum", schema.get("maxLength"))
    unit = " characters" if schema["type"] == "string" else ""
    match low, high:
        case None, None:
            return ""
        case None, _:
            return f", at most {high}{unit}"
        case _, None:
            return f", at least {low}{unit}"
        case _:
            return f", {low} to {high}{unit}"


def _flat(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _as_on_the_wire(text: str, schema: dict[str, Any]) -> str:
    """A text with the fields of its message by their names on the wire: `firstSeat`, not `first_seat`."""

    def renamed(found: re.Match[str]) -> str:
        wire = re.sub(r"_(\w)", lambda letter: letter[1].upper(), found[1])
        return f"`{wire}`" if wire in schema.get("properties", {}) else found[0]

    return re.sub(r"`([a-z]\w*_\w+)`", renamed, text)


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def main() -> None:
    before, _, rest = FILE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    FILE.write_text(f"{before}{BEGIN}{tables()}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
