"""Collect the single decisions of rounds that bots play, as Parquet files with a datasheet.

A row is a decision: what the seat knew, its legal actions, its action, and its return at the end of the round. A seat with a single
legal action has no row. Round i of a dataset with seed S is `game.deal(seed=S, number=i)`.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from mekuri.bots import find
from mekuri.bots.apart import Apart
from mekuri.engine.compiled import available
from mekuri.engine.errors import MekuriError
from mekuri.files import new_file
from mekuri.lab.bot_rounds import RunOfBots, Seated, chooser, play_together
from mekuri.lab.datasheet import COLUMNS, HEAD, datasheet
from mekuri.lab.results import KEY, SHARD, Results, ResultsError, arrow
from mekuri.lab.shards import Done, Executor, Row, Run, Threads, play_shards
from mekuri.lab.vector import vector
from mekuri.match.round import Round

_TOGETHER = {True: 1000, False: 20}  # rounds that are played side by side
SHEET, DECISIONS = "README.md", "decisions"  # in the folder: the datasheet, and the folder of the files


@dataclass(frozen=True)
class Collecting(RunOfBots):
    """A dataset, as a run in shards: each is a file of the decisions of so many rounds.

    Seat s of round i has the bot at place i + s of `bots`, modulo their number. Equal seeds give equal files.
    """

    verb = "dataset"
    shortest: ClassVar = {True: 1000, False: 10}
    longest: ClassVar = {True: 10_000, False: 200}

    def __post_init__(self) -> None:
        """Raise MekuriError if there is no such bot, there are none, or `rounds` or the seed is out of range."""
        super().__post_init__()
        if not self.bots:
            raise MekuriError("a dataset needs a bot that plays")

    @property
    def threads(self) -> int:
        """The most threads that are of use."""
        return 1 if self.of_rules and (self.plain or not available()) else self.shards

    def about(self) -> dict[str, Any]:
        """Return what the files follow from, and how to read them; see `mekuri.lab.shards.Run`."""
        layout, names = self.game.layout, self.game.undealt().action_text
        parts = [{"name": part.name, "first": part.first, "bytes": part.size, "meaning": part.meaning} for part in layout.parts]
        return super().about() | {
            "layout": {"version": layout.version, "bytes": layout.size, "parts": parts},
            "actions": {str(action): names(action) for action in self.game.actions},
        }

    def prepare_rules(self) -> None:
        """Compile the loop of the tables, or load it from the cache."""
        _Tables(self, 1).play(0, 1)

    def worker(self) -> _Collector:
        """Return a worker that plays shards in one thread."""
        return _Collector(self)


class Dataset(Results):
    """A folder with a datasheet and a folder of Parquet files, one for each shard of a dataset. Equal runs leave equal files.

    Args:
        folder: the folder; it is made if it does not exist.

    Attributes:
        root: the folder.

    Raises:
        NoArrow: pyarrow is not installed.
        ResultsError: the path is of a file.
    """

    parts = f".{'[0-9]' * 6}*.parquet.*part"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.root = self.folder
        self._sheet = self.folder / SHEET
        self.folder /= DECISIONS  # of these files alone, so that a program can read the folder as one table

    def keep(self, number: int, row: Row) -> None:
        """Write the file of a shard."""
        with new_file(self.folder / f"{number:06d}.parquet", overwrite=True) as file:
            file.write(row["file"])
            file.flush()
            os.fsync(file.fileno())

    def describe(self, run: Collecting, decisions: int) -> None:
        """Write the datasheet, in place of one that is there already.

        Args:
            run: the run, which is complete.
            decisions: the number of rows of all files.
        """
        with new_file(self._sheet, overwrite=True) as file:
            file.write(datasheet(run.about(), decisions).encode())

    def open(self, run: Run) -> dict[int, Row]:
        """Begin with a run, or resume it; see `Results.open`. Raises ResultsError too if there is a README of something else."""
        if self._sheet.exists() and not self._sheet.read_text(encoding="utf-8", errors="replace").startswith(HEAD):
            raise ResultsError(f"{self._sheet} is another file: name another folder")
        return super().open(run)

    def _rows_of(self, file: Path, parquet: Any) -> list[Row]:
        number = int(file.stem) if file.stem.isdecimal() else None
        return [{SHARD: number, "decisions": parquet.metadata.num_rows, "checksum": 0}]


def collect(
    run: Collecting,
    folder: Dataset,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Write a dataset into a folder, or what is still missing there, and its datasheet.

    Args:
        run: what is collected.
        folder: the folder.
        executor: the executor of the shards; None for threads of this process.
        progress: called now and then with the number of rounds just finished.

    Returns:
        How many decisions the dataset has.

    Raises:
        MekuriError: a bot of another package has failed, or as for `mekuri.lab.shards.play_shards`.
    """
    executor = executor or Threads()
    if isinstance(executor, Threads):
        run.prepare()
    decisions = sum(int(row["decisions"]) for _, row in play_shards(run, executor, folder, progress))
    folder.describe(run, decisions)
    return decisions


# --- Collecting decisions ---


class _Collector:
    """A worker of a dataset."""

    def __init__(self, run: Collecting) -> None:
        self._run, self._arrow = run, arrow()
        self._apart = Apart(run.limit)
        together = min(run.rounds, run.size, _TOGETHER[run.of_rules])
        self._player: _Tables | _Rounds
        self._player = _Tables(run, together) if run.of_rules else _Rounds(run, together, self._apart)

    def play(self, number: int, done: Done) -> Row:
        """Play the rounds of a shard; see `mekuri.lab.shards.Worker`."""
        first, player = number * self._run.size, self._player
        last = first + self._run.units(number)
        tables = []
        for start in range(first, last, player.together):
            rounds = min(player.together, last - start)
            tables.append(self._table(player.play(start, rounds)))
            done(rounds)
        pyarrow, parquet = self._arrow
        file = io.BytesIO()
        table = pyarrow.concat_tables(tables)
        parquet.write_table(table, file, compression="zstd", row_group_size=1 << 16)
        return {"file": file.getvalue(), "decisions": table.num_rows, "checksum": 0}

    def close(self) -> None:
        """Kill the processes of bots of other packages."""
        self._apart.close()

    def _table(self, columns: Sequence[dict[str, Any]]) -> Any:
        """Return the decisions of some rounds as a table, round by round."""
        pyarrow, _ = self._arrow
        schema = schema_of(self._run)
        size = self._run.game.layout.size
        parts = []
        for some in columns:
            seen = pyarrow.py_buffer(some["observation"])
            arrays = {name: pyarrow.array(values) for name, values in some.items() if name != "observation"}
            arrays["observation"] = pyarrow.FixedSizeBinaryArray.from_buffers(
                pyarrow.binary(size), len(arrays["round"]), [None, seen]
            )
            parts.append(pyarrow.table({name: arrays[name] for name in schema.names}).cast(schema))
        together = pyarrow.concat_tables(parts) if parts else schema.empty_table()
        return together.sort_by("round")  # which keeps the order within a round


class _Tables:
    """Plays rounds with bots of rules text, all at the tables of one environment."""

    def __init__(self, run: Collecting, together: int) -> None:
        game = run.game
        self.together = together
        self._bots = [find(bot, game.contract) for bot in run.bots]
        seats = range(game.seats)
        self._env = vector(game, together, learners=seats, auto_reset=False, seed=run.seed, dealer=0, plain=run.plain)

    def play(self, first: int, rounds: int) -> list[dict[str, Any]]:
        """Play so many rounds from number `first` on, and return the decisions of each step as columns."""
        env, bots = self._env, self._bots
        env.reset(number=first)
        numbers, places = env.numbers, []
        steps: list[dict[str, Any]] = []
        while (env.seats >= 0).any():
            bot = (numbers + env.seats) % len(bots)
            for place, one in enumerate(bots):
                actions = env.ask(one, bot == place)
            at = ((env.seats >= 0) & (numbers < first + rounds)).nonzero()[0]
            step = {"mask": env.legal[at], "action": actions[at], "seat": env.seats[at], "round": numbers[at], "bot": bot[at]}
            steps.append(step | {"observation": env.observations[at].tobytes()})
            places.append(at)
            env.step(actions)
        for step, at in zip(steps, places, strict=True):
            step["return"] = env.rewards[at, step["seat"]].astype("int64")
        return steps


class _Rounds:
    """Plays rounds side by side with bots of which one is not rules text."""

    def __init__(self, run: Collecting, together: int, apart: Apart) -> None:
        self.together = together
        self._run = run
        self._choosers = {bot: chooser(bot, run.game.contract, run.budget, apart) for bot in run.bots}

    def play(self, first: int, rounds: int) -> list[dict[str, Any]]:
        """Play so many rounds from number `first` on, and return their decisions as columns."""
        run, seen, numbers = self._run, bytearray(), range(first, first + rounds)
        columns: dict[str, Any] = {name: [] for name in COLUMNS}

        def decided(number: int, round: Round, seat: int, action: int) -> None:
            seen.extend(round.observation(seat))
            mask = sum(1 << choice for choice in round.choices(seat, undo=False))
            row = {"mask": mask, "action": action, "seat": seat, "round": number, "bot": (number + seat) % len(run.bots)}
            for name, value in row.items():
                columns[name].append(value)

        names = [[run.bots[(number + seat) % len(run.bots)] for seat in range(run.game.seats)] for number in numbers]
        seated = [Seated(number, bots, ("bot", number)) for number, bots in zip(numbers, names, strict=True)]
        played = play_together(run.game, run.seed, 0, seated, self._choosers, decided)
        pairs = zip(columns["round"], columns["seat"], strict=True)
        columns["return"] = [played[number - first].returns[seat] for number, seat in pairs]
        return [columns | {"observation": bytes(seen)}] if columns["round"] else []


def schema_of(run: Collecting) -> Any:
    """Return the schema of a dataset's files. Under the key `mekuri` it holds as JSON what the dataset is."""
    pyarrow, _ = arrow()
    kinds = {name: pyarrow.uint8() for name in COLUMNS} | {
        "observation": pyarrow.binary(run.game.layout.size),
        "mask": pyarrow.int64(),
        "return": pyarrow.int64(),
        "round": pyarrow.int64(),
    }
    fields = [pyarrow.field(name, kinds[name], False, {"meaning": meaning}) for name, meaning in COLUMNS.items()]
    return pyarrow.schema(fields, {KEY: Results.described(run)})
