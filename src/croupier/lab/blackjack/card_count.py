"""Card counting: the tag of each card, bets by the count, and the plays that change with it.

A **count** is a name (`hi-lo`, `ko`), a text like `2-6:1,T-A:-1`, or a TOML file. Cards that are not named count 0.

    [tags]          # A 2 3 4 5 6 7 8 9 T, whole or decimal; a missing card counts 0
    2 = 0.5
    A = -1
    [count]
    true = false    # use the running count as it is, not per deck left (default: true)
    start = -4      # the running count of a new shoe, per deck beyond the first (default: 0)

The true count is the running count divided by the decks left in the shoe, to the card, and rounded down. Every open
card is counted; the hole card is counted when it is turned.

A **ramp** is a text like `1:1,2:2,3:4`, or a file with one such entry a line: from a count of 1 on bet 1, from 2 on
bet 2, from 3 on bet 4. Below the first entry the first bet holds. A bet of 0 watches the round.

**Index plays** are a TOML file (or `illustrious-18`). At a count that is high or low enough, the play replaces the
entry of the strategy table. Hands and upcards are written as in a strategy table.

    insurance = 3           # take insurance from a count of 3 on
    [hard]
    "16 T" = "S >= 0"       # stand on 16 against a ten from 0 on
    "12 5" = "H < -2"
    [pairs]
    "T 6" = "P >= 4"        # several for one hand: ["P >= 4", "S < 4"]
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from math import lcm
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.games.blackjack import BlackjackRules
from croupier.lab.blackjack import strategy
from croupier.lab.blackjack.simulation.inputs import (
    COUNT_ENTRIES,
    COUNT_MAX,
    PLAN_RECORD,
    Plan,
    preferences,
    record,
)
from croupier.lab.blackjack.strategy import StrategyTable
from croupier.lab.errors import LabError
from croupier.lab.file_errors import reason

RANKS: Final = "A23456789T"
"""In the order of points."""
TAG_MAX: Final = 10
TAG_DECIMALS: Final = 2
BET_MAX: Final = 10_000
NAMED_COUNTS: Final = {"hi-lo": "2-6:1,T-A:-1", "ko": "2-7:1,T-A:-1"}
_INDEX: Final = re.compile(r"\s*(\w+|-)\s*(>=|<=|>|<)\s*([+-]?\d+)\s*")
_TAG: Final = re.compile(r"\s*([A2-9T])(?:-([A2-9T]))?\s*:\s*([+-]?\d+(?:\.\d+)?)\s*")

ILLUSTRIOUS_18: Final = """
insurance = 3
[hard]
"16 T" = "S >= 0"
"15 T" = "S >= 4"
"10 T" = "D >= 4"
"12 3" = "S >= 2"
"12 2" = "S >= 3"
"11 A" = "D >= 1"
"9 2" = "D >= 1"
"10 A" = "D >= 4"
"9 7" = "D >= 3"
"16 9" = "S >= 5"
"13 2" = "H < -1"
"12 4" = "H < 0"
"12 5" = "H < -2"
"12 6" = "H < -1"
"13 3" = "H < -2"
[pairs]
"T 5" = "P >= 5"
"T 6" = "P >= 4"
"""
"""The best known index plays of Hi-Lo."""


class CountingError(LabError):
    """A count, ramp or index play that cannot be used. `refusal` says which, and what it may be."""


class Count(msgspec.Struct, frozen=True):
    """What each card adds to the running count, by rank."""

    tags: dict[str, float]
    true: bool = True
    start: float = 0
    """Of a new shoe, for every deck beyond the first."""


class Index(msgspec.Struct, frozen=True):
    """A play for counts from a number on, or up to one."""

    kind: str
    hand: str
    up: str
    play: str
    operator: str
    count: int

    def holds(self, count: int) -> bool:
        match self.operator:
            case ">=":
                return count >= self.count
            case "<=":
                return count <= self.count
            case ">":
                return count > self.count
            case _:
                return count < self.count


class Indices(msgspec.Struct, frozen=True):
    """The index plays of a plan. If two hold for one hand, the later is played."""

    plays: tuple[Index, ...] = ()
    insurance: int | None = None
    """Insurance is taken from this count on."""


def read_count(text: str) -> Count:
    """A count from its name, its text or its file. Raises CountingError."""
    if text == "ko":
        # A deck adds 4 to the Knock-Out count, so the count starts that much lower for each further deck.
        return Count(_tags(NAMED_COUNTS["ko"]), true=False, start=-4)
    if text in NAMED_COUNTS:
        return Count(_tags(NAMED_COUNTS[text]))
    if ":" in text and not text.endswith(".toml"):
        return Count(_tags(text))
    document = _document(text, "COUNT_UNKNOWN", counts=", ".join(NAMED_COUNTS))
    if not isinstance(document.get("tags"), Mapping) or set(document) - {"tags", "count"}:
        raise CountingError("COUNT_FILE", file=text, reason="[tags], [count]")
    settings = document.get("count", {})
    try:
        settings = msgspec.convert(settings, dict[str, bool | float])
        tags = {str(rank): _tag(str(rank), tag) for rank, tag in document["tags"].items()}
    except msgspec.ValidationError as error:
        raise CountingError("COUNT_FILE", file=text, reason=str(error)) from None
    if set(settings) - {"true", "start"}:
        raise CountingError("COUNT_FILE", file=text, reason="[count]: true, start")
    return Count(tags, bool(settings.get("true", True)), float(settings.get("start", 0)))


def read_ramp(text: str) -> dict[int, int]:
    """The bets of a ramp, by the count from which they hold. Raises CountingError."""
    path = Path(text)
    if ":" not in text or path.is_file():
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CountingError("RAMP_ENTRY", entry=str(path), reason=reason(error)) from None
    ramp: dict[int, int] = {}
    for entry in filter(None, (part.strip() for part in text.replace("\n", ",").split(","))):
        count, _, bet = entry.partition(":")
        try:
            ramp[int(count)] = int(bet)
        except ValueError:
            raise CountingError("RAMP_ENTRY", entry=entry, reason="1:1,2:2,3:4") from None
        if not -COUNT_MAX <= int(count) <= COUNT_MAX or not 0 <= int(bet) <= BET_MAX:
            raise CountingError("RAMP_RANGE", entry=entry, count=COUNT_MAX, bet=BET_MAX)
    if not any(ramp.values()):
        raise CountingError("RAMP_EMPTY")
    return dict(sorted(ramp.items()))


def read_indices(text: str) -> Indices:
    """Index plays from their name or their file. Raises CountingError."""
    if text == "illustrious-18":
        return _indices(tomllib.loads(ILLUSTRIOUS_18), text)
    return _indices(_document(text, "INDICES_FILE", file=text), text)


def plan(table: StrategyTable, rules: BlackjackRules, count: Count, ramp: Mapping[int, int], indices: Indices) -> Plan:
    """A card counter's plan: at every count, the table changed by the index plays, and the bet of the ramp."""
    counted: Plan = record(PLAN_RECORD, counting=1, per_deck=count.true)
    scale = lcm(*(round(1 / gap) for gap in _gaps(count)))
    counted.tag_scale = scale
    counted.start = round(count.start * scale) * (rules.decks - 1)
    for points, rank in enumerate(RANKS, 1):
        counted.tags[points] = round(count.tags.get(rank, 0) * scale)
    for entry in range(COUNT_ENTRIES):
        now = entry - COUNT_MAX
        counted.preferences[entry] = preferences(_changed(table, indices, now), rules)
        counted.bets[entry] = _bet(ramp, now)
        counted.insures[entry] = indices.insurance is not None and now >= indices.insurance
    return counted


def _gaps(count: Count) -> Iterator[float]:
    """The step of each tag: 1 for a whole number, 0.5 for a half and so on."""
    for tag in (*count.tags.values(), count.start):
        yield next(step for step in (1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.01) if abs(tag / step - round(tag / step)) < 1e-9)


def _changed(table: StrategyTable, indices: Indices, count: int) -> StrategyTable:
    plays = table.array()
    for index in indices.plays:
        if index.holds(count):
            place = strategy.KINDS.index(index.kind), strategy.row_number(index.hand), strategy.row_number(index.up)
            plays[place] = strategy.PLAYS.index(index.play)
    return strategy.from_array(plays)


def _bet(ramp: Mapping[int, int], count: int) -> int:
    if not ramp:
        return 1
    reached = [start for start in ramp if start <= count]
    return ramp[max(reached) if reached else min(ramp)]


def _tags(text: str) -> dict[str, float]:
    order = "23456789TA"
    tags: dict[str, float] = {}
    for part in text.split(","):
        match = _TAG.fullmatch(part)
        if match is None:
            raise CountingError("COUNT_TAG", tag=part.strip(), limit=TAG_MAX)
        first, last = order.index(match[1]), order.index(match[2] or match[1])
        if last < first:
            raise CountingError("COUNT_TAG", tag=part.strip(), limit=TAG_MAX)
        for rank in order[first : last + 1]:
            tags[rank] = _tag(rank, float(match[3]))
    return tags


def _tag(rank: str, tag: Any) -> float:
    is_number = isinstance(tag, int | float) and not isinstance(tag, bool)
    if rank not in RANKS or not is_number or abs(tag) > TAG_MAX or round(tag, TAG_DECIMALS) != tag:
        raise CountingError("COUNT_TAG", tag=f"{rank}:{tag}", limit=TAG_MAX)
    return float(tag)


def _document(text: str, code: str, **facts: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(text).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CountingError(code, **({"file": text, "reason": reason(error)} | facts)) from None


def _indices(document: dict[str, Any], file: str) -> Indices:
    insurance = document.pop("insurance", None)
    if insurance is not None and type(insurance) is not int:
        raise CountingError("INDEX_PLAY", file=file, hand="insurance", play=str(insurance))
    plays: list[Index] = []
    for kind, hands in document.items():
        if kind not in strategy.KINDS or not isinstance(hands, Mapping):
            raise CountingError("INDEX_PLAY", file=file, hand=kind, play=str(hands))
        for hand, texts in hands.items():
            for text in texts if isinstance(texts, list) else [texts]:
                plays.append(_index(kind, hand, text, file))
    return Indices(tuple(plays), insurance)


def _index(kind: str, hand: str, text: Any, file: str) -> Index:
    row, _, up = hand.partition(" ")
    match = _INDEX.fullmatch(str(text))
    allowed = strategy.PLAYS if kind == "pairs" else strategy.PLAYS_ON_TOTALS
    if match is None or row not in strategy.ROWS[kind] or up not in strategy.UPS or match[1] not in allowed:
        raise CountingError("INDEX_PLAY", file=file, hand=f"{kind} {hand}", play=str(text))
    return Index(kind, row, up, match[1], match[2], int(match[3]))
