"""Runs in shards: long runs are cut into shards, which are done anywhere and in any order, to the same results.

A shard follows from the arguments of its run and from its number, and from nothing else. Its result is a row of plain values. So it
does not matter who does a shard, nor how often: one that is lost with its process or its machine is done again, and one that is
kept in a folder (`mekuri.lab.results`) is not done a second time.

An executor does shards: `Threads` of this process, `mekuri.lab.processes.Processes` of this machine, or
`mekuri.lab.cluster.Cluster`, any number of machines under Ray.
"""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import mekuri
from mekuri.bots.registry import distribution, weights_of
from mekuri.bots.review.version import version_of
from mekuri.cards.given import whole_in
from mekuri.engine.bot import Bot
from mekuri.engine.chance import Seed
from mekuri.engine.errors import MekuriError
from mekuri.engine.options import all_texts
from mekuri.match.setting import Setting

Row = dict[str, Any]
"""The result of a shard: ints of 64 bits, floats, texts and lists of these, by name; its checksum is called `checksum`."""

Done = Callable[[int], object]
"""A function that is called with the number of units just done."""

TRIES = 3
"""The number of attempts at a shard whose worker dies each time, before the run fails."""

_CHECKSUM = (1 << 64) - 1


class ShardLost(MekuriError):
    """Every process that has begun a shard has died before the shard was done."""


class ShardFailed(MekuriError):
    """A shard cannot be done, because of a fault in Mekuri, in a game or in a bot. It is not tried again."""


class Lost(Exception):
    """The process that did a shard is gone, and the shard is not done; the message says how it went."""


class Run(Protocol):
    """A run in shards. It can be pickled, with a `Game` pickled by its name, so that other processes can do shards of it."""

    @property
    def shards(self) -> int:
        """How many shards there are; they are numbered from 0."""

    @property
    def threads(self) -> int:
        """The most threads of one process that are of use."""

    def about(self) -> dict[str, Any]:
        """Return what the results follow from: the arguments, and the versions of the rules, as a dict that is ready for JSON."""

    def units(self, number: int) -> int:
        """Return how much progress a shard is, such as its number of rounds."""

    def prepare(self) -> None:
        """Compile what the run needs in this process, or load it from the cache."""

    def worker(self) -> Worker:
        """Return a worker, by whom one thread does shards."""


class Worker(Protocol):
    """A worker that does shards of a run, one after the other."""

    def play(self, number: int, done: Done) -> Row:
        """Do a shard.

        Args:
            number: the shard's number.
            done: called now and then with the units just done, all of the shard's in the end; what it raises ends the shard.
        """

    def close(self) -> None:
        """End what the worker has started, even while another thread is in `play`, which then fails."""


class Pool(Protocol):
    """An executor at work on one run. Handles stand for shards that are being done."""

    @property
    def room(self) -> int:
        """How many shards may be handed in at the same time."""

    def submit(self, number: int) -> Any:
        """Hand in a shard, and return its handle."""

    def wait(self, handles: Collection[Any]) -> Collection[Any]:
        """Wait until one of some shards is done or lost, and return their handles."""

    def row(self, handle: Any) -> Row:
        """Return the row of a shard that is done.

        Raises:
            Lost: its worker is gone.
            MekuriError: it cannot be done.
        """


class Executor(Protocol):
    """An executor of the shards of runs."""

    def open(self, run: Run, done: Done) -> AbstractContextManager[Pool]:
        """Begin with a run, and end all that has been begun for it when the context ends.

        Args:
            run: the run.
            done: called now and then with the units just done, from any thread.
        """


class Store(Protocol):
    """A place where rows are kept."""

    def open(self, run: Run) -> dict[int, Row]:
        """Return the rows of a run that are kept, by their shards' numbers."""

    def keep(self, number: int, row: Row) -> None:
        """Keep the row of a shard; it may be written only later."""

    def flush(self) -> None:
        """Write all rows that are to be kept."""


@dataclass(frozen=True)
class Threads:
    """The executor that does shards in threads of this process.

    Attributes:
        most: the most threads; as many as there are cores if None. A run may have no use for so many.
    """

    most: int | None = None

    def __post_init__(self) -> None:
        """Raise MekuriError where `most` is below 1."""
        most = whole_in(self.most, 1)
        if self.most is not None and most is None:
            raise MekuriError(f"threads is 1 or more, not {self.most}")
        object.__setattr__(self, "most", most)

    @contextmanager
    def open(self, run: Run, done: Done) -> Iterator[Pool]:
        """Begin with a run; see `Executor`."""
        pool = _Threads(run, done, max(1, min(self.most or os.cpu_count() or 1, run.threads)))
        try:
            yield pool
        finally:
            pool.close()


def play_shards(
    run: Run,
    executor: Executor,
    results: Store | None = None,
    progress: Done | None = None,
    numbers: Iterable[int] | None = None,
) -> Iterator[tuple[int, Row]]:
    """Do the shards of a run.

    Args:
        run: the run.
        executor: the executor of the shards.
        results: the store of rows; a shard that it has is not done again.
        progress: called now and then, from any thread, with the number of units just done.
        numbers: the numbers of the shards; all of the run's if left out. They are asked for one by one, when there is room.

    Yields:
        The number and the row of each shard, in the order in which they are done.

    Raises:
        ShardLost: the worker of a shard has died, `TRIES` times.
        MekuriError: a shard cannot be done, the executor is not available, or the results are of another run.
    """
    kept = results.open(run) if results else {}
    done = progress or _unheard
    found: deque[int] = deque()

    def missing() -> Iterator[int]:
        for number in range(run.shards) if numbers is None else numbers:
            if number in kept:
                found.append(number)
            else:
                yield number

    def known() -> Iterator[tuple[int, Row]]:
        while found:
            number = found.popleft()
            done(run.units(number))
            yield number, kept[number]

    waiting = missing()
    first = next(waiting, None)
    yield from known()
    if first is None:
        return  # no worker is needed
    try:
        with executor.open(run, done) as pool:
            for number, row in _rows(pool, _after(first, waiting)):
                if results:
                    results.keep(number, row)
                yield number, row
                yield from known()
    finally:
        if results:
            results.flush()
    yield from known()


def about_game(verb: str, game: Setting, bots: tuple[str | Bot, ...] = ()) -> dict[str, Any]:
    """Return what every run with a game follows from, as the beginning of `Run.about`.

    Args:
        verb: the name of the run, such as `simulate`.
        game: the game and its options.
        bots: the bots that play, or their names.
    """
    own = {bot.id: bot.weights for bot in bots if isinstance(bot, Bot)}
    names = [bot.id if isinstance(bot, Bot) else bot for bot in bots]
    others = {bot: version for bot in names if (version := distribution(bot))}
    stated = {bot: weights for bot in names if (weights := own.get(bot) or weights_of(bot, game.contract))}
    versions = {"ruleset": game.version, "mekuri": mekuri.__version__, "rules": version_of(game.contract), "distributions": others}
    if stated:
        versions["weights"] = stated
    return {"verb": verb, "game": game.id, "seats": game.seats, "options": all_texts(game.options), "bots": names, **versions}


def seed_text(seed: Seed) -> str:
    """Return a seed for `Run.about`: seeds with equal texts are equal."""
    return f"bytes {seed.hex()}" if isinstance(seed, bytes) else str(seed)


def checksum_text(checksum: int) -> str:
    """Return a checksum, a signed 64-bit number, as 16 hexadecimal digits."""
    return f"{checksum & _CHECKSUM:016x}"


def summed(rows: Iterable[Mapping[str, Any]]) -> int:
    """Return the checksum of a run: the sum of its shards' checksums, as a signed 64-bit number."""
    total = sum(int(row["checksum"]) for row in rows) & _CHECKSUM
    return total - (total >> 63 << 64)


def _unheard(_: int) -> None:
    """Take no notice of progress."""


def _after(first: int, others: Iterator[int]) -> Iterator[int]:
    yield first
    yield from others


def _rows(pool: Pool, numbers: Iterator[int]) -> Iterator[tuple[int, Row]]:
    """Yield shards as a pool does them. One that is lost is handed in again, before any new one."""
    running: dict[Any, int] = {}
    again: deque[int] = deque()
    lost: Counter[int] = Counter()
    fault: Exception | None = None
    while True:
        while len(running) < pool.room:
            number = again.popleft() if again else next(numbers, None)
            if number is None:
                break
            running[pool.submit(number)] = number
        if not running:
            return
        for handle in pool.wait(running.keys()):
            number = running.pop(handle)
            try:
                row = pool.row(handle)
            except Lost as gone:
                lost[number] += 1
                if lost[number] == TRIES:
                    reason = f"shard {number} was begun {TRIES} times, and each time its process died: {gone}"
                    fault = fault or ShardLost(f"{reason}; look whether there is enough memory")
                again.append(number)
            except Exception as error:
                fault = fault or error
            else:
                yield number, row
        if fault:
            raise fault  # only now: what was done by then is kept, so a run that goes on need not do it again


class _Stopped(BaseException):
    """The run has ended before the shard that a thread is at."""


class _Threads:
    """The pool of `Threads`: each thread takes an idle worker, or makes one."""

    def __init__(self, run: Run, done: Done, most: int) -> None:
        self._run, self._done = run, done
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._workers: list[Worker] = []
        self._pool = ThreadPoolExecutor(most)
        self.room = most + 1  # the next shard waits for whichever thread is free first

    def submit(self, number: int) -> Future[Row]:
        return self._pool.submit(self._play, number)

    def wait(self, handles: Collection[Future[Row]]) -> Collection[Future[Row]]:
        return wait(handles, return_when=FIRST_COMPLETED).done

    def row(self, handle: Future[Row]) -> Row:
        return handle.result()

    def close(self) -> None:
        """End all threads: after Ctrl-C, or a failure in one of them, the others stop where they are."""
        self._stopped.set()
        with self._lock:
            for worker in self._workers:
                worker.close()
        self._pool.shutdown(cancel_futures=True)

    def _play(self, number: int) -> Row:
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is None:
            worker = self._run.worker()
            with self._lock:
                self._workers.append(worker)
        self._count(0)
        row = worker.play(number, self._count)
        with self._lock:
            self._idle.append(worker)
        return row

    def _count(self, units: int) -> None:
        if self._stopped.is_set():
            raise _Stopped
        if units:
            self._done(units)
