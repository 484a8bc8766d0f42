"""What a schema leaves out of the code: the text under a field in its class, and the order of an enumeration."""

import ast
import enum
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, get_origin

import msgspec
from msgspec.inspect import EnumType, StructType, multi_type_info

Notes: TypeAlias = dict[tuple[str, frozenset[str]], dict[str, str]]
"""By the title of a schema and the names of its fields: what is said about each, by its name on the wire."""
Orders: TypeAlias = dict[tuple[str, frozenset[Any]], tuple[Any, ...]]
"""By the title of a schema and its values: these in the order of the code. A schema has them sorted."""


def field_notes(types: Iterable[type[Any]]) -> Notes:
    """The notes of these structs, and of all that they hold."""
    found: Notes = {}
    for struct in _classes(multi_type_info(types), StructType):
        fields = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
        texts = {fields[name]: text for name, text in _texts(struct).items() if name in fields}
        found[struct.__name__, frozenset(fields.values())] = texts
    return found


def enum_orders(types: Iterable[type[Any]]) -> Orders:
    """The enumerations in these structs, and in all that they hold."""
    found: Orders = {}
    for kind in _classes(multi_type_info(types), EnumType):
        assert issubclass(kind, enum.Enum)
        values = tuple(member.value for member in kind)
        found[kind.__name__, frozenset(values)] = values
    return found


def _classes(roots: Iterable[object], wanted: type[StructType] | type[EnumType]) -> Iterator[type[Any]]:
    """Every class of the wanted kind in these descriptions of types, once."""
    seen: set[type[Any]] = set()
    left = list(roots)
    while left:
        kind = left.pop()
        if isinstance(kind, tuple):
            left += kind
            continue
        if isinstance(kind, StructType | EnumType):
            found: type[Any] = get_origin(kind.cls) or kind.cls
            if found in seen:
                continue
            seen.add(found)
            if isinstance(kind, wanted):
                yield found
        if isinstance(kind, StructType):
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
