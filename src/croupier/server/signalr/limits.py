"""How much the hub takes, and how long it waits."""

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds on one hub. The times are those of the protocol's own defaults."""

    connections_max: int = 200
    connections_per_address_max: int = 150
    """Of one address, so that nobody takes every place: more than a class behind one router."""
    message_bytes_max: int = 64 * 1024
    """Also of the body of a POST."""
    messages_waiting_max: int = 256
    """How many messages may wait for a client that reads slowly, before it is dropped."""
    posts_waiting_max: int = 4
    """How many bodies of POSTs may wait until the connection reads them, and how many POSTs for room to wait."""
    negotiated_max: int = 1000
    """How many connections may be negotiated and not begun."""
    negotiated_per_address_max: int = 200
    negotiated_seconds: float = 15.0
    handshake_seconds: float = 15.0
    keep_alive_seconds: float = 15.0
    """After so long without a message to the client, it gets a ping."""
    client_timeout_seconds: float = 30.0
    """After so long without a message from the client, it is taken for gone."""
    poll_seconds: float = 90.0
    """How long a poll waits for something to tell."""
    away_seconds: float = 15.0
    """After so long without a poll, a client of long polling is taken for gone."""
    body_seconds: float = 10.0
    """How long the body of a POST may take to come."""
    closing_seconds: float = 2.0
    """How long a client that is dropped may take to hear of it."""
