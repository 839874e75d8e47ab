"""Run the whole suite again and again, each time in another order and on a busy machine, and list every test that ever failed.

    python -m tools.flaky --times 3

Each run has a seed, from which everything random in it follows: the order of the tests (--shuffle), the hashes of Python, the
examples of Hypothesis, and the numbers that tests draw without a seed of their own. A module that is run alone with the same seed
has the same order.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from xml.etree import ElementTree

CHECKOUT = Path(__file__).parents[1]
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1_000_000): pass"


@contextmanager
def load(processes: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep processes busy, which end with this one, however it ends."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY], process_group=0) for _ in range(processes)]
    try:
        yield busy
    finally:
        for process in busy:
            process.kill()
        for process in busy:
            process.wait()


def command(seed: int, arguments: Sequence[str]) -> list[str]:
    """Return the words that run pytest with a seed."""
    words = [sys.executable, "-m", "pytest", f"--shuffle={seed}", f"--hypothesis-seed={seed}", "--no-loadscope-reorder"]
    return [*words, *arguments]


def run(seed: int, arguments: Sequence[str]) -> tuple[int, list[str]]:
    """Run the tests with a seed. Returns the status of pytest, and the tests that failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        words = [*command(seed, arguments), f"--junit-xml={report}", "-o", "junit_family=xunit1"]
        processes = str(1 + (os.cpu_count() or 1))  # as ./test has it
        around = {"PYTEST_XDIST_AUTO_NUM_WORKERS": processes} | os.environ | {"PYTHONHASHSEED": str(seed)}
        # An interrupt arrives here only, and is passed on once: the tests may end the processes that they have started.
        with subprocess.Popen(words, cwd=CHECKOUT, env=around, process_group=0) as tests:
            try:
                status = tests.wait()
            except KeyboardInterrupt:
                os.killpg(tests.pid, signal.SIGINT)
                tests.wait()
                raise
        return status, failed(report.read_text(encoding="utf-8")) if report.exists() else []


def failed(report: str) -> list[str]:
    """Return the tests that have failed in a report in JUnit's format, by their names in pytest."""
    found = []
    for case in ElementTree.fromstring(report).iter("testcase"):
        if any(case.find(what) is not None for what in ("failure", "error")):
            file = case.get("file", "")
            classes = case.get("classname", "").removeprefix(file.removesuffix(".py").replace("/", ".")).replace(".", "::")
            found.append(f"{file}{classes}::{case.get('name')}")
    return list(dict.fromkeys(found))


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.flaky", description="All other arguments go to pytest.")
    parser.add_argument("--times", type=int, default=3, help="how often (default: 3)")
    parser.add_argument("--load", type=int, default=8, help="how many processes keep the machine busy (default: 8)")
    parser.add_argument("--seed", type=int, help="the seed of the first run; each of the others has the next")
    chosen, arguments = parser.parse_known_args(words)
    arguments = arguments if any(each.startswith("-n") for each in arguments) else ["-n", "auto", *arguments]
    first = Random().randrange(1, 1_000_000) if chosen.seed is None else chosen.seed
    found: dict[str, list[int]] = defaultdict(list)
    broken: list[int] = []
    done = 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt), load(chosen.load):
        for seed in range(first, first + chosen.times):
            print(f"\n== run {seed - first + 1} of {chosen.times}, seed {seed}", flush=True)
            status, tests = run(seed, arguments)
            for test in tests:
                found[test].append(seed)
            if status and not tests:
                broken.append(seed)
            done += 1
    for line in said(found, broken, done, arguments):
        print(line)
    return 1 if found or broken or done < chosen.times else 0


def said(found: dict[str, list[int]], broken: Sequence[int], times: int, arguments: Sequence[str]) -> Iterator[str]:
    """Print which tests failed, how often, and how to repeat each failure."""
    yield f"\n== {times} runs: " + (f"{len(found)} tests have failed" if found else "no test has failed")
    for test, seeds in sorted(found.items(), key=lambda each: -len(each[1])):
        yield f"{len(seeds)} of {times}: {test}"
        yield f"    again, in that order: {again(seeds[0], arguments)}"
    for seed in broken:
        yield f"no test has failed, but the run has: {again(seed, arguments)}"


def again(seed: int, arguments: Sequence[str]) -> str:
    """Return the command that repeats a run."""
    return f"PYTHONHASHSEED={seed} {' '.join(['.venv/bin/python', *command(seed, arguments)[1:]])}"


if __name__ == "__main__":
    sys.exit(main())
