"""Small card games known from research, as positions of the games."""

from collections.abc import Mapping
from typing import Any, Final

SMALL_GAMES: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "kuhn": (
        "poker",
        {
            "preset": "cash",
            "players": 2,
            "stack_chips": 2,
            "small_blind": 0,
            "big_blind": 1,
            "deck": "JsQsKs",
            "cards": "2c2d????" + "??3h4h8d" + "??9d" + "??5c",
            "played": " ".join(["check_or_call"] * 6),
        },
    ),
    "push_fold": (
        "poker",
        {
            "preset": "cash",
            "players": 2,
            "stack_chips": 2,
            "small_blind": 1,
            "big_blind": 2,
            "deck": "AsAhKsKhQsQh",
            "cards": "??" * 4 + "??2c3d7h" + "??8c" + "??9d",
        },
    ),
}
"""Games small enough for exact algorithms: by name, the game they are part of and its options.

`kuhn` is Kuhn poker: the river of a hand where both have a jack, a queen or a king, one chip in the pot, and one left.
`push_fold` is the hand of a small blind that can fold or put its last chip in, with aces, kings and queens."""
