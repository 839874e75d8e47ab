"""Results of runs in shards, kept as Parquet files in a folder, so that a run that was broken off can be resumed."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any

from mekuri.engine.errors import MekuriError
from mekuri.files import expanded, new_file
from mekuri.lab.shards import Row, Run

_EACH = 1.0  # seconds of a run that one file holds, at least
KEY = b"mekuri"  # the key of the run's description in a file's metadata
SHARD = "shard"  # the column of the shard's number


class NoArrow(MekuriError):
    """pyarrow, which reads and writes Parquet, is not installed."""


class ResultsError(MekuriError):
    """A folder of results cannot be used: there is something else in it, or a file is damaged."""


class OtherRun(ResultsError):
    """A folder holds the results of another run."""


class Results:
    """A folder of Parquet files with a row for each finished shard of one run.

    A file is written under another name and then renamed, so it is there as a whole or not at all. Its metadata hold under `mekuri`
    the JSON of what its run is about. Only one run at a time may use a folder.

    Args:
        folder: the folder; it is made if it does not exist.

    Raises:
        NoArrow: pyarrow is not installed.
        ResultsError: the path is of a file.
    """

    parts = f".{'[0-9]' * 7}-{'[0-9a-f]' * 8}.parquet.*part"
    """The names of files that are not whole, as a pattern."""

    def __init__(self, folder: Path) -> None:
        self._arrow, self._parquet = arrow()
        folder = expanded(folder)
        if folder.exists() and not folder.is_dir():
            raise ResultsError(f"{folder} is a file, and results are kept in a folder: name another one")
        self.folder = folder
        self._about: dict[str, Any] = {}
        self._rows: list[Row] = []
        self._written = time.monotonic()

    @staticmethod
    def described(run: Run) -> bytes:
        """Return what a run is about as JSON, as the metadata of its files hold it."""
        return json.dumps(run.about()).encode()

    def open(self, run: Run) -> dict[int, Row]:
        """Begin with a run, or resume it.

        Args:
            run: the run.

        Returns:
            The rows that are kept already, by their shards' numbers.

        Raises:
            OtherRun: the folder holds results of a run with other arguments, or of other versions of rules or bots.
            ResultsError: a file cannot be read.
        """
        self._about = json.loads(self.described(run))
        self.folder.mkdir(parents=True, exist_ok=True)
        for part in self.folder.glob(self.parts):  # of a process that was killed as it wrote
            part.unlink()
        kept: dict[int, Row] = {}
        for file in sorted(self.folder.glob("*.parquet")):
            for row in self._read(file):
                number = row.pop(SHARD, None)
                if not isinstance(number, int) or not 0 <= number < run.shards or not isinstance(row.get("checksum"), int):
                    raise self._damaged(file, f"it has a shard {number}")
                kept[number] = row
        return kept

    def keep(self, number: int, row: Row) -> None:
        """Keep the row of a shard. It is written at once if none has been written for a second, else later."""
        self._rows.append({SHARD: number, **row})
        if time.monotonic() - self._written >= _EACH:
            self.flush()

    def flush(self) -> None:
        """Write all rows that are to be kept."""
        if not self._rows:
            return
        rows = sorted(self._rows, key=lambda row: int(row[SHARD]))
        table = self._arrow.Table.from_pylist(rows).replace_schema_metadata({KEY: json.dumps(self._about).encode()})
        name = f"{rows[0][SHARD]:07d}-{secrets.token_hex(4)}.parquet"
        with new_file(self.folder / name) as file:
            self._parquet.write_table(table, file)
            file.flush()
            os.fsync(file.fileno())
        self._rows = []
        self._written = time.monotonic()

    def _read(self, file: Path) -> list[Row]:
        try:
            parquet = self._parquet.ParquetFile(file)
            rows = self._rows_of(file, parquet)
        except (self._arrow.ArrowException, OSError) as error:
            raise self._damaged(file, str(error)) from None
        try:
            about = json.loads((parquet.schema_arrow.metadata or {})[KEY])
        except (KeyError, ValueError):
            raise ResultsError(f"{file} holds no results of Mekuri: name another folder") from None
        if about != self._about:
            raise OtherRun(f"{self.folder} holds another run: {_differing(about, self._about)}, or another folder")
        return rows

    def _rows_of(self, file: Path, parquet: Any) -> list[Row]:
        """Return the rows of shards that a file holds, each with the number of its shard."""
        rows: list[Row] = parquet.read().to_pylist()
        return rows

    def _damaged(self, file: Path, why: str) -> ResultsError:
        return ResultsError(f"{file} is damaged ({why}): delete it, and run the same again; its shards are then done anew")


def arrow() -> tuple[Any, Any]:
    """Return the modules `pyarrow` and `pyarrow.parquet`. Raises NoArrow if they are not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        raise NoArrow('Parquet is read and written by pyarrow, which is not installed: pip install "mekuri[parquet]"')
    return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")


def _differing(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """Return the first argument in which two runs differ, with both values, and what to give instead."""
    key = next(key for key in (*ours, *theirs) if theirs.get(key) != ours.get(key))
    if key not in theirs:
        return f"an earlier Mekuri began it, which kept no {key}; resume it with that Mekuri"
    there, here = (f"{key}={json.dumps(one.get(key))}" for one in (theirs, ours))
    return f"{there} there and {here} here; give the arguments of that run"
