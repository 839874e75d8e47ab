"""Shards done by processes of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess

from mekuri.cards.given import whole_in
from mekuri.engine.errors import MekuriError
from mekuri.lab.remote import Job, Outcome, attempt, settle
from mekuri.lab.shards import Done, Lost, Pool, Row, Run


@dataclass(frozen=True)
class Processes:
    """The executor that does shards in processes of this machine. One that dies costs the shard that it was at.

    The processes import the main module of the program, so a script has to keep what it does behind `if __name__ == "__main__":`.

    Attributes:
        number: how many processes; as many as there are cores if None.
    """

    number: int | None = None

    def __post_init__(self) -> None:
        """Raise MekuriError where `number` is below 1."""
        number = whole_in(self.number, 1)
        if self.number is not None and number is None:
            raise MekuriError(f"processes is 1 or more, not {self.number}")
        object.__setattr__(self, "number", number)

    @contextmanager
    def open(self, run: Run, done: Done) -> Iterator[Pool]:
        """Begin with a run; see `mekuri.lab.shards.Executor`."""
        pool = _Processes(run, done, min(self.number or os.cpu_count() or 1, run.shards))
        try:
            yield pool
        finally:
            pool.close()


class _Processes:
    """The pool of `Processes`. Each process is the only one of its own `ProcessPoolExecutor`, which breaks when it dies."""

    def __init__(self, run: Run, done: Done, number: int) -> None:
        self._run, self._job, self._done = run, Job(run), done
        self._idle = [_process() for _ in range(number)]
        self._busy: dict[Future[Outcome], tuple[int, ProcessPoolExecutor]] = {}
        self.room = number

    def submit(self, number: int) -> Future[Outcome]:
        process = self._idle.pop()
        try:
            future = self._start(process, number)
        except BrokenProcessPool:
            # It has died while it had nothing to do, so nothing is lost.
            process.shutdown()
            process = _process()
            future = self._start(process, number)
        self._busy[future] = number, process
        return future

    def wait(self, handles: Collection[Future[Outcome]]) -> Collection[Future[Outcome]]:
        return wait(handles, return_when=FIRST_COMPLETED).done

    def row(self, handle: Future[Outcome]) -> Row:
        number, process = self._busy.pop(handle)
        try:
            outcome = handle.result()
        except BrokenProcessPool:
            process.shutdown()
            self._idle.append(_process())
            raise Lost("it was killed, or has crashed") from None
        self._idle.append(process)
        row = settle(number, outcome)
        self._done(self._run.units(number))
        return row

    def close(self) -> None:
        """End all processes, those at work as well."""
        for process in [*self._idle, *(process for _, process in self._busy.values())]:
            for child in list((process._processes or {}).values()):
                child.terminate()
            process.shutdown(cancel_futures=True)

    def _start(self, process: ProcessPoolExecutor, number: int) -> Future[Outcome]:
        return process.submit(attempt, self._job.packed, self._job.version, self._job.about, number)


def _process() -> ProcessPoolExecutor:
    # Started anew rather than forked: a fork copies locks that other threads of this process hold.
    return ProcessPoolExecutor(1, get_context("spawn"), _begin)


def _begin() -> None:
    """Leave Ctrl-C to the process that has started this one, and end when it has gone, however that came."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent
    threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
