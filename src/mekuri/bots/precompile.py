"""Machine code of bots, made while they already play.

It is made in a process of its own, which leaves it in the cache on disk: to compile it here would hold up all that this process
serves. Once it is made, this process takes it from there.
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
_making: list[Contract] = []  # games for which something is being made
_begun: set[tuple[Contract, object]] = set()  # of games, and what makes machine code for them: bots may share it
_SOLVER = "solver"  # no bot has this name
Prepare = Callable[[Contract], None]
_MAIN = "import sys; from mekuri.bots.precompile import main; main(*sys.argv[1:])"


def begin(contract: Contract, bot: Bot) -> None:
    """Have a bot's machine code made for a game, if it has any, and has not been begun before."""
    if bot.prepare:
        _begin(contract, bot.id, bot.prepare)


def begin_solver(contract: Contract) -> None:
    """Likewise that of the solver."""
    _begin(contract, _SOLVER, prepare_solver)


def making(contract: Contract) -> bool:
    """Whether machine code is being made for a game just now."""
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
    """Be the process in which it is made."""
    from mekuri import games

    contract = games.find(game)
    prepare = prepare_solver if id == _SOLVER else find(id, contract).prepare
    assert prepare
    prepare(contract)
