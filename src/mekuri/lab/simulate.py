"""Simulate rounds that bots play, plain or compiled, on one thread or on many machines, and collect statistics.

Round i of a simulation with seed S is `game.deal(seed=S, number=i)`, so any of its deals can be made again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from mekuri.bots import Bot, Budget, Seen, find, here, look_up
from mekuri.bots.apart import Apart
from mekuri.cards.given import whole_in
from mekuri.engine.chance import Seed, plain_seed, stream
from mekuri.engine.compiled import available
from mekuri.engine.errors import MekuriError
from mekuri.engine.executor import MACHINE_CODE, PLAIN
from mekuri.engine.fields import MOST_SEATS
from mekuri.engine.options import all_texts
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.lab.bot_rounds import play_rounds
from mekuri.lab.shards import Done, Executor, Row, Store, Threads, about_game, checksum_text, play_shards, seed_text
from mekuri.match.game import Game

_MOST_ROUNDS = 1 << 40
_CHUNK = {True: 200, False: 50_000}  # rounds between two reports of progress: plain (True), compiled (False)
_SHARDS = 32  # in so many a run is cut, unless they would be too short or too long
_SHORTEST = {True: 1000, False: 1}  # rounds of a shard: of a bot of rules text (True), of one that searches (False)
_LONGEST = {True: 1_000_000, False: 20}
BUDGET = Budget(100)
LIMIT = 60.0  # seconds


@dataclass(frozen=True)
class Simulation:
    """The result of a simulation.

    Attributes:
        game: the game and its options.
        rounds: how many rounds were played.
        counts: the statistics, at the places that `playout` names.
        seconds: how long the play took.
        compile_seconds: how long compiling took before it.
    """

    game: Game
    rounds: int
    counts: tuple[int, ...]
    seconds: float
    compile_seconds: float

    @property
    def checksum(self) -> str:
        """A 64-bit checksum over every round, seat, action and return, as 16 hexadecimal digits."""
        return checksum_text(self.counts[playout.CHECKSUM])

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics as a dict, ready for JSON."""
        contract, counts, seats = self.game.contract, self.counts, self.game.seats
        return {
            "game": self.game.id,
            "version": self.game.version,
            "options": all_texts(self.game.options),
            "rounds": self.rounds,
            "redeals": {clause: counts[playout.REDEALS + i] for i, clause in enumerate(contract.redeals)},
            "endings": {ending: counts[playout.ENDINGS + i] for i, ending in enumerate(contract.endings)},
            "yaku": {
                yaku: {
                    "rounds": counts[playout.YAKU + i],
                    "per_seat": [counts[playout.YAKU_OF + i * MOST_SEATS + seat] for seat in range(seats)],
                }
                for i, yaku in enumerate(contract.yaku)
            },
            "returns": {
                "mean": [counts[playout.RETURNS + seat] / self.rounds for seat in range(seats)],
                "sum_min": counts[playout.SUM_MIN],
                "sum_max": counts[playout.SUM_MAX],
            },
            "turns": {"mean": counts[playout.TURNS] / self.rounds, "max": counts[playout.TURNS_MAX]},
            "actions": counts[playout.ACTIONS],
            "decisions": counts[playout.DECISIONS],
            "seconds": self.seconds,
            "checksum": self.checksum,
        }


@dataclass(frozen=True)
class Simulating:
    """A simulation, as a run in shards: each has as many rounds, one after the other.

    Attributes:
        game: the game and its options.
        rounds: how many rounds are played, from 1.
        seed: equal seeds give equal rounds, plain and compiled, with every executor.
        bot: the name of the bot in every seat.
        plain: whether the rules run uncompiled; without Numba they always do.
        budget: how much a bot that is not rules text may think about one action.
        limit: the most seconds that a bot of another package may take for one action; Mekuri's own are not limited.
    """

    game: Game
    rounds: int
    seed: Seed = 0
    bot: str = "random"
    plain: bool = False
    budget: Budget = BUDGET
    limit: float = LIMIT

    def __post_init__(self) -> None:
        """Raise MekuriError if there is no such bot, or `rounds` or the seed is out of range."""
        rounds = whole_in(self.rounds, 1, _MOST_ROUNDS)
        if rounds is None:
            raise MekuriError(f"rounds is 1 to {_MOST_ROUNDS}, not {self.rounds}")
        look_up(self.bot, self.game.contract)
        object.__setattr__(self, "rounds", rounds)
        object.__setattr__(self, "seed", plain_seed(self.seed))

    @property
    def of_rules(self) -> bool:
        """Whether the bot is rules text."""
        return look_up(self.bot, self.game.contract).compiled

    @property
    def size(self) -> int:
        """How many rounds a shard has; the last may have fewer."""
        return min(_LONGEST[self.of_rules], max(_SHORTEST[self.of_rules], -(-self.rounds // _SHARDS)))

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.rounds // self.size)

    @property
    def threads(self) -> int:
        """The most threads that are of use: plain rules hold the interpreter, and a few rounds are not worth a second thread."""
        if self.of_rules and (self.plain or not available()):
            return 1
        return max(1, self.rounds // _SHORTEST[self.of_rules])

    def about(self) -> dict[str, Any]:
        """Return what the statistics follow from; see `mekuri.lab.shards.Run`."""
        return about_game("simulate", self.game, (self.bot,)) | {
            "seed": seed_text(self.seed),
            "rounds": self.rounds,
            "playouts": None if self.of_rules else self.budget.playouts,
            "milliseconds": None if self.of_rules else self.budget.milliseconds,
        }

    def units(self, number: int) -> int:
        """Return how many rounds a shard has."""
        return min(self.size, self.rounds - number * self.size)

    def prepare(self) -> None:
        """Compile what the simulation needs in this process, or load it from the cache."""
        if self.plain or not available():
            return
        if self.of_rules:
            _Batch(self.game, self.seed, find(self.bot, self.game.contract), plain=False).prepare()
        elif (ours := here(self.bot, self.game.contract)) and ours.prepare:
            ours.prepare(self.game.contract)

    def worker(self) -> _Rounds:
        """Return a worker that plays shards in one thread."""
        return _Rounds(self)

    @cached_property
    def columns(self) -> dict[str, int]:
        """Return the columns of a shard's row, each with its place in the counts."""
        contract, seats = self.game.contract, range(self.game.seats)
        return {
            "actions": playout.ACTIONS,
            "decisions": playout.DECISIONS,
            "turns": playout.TURNS,
            "turns_max": playout.TURNS_MAX,
            "sum_min": playout.SUM_MIN,
            "sum_max": playout.SUM_MAX,
            "checksum": playout.CHECKSUM,
            **{f"returns_{seat}": playout.RETURNS + seat for seat in seats},
            **{f"redeals_{clause}": playout.REDEALS + i for i, clause in enumerate(contract.redeals)},
            **{f"ending_{ending}": playout.ENDINGS + i for i, ending in enumerate(contract.endings)},
            **{f"yaku_{yaku}": playout.YAKU + i for i, yaku in enumerate(contract.yaku)},
            **{
                f"yaku_{yaku}_{seat}": playout.YAKU_OF + i * MOST_SEATS + seat
                for i, yaku in enumerate(contract.yaku)
                for seat in seats
            },
        }

    def row(self, number: int, counts: Sequence[int]) -> Row:
        """Return the row of a shard: which rounds it has, and their counts in columns."""
        where = {"first": number * self.size, "rounds": self.units(number)}
        return where | {name: int(counts[place]) for name, place in self.columns.items()}

    def counts(self, row: Row) -> list[int]:
        """Return the counts of a shard's row."""
        counts = playout.empty_counts()
        for name, place in self.columns.items():
            counts[place] = row[name]
        return counts


def simulate(
    game: Game,
    rounds: int,
    seed: Seed = 0,
    bot: str = "random",
    *,
    plain: bool = False,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
    budget: Budget = BUDGET,
    limit: float = LIMIT,
    executor: Executor | None = None,
    results: Store | None = None,
) -> Simulation:
    """Play rounds with the same bot in every seat; seat 0 deals them all.

    Args:
        game: the game and its options.
        rounds: how many rounds are played, from 1.
        seed: equal seeds give equal rounds, plain and compiled, with any number of threads, processes and machines.
        bot: the bot's name.
        plain: whether the rules run uncompiled; without Numba they always do.
        threads: the most threads; as many as there are cores if left out. A bot of rules text uses several only when compiled.
        progress: called now and then with the number of rounds just finished.
        budget: how much a bot that is not rules text may think about one action.
        limit: the most seconds that a bot of another package may take for one action; Mekuri's own are not limited.
        executor: the executor of the rounds; None for threads of this process.
        results: the store of finished shards; a shard that it has is not played again.

    Raises:
        MekuriError: there is no such bot, `rounds` or `threads` is out of range, a bot of another package has failed, or as for
            `mekuri.lab.shards.play_shards`.
    """
    simulating = Simulating(game, rounds, seed, bot, plain, budget, limit)
    executor = executor or Threads(threads)
    begin = time.perf_counter()
    if isinstance(executor, Threads):
        simulating.prepare()
    compiled = time.perf_counter()
    counts = playout.empty_counts()
    for _, row in play_shards(simulating, executor, results, progress):
        counts = playout.add_counts([counts, simulating.counts(row)])
    return Simulation(game, simulating.rounds, tuple(counts), time.perf_counter() - compiled, compiled - begin)


class _Rounds:
    """A worker of a simulation."""

    def __init__(self, run: Simulating) -> None:
        self._run = run
        game, seed, bot = run.game, run.seed, run.bot
        ours = None if run.of_rules else here(bot, game.contract)
        self._apart = None if run.of_rules or ours else Apart(run.limit)
        self._batch: _Batch | _Thinking
        if self._apart:
            self._batch = _Thinking(game, seed, bot, partial(self._apart.choose, bot, budget=run.budget))
        elif ours:
            choose = ours.choose
            self._batch = _Thinking(game, seed, bot, lambda seen, chance: choose(seen, chance, run.budget))
        else:
            self._batch = _Batch(game, seed, find(bot, game.contract), run.plain or not available())
            if not self._batch.plain:
                self._batch.prepare()

    def play(self, number: int, done: Done) -> Row:
        """Play the rounds of a shard; see `mekuri.lab.shards.Worker`."""
        first, batch = number * self._run.size, self._batch
        last = first + self._run.units(number)
        batch.clear()
        for start in range(first, last, batch.chunk):
            rounds = min(batch.chunk, last - start)
            batch.play(start, rounds)
            done(rounds)
        return self._run.row(number, batch.counts)

    def close(self) -> None:
        """Kill the processes of a bot of another package."""
        if self._apart:
            self._apart.close()


class _Batch:
    """The work of one thread with a bot of rules text: its states, chance and counts, plain or as arrays for machine code."""

    def __init__(self, game: Game, seed: Seed, bot: Bot, plain: bool) -> None:
        start = new_state(game.contract, game.options, game.seats)
        self.plain = plain
        self.chunk = _CHUNK[plain]
        self._run = run = PLAIN if plain else MACHINE_CODE
        self.bot = run.bot(bot)
        self.states = run.states(game.contract, playout.THINKING + bot.states)
        run.write(self.states, 0, start)
        self.counts, self.key, self.chance = run.words(playout.empty_counts()), run.words(stream(seed)), run.zeros(4)

    def clear(self) -> None:
        """Set the counts to what they are before the first round."""
        self.counts[:] = playout.empty_counts()

    def prepare(self) -> None:
        """Compile the loop over rounds, or load it from the cache."""
        self._run.prepare(playout.play_rounds, *self._arguments(0, 0))

    def play(self, first: int, rounds: int) -> None:
        """Play so many rounds from number `first` on."""
        self._run.call(playout.play_rounds, *self._arguments(first, rounds))

    def _arguments(self, first: int, rounds: int) -> tuple[Any, ...]:
        return self.states, self.key, self.chance, first, rounds, self.bot, self.counts


class _Thinking:
    """The work of one thread with a bot that is not rules text: its counts."""

    chunk = 1

    def __init__(self, game: Game, seed: Seed, bot: str, choose: Callable[[Seen, list[int]], int]) -> None:
        self.counts = playout.empty_counts()
        self._game, self._seed, self._bot, self._choose = game, seed, bot, choose

    def clear(self) -> None:
        """Set the counts to what they are before the first round."""
        self.counts = playout.empty_counts()

    def play(self, first: int, rounds: int) -> None:
        """Play so many rounds from number `first` on."""
        play_rounds(self._game, self._seed, first, rounds, self._bot, self._choose, self.counts)
