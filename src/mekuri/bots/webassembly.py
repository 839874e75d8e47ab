"""The search and the solver of a game as WebAssembly: make a module of them, and think with an instance of it."""

from __future__ import annotations

from collections.abc import Callable

from mekuri.bots.ours import greedy
from mekuri.bots.search import machine_code, solve
from mekuri.engine.contract import Contract
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.webassembly import Instance, executor


def module(contract: Contract) -> bytes:
    """Return a module of a game, which takes some ten seconds of processor time where it was not made before.

    Raises:
        ImportError: Numba is not installed.
    """
    from mekuri.engine import wasm_backend

    return wasm_backend.module([machine_code.example(contract, greedy.bot, MACHINE_CODE), solve.example(contract, MACHINE_CODE)])


def use(contract: Contract, open: Callable[[], Instance]) -> None:
    """Have all bots think, and the solver solve, with an instance of a game's module, which is opened when it is first needed."""
    run = executor(open)
    machine_code.use(contract, greedy.bot, run)
    solve.use(contract, run)
