"""Values that only the server may know."""

from typing import NoReturn


class Concealed:
    """Base of values with secrets or undealt cards. Printing shows a mask; pickling and copying raise."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: concealed>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} holds secrets and refuses to be encoded")
