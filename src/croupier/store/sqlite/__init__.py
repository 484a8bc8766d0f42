"""A store in one SQLite file, through the standard library: the default of a room on one machine.

`opening` makes connections and brings the schema up to date, `writer` gathers steps into commits, `batch` decides and
writes one commit's steps, `reading` holds the questions, `checking` looks for broken promises, `store` is the store.
"""

from croupier.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
