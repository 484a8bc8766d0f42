"""A face-down card, in a wrapper that cannot leave the table by accident."""

from typing import Generic, NoReturn, TypeVar

T = TypeVar("T")


class Sealed(Generic[T]):
    """Holds something that is face down. It compares like its content, and shows nothing of it.

    Printing shows a mask; formatting, JSON and pickling refuse. Only `open()` gives the content, so a search for that
    word finds every place that looks under a card.
    """

    __slots__ = ("_content",)

    def __init__(self, content: T) -> None:
        self._content = content

    def open(self) -> T:
        """The content. The caller decides who may see it."""
        return self._content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and bool(self._content == other._content)

    def __hash__(self) -> int:
        return hash(self._content)

    def __repr__(self) -> str:
        return "<sealed>"

    def __str__(self) -> NoReturn:
        raise TypeError("a sealed card refuses to be printed; open() it where its viewer is known")

    def __format__(self, spec: str) -> NoReturn:
        str(self)
        raise AssertionError

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealed card refuses to be encoded")
