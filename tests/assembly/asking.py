"""Asking a server over HTTP from a test."""

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.server.live import Live


def asked_of(room: Live, path: str, body: object = None, kind: str = "application/json") -> tuple[int, list[Any]]:
    """The status and every line of an answer. A body in bytes is sent as it is."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urlopen(Request(room.link + path, data, {"content-type": kind})) as answer:
            return answer.status, [json.loads(line) for line in answer]
    except HTTPError as error:
        return error.code, [json.load(error)]
