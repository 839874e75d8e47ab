"""Tables where there are no threads, no NumPy, no Numba, no database and no server: as in a browser's worker."""

import subprocess
import sys

import pytest

FORBIDDEN = ("numba", "numpy", "sqlalchemy", "alembic", "litestar", "uvicorn", "textual", "rich", "mekuri.server")

# Plays a match of every game with a person and bots over a store in memory, and comes to the same table from its rows.
PLAYED = f"""
import asyncio, importlib.abc, random, sys, threading

class Forbidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in {FORBIDDEN!r}):
            raise ModuleNotFoundError(f"{{name}} is not here", name=name)
        return None

sys.meta_path.insert(0, Forbidden())

def start(self):
    raise RuntimeError("can't start new thread")

threading.Thread.start = start

from mekuri import games
from mekuri.protocol.table import AskReady, AskAction, AskSeat, AskTable
from mekuri.table.rows import load
from mekuri.table.showing import record_of, show
from mekuri.table import commands
from mekuri.table.memory_store import MemoryStore
from mekuri.table.session import Context, Session, new_match
from mekuri.table.table import Table
from mekuri.table.tasks import Tasks
from mekuri.table.time import REAL

ROOT = bytes(32)

async def play(name):
    chance, log, time = random.Random(name), MemoryStore(REAL), REAL
    await log.add_person("ann", "hash", "Ann")
    await log.add_match(new_match(commands.make("t", ROOT, AskTable(game=name, match_options={{"rounds": "2"}}), "ann", 1000)))

    async def read(id):
        return load(id, ROOT, await log.rows(id), names={{"ann": "Ann"}})

    async def choose(turn):
        return commands.Answer(commands.think(turn), turn.bot)

    session = Session("t", Context(log, time, read, choose, Tasks()))
    await session.do(lambda table, at: commands.sit(table, "ann", "Ann", AskSeat(), at))
    seat = commands.seat_of(session.table, "ann")

    def act(table, at):
        legal = show(table, seat).view.legal
        if legal:
            asked = AskAction(version=table.version(seat), action=chance.choice(legal).action)
            commands.play(table, "ann", asked, at)
        elif table.resting:
            commands.ready(table, "ann", AskReady(round=table.rounds), at)

    while session.table.state != "over":
        await session.do(act)
        if session.bots:
            await session.bots
    again = await read("t")
    assert (show(again, seat), record_of(again)) == (show(session.table, seat), record_of(session.table))
    session.stop()
    assert not await log.count_results("ann")
    assert [one.match for one in await log.results("ann")] == ["t"]

for name in games.names():
    asyncio.run(play(name))
    print(name)

assert not {"mekuri.bots.apart", "mekuri.table.bot_pool"} & sys.modules.keys()
"""


@pytest.mark.every_days(4)
def test_whole_matches() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) >= 6
