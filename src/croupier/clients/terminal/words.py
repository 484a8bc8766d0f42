"""How things are written for one person: texts in their language, cards, names."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rich.cells import cell_len, set_cell_size

from croupier import locales
from croupier.dealing.cut2 import pictures
from croupier.game.refusal import Refusal
from croupier.table.roomview import MemberView, RoomView

SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
NAME_CELLS_MAX: Final = 21


class Words:
    """Texts in one language. With `ascii_only`, cards and frames are drawn in ASCII; sentences keep their letters."""

    def __init__(self, language: str, *, ascii_only: bool = False) -> None:
        self.language = language
        self.ascii_only = ascii_only

    def t(self, key: str, /, **facts: object) -> str:
        return locales.text(self.language, key, **facts)

    def has(self, key: str) -> bool:
        return locales.has_text(self.language, key)

    def refusal(self, code: str, facts: Mapping[str, Any]) -> str:
        """Why something was refused. A list among the facts is written with commas."""
        written = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
        return self.refused(Refusal(code, written))

    def refused(self, refusal: Refusal) -> str:
        return locales.refusal_text(self.language, refusal)

    def card(self, card: object) -> str:
        """`A♠`, or `As` in ASCII. What is not a rank and a suit stays as it is."""
        text = str(card)
        return text[0] + self.suit(text[1]) if len(text) == 2 else text

    def suit(self, suit: str) -> str:
        """`♠`, or `s` in ASCII."""
        return suit if self.ascii_only else SUIT_SIGNS.get(suit, suit)

    def cards(self, some: Iterable[object]) -> str:
        return " ".join(self.card(card) for card in some)

    def name(self, public: RoomView, seat: int) -> str:
        """The player in a seat; a bot by its name in this language."""
        member = next((member for member in public.members if member.seat == seat), None)
        return self.t("play.empty_seat", seat=seat + 1) if member is None else self.member(public.game, member)

    def member(self, game: str, member: MemberView) -> str:
        if not member.bot:
            return member.name
        return f"{locales.bot_name(self.language, game, member.bot)} {member.id.rpartition('-')[2]}"

    def game(self, game: str) -> str:
        return locales.game_name(self.language, game)

    def preset(self, game: str, preset: str) -> str:
        key = f"{game}.preset.{preset}"
        return self.t(key) if self.has(key) else preset

    def code(self, cut: str) -> str:
        """The code of a deal to read aloud: the names of its four pictures."""
        return self.join(self.t(f"picture.{number}").partition(" ")[2] for number in pictures(cut))

    def join(self, parts: Iterable[str]) -> str:
        return self.t("play.comma").join(parts)


def pad(text: str, cells: int) -> str:
    """The text in exactly `cells` columns. Korean and Chinese characters take two; one that does not fit is cut off."""
    return set_cell_size(text, cells)


def pad_left(text: str, cells: int) -> str:
    return " " * (cells - cell_len(text)) + text if cell_len(text) < cells else set_cell_size(text, cells)
