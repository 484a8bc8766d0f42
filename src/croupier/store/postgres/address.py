"""Addresses such as `postgresql://user:password@host:port/database?schema=croupier`, read for the driver."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from croupier.store.addresses import without_password
from croupier.store.faults import fault

SCHEMA: Final = "croupier"
"""The schema of our tables unless the address names another. It keeps them apart from other programs' tables."""
_SCHEMA_NAME: Final = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,47}")


class Address(msgspec.Struct, frozen=True):
    """The address of a store."""

    dsn: str
    """The address for the driver."""
    schema: str
    place: str
    """The address for people: never with a password."""


def parse(url: str) -> Address:
    """Reads an address. The driver knows all parameters of PostgreSQL's own tools; `schema` is ours."""
    try:
        parts = urlsplit(url)
        _ = parts.port
        query = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError as error:
        raise fault("STORE_ADDRESS_PARTS", address=without_password(url), fault=error) from None
    schema = dict(query).get("schema", SCHEMA)
    if not _SCHEMA_NAME.fullmatch(schema):
        raise fault("STORE_SCHEMA", found=schema)
    dsn = parts._replace(query=urlencode([(name, value) for name, value in query if name != "schema"])).geturl()
    return Address(dsn, schema, without_password(url))


def with_schema(url: str, schema: str) -> str:
    """The address of another schema in the same database."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "schema"]
    return parts._replace(query=urlencode([*query, ("schema", schema)])).geturl()
