"""Datasets: hands, actions and results of rounds as Parquet or Arrow files, for DuckDB, pandas, Polars and the like.

.. code-block:: python

    from croupier.lab.dataset import export

    print(export(["hands.phhs", "rounds.jsonl"], "out").hands)

`columns` says what each column means. Needs the extra `data`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from croupier.lab.dataset.columns import ACTIONS, FORMAT, HANDS, RESULTS, TABLES, Column, Kind
from croupier.lab.dataset.errors import DatasetError
from croupier.lab.dataset.rows import Rows
from croupier.lab.dataset.sources import Fault, rounds_of_file, rounds_of_records
from croupier.lab.dataset.writer import GROUP_ROWS, DatasetWriter, FileFormat

__all__ = [
    "ACTIONS",
    "FORMAT",
    "HANDS",
    "RESULTS",
    "TABLES",
    "Column",
    "DatasetError",
    "DatasetWriter",
    "Exported",
    "Fault",
    "FileFormat",
    "Kind",
    "Rows",
    "export",
    "rounds_of_file",
    "rounds_of_records",
]


class Exported(msgspec.Struct, frozen=True):
    """What was written."""

    hands: int
    faults: int
    files: tuple[str, ...]


def export(
    files: Iterable[str | Path],
    folder: str | Path,
    file_format: FileFormat | str = FileFormat.PARQUET,
    *,
    fault: Callable[[Fault], None] | None = None,
    progress: Callable[[int], None] | None = None,
    group_rows: int = GROUP_ROWS,
) -> Exported:
    """Write the rounds of records and hand histories into a folder, as `hands`, `actions` and `results`.

    Unreadable rounds are left out and reported to `fault`; `progress` gets the number of hands written. Raises
    DatasetError if pyarrow is missing or the format is none, and OSError for a file that cannot be read or written:
    then nothing has changed.
    """
    if file_format not in tuple(FileFormat):
        raise DatasetError("DATASET_NO_FORMAT", format=str(file_format), allowed=tuple(FileFormat))
    faults = 0
    with DatasetWriter(Path(folder), FileFormat(file_format), group_rows) as writer:
        for file in files:
            for found in rounds_of_file(Path(file)):
                if isinstance(found, Fault):
                    faults += 1
                    if fault is not None:
                        fault(found)
                    continue
                writer.write(found)
                if progress is not None:
                    progress(writer.hands)
    return Exported(writer.hands, faults, tuple(map(str, writer.files)))
