"""A game in the terminal: what its table looks like, the story of its events, and what can be chosen.

`GameTable` does all of it for any game, from the base of views, the menu and the game's texts. A game that brings a
table of its own extends it, and names it in `Game.terminal`.
"""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any, ClassVar, Final

import msgspec
from msgspec.structs import fields
from rich.text import Text

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.blocks import (
    DIM,
    FACE_DOWN,
    GOLD,
    RED,
    UNPROVED,
    Focus,
    boxes,
    column,
    inline,
    name_column,
    turn_mark,
)
from croupier.clients.terminal.choices import Choice, Preset, numbered_keys
from croupier.clients.terminal.facts import fact, facts_of, is_plain
from croupier.clients.terminal.words import Words, pad_left
from croupier.game.game import Action, AnyRules, Event, Offer, SeatView, View
from croupier.game.parts import load_part
from croupier.game.registry import GAMES

COLUMNS_MAX: Final = 80
CARDS_A_ROW: Final = 15
CHIPS_CELLS: Final = 8
BACKS_SHOWN_MAX: Final = 8
VALUES_SHOWN_MAX: Final = 4
_SPAN: Final = "\0"
"""The placeholder of the range while a text is filled in."""
_BASE_FIELDS: Final = frozenset(info.name for kind in (View, SeatView) for info in fields(kind))


class Sitting(msgspec.Struct, frozen=True):
    """Whether a player takes part in the next rounds: `is_out` by choice; to be dealt in at once they post `owes`
    chips, unless the seat `waits` for its blind."""

    is_out: bool
    owes: int = 0
    waits: bool = False


class GameTable:
    """One game at one table, for one person. `keys` has the key of an action by its tag; others get numbers."""

    keys: ClassVar[Mapping[str, str]] = {}
    help_texts: ClassVar[tuple[str, ...]] = ()
    """Text keys of what this game adds to the help."""
    remembered: ClassVar[tuple[str, ...]] = ()
    """Tags of actions whose last amount is offered again."""

    def __init__(self, words: Words) -> None:
        self.words = words

    # What it looks like

    def draw(self, now: Snapshot, focus: Focus) -> Text:
        """The table, or the lobby while no round is played."""
        return Text("\n").join(self._lobby(now) if now.view is None else self.scene(now, focus))

    def scene(self, now: Snapshot, focus: Focus) -> list[Text]:
        """A round, a line a row: the player's own cards, the fields of the view, the seats."""
        lines = [Text(f" {line}") for line in self.position(now)] if now.is_proved else []
        rows = [*self._own_rows(now), *lines, Text()]
        return rows + [self._seat_row(now, seat) for seat in range(len(now.view.seats))]

    def facts(self, now: Snapshot) -> list[str]:
        """What a player always wants to see, for the top line."""
        return []

    def header(self, now: Snapshot, columns: int) -> Text:
        """One line: game, rules and facts. Where that is too wide, the rules are left out first, then the game."""
        public, words = now.public, self.words
        game = words.game(public.game)
        facts = [words.t("play.room.code", code=public.room_code)] if now.view is None else self.facts(now)
        for title in (f"{game} – {words.preset(public.game, public.preset)}", game):
            line = Text("  ".join((title, *facts)), no_wrap=True)
            if line.cell_len <= columns:
                return line
        return Text("  ".join(facts), no_wrap=True)

    def _lobby(self, now: Snapshot) -> list[Text]:
        words, public = self.words, now.public
        lines = [Text(words.t("play.room.code", code=public.room_code), style="bold"), Text()]
        for member in public.members:
            key = "play.room.is_ready" if member.ready else "play.room.is_here"
            lines.append(Text("  " + words.t(key, name=words.member(public.game, member))))
        return lines

    def _own_rows(self, now: Snapshot) -> list[Text]:
        """The player's own cards as frames; cards with longer names in lines."""
        own, words = self._own_cards(now), self.words
        if any(len(str(card)) > 2 for card in own):
            return [Text(f" {line}") for line in wrap(words.cards(own), COLUMNS_MAX - 2)]
        rows = [own[start : start + CARDS_A_ROW] for start in range(0, len(own), CARDS_A_ROW)]
        return [Text(" ").append_text(line) for row in rows for line in boxes(row, words)]

    def _own_cards(self, now: Snapshot) -> list[object]:
        cards = () if now.seat is None else now.view.seats[now.seat].cards
        hidden = FACE_DOWN if now.is_proved else UNPROVED
        return [hidden if card is None or not now.is_proved else card for card in cards]

    def _seat_row(self, now: Snapshot, number: int) -> Text:
        words, seat = self.words, now.view.seats[number]
        is_turn, mine = number in now.view.to_act, number == now.seat
        style = GOLD if is_turn else "bold" if mine else ""
        row = Text(" ").append_text(column(turn_mark(words) if is_turn else " ", 2, GOLD))
        row.append_text(name_column(words.name(now.public, number), style, words, mine=mine))
        if seat.chips is not None:
            row.append(pad_left(str(seat.chips), CHIPS_CELLS), style=style)
        row.append("  ").append_text(self._cards(now, seat))
        for text in self._notes(now, seat):
            row.append(f"  {text}", style=DIM)
        row.truncate(COLUMNS_MAX)
        return row

    def _cards(self, now: Snapshot, seat: SeatView) -> Text:
        """The cards of a seat in one row. Of many hidden ones, their number."""
        if not now.is_proved:
            return Text(" ".join([UNPROVED] * len(seat.cards)), style=RED)
        back = "##" if self.words.ascii_only else "▒▒"
        if len(seat.cards) > BACKS_SHOWN_MAX and not any(seat.cards):
            return Text(f"{back} ×{len(seat.cards)}", style=DIM)
        shown = [Text(back, style=DIM) if card is None else inline((card,), self.words) for card in seat.cards]
        return Text(" ").join(shown)

    def _notes(self, now: Snapshot, seat: SeatView) -> list[str]:
        """The state of a seat, and its other fields that have a text."""
        game, words = now.public.game, self.words
        key = f"{game}.state.{seat.state}"
        notes = [words.t(key) if words.has(key) else seat.state] if seat.state else []
        for info in fields(type(seat)):
            value, label = getattr(seat, info.name), f"{game}.field.{info.name}"
            if info.name not in _BASE_FIELDS and is_plain(value) and words.has(label):
                notes.append(f"{words.t(label)}: {fact(info.name, value, words, now.public)}")
        return notes

    # What happened

    def told(self, now: Snapshot) -> list[str]:
        """What happened up to a snapshot, also in earlier ones that were not shown."""
        return [line for each in (*now.earlier, now) for line in self.tell(each)]

    def tell(self, now: Snapshot) -> list[str]:
        """What happened since the last snapshot, a sentence a line."""
        lines = [line for event in now.events for line in self.sentences(now, event)]
        if lines and now.public.payouts is not None and now.seat is not None:
            lines.append(self.words.t("play.result", change=f"{now.public.payouts[now.seat]:+}"))
        return lines

    def sentences(self, now: Snapshot, event: Event) -> list[str]:
        """One event by its text, `event.<TAG>`. Without a text that fits: by its tag and fields."""
        tag = str(event.__struct_config__.tag)
        return [self._filled(f"event.{tag}", tag, facts_of(event, self.words, now.public))]

    def private_sentences(self, now: Snapshot, seat: int, event: Event) -> list[str]:
        """An event that only one seat heard, told to somebody who may know everything."""
        return [f"{self.words.name(now.public, seat)}: {line}" for line in self.sentences(now, event)]

    def position(self, now: Snapshot) -> list[str]:
        """What lies on the table besides the seats: the fields of the view, each with its label."""
        words, game = self.words, now.public.game
        lines = []
        for info in fields(type(now.view)):
            value = getattr(now.view, info.name)
            if info.name not in _BASE_FIELDS and is_plain(value):
                key = f"{game}.field.{info.name}"
                label = words.t(key) if words.has(key) else info.name
                lines.append(f"{label}: {fact(info.name, value, words, now.public)}")
        return lines

    def situation(self, now: Snapshot) -> list[str]:
        """What a player must know who is to decide now, line by line."""
        t, words = self.words.t, self.words
        lines = [line for seat in range(len(now.view.seats)) if (line := self._seat_line(now, seat))]
        lines += self.position(now)
        own = self._own_cards(now)
        return [*lines, t("play.table.own", cards=words.cards(own))] if own else lines

    def _seat_line(self, now: Snapshot, number: int) -> str:
        """What a seat has, without the player's own cards, which have a line of their own. Empty if that leaves nothing
        to say of the player."""
        t, words, seat = self.words.t, self.words, now.view.seats[number]
        facts = [] if seat.chips is None else [t("play.table.chips", chips=seat.chips)]
        shown = now.is_proved and bool(seat.cards) and None not in seat.cards
        if seat.cards and number != now.seat:
            facts.append(words.cards(seat.cards) if shown else t("play.table.held", count=len(seat.cards)))
        facts += self._notes(now, seat)
        if number == now.seat and not facts:
            return ""
        return t("play.table.seat", name=words.name(now.public, number), facts=words.join(facts) or "–")

    def standing(self, now: Snapshot) -> list[tuple[str, ...]]:
        """The ranking, a heading first: by chips, else by the points of the round. Empty while there are none."""
        if now.view is None:
            return []
        chips = [seat.chips for seat in now.view.seats]
        has_chips = None not in chips
        values = chips if has_chips else now.public.payouts
        if values is None:
            return []
        t, words = self.words.t, self.words
        rows = [tuple(t(f"play.column.{name}") for name in ("place", "name", "chips" if has_chips else "points"))]
        for value, seat in sorted(zip(values, range(len(values)), strict=True), key=lambda pair: (-pair[0], pair[1])):
            place = 1 + sum(other > value for other in values)
            rows.append((str(place), words.name(now.public, seat), str(value)))
        return rows

    # What can be done

    def choices(self, now: Snapshot) -> tuple[Choice, ...]:
        """Everything on the menu, in its order. Where its cards are not proved, nothing."""
        if not now.is_proved and not self.keys:
            return ()
        spare = iter(numbered_keys(len(now.menu)))
        return tuple(self.choice(now, offer, self.keys.get(offer.action.tag) or next(spare)) for offer in now.menu)

    def choice(self, now: Snapshot, offer: Offer[Any], key: str) -> Choice:
        return Choice(key, self.label(now, offer), offer, self.presets(now, offer))

    def label(self, now: Snapshot, offer: Offer[Any]) -> str:
        """An offer by the text of its action, `action.<TAG>`; its range stands where the text has it, else behind."""
        hand = now.view.seats[now.seat].cards if now.is_proved and now.seat is not None else ()
        tag, facts = offer.action.tag, dict(facts_of(offer.action, self.words, now.public, hand))
        if not offer.field:
            return self._filled(f"action.{tag}", tag, facts)
        few = 0 < len(offer.among) <= VALUES_SHOWN_MAX
        low, high = (offer.among[0], offer.among[-1]) if offer.among else (offer.low, offer.high)
        span = self.words.join(map(str, offer.among)) if few else f"{low}–{high}"
        text = self._filled(f"action.{tag}", tag, {**facts, offer.field: _SPAN})
        return text.replace(_SPAN, span) if _SPAN in text else f"{text} {span}"

    def presets(self, now: Snapshot, offer: Offer[Any]) -> tuple[Preset, ...]:
        """Amounts that players often want: for a range, the least and the most."""
        if not offer.field or offer.among:
            return ()
        return (Preset("m", "min", offer.low), Preset("x", "max", offer.high))

    def judged(self, before: Snapshot, action: Action) -> list[str]:
        """Lines of comment on this player's action, at a table that trains."""
        return []

    @staticmethod
    def first_seat_plays(rules: AnyRules | None) -> bool:
        """Whether the first seat has something to decide under these rules."""
        return True

    @staticmethod
    def is_out(now: Snapshot) -> bool:
        """Whether this player is out of a match that goes on for the others."""
        return False

    @staticmethod
    def can_buy(now: Snapshot) -> bool:
        """Between two rounds: whether this player has no more chips, and may buy some."""
        return now.view is not None and now.seat is not None and now.view.seats[now.seat].chips == 0

    @staticmethod
    def sitting(now: Snapshot) -> Sitting | None:
        """Where players may sit out: how this one stands; else None."""
        return None

    @staticmethod
    def has_bomb_pots(now: Snapshot) -> bool:
        """Whether the host may ask for a bomb pot."""
        return False

    def _filled(self, key: str, tag: str, facts: Mapping[str, str]) -> str:
        try:
            return self.words.t(key, **facts)
        except KeyError:
            return " ".join((tag, *(f"{name}={value}" for name, value in facts.items())))


def table_type(game: str) -> type[GameTable]:
    """The table that a game brings, or the one for any game."""
    named = GAMES[game].terminal
    found: type[GameTable] = load_part(named) if named else GameTable
    return found


def table_of(game: str, words: Words) -> GameTable:
    return table_type(game)(words)
