"""What keys do now: choosing, typing an amount, picking a cell, chatting. Pure, so tests can press keys.

`press` returns the next mode, what to do, or what to say about a key that does nothing here.
"""

from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

import msgspec
from rich.text import Text

from croupier.clients.terminal.blocks import CELL, DIM, GOLD, Focus, pressing
from croupier.clients.terminal.choices import Choice
from croupier.clients.terminal.session import GO_ON, RoomChoice
from croupier.clients.terminal.words import Words
from croupier.game.game import Action
from croupier.wire.room import CHAT_CHARACTERS_MAX

ENTER: Final = "enter"
ESCAPE: Final = "escape"
BACKSPACE: Final = "backspace"
ARROWS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
DIGITS_MAX: Final = 15


class Do(msgspec.Struct, frozen=True):
    """Do this now."""

    what: Action | RoomChoice


class Tell(msgspec.Struct, frozen=True):
    """Send this to the chat."""

    text: str


class Say(msgspec.Struct, frozen=True):
    """Do nothing, and tell the player why."""

    text: str


class Mode(Protocol):
    @property
    def focus(self) -> Focus: ...

    def prompt(self, words: Words, columns: int) -> Text:
        """What can be pressed, in lines of at most `columns` columns."""

    def press(self, key: str, words: Words) -> "Reaction": ...

    def among(self, offered: "Choosing") -> "Mode":
        """The mode for new offers. A choice that was begun goes on if it is still possible."""


Reaction: TypeAlias = "Mode | Do | Tell | Say"


def key_hint(key: str, label: str, presses: str = "") -> Text:
    """A key with its label, `[f] Fold`, which can be clicked."""
    shown = Text(style=pressing(presses or key))
    return shown.append(f"[{key}]", style=GOLD).append(f" {label}")


def flow(parts: list[Text], columns: int) -> Text:
    """The parts in a row, on as many lines as needed. No part is broken."""
    lines = [Text()]
    for part in parts:
        if lines[-1] and lines[-1].cell_len + 2 + part.cell_len > columns:
            lines.append(Text())
        lines[-1].append("  " if lines[-1] else "").append_text(part)
    return Text("\n").join(lines)


class Choosing(msgspec.Struct, frozen=True):
    """Choose by key."""

    offered: tuple[Choice, ...] = ()
    commands: tuple[RoomChoice, ...] = ()
    typed: str = ""
    """The digits typed so far, where there are so many choices that their keys are numbers."""
    last: Mapping[str, int] = msgspec.field(default_factory=dict)
    """The last amount of an action, by its tag."""

    @property
    def focus(self) -> Focus:
        return Focus(cells=tuple(sorted({cell for choice in self.offered for cell in self._own_cells(choice)})))

    @staticmethod
    def _own_cells(choice: Choice) -> tuple[int, ...]:
        """A card's cells if it has few. Those of a card that goes almost anywhere are shown once it is chosen."""
        return choice.offer.among if len(choice.offer.among) <= 2 else ()

    def among(self, offered: "Choosing") -> Mode:
        is_same = offered.offered == self.offered
        return msgspec.structs.replace(offered, typed=self.typed) if is_same else offered

    def prompt(self, words: Words, columns: int) -> Text:
        parts = [key_hint(choice.key, choice.label) for choice in self.offered]
        parts += [key_hint(each.key or words.t("play.enter"), each.label, each.key or ENTER) for each in self.commands]
        if self.typed:
            parts.insert(0, Text(f" {self.typed} ", style="bold reverse"))
        return flow(parts, columns)

    def press(self, key: str, words: Words) -> Reaction:
        if any(len(choice.key) > 1 for choice in self.offered):
            if len(key) == 1 and key.isascii() and key.isdecimal():
                return msgspec.structs.replace(self, typed=(self.typed + key)[-DIGITS_MAX:])
            if key in (BACKSPACE, ESCAPE):
                return msgspec.structs.replace(self, typed=self.typed[:-1] if key == BACKSPACE else "")
            if key == ENTER and self.typed:
                key = self.typed
        return self._pressed(key, words)

    def _pressed(self, key: str, words: Words) -> Reaction:
        wanted = GO_ON if key == ENTER else key
        for command in self.commands:
            if command.key == wanted:
                return Do(command)
        for choice in self.offered:
            if choice.key == key:
                return self._chosen(choice)
        if key.startswith(CELL):
            return self._cell(int(key.removeprefix(CELL)), words)
        return self._unknown(key, words)

    def _chosen(self, choice: Choice) -> Reaction:
        if choice.needs_amount:
            last = self.last.get(choice.offer.action.tag)
            if last is None or not choice.admits(last):
                return Amount(choice, self)
            return Amount(choice, self, str(last), is_last=True)
        return Cell(choice, self, choice.offer.among[0]) if choice.needs_cell else Do(choice.action())

    def _cell(self, cell: int, words: Words) -> Reaction:
        """A cell was chosen before a card: take the first card that can go there, one with few cells first."""
        fitting = [choice for choice in self.offered if cell in choice.offer.among]
        fitting.sort(key=lambda choice: len(choice.offer.among) > 2)
        return Cell(fitting[0], self, cell) if fitting else self._unknown(str(cell), words)

    def _unknown(self, key: str, words: Words) -> Say:
        keys = [choice.key for choice in self.offered]
        keys += [command.key or words.t("play.enter") for command in self.commands]
        return Say(words.t("play.unknown", word=key, allowed=words.join((*keys, "t", "?", "q"))))


class Talking(msgspec.Struct, frozen=True):
    """Type a chat line. Every character belongs to it until Enter or Escape."""

    back: Choosing
    typed: str = ""

    @property
    def focus(self) -> Focus:
        return self.back.focus

    def among(self, offered: Choosing) -> Mode:
        return msgspec.structs.replace(self, back=offered)

    def prompt(self, words: Words, columns: int) -> Text:
        keys = ((words.t("play.enter"), "confirm", ENTER), ("Esc", "back", ESCAPE))
        hints = [key_hint(key, words.t(f"play.keys.{name}"), presses) for key, name, presses in keys]
        return flow([Text(f"{words.t('play.keys.say')}: {self.typed}_"), *hints], columns)

    def press(self, key: str, words: Words) -> Reaction:
        if key == ENTER:
            text = self.typed.strip()
            return Tell(text) if text else self.back
        if key == ESCAPE:
            return self.back
        if key == BACKSPACE:
            return msgspec.structs.replace(self, typed=self.typed[:-1])
        if len(key) == 1 and key.isprintable():
            return msgspec.structs.replace(self, typed=(self.typed + key)[:CHAT_CHARACTERS_MAX])
        return self


class Amount(msgspec.Struct, frozen=True):
    """Type an amount, take a preset, or go up and down."""

    choice: Choice
    back: Choosing
    digits: str = ""
    is_last: bool = False
    """Whether the digits are last time's: then the next digit starts a new number."""

    @property
    def focus(self) -> Focus:
        return Focus()

    def among(self, offered: Choosing) -> Mode:
        return msgspec.structs.replace(self, back=offered) if self.choice in offered.offered else offered

    @property
    def value(self) -> int:
        return int(self.digits) if self.digits else self.choice.offer.low

    def prompt(self, words: Words, columns: int) -> Text:
        shown = Text(f"{self.choice.label}: ").append(f" {self.value} ", style="bold reverse")
        parts = [shown, key_hint(words.t("play.enter"), words.t("play.keys.confirm"), ENTER)]
        for preset in self.choice.presets:
            label = f"{words.t(f'play.keys.{preset.word}')} {preset.value}"
            parts.append(key_hint(preset.key, label))
        parts.append(key_hint("Esc", words.t("play.keys.back"), ESCAPE))
        return flow(parts, columns)

    def press(self, key: str, words: Words) -> Reaction:
        offer = self.choice.offer
        if key == ESCAPE:
            return self.back
        if key == BACKSPACE:
            return msgspec.structs.replace(self, digits=self.digits[:-1], is_last=False)
        if key.isascii() and key.isdecimal() and (self.is_last or len(self.digits) < DIGITS_MAX):
            typed = key if self.is_last else self.digits + key
            return msgspec.structs.replace(self, digits=typed.lstrip("0"), is_last=False)
        if key in ("up", "down"):
            # The least amount is the step: a blind or the smallest bet.
            moved = self.value + (offer.low if key == "up" else -offer.low)
            return msgspec.structs.replace(self, digits=str(min(max(moved, offer.low), offer.high)))
        for preset in self.choice.presets:
            if preset.key == key:
                return msgspec.structs.replace(self, digits=str(preset.value))
        if key == ENTER and self.choice.admits(self.value):
            return Do(self.choice.action(self.value))
        wrong = str(self.value) if key == ENTER else key
        keys = (f"{offer.low}–{offer.high}", *(preset.key for preset in self.choice.presets), "Esc")
        return Say(words.t("play.unknown", word=wrong, allowed=words.join(keys)))


class Cell(msgspec.Struct, frozen=True):
    """Pick one of several numbers, like cells of a board. The cursor jumps between those that are possible."""

    choice: Choice
    back: Choosing
    cursor: int
    typed: str = ""

    @property
    def focus(self) -> Focus:
        return Focus(self.choice.offer.among, self.cursor, self.choice.card)

    def among(self, offered: Choosing) -> Mode:
        return msgspec.structs.replace(self, back=offered) if self.choice in offered.offered else offered

    def prompt(self, words: Words, columns: int) -> Text:
        shown = Text(f"{self.choice.label}: ").append(f" {self.typed or self.cursor} ", style="bold reverse")
        parts = [
            shown,
            key_hint(words.t("play.enter"), words.t("play.keys.confirm"), ENTER),
            Text(words.t("play.keys.move"), style=DIM),
            key_hint("Esc", words.t("play.keys.back"), ESCAPE),
        ]
        return flow(parts, columns)

    def press(self, key: str, words: Words) -> Reaction:
        if key == ESCAPE:
            return self.back
        if key == ENTER:
            return Do(self.choice.action(self.cursor))
        if key in ARROWS:
            return msgspec.structs.replace(self, cursor=self._moved(*ARROWS[key]), typed="")
        if key == BACKSPACE:
            return msgspec.structs.replace(self, typed=self.typed[:-1])
        if key.isascii() and key.isdecimal():
            return self._typed((self.typed + key)[-self._digits :], words)
        if key.startswith(CELL):
            cell = int(key.removeprefix(CELL))
            return Do(self.choice.action(cell)) if cell in self.choice.offer.among else self._unknown(str(cell), words)
        return self._unknown(key, words)

    def _typed(self, typed: str, words: Words) -> Reaction:
        """The number of a cell, digit by digit. A number with all its digits that is not possible is refused."""
        if int(typed) in self.choice.offer.among:
            return msgspec.structs.replace(self, cursor=int(typed), typed=typed)
        if len(typed) < self._digits:
            return msgspec.structs.replace(self, typed=typed)
        return self._unknown(typed, words)

    @property
    def _digits(self) -> int:
        return len(str(max(self.choice.offer.among)))

    def _moved(self, down: int, right: int) -> int:
        """The nearest possible cell in that direction, else the present one."""
        side = self.choice.columns
        row, column = divmod(self.cursor, side)

        def distance(cell: int) -> tuple[int, int] | None:
            rows, columns = cell // side - row, cell % side - column
            ahead, aside = rows * down + columns * right, abs(rows * right) + abs(columns * down)
            return (ahead + 2 * aside, aside) if ahead > 0 else None

        near = [(far, cell) for cell in self.choice.offer.among if (far := distance(cell)) is not None]
        return min(near)[1] if near else self.cursor

    def _unknown(self, key: str, words: Words) -> Say:
        cells = self.choice.offer.among
        allowed = words.join(map(str, cells)) if len(cells) <= 8 else words.t("play.keys.move")
        return Say(words.t("play.unknown", word=key, allowed=allowed))
