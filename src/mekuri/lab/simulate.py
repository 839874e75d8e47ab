"""Simulate rounds that bots play, plain or compiled, on one thread or several, and collect statistics.

Round i of a simulation with seed S is `game.deal(seed=S, number=i)`, so any of its deals can be made again.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any

from mekuri.bots import Bot, Budget, Seen, find, here, look_up, workspace
from mekuri.bots.apart import Apart
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import available
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import MOST_SEATS, copy
from mekuri.engine.options import all_texts
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.lab.bot_rounds import play_rounds
from mekuri.match.game import Game

_MOST_ROUNDS = 1 << 40
_CHUNK = {True: 200, False: 50_000}  # rounds between two reports of progress: plain (True), compiled (False)
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
        return f"{self.counts[playout.CHECKSUM] & (1 << 64) - 1:016x}"

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
) -> Simulation:
    """Play rounds with the same bot in every seat; seat 0 deals them all.

    Args:
        game: the game and its options.
        rounds: how many rounds are played, from 1.
        seed: equal seeds give equal rounds, plain and compiled, with any number of threads.
        bot: the bot's name.
        plain: whether the rules run uncompiled; without Numba they always do.
        threads: the most threads; as many as there are cores if left out. A bot of rules text uses several only when compiled.
        progress: called now and then with the number of rounds just finished.
        budget: how much a bot that is not rules text may think about one action.
        limit: the most seconds that a bot of another package may take for one action; Mekuri's own are not limited.

    Raises:
        MekuriError: there is no such bot, `rounds` or `threads` is out of range, or a bot of another package has failed.
    """
    if not 1 <= rounds <= _MOST_ROUNDS:
        raise MekuriError(f"rounds is 1 to {_MOST_ROUNDS}, not {rounds}")
    if threads is not None and threads < 1:
        raise MekuriError(f"threads is 1 or more, not {threads}")
    loops = look_up(bot, game.contract).compiled
    ours = None if loops else here(bot, game.contract)
    apart = None if loops or ours else Apart(limit)
    compiled_loops = loops and not plain and available()
    # A few rounds are not worth a second thread.
    workers = 1 if loops and not compiled_loops else max(1, min(threads or os.cpu_count() or 1, rounds // (1000 if loops else 1)))
    batches: list[_Batch | _Thinking]
    if ours:
        searching, prepare = ours.choose, ours.prepare
        batches = [
            _Thinking(game, seed, bot, lambda seen, chance: searching(seen, chance, budget), prepare) for _ in range(workers)
        ]
    elif apart:
        batches = [_Thinking(game, seed, bot, partial(apart.choose, bot, budget=budget)) for _ in range(workers)]
    else:
        batches = [_Batch(game, seed, find(bot, game.contract), not compiled_loops) for _ in range(workers)]
    begin = time.perf_counter()
    if not plain and available():
        for batch in batches:
            batch.prepare()
    compiled = time.perf_counter()

    stopped = threading.Event()
    failures: list[BaseException] = []

    def work(batch: _Batch | _Thinking, first: int, last: int) -> None:
        try:
            for start in range(first, last, batch.chunk):
                if stopped.is_set():
                    return
                done = min(batch.chunk, last - start)
                batch.play(start, done)
                if progress:
                    progress(done)
        except BaseException as error:
            # Failures after the first only come from stopping the other threads.
            if not stopped.is_set():
                failures.append(error)
            stopped.set()

    limits = [rounds * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        working = {pool.submit(work, *job) for job in zip(batches, limits[:-1], limits[1:], strict=True)}
        try:
            while working and not stopped.is_set():
                working = wait(working, return_when=FIRST_COMPLETED).not_done
        finally:
            # After Ctrl-C, or a failure in one thread, the others stop as well.
            stopped.set()
            if apart:
                apart.close()
    if failures:
        raise failures[0]
    counts = playout.add_counts([[int(count) for count in batch.counts] for batch in batches])
    return Simulation(game, rounds, tuple(counts), time.perf_counter() - compiled, compiled - begin)


class _Batch:
    """The work of one thread with a bot of rules text: its states, chance and counts, plain or as arrays for machine code."""

    def __init__(self, game: Game, seed: Seed, bot: Bot, plain: bool) -> None:
        start = new_state(game.contract, game.options, game.seats)
        self.plain = plain
        self.chunk = _CHUNK[plain]
        self.bot: Any = bot
        self.states = workspace(game.contract, playout.THINKING + bot.states, compiled=not plain)
        self.counts: Any = playout.empty_counts()
        self.key: Any = stream(seed)
        self.chance: Any = [0] * 4
        if plain:
            copy(self.states[0], start)
        else:
            import numpy as np

            from mekuri.engine import numba_backend

            self.bot = numba_backend.bot_record(bot)
            numba_backend.to_record(start, self.states[0])
            self.counts, self.key, self.chance = (np.array(row) for row in (self.counts, self.key, self.chance))

    def prepare(self) -> None:
        """Compile the loop over rounds, or load it from the cache."""
        playout.play_rounds.prepare(*self._arguments(0, 0))

    def play(self, first: int, rounds: int) -> None:
        """Play so many rounds from number `first` on."""
        run = playout.play_rounds if self.plain else playout.play_rounds.compiled
        run(*self._arguments(first, rounds))

    def _arguments(self, first: int, rounds: int) -> tuple[Any, ...]:
        return self.states, self.key, self.chance, first, rounds, self.bot, self.counts


class _Thinking:
    """The work of one thread with a bot that is not rules text: its counts."""

    chunk = 1

    def __init__(
        self,
        game: Game,
        seed: Seed,
        bot: str,
        choose: Callable[[Seen, list[int]], int],
        prepare: Callable[[Contract], None] | None = None,
    ) -> None:
        self.counts = playout.empty_counts()
        self._game, self._seed, self._bot, self._choose, self._prepare = game, seed, bot, choose, prepare

    def prepare(self) -> None:
        """Compile the bot's machine code, if it has any, or load it from the cache."""
        if self._prepare:
            self._prepare(self._game.contract)

    def play(self, first: int, rounds: int) -> None:
        """Play so many rounds from number `first` on."""
        play_rounds(self._game, self._seed, first, rounds, self._bot, self._choose, self.counts)
