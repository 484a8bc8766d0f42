"""The hub's limits and timeouts."""

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on one hub. The times are those of the protocol's own defaults."""

    connections_max: int = 200
    connections_per_address_max: int = 150
    """Per address, so that nobody takes every place: more than a class behind one router."""
    message_bytes_max: int = 64 * 1024
    """Also for the body of a POST."""
    messages_waiting_max: int = 256
    """How many messages may wait for a client that reads slowly, before it is dropped."""
    posts_waiting_max: int = 4
    """How many POST bodies may wait to be read, and how many POSTs may wait for space."""
    negotiated_max: int = 1000
    """How many connections may be negotiated but not begun."""
    negotiated_per_address_max: int = 200
    negotiated_seconds: float = 15.0
    handshake_seconds: float = 15.0
    keep_alive_seconds: float = 15.0
    """After this time without a message to the client, it gets a ping."""
    client_timeout_seconds: float = 30.0
    """After this time without a message from the client, it counts as gone."""
    poll_seconds: float = 90.0
    """How long a poll waits for a message."""
    away_seconds: float = 15.0
    """After this time without a poll, a client of long polling counts as gone."""
    body_seconds: float = 10.0
    """How long the body of a POST may take to arrive."""
    closing_seconds: float = 2.0
    """How long the last message to a dropped client may take."""
