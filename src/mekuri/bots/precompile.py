"""Compile the machine code of bots and of the solver in the background, while the bots already play without it.

A process of its own compiles into the cache on disk, because compiling holds up every other thread of its process. Then this
process loads the machine code from the cache.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable

from mekuri.bots.registry import find
from mekuri.bots.search.solve import prepare_solver
from mekuri.engine.bot import Bot
from mekuri.engine.compiled import available
from mekuri.engine.contract import Contract

_log = logging.getLogger("mekuri.bots")
_log.addHandler(logging.NullHandler())
_lock = threading.Lock()
_making: list[Contract] = []  # games for which something is being compiled, once for each such compilation
_begun: set[tuple[Contract, object]] = set()  # games and `prepare` functions that have been started; bots may share a function
_SOLVER = "solver"  # stands for the solver where a bot's name is expected; no bot has this name
Prepare = Callable[[Contract], None]
_MAIN = "import sys; from mekuri.bots.precompile import main; main(*sys.argv[1:])"


def begin(contract: Contract, bot: Bot) -> None:
    """Start compiling a bot's machine code for a game. Does nothing where the bot has none, or that has been started before."""
    if bot.prepare:
        _begin(contract, bot.id, bot.prepare)


def begin_solver(contract: Contract) -> None:
    """Start compiling the solver's machine code for a game. Does nothing where that has been started before."""
    _begin(contract, _SOLVER, prepare_solver)


def making(contract: Contract) -> bool:
    """Return whether machine code for a game is being compiled at present."""
    return contract in _making


def _begin(contract: Contract, id: str, prepare: Prepare) -> None:
    with _lock:
        if not available() or (contract, prepare) in _begun:
            return
        _begun.add((contract, prepare))
        _making.append(contract)
    threading.Thread(target=_make, args=(contract, id, prepare), daemon=True).start()


def _make(contract: Contract, id: str, prepare: Prepare) -> None:
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-c", _MAIN, contract.id, id]
    try:
        subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, check=True, start_new_session=True)
        prepare(contract)
    except Exception as error:
        _log.warning("The bot %s plays %s without machine code: %s", id, contract.id, error)
    finally:
        with _lock:
            _making.remove(contract)


def main(game: str, id: str) -> None:
    """Compile the machine code of a bot for a game; this runs in the process of its own.

    Args:
        game: the game's name.
        id: the bot's name, or `solver`.
    """
    from mekuri import games

    contract = games.find(game)
    prepare = prepare_solver if id == _SOLVER else find(id, contract).prepare
    assert prepare
    prepare(contract)
