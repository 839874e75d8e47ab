"""Machine code of bots, made while they already play.

It is made in a process of its own, which leaves it in the cache on disk: to compile it here would hold up all that this process
serves. Once it is made, this process takes it from there.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading

from mekuri.bots.registry import find
from mekuri.engine.bot import Bot
from mekuri.engine.compiled import available
from mekuri.engine.contract import Contract

_log = logging.getLogger("mekuri.bots")
_log.addHandler(logging.NullHandler())
_lock = threading.Lock()
_begun: set[tuple[Contract, object]] = set()  # of games, and what makes machine code for them: bots may share it
_MAIN = "import sys; from mekuri.bots.background import main; main(*sys.argv[1:])"


def begin(contract: Contract, bot: Bot) -> None:
    """Have a bot's machine code made for a game, if it has any, and has not been begun before."""
    with _lock:
        if bot.prepare is None or not available() or (contract, bot.prepare) in _begun:
            return
        _begun.add((contract, bot.prepare))
    threading.Thread(target=_make, args=(contract, bot), daemon=True).start()


def _make(contract: Contract, bot: Bot) -> None:
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-c", _MAIN, contract.id, bot.id]
    try:
        subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, check=True, start_new_session=True)
        assert bot.prepare
        bot.prepare(contract)
    except Exception as error:
        _log.warning("The bot %s plays %s without machine code: %s", bot.id, contract.id, error)


def main(game: str, bot: str) -> None:
    """Be the process in which it is made."""
    from mekuri import games

    contract = games.find(game)
    prepare = find(bot, contract).prepare
    assert prepare
    prepare(contract)
