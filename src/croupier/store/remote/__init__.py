"""One process lends its store to other processes of the same server, each over one end of a socket pair.

`share` is what one of them sees of the store, with hints of what the others do; `lender` gives shares out, `borrowed`
is the store at the other end of a line, `messages` is what goes over it, and `line` how. Nothing here knows which store
is lent.
"""

from croupier.store.remote.borrower import BorrowedStore
from croupier.store.remote.lender import Lender

__all__ = ["BorrowedStore", "Lender"]
