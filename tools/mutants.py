"""Mutation testing of the rules: plant small faults one at a time and count how many the tests catch.

    python -m tools.mutants --games mushi

Each fault is planted in a copy of the checkout, in which the tests of its game run until one fails, the quick ones first. Rules run
plain only, for they would be compiled again for each fault. Results are kept in the file of `--out` and not tried again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Lock

from tools.faults import Fault, faults

CHECKOUT = Path(__file__).parents[1]
GAMES = "src/mekuri/games"
DECLARED = {"__init__.py", "options.py", "state.py"}  # declarations only: with a fault in them the game does not load
COPIED = ("src", "tests", "tools", "docs", "examples", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
# Tests of every game, which run after those of the game itself.
QUICK = ("tests/games/test_examples.py",)
GENERIC = (
    *(f"tests/games/test_{name}.py" for name in ("golden", "perft", "invariants", "leaks", "worth", "redeal", "past", "commute")),
    *("tests/engine/test_positions.py", "tests/engine/test_rulebook.py", "tests/match/test_match.py", "tests/match/test_older.py"),
)
PATIENCE = 90  # seconds of processor time; a round that does not end counts as a fault caught
EQUIVALENT = Path(__file__).with_name("equivalent.json")


@dataclass(frozen=True)
class Planted:
    """A fault and its result.

    Attributes:
        file: its file, relative to the root of the checkout.
        line, kind, was, now: see `Fault`.
        game: the game whose tests were run.
        found: `caught`, `hangs`, `survived`, or `equivalent` if the fault changes nothing observable.
        by: the test that caught it, or why it is equivalent.
    """

    file: str
    line: int
    kind: str
    was: str
    now: str
    game: str
    found: str
    by: str = ""

    @property
    def key(self) -> str:
        """The identity of the fault in the file of results."""
        return f"{self.file}:{self.line} {self.was} -> {self.now}"


def files_of(game: str) -> list[Path]:
    """Return the files that hold a game's rules: its own without declarations, and the shared mechanisms it imports."""
    games = CHECKOUT / GAMES
    own = sorted((games / game).glob("*.py"))
    found: list[Path] = []
    waiting = [*own]
    while waiting:
        text = waiting.pop().read_text("utf-8")
        used = [path for path in sorted(games.glob("*.py")) if f"mekuri.games.{path.stem} import" in text and path not in found]
        found += used
        waiting += used
    return [*(path for path in own if path.name not in DECLARED), *sorted(found)]


def sample(games: Sequence[str], number: int, seed: int) -> list[tuple[str, Path, Fault]]:
    """Return a random sample of the faults of some games, each as its game, its file and the fault."""
    every = [(game, path, fault) for game in games for path in files_of(game) for fault in faults(path.read_text("utf-8"))]
    return every if number >= len(every) else Random(seed).sample(every, number)


class Copy:
    """A copy of the checkout in which faults are planted."""

    _times = count(1_000_000_000)  # modification times, each different: by them Python sees that its compiled files are stale

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source = CHECKOUT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "page", "*.egg-info"))
            else:
                shutil.copy(source, folder)

    def try_out(self, game: str, file: str, text: str) -> tuple[str, str]:
        """Run the tests of a game with another text of a file. Returns the result, and the test that failed."""
        target = self.folder / file
        before = target.read_text("utf-8")
        self._write(target, text)
        try:
            own = [f"tests/games/{path.name}" for path in sorted((CHECKOUT / "tests/games").glob(f"test_{game}*.py"))]
            for chosen in ((*own, *QUICK), GENERIC):
                found, by = self._test(game, chosen)
                if found != "survived":
                    return found, by
            return "survived", ""
        finally:
            self._write(target, before)

    def _write(self, target: Path, text: str) -> None:
        target.write_text(text, "utf-8")
        at = next(self._times)
        os.utime(target, (at, at))

    def _test(self, game: str, chosen: Sequence[str]) -> tuple[str, str]:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "tools.plain_only",
            "-k",
            game,
            *chosen,
        ]
        places = (self.folder / "src", self.folder, Path(__file__).parents[1])
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        limited = ("sh", "-c", f'ulimit -t {PATIENCE}; exec "$@"', "sh", *command)
        done = subprocess.run(limited, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode < 0:
            return "hangs", ""
        if done.returncode in (0, 5):  # 5: pytest has found no test of this game
            return "survived", ""
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "caught", failed[0].split(" - ")[0].partition(" ")[2] if failed else done.stdout[-200:] + done.stderr[-200:]


def equivalents() -> dict[str, str]:
    """Return why faults are equivalent, by file, old and new source."""
    reasons: dict[str, str] = json.loads(EQUIVALENT.read_text("utf-8"))
    return reasons


def plant(games: Sequence[str], number: int, seed: int, jobs: int, out: Path) -> Iterator[Planted]:
    """Try a sample of faults and yield each result. Results in the file `out` are yielded without trying again.

    Args:
        games: the games.
        number: the size of the sample, of all games together.
        seed: the seed of the sample.
        jobs: the number of copies that are tried side by side.
        out: the file of results, in JSON.
    """
    known = {one.key: one for one in (Planted(**row) for row in (json.loads(out.read_text("utf-8")) if out.exists() else []))}
    same, writing = equivalents(), Lock()
    with tempfile.TemporaryDirectory(prefix="mekuri-mutants-") as place, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        made = [Copy(Path(place, str(n))) for n in range(jobs)]
        for game in games:
            found, by = made[0].try_out(game, f"{GAMES}/{game}/rules.py", (CHECKOUT / GAMES / game / "rules.py").read_text("utf-8"))
            if found != "survived":
                raise SystemExit(f"the tests of {game} fail without any fault: {by or found}")
        for copy in made:
            copies.put(copy)

        def work(task: tuple[str, Path, Fault]) -> Planted:
            game, path, fault = task
            file = path.relative_to(CHECKOUT).as_posix()
            one = Planted(file, fault.line, fault.kind, fault.was, fault.now, game, "")
            if one.key in known:
                return known[one.key]
            why = same.get(f"{file} {fault.was} -> {fault.now}")
            if why:
                found, by = "equivalent", why
            else:
                copy = copies.get()
                try:
                    found, by = copy.try_out(game, file, fault.text)
                finally:
                    copies.put(copy)
            one = Planted(**(asdict(one) | {"found": found, "by": by}))
            with writing:
                known[one.key] = one
                out.write_text(json.dumps([asdict(each) for each in known.values()], indent=1, ensure_ascii=False), "utf-8")
            return one

        yield from pool.map(work, sample(games, number, seed))


def main() -> None:
    """Plant faults, and print the survivors and how many were caught."""
    every = sorted(path.parent.name for path in (CHECKOUT / GAMES).glob("*/rules.py"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=every, default=every)
    parser.add_argument("--number", type=int, default=60, help="how many faults, of all games together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--out", type=Path, default=Path("mutants.json"), help="what has been found; begun again, it goes on from there"
    )
    asked = parser.parse_args()
    begun, faults = time.monotonic(), []
    for one in plant(asked.games, asked.number, asked.seed, asked.jobs, asked.out):
        faults.append(one)
        if one.found == "survived":
            print(f"{one.file}:{one.line} {one.kind}: {one.was}  ->  {one.now}", flush=True)
    counted = {found: sum(one.found == found for one in faults) for found in ("caught", "hangs", "survived", "equivalent")}
    planted = len(faults) - counted["equivalent"]
    caught = counted["caught"] + counted["hangs"]
    print(f"{caught} of {planted} caught ({caught / max(planted, 1):.1%}), {counted['equivalent']} are equivalent,", end=" ")
    print(f"in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
