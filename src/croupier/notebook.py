"""Values in a notebook: small pieces of HTML, without a style sheet or a script."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from croupier.cards import Card

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
ROWS_MAX: Final = 60
"""More rows than a page shows well: the rest is counted."""


def escaped(text: object) -> str:
    """Any text, harmless in HTML."""
    return "".join(_ESCAPES.get(character, character) for character in str(text))


def card_html(card: object) -> str:
    """A card as people read it: `A♠`. A card face down is 🂠, a card of another pack its own text."""
    if card is None:
        return "🂠"
    if not isinstance(card, Card):
        return escaped(card)
    colour = "#c22" if card.suit in "dh" else "inherit"
    return f'<span style="color:{colour};white-space:nowrap">{card.rank}{_SUITS[card.suit]}</span>'


def cards_html(cards: Iterable[object]) -> str:
    """Cards side by side."""
    return " ".join(card_html(card) for card in cards)


def cell_html(value: Any) -> str:
    """A value in a cell: cards of any pack as cards, the rest as text."""
    if isinstance(value, Card):
        return card_html(value)
    if isinstance(value, tuple) and value and all(each is None or isinstance(each, Card | str) for each in value):
        return cards_html(value)
    return "" if value is None or value == () else escaped(value)


def table_html(head: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """A table of values; at most `ROWS_MAX` rows of it."""
    titles = "".join(f"<th>{escaped(title)}</th>" for title in head)
    shown = "".join(
        "<tr>" + "".join(f"<td>{cell_html(cell)}</td>" for cell in row) + "</tr>" for row in rows[:ROWS_MAX]
    )
    if len(rows) > ROWS_MAX:
        shown += f'<tr><td colspan="{len(head)}">… {len(rows) - ROWS_MAX} more</td></tr>'
    said = f"<caption>{escaped(caption)}</caption>" if caption else ""
    return f"<table>{said}<thead><tr>{titles}</tr></thead><tbody>{shown}</tbody></table>"
