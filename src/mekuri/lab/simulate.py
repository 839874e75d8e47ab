"""Simulate rounds that bots play, plain or compiled, on one thread or on many machines, and collect statistics.

Round i of a simulation with seed S is `game.deal(seed=S, number=i)`, so any of its deals can be made again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, ClassVar

from mekuri.bots import Budget, find, here
from mekuri.bots.apart import Apart
from mekuri.bots.figures import Estimate
from mekuri.bots.ours import random
from mekuri.cards.given import whole_in
from mekuri.engine import executor as rules
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import available
from mekuri.engine.errors import OptionError
from mekuri.engine.executor import MACHINE_CODE, PLAIN
from mekuri.engine.fields import MOST_SEATS
from mekuri.engine.options import all_texts
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.lab.bot_rounds import BUDGET, LIMIT, RunOfBots, chooser, play_rounds
from mekuri.lab.shards import Done, Executor, Row, Store, Threads, checksum_text, play_shards
from mekuri.match.game import Game

_CHUNK = {True: 200, False: 50_000}  # rounds between two reports of progress: plain (True), compiled (False)
_RANDOM = random.bot.id  # the bot that the loop of rules text can put beside another one


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
        """Return the statistics as a dict, ready for JSON. `mean_95` is half the width of the 95 % interval of a mean."""
        contract, counts, seats = self.game.contract, self.counts, self.game.seats
        estimates = [self.estimate(seat) for seat in range(seats)]
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
                "deviation": [one.error * sqrt(self.rounds) for one in estimates],
                "error": [one.error for one in estimates],
                "mean_95": [one.most - one.mean for one in estimates],
                "sum_min": counts[playout.SUM_MIN],
                "sum_max": counts[playout.SUM_MAX],
            },
            "turns": {"mean": counts[playout.TURNS] / self.rounds, "max": counts[playout.TURNS_MAX]},
            "actions": counts[playout.ACTIONS],
            "decisions": counts[playout.DECISIONS],
            "seconds": self.seconds,
            "checksum": self.checksum,
        }

    def estimate(self, seat: int) -> Estimate:
        """Return the mean return of a seat, with its standard error."""
        return estimate_of(self.rounds, self.counts[playout.RETURNS + seat], self.counts[playout.SQUARES + seat])


def estimate_of(n: int, total: float, squares: float) -> Estimate:
    """Return the mean of n values, with its standard error.

    Args:
        n: how many values there are, from 1.
        total: their sum.
        squares: the sum of their squares.
    """
    return Estimate(total / n, sqrt(max(0, squares - total * total / n) / (n * max(1, n - 1))))


@dataclass(frozen=True)
class Simulating(RunOfBots):
    """A simulation, as a run in shards. Its bots are one for every seat, or one for each.

    Attributes:
        dealer: the seat that deals every round.
    """

    verb = "simulate"
    shortest: ClassVar = {True: 1000, False: 1}
    longest: ClassVar = {True: 1_000_000, False: 20}

    dealer: int = 0

    def __post_init__(self) -> None:
        """Raise MekuriError if there is no such bot or dealer, or `bots`, `rounds` or the seed is out of range."""
        super().__post_init__()
        if len(self.bots) not in (1, self.game.seats):
            raise OptionError(
                f"{self.game.id} has {self.game.seats} seats here, so name one bot or {self.game.seats}, not {len(self.bots)}"
            )
        dealer = whole_in(self.dealer, 0, self.game.seats - 1)
        if dealer is None:
            raise OptionError(f"the dealer is a seat from 0 to {self.game.seats - 1}, not {self.dealer}")
        if len(set(self.bots)) == 1:
            object.__setattr__(self, "bots", self.bots[:1])
        object.__setattr__(self, "dealer", dealer)

    @property
    def seated(self) -> tuple[str, ...]:
        """The name of the bot in each seat."""
        return self.bots if len(self.bots) > 1 else self.bots * self.game.seats

    @property
    def of_rules(self) -> bool:
        """Whether one loop of rules text plays the rounds: every bot is rules text, and at most one is not `random`."""
        return len({*self.bots} - {_RANDOM}) <= 1 and super().of_rules

    @property
    def at_random(self) -> int:
        """The set of seats in which `random` plays."""
        return sum(1 << seat for seat, bot in enumerate(self.seated) if bot == _RANDOM)

    @property
    def threads(self) -> int:
        """The most threads that are of use: plain rules hold the interpreter, and a few rounds are not worth a second thread."""
        if self.of_rules and (self.plain or not available()):
            return 1
        return max(1, self.rounds // self.shortest[self.of_rules])

    def about(self) -> dict[str, Any]:
        """Return what the statistics follow from; see `mekuri.lab.shards.Run`."""
        return super().about() | {"dealer": self.dealer}

    def prepare_rules(self) -> None:
        """Compile the loop over rounds, or load it from the cache."""
        _Batch(self).prepare()

    def worker(self) -> Rounds:
        """Return a worker that plays shards in one thread."""
        return Rounds(self)

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
            **{f"squares_{seat}": playout.SQUARES + seat for seat in seats},
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
    bots: Sequence[str] = (),
    dealer: int = 0,
) -> Simulation:
    """Play rounds between bots. One seat deals them all.

    Args:
        game: the game and its options.
        rounds: how many rounds are played, from 1.
        seed: equal seeds give equal rounds, plain and compiled, with any number of threads, processes and machines.
        bot: the name of the bot in every seat.
        plain: whether the rules run uncompiled; without Numba they always do.
        threads: the most threads; as many as there are cores if left out. A bot of rules text uses several only when compiled.
        progress: called now and then with the number of rounds just finished.
        budget: how much a bot that is not rules text may think about one action.
        limit: the most seconds that a bot of another package may take for one action; Mekuri's own are not limited.
        executor: the executor of the rounds; None for threads of this process.
        results: the store of finished shards; a shard that it has is not played again.
        bots: the name of the bot in each seat, in place of `bot`.
        dealer: the seat that deals every round.

    Raises:
        OptionError: there is no such dealer, or the bots are not one a seat.
        MekuriError: there is no such bot, `rounds` or `threads` is out of range, a bot of another package has failed, or as for
            `mekuri.lab.shards.play_shards`.
    """
    simulating = Simulating(game, rounds, seed, tuple(bots) or (bot,), plain, budget, limit, dealer)
    executor = executor or Threads(threads)
    begin = time.perf_counter()
    if isinstance(executor, Threads):
        simulating.prepare()
    compiled = time.perf_counter()
    counts = playout.empty_counts()
    for _, row in play_shards(simulating, executor, results, progress):
        counts = playout.add_counts([counts, simulating.counts(row)])
    return Simulation(game, simulating.rounds, tuple(counts), time.perf_counter() - compiled, compiled - begin)


class Rounds:
    """A worker of a simulation."""

    def __init__(self, run: Simulating) -> None:
        self._run = run
        self._apart = None if run.of_rules else Apart(run.limit)
        self._batch: _Batch | _Thinking = _Thinking(run, self._apart) if self._apart else _Batch(run)
        if isinstance(self._batch, _Batch) and not self._batch.plain:
            self._batch.prepare()

    def play(self, number: int, done: Done) -> Row:
        """Play the rounds of a shard; see `mekuri.lab.shards.Worker`."""
        first = number * self._run.size
        return self._run.row(number, self.played(first, first + self._run.units(number), done))

    def played(self, first: int, last: int, done: Done, each: list[Any] | None = None) -> Any:
        """Play rounds and return their counts.

        Args:
            first: the number of the first round.
            last: the number after the last round's.
            done: called now and then with the number of rounds just played.
            each: a list that gets rows with the single rounds, as `playout.play_rounds` writes them; None if not wanted.
        """
        batch = self._batch
        batch.clear()
        for start in range(first, last, batch.chunk):
            rounds = min(batch.chunk, last - start)
            kept = batch.play(start, rounds, (playout.ROUND_RETURNS + self._run.game.seats) * (each is not None))
            if each is not None:
                each.append(kept)
            done(rounds)
        return batch.counts

    @property
    def by(self) -> rules.Executor:
        """The executor that makes the rows of single rounds."""
        return self._batch.by

    def close(self) -> None:
        """Kill the processes of bots of other packages."""
        if self._apart:
            self._apart.close()


class _Batch:
    """The work of one thread with bots of rules text: its states, chance and counts, plain or as arrays for machine code."""

    def __init__(self, run: Simulating) -> None:
        game = run.game
        self.plain = run.plain or not available()
        self.chunk = _CHUNK[self.plain]
        self.by: rules.Executor = PLAIN if self.plain else MACHINE_CODE
        by = self.by
        bot = find(next((bot for bot in run.bots if bot != _RANDOM), _RANDOM), game.contract)
        self.bot, self.at_random = by.bot(bot), run.at_random
        self.states = by.states(game.contract, playout.THINKING + bot.states)
        by.write(self.states, 0, new_state(game.contract, game.options, game.seats, run.dealer))
        self.counts, self.key, self.chance = by.words(playout.empty_counts()), by.words(stream(run.seed)), by.zeros(4)

    def clear(self) -> None:
        """Set the counts to what they are before the first round."""
        self.counts[:] = playout.empty_counts()

    def prepare(self) -> None:
        """Compile the loop over rounds, or load it from the cache."""
        self.by.prepare(playout.play_rounds, *self._arguments(0, 0, 0))

    def play(self, first: int, rounds: int, width: int) -> Any:
        """Play so many rounds from number `first` on, and return a row with `width` numbers about each."""
        arguments = self._arguments(first, rounds, width)
        self.by.call(playout.play_rounds, *arguments)
        return arguments[-1]

    def _arguments(self, first: int, rounds: int, width: int) -> tuple[Any, ...]:
        each = self.by.zeros(rounds * width)
        return self.states, self.key, self.chance, first, rounds, self.bot, self.at_random, self.counts, each


class _Thinking:
    """The work of one thread with bots that no loop of rules text can play: its counts."""

    by: rules.Executor = PLAIN

    def __init__(self, run: Simulating, apart: Apart) -> None:
        ours = [here(bot, run.game.contract) for bot in run.bots]
        # Rounds that are asked about at once.
        self.chunk = 1 if all(bot and not bot.choose_many for bot in ours) else run.longest[False]
        self.counts = playout.empty_counts()
        self._run = run
        self._choosers = {bot: chooser(bot, run.game.contract, run.budget, apart) for bot in run.bots}

    def clear(self) -> None:
        """Set the counts to what they are before the first round."""
        self.counts = playout.empty_counts()

    def play(self, first: int, rounds: int, width: int) -> Any:
        """Play so many rounds from number `first` on, and return a row with `width` numbers about each."""
        run, each = self._run, [0] * (rounds * width)
        play_rounds(run.game, run.seed, run.dealer, first, rounds, run.seated, self._choosers, self.counts, each)
        return each
