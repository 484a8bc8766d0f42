"""A store in one SQLite file, through the standard library: the default of a room on one machine.

- `database`: connections, migrations, and what SQLite's errors mean; `ownership` keeps a second server off the file.
- `writer`: gathers steps into commits; `batch` decides and writes the steps of one.
- `queries`: everything that is read.
- `contents`, `history`: all rows, for checks and exports.
- `integrity`: looks for broken promises.
- `store`: the store itself.
"""

from croupier.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
