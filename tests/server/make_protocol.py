"""Writes the tables of docs/protocol.md from the code: `python -m tests.server.make_protocol`. A test compares them."""

import re
from pathlib import Path
from typing import Any, Final

from croupier.wire.schema import ANSWERS, REQUESTS, Messages, described, json_schema

FILE: Final = Path(__file__).parents[2] / "docs" / "protocol.md"
BEGIN: Final = "<!-- made from the code, by tests/server/make_protocol.py -->\n"
END: Final = "<!-- end of what is made from the code -->\n"

_FIELDS_OF_ALL: Final = ("type", "requestId")


def tables() -> str:
    """Every message with its fields, and every value that they refer to."""
    named = json_schema()["$defs"]
    parts = ["## Requests\n", *_messages(REQUESTS, named), "## Answers\n", *_messages(ANSWERS, named)]
    told = {struct.__name__ for messages in (REQUESTS, ANSWERS) for structs in messages.values() for struct in structs}
    values = sorted(name for name in named if not _is_message(name, named[name], told))
    parts += ["## Values\n", *(_value(name, named[name]) for name in values)]
    return "\n".join(parts)


def _is_message(name: str, schema: Any, told: set[str]) -> bool:
    whole = schema.get("title") in told and "requestId" in schema.get("properties", {})
    return whole or name in ("Request", "Answer")


def _messages(messages: Messages, named: dict[str, Any]) -> list[str]:
    by_title: dict[tuple[str, str], Any] = {}
    for schema in named.values():
        tag = schema.get("properties", {}).get("type", {}).get("enum", [""])[0]
        by_title[tag, schema.get("title", "")] = schema
    written = []
    for tag, structs in messages.items():
        written.append(f"### {tag}\n\n{_flat(described(structs))}\n" if described(structs) else f"### {tag}\n")
        for struct in structs:
            if len(structs) > 1:
                written.append(f"As {_words(struct.__name__)}:\n")
            written.append(_fields(by_title[tag, struct.__name__], _FIELDS_OF_ALL))
    return written


def _value(name: str, schema: dict[str, Any]) -> str:
    about = f"\n{_flat(schema['description'])}\n" if "description" in schema else ""
    body = _fields(schema, ()) if schema.get("type") == "object" else f"{_kind(schema)}\n"
    return f"### {name}\n{about}\n{body}"


def _fields(schema: dict[str, Any], skipped: tuple[str, ...]) -> str:
    fields = {name: kind for name, kind in schema.get("properties", {}).items() if name not in skipped}
    if not fields:
        return "No fields of its own.\n"
    rows = ["| field | value | |", "| --- | --- | --- |"]
    for name, kind in fields.items():
        rows.append(f"| `{name}` | {_kind(kind)} | {_presence(name, kind, schema)} |")
    return "\n".join(rows) + "\n"


def _presence(name: str, kind: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema.get("required", ()):
        return ""
    default = kind.get("default")
    return "optional" if default in (None, "", [], {}) or isinstance(default, dict) else f"optional, else `{default}`"


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_kind, schema["anyOf"])))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"list: {', '.join(map(_kind, schema['prefixItems']))}"
        case "array":
            return f"list of {_kind(schema['items'])}" if schema.get("items") else "list"
        case "object":
            values = schema.get("additionalProperties")
            return f"object of {_kind(values)}" if isinstance(values, dict) and values else "object"
        case None:
            return "any JSON"
        case kind:
            return f"{kind}{_bounds(schema)}"


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


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def main() -> None:
    before, _, rest = FILE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    FILE.write_text(f"{before}{BEGIN}{tables()}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
