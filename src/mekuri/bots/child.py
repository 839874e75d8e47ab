"""The process that runs a bot of another package: it loads the bot, writes its description as JSON, and answers requests."""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from operator import index
from queue import SimpleQueue
from typing import IO, Any, SupportsIndex

from mekuri.bots.registry import UnfinishedBot, load
from mekuri.bots.wire import unpacked
from mekuri.engine.bot import Bot


def main(name: str) -> None:
    """Load a bot and answer its requests until standard input is closed; the process then exits.

    Args:
        name: the bot's name.
    """
    asked, answers = _own_lines()
    try:
        bot = load(name)
    except UnfinishedBot as error:
        _say(answers, {"failed": error.why})
        return
    games = None if bot.games is None else list(bot.games)
    about = {"name": dict(bot.name), "help": dict(bot.help), "games": games}
    _say(answers, {**about, "strength": bot.strength, "compiled": bot.compiled, "weights": bot.weights})
    while True:
        _say(answers, _answer(bot, asked.get()))


def _own_lines() -> tuple[SimpleQueue[bytes], IO[bytes]]:
    """Take over standard input and output: return a queue of the lines that arrive, and a file for answers.

    The bot itself then reads nothing from standard input, and all that it prints goes to standard error.
    """
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    asked: SimpleQueue[bytes] = SimpleQueue()

    def listen() -> None:
        for line in lines:
            asked.put(line)
        os._exit(0)  # the parent process is gone, and the bot's thread may never end by itself

    threading.Thread(target=listen, daemon=True).start()
    return asked, answers


def _answer(bot: Bot, line: bytes) -> dict[str, Any]:
    try:
        chosen = bot.choose_each(*unpacked(line))
    except BaseException as error:
        # Without the error's message, which may name hidden cards and might be written into a server's log.
        *_, last = traceback.extract_tb(error.__traceback__)
        return {"failed": f"raised {type(error).__name__} ({last.filename}, line {last.lineno})"}
    try:
        return {"actions": [index(action) for action in chosen]}
    except TypeError:
        wrong = next((action for action in chosen if not isinstance(action, SupportsIndex)), None)
        return {"failed": f"has given a {type(wrong).__name__}, which is no action"}


def _say(answers: IO[bytes], message: dict[str, Any]) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
