"""Play whole rounds on a device with CUDA, beside one core of this machine: `python bench/cuda.py`.

Each thread of the device plays rounds of its own. First all counts of a million rounds, checksum included, must equal those of
machine code, or the bench fails. Then it prints how many rounds a second the device plays, as a ratio to one core in processor time
of the same run, for several numbers of threads. All games take a few minutes; no game starts after `--minutes`.

It needs the driver of a device, and no other package than Mekuri.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import mekuri
from mekuri import games
from mekuri.bots import find
from mekuri.engine import cuda_backend
from mekuri.engine.chance import stream
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.setup import new_state
from mekuri.lab import playout
from mekuri.lab.simulate import simulate

SEED = 1
CHECKED = 8_192, 128  # the threads that are checked, and the rounds that each of them plays
THREADS = 16_384, 65_536, 131_072
COUNTS = 7  # the place of the counts among the arguments
GROUPS = 32, 64, 128, 256  # threads that share a processor


class Rounds:
    """The arguments of threads that play rounds of a game by the random bot."""

    def __init__(self, game: mekuri.Game) -> None:
        run = MACHINE_CODE
        self.states = run.states(game.contract, playout.THINKING)
        run.write(self.states, 0, new_state(game.contract, game.options, game.seats))
        self.bot, self.counts = run.bot(find("random", game.contract)), run.words(playout.empty_counts())
        self.key, self.chance, self.none = run.words(stream(SEED)), run.zeros(4), run.zeros(0)
        self.at_random = (1 << game.seats) - 1

    def arguments(self, first: int, rounds: int) -> tuple[Any, ...]:
        return self.states, self.key, self.chance, first, rounds, self.bot, self.at_random, self.counts, self.none

    def blocks(self, threads: int, rounds: int) -> list[bytes]:
        return [cuda_backend.block(self.arguments(thread * rounds, rounds)) for thread in range(threads)]


def one_core(game: mekuri.Game, rounds: int) -> float:
    """Return how many rounds one core plays in a second of processor time: the best of three turns."""
    simulate(game, 1, SEED, threads=1)
    taken = []
    for _ in range(3):
        begin = time.process_time()
        simulate(game, rounds, SEED, threads=1)
        taken.append(time.process_time() - begin)
    return rounds / min(taken)


def check(device: cuda_backend.Device, game: mekuri.Game, play: Rounds) -> None:
    """Raise AssertionError if the device counts anything else than machine code does."""
    threads, rounds = CHECKED
    device.load(play.blocks(threads, rounds))
    device.run()
    given = play.arguments(0, rounds)
    found = playout.add_counts([cuda_backend.row_of(block, given, COUNTS).tolist() for block in device.read()])
    assert found == list(simulate(game, threads * rounds, SEED).counts), f"{game.contract.id}: other counts than machine code"


def rate(device: cuda_backend.Device, play: Rounds, threads: int, rounds: int) -> tuple[float, int]:
    """Return how many rounds a second so many threads play, and the size of a group in which they do."""
    device.load(play.blocks(threads, rounds))
    found = []
    for group in GROUPS:
        for _ in range(2):
            begin = time.perf_counter()
            device.run(group)
            found.append((threads * rounds / (time.perf_counter() - begin), group))
    return max(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games.names())
    parser.add_argument("--rounds", type=int, default=100, help="rounds of each thread in a timed run")
    parser.add_argument("--minutes", type=float, default=8, help="no game starts later")
    parser.add_argument("--processor", default="sm_90", help="the kind of device")
    arguments, begin = parser.parse_args(), time.monotonic()
    print("| | kernel made, s | rounds/s of one core | rounds/s of the device | times one core | threads, in groups of |")
    print("|---|---|---|---|---|---|")
    for name in arguments.games:
        if time.monotonic() - begin > 60 * arguments.minutes:
            print(f"| {name} | no time left | | | | |")
            continue
        game = mekuri.game(name)
        play, start = Rounds(game), time.monotonic()
        device = cuda_backend.Device(cuda_backend.ptx(playout.play_rounds, play.arguments(0, 1), arguments.processor))
        made = time.monotonic() - start
        check(device, game, play)
        core = one_core(game, 200_000)
        best, group, threads = max((*rate(device, play, n, arguments.rounds), n) for n in THREADS)
        device.close()
        print(f"| {name} | {made:.1f} | {core:,.0f} | {best:,.0f} | {best / core:.1f} | {threads:,}, {group} |", flush=True)


if __name__ == "__main__":
    main()
