"""Threads that run machine code side by side: every turn, awake or asleep, and to their end."""

import gc
import os
from typing import Any

import pytest

from mekuri.engine.compiled import available
from mekuri.engine.entry import Entry, entry
from mekuri.engine.executor import MACHINE_CODE
from tests.helpers.patience import PATIENCE

pytestmark = [pytest.mark.machine_code, pytest.mark.skipif(not available(), reason="Numba is not installed")]

AT_ONCE = 0.0  # seconds: a thread that looks for no longer sleeps after each turn


@entry
def add_one(counts: Any) -> None:
    counts[0] += 1


@entry
def refuse_thrice(counts: Any) -> None:
    counts[0] += 1
    if counts[0] <= 3:
        raise ValueError("too few")


def crew_of(counts: list[Any], run: Entry[..., Any] = add_one) -> Any:
    from mekuri.engine.numba_crew import Crew

    bound: list[Any] = [MACHINE_CODE.bound(run, count) for count in counts]
    return Crew(bound)


@pytest.mark.parametrize("watch", [None, AT_ONCE])
def test_each_thread_runs_once_a_turn(watch: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    from mekuri.engine import numba_crew

    if watch is not None:
        monkeypatch.setattr(numba_crew, "WATCH", watch)
    counts = [MACHINE_CODE.zeros(1) for _ in range(3)]
    crew = crew_of(counts)
    for turn in range(1, 301):
        crew()
        assert [int(count[0]) for count in counts] == [turn] * 3


def test_error_in_another_thread_is_raised() -> None:
    ready, fresh = MACHINE_CODE.words([3]), MACHINE_CODE.words([0])
    crew = crew_of([ready, fresh], refuse_thrice)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="machine code raised an error"):
            crew()
    crew()
    assert (ready[0], fresh[0]) == (7, 4)


def test_threads_end_with_their_crew() -> None:
    crew = crew_of([MACHINE_CODE.zeros(1) for _ in range(3)])
    threads = crew._threads
    crew()
    del crew
    gc.collect()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_fork_is_refused_a_turn() -> None:
    crew = crew_of([MACHINE_CODE.zeros(1) for _ in range(2)])
    child = os.fork()
    if child == 0:
        try:
            crew()
        except RuntimeError as error:
            os._exit("fork" in str(error))
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    crew()
