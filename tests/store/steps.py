"""Short ways to write steps of a table down."""

from croupier.store.port import Append, Entry


def step(
    table: str, version: int, command_id: str = "", *, moves: dict[str, int] | None = None, **more: object
) -> Append:
    """A step whose record tells table and version, and whose answer tells the command."""
    fields: dict[str, object] = {
        "table": table,
        "version": version,
        "record": f"{table} {version}".encode(),
        "at_ms": 1000 + version,
        "command_id": command_id,
        "answer": f"done {command_id}".encode() if command_id else b"",
        "entries": tuple(Entry(account, chips) for account, chips in (moves or {}).items()),
    }
    return Append(**(fields | more))  # type: ignore[arg-type]  # the tests pass what fits
