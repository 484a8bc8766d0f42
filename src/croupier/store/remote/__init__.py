"""One process shares its store with other processes of the same server, each over one end of a socket pair.

- `share_group`: each process's share of the store, with hints of the others' writes.
- `owner`: the process that has the store.
- `remote_store`: the store in the other processes.
- `line`, `messages`: the connection between them, and its messages.

Nothing here knows which store is shared.
"""

from croupier.store.remote.owner import StoreOwner
from croupier.store.remote.remote_store import RemoteStore

__all__ = ["RemoteStore", "StoreOwner"]
