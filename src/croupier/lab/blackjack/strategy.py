"""The strategy table: what to do with every hard total, soft total and pair against every upcard.

A table knows nothing about rules. Each entry says what to do if its first choice is not allowed:

| entry | meaning |
| --- | --- |
| `H` `S` | hit; stand |
| `D` `Ds` | double down, else hit; double down, else stand |
| `P` | split, else play the hand by its total |
| `R` `Rs` `Rp` | surrender, else hit; else stand; else split, else by its total |
| `-` | among the pairs only: play the hand by its total |

Two cards of one value are looked up among the pairs, any other hand by its total: soft while an ace counts eleven. The
same table is played after a split. A hand of 21 stands automatically, so those rows are always `S`.

Files are TOML (a row a line, ten entries from upcard 2 to A) or CSV (`kind,hand,2,…,9,T,A`).
"""

import csv
import io
import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.lab.errors import LabError
from croupier.lab.file_errors import reason
from croupier.notebook import table_html

UPS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
"""Upcards in the order of a chart."""

PLAYS: Final = ("H", "S", "D", "Ds", "P", "R", "Rs", "Rp", "-")
"""Entries in the order of their numbers in arrays."""
HIT, STAND, DOUBLE, DOUBLE_STAND, SPLIT, SURRENDER, SURRENDER_STAND, SURRENDER_SPLIT, BY_TOTAL = range(9)
PLAYS_ON_TOTALS: Final = ("H", "S", "D", "Ds", "R", "Rs")

HARD, SOFT, PAIR = range(3)
KINDS: Final = ("hard", "soft", "pairs")
ROWS: Final = {
    "hard": tuple(str(total) for total in range(2, 22)),
    "soft": tuple(str(total) for total in range(12, 22)),
    "pairs": UPS,
}
OPTIONAL_ROWS: Final = {("hard", "2"): "H", ("hard", "3"): "H", ("hard", "21"): "S", ("soft", "21"): "S"} | {
    ("pairs", hand): "-" for hand in UPS
}
"""Rows that a file may leave out, with their entries. A hard 2 or 3 exists only if aces always count one, 21 always
stands, and a pair without a row is played by its total."""

PlayArray: TypeAlias = npt.NDArray[np.uint8]
Rows: TypeAlias = dict[str, dict[str, str]]


class Code(StrEnum):
    STRATEGY_CELL = "STRATEGY_CELL"
    STRATEGY_ROW_MISSING = "STRATEGY_ROW_MISSING"
    STRATEGY_ROW_UNKNOWN = "STRATEGY_ROW_UNKNOWN"
    STRATEGY_ROW_LENGTH = "STRATEGY_ROW_LENGTH"
    STRATEGY_FILE = "STRATEGY_FILE"
    STRATEGY_FORMAT = "STRATEGY_FORMAT"


class StrategyError(LabError):
    """A table that cannot be used. `refusal` says which row or cell, and what it may be."""


class Difference(msgspec.Struct, frozen=True):
    """A cell in which two tables differ."""

    kind: str
    hand: str
    up: str
    first: str
    second: str


class StrategyTable(msgspec.Struct, frozen=True):
    """Entries by row (`"16"`, or a pair's rank) and upcard (`"2"`…`"T"`, `"A"`).

    Every row is there and every entry is valid; otherwise construction raises StrategyError.
    """

    hard: Rows
    soft: Rows
    pairs: Rows

    def __post_init__(self) -> None:
        for kind in KINDS:
            _check(kind, getattr(self, kind))

    def play(self, kind: str, hand: str, up: str) -> str:
        rows: Rows = getattr(self, kind)
        return rows[hand][up]

    def cells(self) -> Iterator[tuple[str, str, str, str]]:
        """Kind, hand, upcard and entry of every cell, in the order of a chart."""
        for kind in KINDS:
            for hand in ROWS[kind]:
                for up in UPS:
                    yield kind, hand, up, self.play(kind, hand, up)

    def array(self) -> PlayArray:
        """The entries' numbers, `[kind, total or pair rank, upcard rank]`, with ranks from 1 (ace) to 10 (tens)."""
        plays = np.zeros((len(KINDS), 22, 11), np.uint8)
        for kind, hand, up, entry in self.cells():
            plays[KINDS.index(kind), row_number(hand), row_number(up)] = PLAYS.index(entry)
        return plays

    def to_pandas(self) -> Any:
        """The table as a data frame: kind and hand by rows, upcards by columns. Needs pandas."""
        import pandas as pd

        rows = {(kind, hand): [self.play(kind, hand, up) for up in UPS] for kind in KINDS for hand in ROWS[kind]}
        index = pd.MultiIndex.from_tuples(rows, names=("kind", "hand"))
        return pd.DataFrame(list(rows.values()), index=index, columns=list(UPS))

    def __str__(self) -> str:
        """The three charts, as text."""
        charts = []
        for kind in KINDS:
            rows = [(kind, *UPS), *((hand, *(self.play(kind, hand, up) for up in UPS)) for hand in ROWS[kind])]
            lines = (" ".join((f"{hand:5}", *(f"{entry:2}" for entry in entries))).rstrip() for hand, *entries in rows)
            charts.append("\n".join(lines))
        return "\n\n".join(charts)

    def _repr_html_(self) -> str:
        rows = [(kind, hand, *(self.play(kind, hand, up) for up in UPS)) for kind in KINDS for hand in ROWS[kind]]
        return table_html(("", "", *UPS), rows)


def from_array(plays: PlayArray) -> StrategyTable:
    """The table of such an array: the inverse of `StrategyTable.array`."""
    return build(lambda kind, hand, up: PLAYS[plays[KINDS.index(kind), row_number(hand), row_number(up)]])


def build(entry: Callable[[str, str, str], str]) -> StrategyTable:
    """A table from a function of kind, hand and upcard. Rows of 21 always stand."""

    def rows(kind: str) -> Rows:
        return {hand: {up: "S" if hand == "21" else entry(kind, hand, up) for up in UPS} for hand in ROWS[kind]}

    return StrategyTable(rows("hard"), rows("soft"), rows("pairs"))


def stand_on(total: int) -> StrategyTable:
    """The table that hits below a total and stands from it on, hard or soft, and does nothing else."""

    def entry(kind: str, hand: str, up: str) -> str:
        if kind == "pairs":
            return "-"
        return "S" if int(hand) >= total else "H"

    return build(entry)


def difference(first: StrategyTable, second: StrategyTable) -> tuple[Difference, ...]:
    """The cells in which two tables differ, in the order of a chart."""
    return tuple(
        Difference(kind, hand, up, entry, second.play(kind, hand, up))
        for kind, hand, up, entry in first.cells()
        if entry != second.play(kind, hand, up)
    )


def row_number(hand: str) -> int:
    """The place of a row or an upcard in arrays: a total itself, or a rank from 1 (ace) to 10 (tens)."""
    return {"A": 1, "T": 10}.get(hand) or int(hand)


def load(path: Path) -> StrategyTable:
    """The table in a `.toml` or `.csv` file. Raises StrategyError that names what is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyError(Code.STRATEGY_FILE, file=str(path), reason=reason(error)) from None
    if _format(path) == ".csv":
        return from_csv(text)
    return from_toml(text)


def save(table: StrategyTable, path: Path) -> None:
    """Write a `.toml` or `.csv` file, by the name's ending."""
    text = to_csv(table) if _format(path) == ".csv" else to_toml(table)
    path.write_text(text, encoding="utf-8", newline="")


def to_toml(table: StrategyTable) -> str:
    lines: list[str] = []
    for kind in KINDS:
        lines += [f"[{kind}]", "#      " + " ".join(f"{up:<2}" for up in UPS).rstrip()]
        for hand in _written(table, kind):
            entries = " ".join(f"{table.play(kind, hand, up):<2}" for up in UPS).rstrip()
            lines.append(f'{hand:<2} = "{entries}"')
        lines.append("")
    return "\n".join(lines)


def from_toml(text: str) -> StrategyTable:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StrategyError(Code.STRATEGY_FORMAT, reason=str(error)) from None
    found: dict[str, dict[str, list[str]]] = {kind: {} for kind in KINDS}
    for kind, rows in document.items():
        if kind not in KINDS or not isinstance(rows, Mapping):
            raise StrategyError(Code.STRATEGY_ROW_UNKNOWN, row=kind, allowed=", ".join(KINDS))
        for hand, entries in rows.items():
            found[kind][hand] = entries.split() if isinstance(entries, str) else _texts(entries)
    return _assembled(found)


def to_csv(table: StrategyTable) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["kind", "hand", *UPS])
    for kind in KINDS:
        for hand in _written(table, kind):
            writer.writerow([kind, hand, *(table.play(kind, hand, up) for up in UPS)])
    return file.getvalue()


def from_csv(text: str) -> StrategyTable:
    header, *rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)) if any(row)] or [[]]
    if header != ["kind", "hand", *UPS]:
        raise StrategyError(Code.STRATEGY_FORMAT, reason=f"{','.join(header)} ≠ kind,hand,{','.join(UPS)}")
    found: dict[str, dict[str, list[str]]] = {kind: {} for kind in KINDS}
    for kind, hand, *entries in (row + [""] * (2 - len(row)) for row in rows):
        if kind not in KINDS:
            raise StrategyError(Code.STRATEGY_ROW_UNKNOWN, row=f"{kind} {hand}".strip(), allowed=", ".join(KINDS))
        found[kind][hand] = entries
    return _assembled(found)


def _assembled(found: dict[str, dict[str, list[str]]]) -> StrategyTable:
    """A table from rows of ten entries. Missing optional rows are filled in."""
    kinds: list[Rows] = []
    for kind in KINDS:
        rows: Rows = {}
        for hand, entries in found[kind].items():
            if hand in ROWS[kind] and len(entries) != len(UPS):
                row = f"{kind} {hand}"
                raise StrategyError(Code.STRATEGY_ROW_LENGTH, row=row, count=len(entries), ups=" ".join(UPS))
            rows[hand] = dict(zip(UPS, entries, strict=False))
        for hand in ROWS[kind]:
            if (kind, hand) in OPTIONAL_ROWS:
                rows.setdefault(hand, dict.fromkeys(UPS, OPTIONAL_ROWS[kind, hand]))
        kinds.append(rows)
    return StrategyTable(*kinds)


def _check(kind: str, rows: Rows) -> None:
    for hand in rows:
        if hand not in ROWS[kind]:
            raise StrategyError(Code.STRATEGY_ROW_UNKNOWN, row=f"{kind} {hand}", allowed=" ".join(ROWS[kind]))
    for hand in ROWS[kind]:
        if hand not in rows:
            raise StrategyError(Code.STRATEGY_ROW_MISSING, row=f"{kind} {hand}")
        allowed = ("S",) if hand == "21" else PLAYS if kind == "pairs" else PLAYS_ON_TOTALS
        for up in UPS:
            entry = rows[hand].get(up, "")
            if entry not in allowed:
                cell = f"{kind} {hand} – {up}"
                raise StrategyError(Code.STRATEGY_CELL, cell=cell, value=entry, allowed=" ".join(allowed))


def _written(table: StrategyTable, kind: str) -> Iterator[str]:
    """The rows to write: an optional row only if it differs from its default."""
    for hand in ROWS[kind]:
        default = OPTIONAL_ROWS.get((kind, hand))
        if hand == "21" or any(table.play(kind, hand, up) != default for up in UPS):
            yield hand


def _texts(entries: Any) -> list[str]:
    return [str(entry) for entry in entries] if isinstance(entries, list) else [str(entries)]


def _format(path: Path) -> str:
    if path.suffix.lower() not in (".toml", ".csv"):
        raise StrategyError(Code.STRATEGY_FORMAT, reason=f"{path.name} ≠ *.toml, *.csv")
    return path.suffix.lower()
