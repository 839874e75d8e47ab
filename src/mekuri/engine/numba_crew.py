"""Threads that run bound entries side by side, again and again.

A step of some thousand tables takes less time than the system takes to wake a thread. So a thread that has run its entry waits for
the next turn in machine code, without Python's lock, and sleeps only if no turn comes for a while.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import njit, types
from numba.extending import intrinsic

from mekuri.engine.numba_calls import FAILED, RAISED, Bound

WATCH = 100e-6  # seconds for which a thread looks for the next turn before it sleeps
_TRIES, _TRIED = 9, 2000  # how often it is measured how long so many looks take
_APART = 16  # words from a thread's own to the next thread's, so that no two lie in a line of a cache
_TURN, _STOP = 0, -1  # the word that counts turns, and its last value
_FAILS = 1  # the place of the mark that an entry has raised an error
_SLEEPS = 1  # the place of the mark that a thread sleeps, after the turn that it has run
_PAUSES = binding.get_process_triple().startswith(("x86_64", "i686"))


@intrinsic
def _read(_: Any, words: Any, place: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.load_atomic(builder.gep(data, [values[1]]), "acquire", 8)

    return types.int64(words, types.int64), build


@intrinsic
def _write(_: Any, words: Any, place: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        builder.store_atomic(values[2], builder.gep(data, [values[1]]), "release", 8)
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64), build


@intrinsic
def _call(_: Any, code: Any, block: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        function = builder.inttoptr(values[0], ir.FunctionType(word, [word]).as_pointer())
        return builder.call(function, [values[1]])

    return types.int64(types.int64, types.int64), build


@intrinsic
def _pause(_: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        if _PAUSES:
            nothing = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", fnty=nothing), [])
        return context.get_dummy_value()

    return types.none(), build


@njit(nogil=True, _nrt=False)
def _serve(words: Any, own: int, looks: int, code: int, block: int) -> None:
    """Run an entry at each turn, until none comes for so many looks."""
    left = looks
    while left:
        turn = _read(words, _TURN)
        if turn == _STOP:
            return
        if turn != _read(words, own):
            if _call(code, block) == FAILED:
                _write(words, _FAILS, 1)
            _write(words, own, turn)
            left = looks
        else:
            _pause()
            left -= 1


@njit(nogil=True, _nrt=False)
def _ended(words: Any, looks: int) -> bool:
    """Whether all threads have run the present turn. It looks so often for each."""
    for own in range(_APART, len(words), _APART):
        left = looks
        while _read(words, own) != words[_TURN]:
            if left == 0:
                return False
            _pause()
            left -= 1
    return True


class Crew:
    """A function that runs several bound entries at once: the first in the thread that calls, each other in a thread of its own."""

    def __init__(self, parts: Sequence[Bound]) -> None:
        """Start the threads. They end when the crew is no longer in use."""
        self._own, *others = parts
        self._words = np.zeros(_APART * len(parts), np.int64)
        self._looks = _looks()
        self._bells: list[SimpleQueue[None]] = [SimpleQueue() for _ in others]
        self._threads = [
            Thread(target=_work, args=(self._words, _APART * k, self._looks, part, bell), daemon=True)
            for k, (part, bell) in enumerate(zip(others, self._bells), 1)
        ]
        for thread in self._threads:
            thread.start()
        weakref.finalize(self, _stop, self._words, self._bells)

    def __call__(self) -> int:
        """Run each entry once, and return what the first returns.

        Raises:
            RuntimeError: an entry raised an error, or this process is a fork of the one that has the threads.
        """
        self._words[_TURN] += 1
        for k, bell in enumerate(self._bells, 1):
            if self._words[_APART * k + _SLEEPS]:
                bell.put(None)
        try:
            found = self._own()
        finally:
            self._await()
        if self._words[_FAILS]:
            self._words[_FAILS] = 0
            raise RuntimeError(RAISED)
        return found

    def _await(self) -> None:
        while not _ended(self._words, self._looks):
            if not all(thread.is_alive() for thread in self._threads):
                raise RuntimeError("threads do not survive a fork: make the environment in the process that uses it")
            time.sleep(0)  # a core for a thread that wakes


def _work(words: Any, own: int, looks: int, part: Bound, bell: SimpleQueue[None]) -> None:
    """Run a part at each turn, until the last. Python's lock makes the mark and the last look at the turn one act."""
    while words[_TURN] != _STOP:
        _serve(words, own, looks, part.code, part.block)
        words[own + _SLEEPS] = 1
        if words[_TURN] == words[own]:
            bell.get()
        words[own + _SLEEPS] = 0


def _stop(words: Any, bells: Sequence[SimpleQueue[None]]) -> None:
    words[_TURN] = _STOP
    for bell in bells:
        bell.put(None)


def _looks() -> int:
    """Return how many looks for a turn take as long as `WATCH`, by the quickest of some tries."""
    words, tries = np.zeros(_APART, np.int64), []
    _serve(words, 0, 1, 0, 0)  # is compiled
    for _ in range(_TRIES):
        begun = time.perf_counter()
        _serve(words, 0, _TRIED, 0, 0)
        tries.append(time.perf_counter() - begun)
    return max(1, int(_TRIED * WATCH / min(tries)))
