"""A desk where there are no threads, no NumPy, no Numba, no database and no server: as in a browser's worker."""

import subprocess
import sys

import pytest

FORBIDDEN = (
    "numba",
    "numpy",
    "sqlalchemy",
    "alembic",
    "litestar",
    "prometheus_client",
    "uvicorn",
    "textual",
    "rich",
    "mekuri.server",
)

# Plays a match of every game with a person and bots through a front over a store in memory, and reads the same table from its rows.
PLAYED = f"""
import asyncio, importlib.abc, json, random, sys, threading

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
from mekuri.desk.desk import Desk
from mekuri.desk.front import Front
from mekuri.desk.memory_store import MemoryStore
from mekuri.desk.options import Options
from mekuri.table.time import REAL

desk = Desk(MemoryStore(REAL), Options(pace=0))
front, token = Front(desk), None

async def ask(method, url, body=None):
    reply = await front.ask(method, url, json.dumps(body).encode() if body is not None else b"", token)
    answer = json.loads(reply.body)
    assert reply.status < 300, answer
    return answer

async def play(name):
    chance = random.Random(name)
    made = await ask("POST", "/api/tables", {{"game": name, "match_options": {{"rounds": "2"}}}})
    path = f"/api/tables/{{made['id']}}"
    await ask("POST", f"{{path}}/seat", {{}})
    while (whole := await ask("GET", path))["head"]["state"] == "running":
        view = whole["view"]
        if view["legal"]:
            action = chance.choice(view["legal"])["action"]
            await ask("POST", f"{{path}}/actions", {{"version": view["version"], "action": action}})
        elif view["over"]:
            await ask("POST", f"{{path}}/ready", {{"round": whole["head"]["round"]}})
        else:
            await asyncio.sleep(0)
    record = await ask("GET", f"{{path}}/record")
    live = desk.tables.live_tables[made["id"]]
    while live.busy:
        await asyncio.sleep(0)
    desk.tables.put_away(live)
    assert (await ask("GET", path), await ask("GET", f"{{path}}/record")) == (whole, record)
    assert desk.tables.live_tables[made["id"]] is not live

async def main():
    global token
    token = (await ask("POST", "/api/guests", {{"name": "Ann"}}))["token"]
    for name in games.names():
        await play(name)
        print(name)
    assert len((await ask("GET", "/api/guests/matches"))["matches"]) == len(games.names())
    await desk.close()

asyncio.run(main())
assert not {{"mekuri.bots.apart", "mekuri.table.bot_pool"}} & sys.modules.keys()
"""


@pytest.mark.every_days(4)
def test_whole_matches_run_without_libraries() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) >= 6
