"""A person's record at practice: right and wrong decisions, what they cost, and what to ask more often.

A wrong decision makes its place four times as likely, a right one half as likely, within bounds.
"""

import os
import sys
from pathlib import Path
from typing import Final

import msgspec

from croupier.lab.file_errors import reason
from croupier.store.addresses import data_folder

WRONG_FACTOR: Final = 4.0
RIGHT_FACTOR: Final = 0.5
WEIGHT_MIN: Final = 0.25
WEIGHT_MAX: Final = 64.0
EQUAL_WITHIN: Final = 1e-9
"""Plays that differ by less than this are equally good."""


class Record(msgspec.Struct, rename="camel"):
    """A person's practice so far, kept in a file."""

    answered: int = 0
    right: int = 0
    cost: float = 0.0
    """Expected value lost, in bets or another unit of the practice."""
    weights: dict[str, float] = {}
    """How much more often than usual each place is asked, such as a place of the strategy table."""

    def note(self, place: str, cost: float) -> None:
        """Record one decision."""
        is_right = cost <= EQUAL_WITHIN
        self.answered += 1
        self.right += is_right
        self.cost += cost
        weight = self.weights.get(place, 1.0) * (RIGHT_FACTOR if is_right else WRONG_FACTOR)
        self.weights[place] = min(max(weight, WEIGHT_MIN), WEIGHT_MAX)

    def weakest(self, count: int) -> tuple[str, ...]:
        """The places with the most wrong decisions."""
        wrong = [place for place, weight in self.weights.items() if weight > 1]
        return tuple(sorted(wrong, key=lambda place: (-self.weights[place], place))[:count])


def record_path(practice: str) -> Path:
    """The file of the record of one practice: in the user's data folder, or in the folder that CROUPIER_DATA names."""
    return data_folder(os.environ, sys.platform) / f"train-{practice}.json"


def load_record(path: Path) -> Record:
    """The record in a file, or a new one if there is no file. Raises ValueError if the file is no record."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except FileNotFoundError:
        return Record()
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise ValueError(reason(error)) from None


def save_record(record: Record, path: Path) -> None:
    """Write a new file and rename it, so that a crash never leaves half a record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(msgspec.json.encode(record))
    beside.replace(path)
