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
_KEY = b"mekuri"  # the key of the run's description in a file's metadata
_PARTS = f".{'[0-9]' * 7}-{'[0-9a-f]' * 8}.parquet.*part"  # files that are not whole
_SHARD = "shard"  # the column of the shard's number


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

    def __init__(self, folder: Path) -> None:
        if importlib.util.find_spec("pyarrow") is None:
            raise NoArrow('results are kept by pyarrow, which is not installed: pip install "mekuri[ray]"')
        folder = expanded(folder)
        if folder.exists() and not folder.is_dir():
            raise ResultsError(f"{folder} is a file, and results are kept in a folder: name another one")
        self.folder = folder
        self._arrow: Any = importlib.import_module("pyarrow")
        self._parquet: Any = importlib.import_module("pyarrow.parquet")
        self._about: dict[str, Any] = {}
        self._rows: list[Row] = []
        self._written = time.monotonic()

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
        self._about = json.loads(json.dumps(run.about()))
        self.folder.mkdir(parents=True, exist_ok=True)
        for part in self.folder.glob(_PARTS):  # of a process that was killed as it wrote
            part.unlink()
        kept: dict[int, Row] = {}
        for file in sorted(self.folder.glob("*.parquet")):
            for row in self._read(file):
                number = row.pop(_SHARD, None)
                if not isinstance(number, int) or not 0 <= number < run.shards or not isinstance(row.get("checksum"), int):
                    raise self._damaged(file, f"it has a shard {number}")
                kept[number] = row
        return kept

    def keep(self, number: int, row: Row) -> None:
        """Keep the row of a shard. It is written at once if none has been written for a second, else later."""
        self._rows.append({_SHARD: number, **row})
        if time.monotonic() - self._written >= _EACH:
            self.flush()

    def flush(self) -> None:
        """Write all rows that are to be kept."""
        if not self._rows:
            return
        rows = sorted(self._rows, key=lambda row: int(row[_SHARD]))
        table = self._arrow.Table.from_pylist(rows).replace_schema_metadata({_KEY: json.dumps(self._about).encode()})
        name = f"{rows[0][_SHARD]:07d}-{secrets.token_hex(4)}.parquet"
        with new_file(self.folder / name) as file:
            self._parquet.write_table(table, file)
            file.flush()
            os.fsync(file.fileno())
        self._rows = []
        self._written = time.monotonic()

    def _read(self, file: Path) -> list[Row]:
        try:
            table = self._parquet.ParquetFile(file).read()
        except (self._arrow.ArrowException, OSError) as error:
            raise self._damaged(file, str(error)) from None
        try:
            about = json.loads((table.schema.metadata or {})[_KEY])
        except (KeyError, ValueError):
            raise ResultsError(f"{file} holds no results of Mekuri: name another folder") from None
        if about != self._about:
            raise OtherRun(f"{self.folder} holds another run: {_differing(about, self._about)}, or another folder")
        rows: list[Row] = table.to_pylist()
        return rows

    def _damaged(self, file: Path, why: str) -> ResultsError:
        return ResultsError(f"{file} is damaged ({why}): delete it, and run the same again; its shards are then done anew")


def _differing(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """Return the first argument in which two runs differ, with both values, and what to give instead."""
    key = next(key for key in (*ours, *theirs) if theirs.get(key) != ours.get(key))
    if key not in theirs:
        return f"an earlier Mekuri began it, which kept no {key}; resume it with that Mekuri"
    return f"its {key} is {json.dumps(theirs.get(key))}, and here it is {json.dumps(ours.get(key))}; give the arguments of that run"
