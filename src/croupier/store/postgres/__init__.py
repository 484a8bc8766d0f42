"""A store in a PostgreSQL database, through asyncpg: for several nodes that serve the same tables.

- `address`: from a URL to what a connection needs.
- `database`: connections, migrations, and what the database's errors mean; `seal_migration` adds seals to old rows.
- `writer`: gathers steps into transactions; `batch` decides and writes the steps of one.
- `queries`: everything that is read.
- `changes`: hints between nodes.
- `contents`, `history`: all rows, for checks and exports.
- `integrity`: looks for broken promises.
- `store`: the store itself.
"""

from croupier.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
