"""A store in a PostgreSQL database, through asyncpg: for several nodes that serve the same tables.

`address` reads addresses, `opening` makes connections and brings the schema up to date, `writer` gathers steps into
transactions, `batch` decides and writes one transaction's steps, `reading` holds the questions, `checking` looks for
broken promises, `changes` hears what other nodes wrote, `history` tells all there is, `store` is the store.
"""

from croupier.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
