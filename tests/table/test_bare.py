"""Tables where there are no threads, no NumPy, no Numba, no database and no server: as in a browser's worker."""

import subprocess
import sys

FORBIDDEN = ("numba", "numpy", "sqlalchemy", "alembic", "aiosqlite", "litestar", "uvicorn", "textual", "rich", "mekuri.server")

# Plays a match of every game with a person and bots, and comes to the same table from its rows.
PLAYED = f"""
import importlib.abc, random, sys, threading

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
from mekuri.table import commands
from mekuri.table.table import Table

for name in games.names():
    chance, root, at = random.Random(name), bytes(32), 1000
    table = commands.make("t", root, AskTable(game=name, match_options={{"rounds": "2"}}), "ann", at)
    commands.sit(table, "ann", "Ann", AskSeat(), at)
    seat = commands.seat_of(table, "ann")
    while table.state != "over":
        at += 1
        turn = commands.bot_turn(table, at)
        legal = table.whole(seat, []).view.legal
        if legal:
            action = chance.choice(legal).action
            commands.play(table, "ann", AskAction(version=table.version(seat), action=action), at)
        elif turn:
            commands.bot_answer(table, at, turn, commands.think(turn))
        else:
            commands.ready(table, "ann", AskReady(round=table.rounds), at)
    again = Table.load("t", root, table.fresh)
    assert (again.whole(seat, []), again.record) == (table.whole(seat, []), table.record)
    print(name)
"""


def test_whole_matches() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) >= 6
