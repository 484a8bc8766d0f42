"""People: newcomers get a secret token, and come back with it. Only its hash is kept."""

import hashlib
from base64 import urlsafe_b64encode
from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from croupier import locales
from croupier.game.refusal import Refusal
from croupier.server.services import Services, log
from croupier.shown_text import NICKNAME_CHARACTERS_MAX, harmless
from croupier.store.port import Person, StoreError
from croupier.table.codes import RoomCode
from croupier.wire.room import Hello

ID_BYTES: Final = 8


def nickname(text: str) -> str | None:
    """The nickname, trimmed and without invisible characters; None if it is then empty or too long."""
    name = harmless(text)
    return name if 1 <= len(name) <= NICKNAME_CHARACTERS_MAX else None


def name_in_room(person: Person, said: str | UnsetType) -> str | Refusal:
    """The name under which a person enters a room: the one in the request, else the person's own."""
    name = (person.name or None) if said is UNSET else nickname(said)
    return name if name is not None else _bad_nickname()


def _bad_nickname() -> Refusal:
    return Refusal(RoomCode.BAD_NICKNAME, {"low": 1, "high": NICKNAME_CHARACTERS_MAX})


async def welcome(services: Services, hello: Hello, default_language: str) -> tuple[Person, str] | Refusal:
    """The person that a HELLO is from, and the token of a newcomer; it is empty for somebody who comes back."""
    language = hello.language[:2].lower()
    language = language if language in locales.LANGUAGES else default_language
    try:
        if hello.token:
            person = await by_token(services, hello.token)
            return (person, "") if person is not None else Refusal(RoomCode.BAD_TOKEN)
        name = "" if hello.nickname is UNSET else nickname(hello.nickname)
        if name is None:
            return _bad_nickname()
        token = urlsafe_b64encode(services.secret()).decode().rstrip("=")
        person = Person(services.secret()[:ID_BYTES].hex(), name, _hash(token), language, services.clock_ms())
        await services.store.save_person(person)
    except StoreError as error:
        log.error("people cannot be looked up: %s", error)
        return Refusal(RoomCode.STORE_FAILED)
    return person, token


async def replace_token(services: Services, person: Person, token: str) -> Person | Refusal:
    """Give a person a new token. When this returns, the old one is invalid on every node."""
    renewed = replace(person, token_hash=_hash(token))
    try:
        await services.store.save_person(renewed)
    except ValueError:
        return Refusal(RoomCode.BAD_TOKEN)
    return renewed


async def by_token(services: Services, token: str) -> Person | None:
    """The person with this token; None if there is none."""
    return await services.store.person_by_token(_hash(token))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
