"""Writes a hand as PHH from the events that somebody heard, so that a file tells no more than its reader may know."""

from collections.abc import Iterable, Sequence
from typing import Final

from croupier.cards import Card
from croupier.games.poker.histories.phh.notation import OPENING_BET
from croupier.games.poker.rules.events import (
    Acted,
    HandOver,
    HandStarted,
    HoldemEvent,
    HoleCards,
    Move,
    Mucked,
    Post,
    Posted,
    Shown,
    StreetDealt,
)

_UNKNOWN: Final = "????"


def write(events: Iterable[HoldemEvent], players: Sequence[str] = ()) -> str:
    """The hand as a `.phh` file. `players` are names by seat.

    A spectator's events give the unseen hands as `????`. Forced bets are written as they were posted. PHH lets a big
    blind that is short lower the price of a call; where the full price was paid, that call is written as the raise
    which it is there, with a minimum bet that allows it, and a field of our own has the price.
    """
    told = list(events)
    started = next(event for event in told if isinstance(event, HandStarted))
    seats = started.seats
    number = {seat: f"p{place}" for place, seat in enumerate(seats, start=1)}
    antes, blinds = _posts(told, {Post.ANTE}, seats), _posts(told, set(Post) - {Post.ANTE}, seats)
    short = started.big_blind - max(blinds)
    # An ante from one seat for the whole table is dead money; antes of all seats count towards the pots.
    trimmed = sum(1 for ante in antes if ante) > 1
    over = next((event for event in told if isinstance(event, HandOver)), None)
    turned = -1 if len(seats) == 2 else 1
    lines = [
        'variant = "NT"',
        f"ante_trimming_status = {str(trimmed).lower()}",
        f"antes = {antes[::turned]}",
        f"blinds_or_straddles = {blinds[::turned]}",
        f"min_bet = {short if short > 0 else started.big_blind}",
        f"starting_stacks = {[started.stacks[seat] for seat in seats]}",
        "actions = [",
        *(f'  "{action}",' for action in _actions(told, number, max(blinds))),
        "]",
        f"hand = {started.hand}",
        f"seats = {[seat + 1 for seat in seats]}",
        f"seat_count = {len(started.stacks)}",
    ]
    if short > 0:
        lines.append(f"{OPENING_BET} = {started.big_blind}")
    if started.level:
        lines.append(f"level = {started.level}")
    if players:
        lines.append(f"players = [{', '.join(_quoted(players[seat]) for seat in seats)}]")
    if over is not None:
        lines.append(f"finishing_stacks = {[over.stacks[seat] for seat in seats]}")
    return "\n".join(lines) + "\n"


def _posts(told: list[HoldemEvent], posts: set[Post], seats: tuple[int, ...]) -> list[int]:
    posted = {event.seat: event.amount for event in told if isinstance(event, Posted) and event.post in posts}
    return [posted.get(seat, 0) for seat in seats]


def _actions(told: list[HoldemEvent], number: dict[int, str], bet: int) -> Iterable[str]:
    hole = {event.seat: event.cards for event in told if isinstance(event, HoleCards | Shown)}
    for seat, player in number.items():
        yield f"d dh {player} {_text(hole[seat]) if seat in hole else _UNKNOWN}"
    for event in told:
        match event:
            case Acted(seat=seat, move=Move.FOLD):
                yield f"{number[seat]} f"
            case Acted(seat=seat, to=to) if to > bet:
                bet = to
                yield f"{number[seat]} cbr {to}"
            case Acted(seat=seat):
                yield f"{number[seat]} cc"
            case StreetDealt(cards=cards):
                bet = 0
                yield f"d db {_text(cards)}"
            case Shown(seat=seat, cards=cards):
                yield f"{number[seat]} sm {_text(cards)}"
            case Mucked(seat=seat):
                yield f"{number[seat]} sm"
            case _:
                pass


def _text(cards: tuple[Card, ...]) -> str:
    return "".join(str(card) for card in cards)


def _quoted(name: str) -> str:
    """A TOML string: whatever could end or break it is written as an escape."""
    plain = (
        character if character.isprintable() and character not in '"\\' else _escaped(character) for character in name
    )
    return f'"{"".join(plain)}"'


def _escaped(character: str) -> str:
    return f"\\U{ord(character):08x}"
