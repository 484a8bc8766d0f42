"""uvicorn's plain HTTP with bounds on how long a request takes to arrive, its size, and the number of requests on one
connection."""

import asyncio
from functools import partial
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.server.gate import Gate, Visit
from croupier.server.limits import Rate
from croupier.server.turned_away import Reason
from croupier.server.websocket import DirectSocket

BODY_BYTES_MAX: Final = 128 * 1024
HEAD_BYTES_MAX: Final = 16 * 1024
PACE_SECONDS: Final = 0.1
"""How long a connection that asks too fast is left waiting."""


class BoundedRequests(h11.Connection):
    """Refuses a request whose body is too long, or whose length is not given: tiny chunks could make endless work. No
    client of this server sends chunks."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            for name, value in event.headers:
                if name == b"transfer-encoding" or (name == b"content-length" and int(value) > BODY_BYTES_MAX):
                    raise h11.RemoteProtocolError("the body is too long", error_status_hint=413)
        return event


class BoundedHttp(H11Protocol):
    """One connection. It is closed if a request does not arrive in time or its answer is not read. Requests over the
    rate are answered later."""

    def __init__(self, *args: Any, visit: Visit, gate: Gate, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = BoundedRequests(h11.SERVER, HEAD_BYTES_MAX)
        self.ws_protocol_class = partial(DirectSocket, visit=visit)  # type: ignore[assignment]  # called like a class
        self._visit = visit
        self._gate = gate
        self._limits = gate.addresses.limits
        self._rate = Rate.of_requests(self._limits, visit.address)
        self._late: asyncio.TimerHandle | None = None
        """Ends the connection if its next request does not arrive in time."""
        self._stalled: asyncio.TimerHandle | None = None
        """Ends the connection if the answer is not read."""
        self._paced: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._cancel()
        self._visit.end()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._late is not None and self.cycle is not None and not self.cycle.more_body:
            self._late.cancel()
            self._late = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._cancel()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        self._gate.turned_away.note("bad_http", self._visit.address.network)
        super().send_400_response(msg)

    def on_response_complete(self) -> None:
        """Begin the next request, now or when the connection is no longer over its rate."""
        self._paced = None
        if not self._visit.is_proxy and not self._rate.allows() and not self.transport.is_closing():
            self._paced = self.loop.call_later(PACE_SECONDS, self.on_response_complete)
            return
        self._await_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self._limits.stalled_seconds, self._cut, "stalled_answer")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _await_request(self) -> None:
        if self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(self._limits.request_seconds, self._give_up)

    def _give_up(self) -> None:
        self._late = None
        has_begun = self.conn.trailing_data[0] or (self.cycle is not None and self.cycle.more_body)
        if has_begun:
            self._cut("late_request")
        else:
            # Browsers open connections before they need them.
            self.transport.abort()

    def _cut(self, reason: Reason) -> None:
        self._gate.turned_away.note(reason, self._visit.address.network)
        self.transport.abort()

    def _cancel(self) -> None:
        for timer in (self._late, self._stalled, self._paced):
            if timer is not None:
                timer.cancel()
        self._late = self._stalled = self._paced = None
