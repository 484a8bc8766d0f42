"""How things are written for one person: their language, their cards, everybody's names."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rich.cells import cell_len, set_cell_size

from croupier import locales
from croupier.dealing.cut2 import pictures
from croupier.game.refusal import Refusal
from croupier.games.sequence.rules.board import face
from croupier.games.sequence.rules.cards import CardId
from croupier.table.roomview import MemberView, RoomView

SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
NAME_CELLS_MAX: Final = 21


class Words:
    """Texts in one language. With `ascii_only` cards and frames use no sign beyond ASCII; sentences keep theirs."""

    def __init__(self, language: str, *, ascii_only: bool = False) -> None:
        self.language = language
        self.ascii_only = ascii_only

    def t(self, key: str, /, **facts: object) -> str:
        return locales.text(self.language, key, **facts)

    def has(self, key: str) -> bool:
        return key in locales.catalogue(self.language)

    def refusal(self, code: str, facts: Mapping[str, Any]) -> str:
        """Why something was refused; a list among the facts, as JSON has it, is written with commas."""
        written = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
        return self.t(f"code.{code}", **written)

    def refused(self, refusal: Refusal) -> str:
        return self.refusal(refusal.code, refusal.facts)

    def card(self, card: object) -> str:
        """`A♠`, or `As` in ASCII; a card of Sequence without its variant."""
        text = str(card)
        if "_" in text:
            printed = face(CardId(text))
            text = printed[0] + printed[1].lower()
        return text if self.ascii_only else text[0] + SUIT_SIGNS[text[1]]

    def cards(self, some: Iterable[object]) -> str:
        return " ".join(self.card(card) for card in some)

    def face(self, printed: str) -> str:
        """A cell of the Sequence board, `TS` as the board has it; a corner is a star."""
        return "**" if printed == "XX" else self.card(printed[0] + printed[1].lower())

    def name(self, public: RoomView, seat: int) -> str:
        """Whoever sits there; a bot by its name in this language."""
        member = next((member for member in public.members if member.seat == seat), None)
        return self.t("play.empty_seat", seat=seat + 1) if member is None else self.member(public.game, member)

    def member(self, game: str, member: MemberView) -> str:
        key = f"bot.{game}.{member.bot}.name"
        if not member.bot or not self.has(key):
            return member.name
        return f"{self.t(key)} {member.id.rpartition('-')[2]}"

    def game(self, game: str) -> str:
        key = f"{game}.name" if self.has(f"{game}.name") else f"play.{game}.name"
        return self.t(key) if self.has(key) else game

    def preset(self, game: str, preset: str) -> str:
        key = f"{game}.preset.{preset}" if self.has(f"{game}.preset.{preset}") else f"play.{game}.preset.{preset}"
        return self.t(key) if self.has(key) else preset

    def code(self, cut: str) -> str:
        """The code of a deal to read aloud: the names of its four pictures."""
        return self.join(self.t(f"picture.{number}").partition(" ")[2] for number in pictures(cut))

    def join(self, parts: Iterable[str]) -> str:
        return self.t("play.comma").join(parts)


def pad(text: str, cells: int) -> str:
    """The text in exactly so many columns; Korean and Chinese characters take two, and the last one that does not fit
    is cut off."""
    return set_cell_size(text, cells)


def pad_left(text: str, cells: int) -> str:
    return " " * (cells - cell_len(text)) + text if cell_len(text) < cells else set_cell_size(text, cells)
