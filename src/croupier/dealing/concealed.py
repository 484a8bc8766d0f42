"""What the server knows and nobody else may."""

from typing import NoReturn


class Concealed:
    """Base of values that hold secrets or undealt cards: printing shows a mask, pickling and copying refuse."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: concealed>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} holds secrets and refuses to be encoded")
