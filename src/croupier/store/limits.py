"""The limits of every kind of store, so that tables can move between them."""

from typing import Final

from croupier.store.port import Append, Entry, Person

CHIPS_MAX: Final = 2**53 - 1
"""The most chips of one entry and of one balance, either way: what a double, and so a browser, still counts exactly."""
MILLISECONDS_MAX: Final = 2**53 - 1
VERSION_MAX: Final = 2**53 - 1
NAME_BYTES_MAX: Final = 500
BLOB_BYTES_MAX: Final = 4 * 1024 * 1024
ENTRIES_MAX: Final = 1000
SECRETS_MAX: Final = 1000
MESSAGE_BYTES_MAX: Final = 7_800
"""The longest message between nodes: PostgreSQL takes less than 8000 bytes."""


def hold_append(append: Append) -> None:
    """Raises `ValueError` for a step that no store may take, whatever it holds."""
    _hold_name("table", append.table)
    if not 1 <= append.version <= VERSION_MAX:
        raise ValueError(f"{append.table}: versions are 1 to {VERSION_MAX}, not {append.version}")
    if append.command_id:
        _hold_name("command_id", append.command_id)
    _hold_blob("record", append.record)
    _hold_blob("answer", append.answer)
    if append.listing is not None:
        _hold_blob("listing", append.listing)
    _hold_milliseconds("at_ms", append.at_ms)
    if append.deadline_ms is not None:
        _hold_milliseconds("deadline_ms", append.deadline_ms)
    if append.entries:
        _hold_entries(append.entries)
    if append.secrets:
        _hold_secrets(append.secrets)


def hold_snapshot(table: str, snapshot: bytes) -> None:
    """Raises `ValueError` for a snapshot that no store may take."""
    _hold_name("table", table)
    _hold_blob("snapshot", snapshot)


def hold_person(person: Person) -> None:
    """Raises `ValueError` for a person that no store may take."""
    _hold_name("id", person.id)
    if person.name:
        # A person without a name gives one when entering a room.
        _hold_name("name", person.name)
    _hold_name("language", person.language)
    _hold_blob("token_hash", person.token_hash)
    _hold_milliseconds("created_ms", person.created_ms)


def hold_message(message: str) -> None:
    """Raises `ValueError` for a message that cannot be sent from node to node."""
    if len(message.encode()) > MESSAGE_BYTES_MAX or "\0" in message:
        raise ValueError(f"a message has at most {MESSAGE_BYTES_MAX} bytes and no NUL, unlike {message[:100]!r}")


def hold_balance(account: str, chips: int) -> None:
    """Raises `ValueError` for a balance that could not be counted exactly."""
    if not -CHIPS_MAX <= chips <= CHIPS_MAX:
        raise ValueError(f"{account}: a balance is at most {CHIPS_MAX} chips either way, not {chips}")


def _hold_entries(entries: tuple[Entry, ...]) -> None:
    if len(entries) > ENTRIES_MAX:
        raise ValueError(f"one step has at most {ENTRIES_MAX} entries, not {len(entries)}")
    for entry in entries:
        _hold_name("account", entry.account)
        if not -CHIPS_MAX <= entry.chips <= CHIPS_MAX:
            raise ValueError(f"{entry.account}: an entry is at most {CHIPS_MAX} chips either way, not {entry.chips}")
    if total := sum([entry.chips for entry in entries]):
        raise ValueError(f"the entries of one step sum to zero, not to {total}")


def _hold_secrets(secrets: tuple[tuple[str, bytes], ...]) -> None:
    if len(secrets) > SECRETS_MAX:
        raise ValueError(f"one step has at most {SECRETS_MAX} secrets, not {len(secrets)}")
    for name, secret in secrets:
        _hold_name("secret", name)
        _hold_blob("secret", secret)


def _hold_name(field: str, name: str) -> None:
    """A name has 1 to NAME_BYTES_MAX bytes of UTF-8, without NUL: databases end a text there."""
    try:
        length = len(name) if name.isascii() else len(name.encode())
    except UnicodeEncodeError as error:
        raise ValueError(f"{field}: {name!r} is not Unicode text") from error
    if not 1 <= length <= NAME_BYTES_MAX or "\0" in name:
        raise ValueError(f"{field}: a name has 1 to {NAME_BYTES_MAX} bytes and no NUL, unlike {name[:100]!r}")


def _hold_blob(field: str, blob: bytes) -> None:
    if len(blob) > BLOB_BYTES_MAX:
        raise ValueError(f"{field}: at most {BLOB_BYTES_MAX} bytes, not {len(blob)}")


def _hold_milliseconds(field: str, milliseconds: int) -> None:
    if not -MILLISECONDS_MAX <= milliseconds <= MILLISECONDS_MAX:
        raise ValueError(f"{field}: at most {MILLISECONDS_MAX} milliseconds either way, not {milliseconds}")
