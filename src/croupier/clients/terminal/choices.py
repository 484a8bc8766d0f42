"""What a player can do now, each with a key. Choices are made from the menu, so legality is decided nowhere else."""

from typing import Any, Final

import msgspec

from croupier.game.game import Action, Offer

SINGLE_KEYS: Final = "123456789abcdefghijkmnoprsuvwyz"
"""Keys for choices without a letter of their own. The other letters mean something else at every table."""


class Preset(msgspec.Struct, frozen=True):
    """An amount with a name: `word` in the line mode, `key` on the full screen, text key `play.keys.<word>`."""

    key: str
    word: str
    value: int


class Choice(msgspec.Struct, frozen=True):
    """One offer of the menu, under a key. For a range, `presets` are amounts that players often want."""

    key: str
    label: str
    offer: Offer[Any]
    presets: tuple[Preset, ...] = ()
    card: str = ""
    """The card that is played, if it is marked on the screen while its cell is chosen."""
    columns: int = 1
    """Where the values are cells of a board: how many cells stand in a row."""

    @property
    def needs_amount(self) -> bool:
        return bool(self.offer.field) and not self.offer.among

    @property
    def needs_cell(self) -> bool:
        """Whether one of some numbers must be chosen, like the cell of a board."""
        return bool(self.offer.among)

    def action(self, value: int | None = None) -> Action:
        """The action, with the open value filled in."""
        chosen: Action = self.offer.action if value is None else self.offer.choose(value)
        return chosen

    def admits(self, value: int) -> bool:
        return self.offer.admits(self.offer.choose(value))


def numbered_keys(count: int) -> list[str]:
    """A key for each of so many choices: single characters, or, if there are too many, numbers."""
    return list(SINGLE_KEYS[:count]) if count <= len(SINGLE_KEYS) else [str(number + 1) for number in range(count)]
