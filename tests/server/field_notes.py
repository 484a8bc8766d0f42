"""What the code says about single fields of the messages: the text that stands under a field in its class."""

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, get_origin

import msgspec
from msgspec.inspect import StructType, multi_type_info

Notes: TypeAlias = dict[tuple[str, frozenset[str]], dict[str, str]]
"""By the title of a schema and the names of its fields: what is said about each, by its name on the wire."""


def field_notes(types: Iterable[type[Any]]) -> Notes:
    """The notes of these structs, and of all that they hold."""
    found: Notes = {}
    for struct in _structs(multi_type_info(types)):
        fields = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
        texts = {fields[name]: text for name, text in _texts(struct).items() if name in fields}
        found[struct.__name__, frozenset(fields.values())] = texts
    return found


def _structs(roots: Iterable[object]) -> Iterator[type[msgspec.Struct]]:
    """Every struct in these descriptions of types, once."""
    seen: set[type[msgspec.Struct]] = set()
    left = list(roots)
    while left:
        kind = left.pop()
        if isinstance(kind, tuple):
            left += kind
        elif isinstance(kind, StructType):
            struct = get_origin(kind.cls) or kind.cls
            if struct not in seen:
                seen.add(struct)
                yield struct
                left += [field.type for field in kind.fields]
        elif isinstance(kind, msgspec.inspect.Type):
            left += [getattr(kind, name) for name in kind.__struct_fields__]


def _texts(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The text under each field of a struct; where it is told again, the newest."""
    found: dict[str, str] = {}
    for kind in reversed(struct.__mro__):
        try:
            source = textwrap.dedent(inspect.getsource(kind))
        except (OSError, TypeError):
            continue  # Made by a function, or not in Python: its fields come from other classes here.
        (definition,) = ast.parse(source).body
        assert isinstance(definition, ast.ClassDef)
        for field, text in zip(definition.body, definition.body[1:], strict=False):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str() as said)),
                ):
                    found[name] = " ".join(said.split())
    return found
