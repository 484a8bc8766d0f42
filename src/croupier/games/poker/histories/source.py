"""Where and when a hand was played, and what its chips are worth: what a history has besides the play."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

import msgspec

from croupier.games.poker.histories.phh.notation import PhhHand

SYMBOLS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "₽": "RUB", "₩": "KRW", "C$": "CAD", "₹": "INR"}
"""Signs of money that histories write before an amount, and the codes of the currencies."""
ZONE_HOURS: Final = {"ET": -5, "EST": -5, "EDT": -4, "UTC": 0, "GMT": 0, "CET": 1, "CEST": 2}
"""Hours from UTC. ET, which sites write all year, is counted as EST."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a hand's origin; empty where nothing is."""

    number: str = ""
    site: str = ""
    table: str = ""
    event: str = ""
    """The tournament or series, by its name."""
    when: datetime | None = None
    """As on the clock of the site."""
    zone: str = ""
    currency: str = ""
    symbol: str = ""
    seats: tuple[int, ...] = ()
    """The seat numbers of the players at their table, in the order of the hand."""
    seat_count: int = 0
    blinds: tuple[int, int] | None = None
    """The small and the big blind, in chips, where posts out of turn could be taken for them."""
    decimals: int = 0
    """So many decimals of an amount make a chip."""

    def money(self, chips: int | Decimal) -> Decimal:
        """What these chips are worth, with the decimals that the hand was written in."""
        return (Decimal(chips) / Decimal(10) ** self.decimals).quantize(Decimal(1).scaleb(-self.decimals))

    def written(self, chips: int) -> str:
        """These chips as an amount with the sign of its currency."""
        return f"{self.symbol}{self.money(chips)}"

    @property
    def when_utc(self) -> datetime | None:
        hours = ZONE_HOURS.get(self.zone.upper(), 0)
        return None if self.when is None else self.when - timedelta(hours=hours)


NO_SOURCE: Final = Source()


def source_of(hand: PhhHand, decimals: int) -> Source:
    """The origin of a hand, from its fields."""
    fields = hand.fields
    symbol = _text(fields, "currency_symbol")
    seats = fields.get("seats")
    good = isinstance(seats, list) and all(isinstance(seat, int) for seat in seats) and len(seats) == len(hand.stacks)
    good = good and isinstance(seats, list) and _is_clockwise(seats)
    count = fields.get("seat_count")
    return Source(
        number=hand.name,
        site=_text(fields, "venue"),
        table=_text(fields, "table"),
        event=_text(fields, "event"),
        when=_when(fields),
        zone=_text(fields, "time_zone_abbreviation"),
        currency=_text(fields, "currency") or SYMBOLS.get(symbol, ""),
        symbol=symbol,
        seats=tuple(seats) if good and isinstance(seats, list) else (),
        seat_count=count if isinstance(count, int) else 0,
        blinds=_blinds(hand, decimals),
        decimals=decimals,
    )


def _is_clockwise(seats: list[int]) -> bool:
    """Whether the numbers go up around the table: some collections have numbers that cannot be."""
    first = seats.index(min(seats))
    turned = seats[first:] + seats[:first]
    return turned == sorted(set(seats))


def _blinds(hand: PhhHand, decimals: int) -> tuple[int, int] | None:
    """The two smallest blinds that were posted in turn."""
    posted = sorted(int(blind * 10**decimals) for blind in hand.blinds if blind > 0)
    return (posted[0], posted[1]) if len(posted) > 1 else (0, posted[0]) if posted else None


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name, "")
    return value if isinstance(value, str) else ""


def _when(fields: Mapping[str, Any]) -> datetime | None:
    parts = [fields.get(name) for name in ("year", "month", "day")]
    clock = fields.get("time")
    if not all(isinstance(part, int) for part in parts):
        return None
    try:
        day = date(*[part for part in parts if isinstance(part, int)])
    except (ValueError, OverflowError):
        return None
    return datetime.combine(day, clock if isinstance(clock, time) else time())
