"""The ledger of a session as CSV, for spreadsheets."""

import csv
from collections.abc import Mapping
from io import StringIO
from typing import Final

from croupier.table.ledger import HOUSE, Account

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""A spreadsheet takes text that begins with these for a formula, the wide ones in some languages: no name may."""


def ledger_csv(accounts: Mapping[str, Account], *, player: str, rounds: str, net: str, house: str) -> str:
    """One row for each player, with a column for what was won from each of the others; the words are its header."""
    others = [*accounts, *([HOUSE] if any(HOUSE in each.won_from for each in accounts.values()) else ())]
    names = {**{member: _harmless(each.name) for member, each in accounts.items()}, HOUSE: house}
    written = StringIO()
    rows = csv.writer(written, lineterminator="\r\n")
    rows.writerow([player, rounds, net, *(names[other] for other in others)])
    for member, each in accounts.items():
        from_others = ("" if other == member else each.won_from.get(other, 0) for other in others)
        rows.writerow([names[member], each.rounds, each.net, *from_others])
    return written.getvalue()


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA_STARTS) else name
