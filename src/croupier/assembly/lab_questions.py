"""Read the questions that the lab is asked over HTTP. A refusal says what is allowed instead."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request

from croupier.game.refusal import OptionError
from croupier.games.blackjack import GAME, BlackjackRules
from croupier.lab.blackjack.rule_options import FIELDS, OPTIONS, bad_option, changed_rules, choices
from croupier.lab.presets import preset_or_default
from croupier.server.http import RefusedError

Result = TypeVar("Result")

BODY_BYTES_MAX: Final = 16 * 1024
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What a body raises that is no JSON, not of this form, or nested too deeply."""
RANKS: Final = "A23456789T"


def rules_of(options: Mapping[str, str]) -> BlackjackRules:
    """A preset with options changed."""
    changes = dict(options)
    preset = preset_or_default(GAME.name, changes.pop("preset", ""))
    if preset not in GAME.presets:
        raise wrong("preset", preset, ", ".join(GAME.presets))
    for name in changes:
        if name not in FIELDS:
            raise wrong("option", name, ", ".join(FIELDS))
    try:
        return changed_rules(GAME.presets[preset], changes)
    except OptionError as error:
        raise RefusedError(400, error.refusal) from None


def described(name: str) -> dict[str, Any]:
    """What an option takes: a number between two, or one of several words."""
    option = OPTIONS[name]
    if option.kind == "number":
        return {"low": option.low, "high": option.high, "whole": option.whole}
    return {"choices": choices(name)}


def written(value: Any) -> str:
    """A JSON value as it would stand in an address."""
    return str(value).lower() if isinstance(value, bool) else str(value)


async def body_of(request: Request, kind: type[Result], bytes_max: int = BODY_BYTES_MAX) -> Result:
    """The body of a request. It must be declared as JSON: pages of other origins cannot do that without permission."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise wrong("content-type", request.headers.get("content-type", ""), "application/json")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > bytes_max:
            raise wrong("body", f"{len(body)} bytes", f"≤ {bytes_max} bytes")
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise wrong("body", body[:40].decode(errors="replace"), str(error)) from None


def converted(asked: dict[str, Any], kind: type[Result]) -> Result:
    try:
        return msgspec.convert(asked, kind)
    except msgspec.ValidationError as error:
        raise wrong("body", ", ".join(asked), str(error)) from None


def ranks_of(request: Request, name: str, low: int, high: int) -> str:
    """From `low` to `high` ranks out of the question; ten, jack, queen and king are all `T`."""
    ranks = request.query_params.get(name, "").upper().translate(str.maketrans("JQK", "TTT"))
    if not low <= len(ranks) <= high or not set(ranks) <= set(RANKS):
        raise wrong(name, ranks, f"{low} – {high} × {RANKS}")
    return ranks


def wrong(option: str, value: str, allowed: str) -> RefusedError:
    return RefusedError(400, bad_option(option, value, allowed))
