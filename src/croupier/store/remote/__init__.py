"""One process shares its store with other processes of the same server, each over one end of a socket pair.

- `share_group`: what each process sees of the store, with hints of what the others do.
- `owner`: the process that has the store.
- `remote_store`: the store as the other processes have it.
- `line`, `messages`: how they talk, and what they say.

Nothing here knows which store is shared.
"""

from croupier.store.remote.owner import StoreOwner
from croupier.store.remote.remote_store import RemoteStore

__all__ = ["RemoteStore", "StoreOwner"]
