"""Names of the classroom table, trimmed and measured as .NET does it, so that both ends of the hub agree."""

from typing import Final

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What `Char.IsWhiteSpace` knows. Python's own `strip` would take U+001C to U+001F, too."""


def trim(name: str) -> str:
    """The name as `String.Trim()` leaves it."""
    return name.strip(WHITE_SPACE)


def length(name: str) -> int:
    """How long the name is for `String.Length`: in UTF-16 code units, so most emoji count two."""
    return len(name.encode("utf-16-le", "surrogatepass")) // 2
