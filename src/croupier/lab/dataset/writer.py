"""Writes a dataset: three files in a folder, written in groups of rows, so that memory does not grow with it."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias

from croupier.lab.dataset.columns import TABLES, schema
from croupier.lab.dataset.errors import DatasetError

if TYPE_CHECKING:
    import pyarrow as pa

    from croupier.lab.dataset.rows import Row, Rows

EXTRA: Final = "croupier[data]"
GROUP_ROWS: Final = 50_000
"""So many rows are gathered before they are written; for the largest table, 20 MB or so."""
PART: Final = ".part"
"""Added to the names of files that are not finished."""


class FileFormat(StrEnum):
    PARQUET = "parquet"
    ARROW = "arrow"


class _TableFile(Protocol):
    def write_table(self, table: "pa.Table") -> None: ...

    def close(self) -> None: ...


class DatasetWriter:
    """Writes `hands`, `actions` and `results` into a folder. Existing files of these names are replaced, all together,
    when the block ends without an error; otherwise nothing has changed."""

    def __init__(self, folder: Path, file_format: FileFormat, group_rows: int = GROUP_ROWS) -> None:
        """Raises DatasetError if pyarrow is missing, and OSError if the folder cannot be written."""
        try:
            import pyarrow  # noqa: F401  # what follows needs it
        except ImportError:
            raise DatasetError("DATASET_EXTRA", extra=EXTRA) from None
        self.hands = 0
        self._group_rows = group_rows
        folder.mkdir(parents=True, exist_ok=True)
        self.files = tuple(folder / f"{name}.{file_format}" for name in TABLES)
        self._tables: list[_Table] = []
        try:
            for name, file in zip(TABLES, self.files, strict=True):
                self._tables.append(_Table(name, _part(file), file_format))
        except OSError:
            self._close(keep=False)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close(keep=kind is None)

    def write(self, rows: "Rows") -> None:
        """Write a hand, numbered after the one before."""
        self.hands += 1
        for table, own in zip(self._tables, ([rows.hand], rows.actions, rows.results), strict=True):
            table.add(self.hands, own)
            if table.gathered >= self._group_rows:
                table.flush()

    def _close(self, *, keep: bool) -> None:
        for table in self._tables:
            table.close(flush=keep)
        for file in self.files:
            if keep:
                _part(file).replace(file)
            else:
                _part(file).unlink(missing_ok=True)


class _Table:
    """One file, and the rows that are not in it yet, by column."""

    def __init__(self, name: str, file: Path, file_format: FileFormat) -> None:
        self._schema = schema(name)
        self._columns: dict[str, list[Any]] = {column.name: [] for column in TABLES[name]}
        self._file = _open(file, self._schema, file_format)

    @property
    def gathered(self) -> int:
        return len(self._columns["hand_id"])

    def add(self, hand: int, rows: "Sequence[Row]") -> None:
        for row in rows:
            for name, values in self._columns.items():
                values.append(hand if name == "hand_id" else row.get(name))

    def flush(self) -> None:
        import pyarrow as pa

        arrays = [
            pa.array(values, field.type) for values, field in zip(self._columns.values(), self._schema, strict=True)
        ]
        self._file.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        for values in self._columns.values():
            values.clear()

    def close(self, *, flush: bool) -> None:
        try:
            if flush and self.gathered:
                self.flush()
        finally:
            self._file.close()


Opened: TypeAlias = _TableFile


def _open(file: Path, of: "pa.Schema", file_format: FileFormat) -> Opened:
    match file_format:
        case FileFormat.PARQUET:
            import pyarrow.parquet as pq

            return pq.ParquetWriter(file, of, compression="zstd")  # type: ignore[no-any-return]
        case FileFormat.ARROW:
            return _ArrowFile(file, of)


class _ArrowFile:
    """An Arrow IPC stream of record batches. Each batch numbers its words again, which only a stream may do."""

    def __init__(self, file: Path, of: "pa.Schema") -> None:
        import pyarrow as pa

        self._sink = pa.OSFile(str(file), "wb")
        self._stream = pa.ipc.new_stream(self._sink, of)

    def write_table(self, table: "pa.Table") -> None:
        self._stream.write_table(table)

    def close(self) -> None:
        self._stream.close()
        self._sink.close()


def _part(file: Path) -> Path:
    return file.with_name(file.name + PART)
