"""Databases of earlier versions, with matches under way: opened, played on, killed, backed up, restored."""

import asyncio
import json
import shutil
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mekuri.match.verify import verify
from tests.helpers.folders import OLDER
from tests.helpers.older import counted, renamed, unordered
from tests.helpers.server import databases
from tests.helpers.server.child import Child
from tests.helpers.server.databases import place, restored_to, unpacked
from tests.helpers.server.gathering import hearing
from tests.helpers.server.serving import Guest, Json, Refusal, act, serving
from tests.helpers.server.stores import sql
from tests.helpers.time import Counting, moment, until

THEN = 1_800_000_100_000  # a moment after they were written
FOREVER = ("--forgotten", "2000000000", "--alone", "2000000000", "--unused", "2000000000")
VOTE, WINDOW = "unseen", "window"


def stored(version: str) -> dict[str, Any]:
    return dict(json.loads((OLDER / version / "database.json").read_text("utf-8")))


def packed(version: str) -> Path:
    return OLDER / version / "mekuri.db.gz"


def comers(address: str, version: str) -> list[Guest]:
    """Return the players, with the tokens that they got then."""
    return [Guest(address, headers={"authorization": f"Bearer {token}"}) for token in stored(version)["tokens"].values()]


async def play_on(people: list[Guest], table: str, chance: Random, least: int) -> None:
    """Play until so many things more have been seen, or the match is over."""
    goal = (await people[0].look(table))["version"] + least
    while (whole := await people[0].look(table))["head"]["state"] == "running" and whole["version"] < goal:
        if not any([await tried(guest, table, chance) for guest in people]):
            await moment()


async def tried(guest: Guest, table: str, chance: Random) -> bool:
    """Do the owed action, unless silence has answered meanwhile."""
    try:
        return await act(guest, table, chance)
    except Refusal as refused:
        if refused.error not in ("stale", "decided-otherwise"):
            raise
        return True


async def test_matches_of_an_older_database_continue(tmp_path: Path) -> None:
    """Of the second: every game, a vote of which one half is given, and a window that is open."""
    then, chance = stored("second"), Random(1)
    path = unpacked(packed("second"), tmp_path / "mekuri.db")
    if not databases.running:
        assert sql(path, "select version_num from alembic_version") == [(then["revision"],)]
    async with serving(path, time=Counting(THEN, 50)) as server:
        people = comers(server.address, "second")
        for name, table in then["tables"].items():
            if name != WINDOW:  # whose time is over by now
                for guest, view in zip(people, then["views"][name], strict=True):
                    now = (await guest.look(table))["view"]
                    assert {key: unordered(now)[key] for key in renamed(view)} == renamed(view) | {
                        "score": counted(view["score"])
                    }, name
            version = (await people[0].look(table))["version"]
            await play_on(people, table, chance, 4)
            assert (await people[0].look(table))["version"] > version, name
        for guest in people:
            await guest.close()


def running(version: str) -> list[str]:
    """The tables at which two people play."""
    then = stored(version)
    return list(then["tables"].values()) if "tables" in then else [then["running"]]


async def command(*words: str) -> str:
    """Return the output of a command in a separate process. It must succeed."""
    made = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "mekuri", *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await made.communicate()
    assert made.returncode == 0, err.decode()
    return out.decode()


async def restarted(child: Child, number: signal.Signals) -> None:
    """End a server and start it again."""
    child.send(number)
    await child.ended()
    await child.start()
    assert child.out, child.err


@pytest.mark.slow
@pytest.mark.parametrize("version", ["first", "second"])
async def test_older_database_survives_kill_backup_and_restore(tmp_path: Path, version: str) -> None:
    """With real programs: migrated, killed and started, backed up, restored; players read the notice and start anew."""
    path, file, chance = unpacked(packed(version), tmp_path / "mekuri.db"), tmp_path / "backup.db", Random(version)
    if not databases.running:
        shutil.copy(path, tmp_path / "as it was.db")
    child = Child(path, more=FOREVER)
    await child.start()
    people = comers(child.address, version)
    tables = running(version)
    try:
        for table in tables:
            await play_on(people, table, chance, 3)
        before = [[await guest.look(table) for guest in people] for table in tables]
        await restarted(child, signal.SIGKILL)
        for table, wholes in zip(tables, before, strict=True):
            for guest, whole in zip(people, wholes, strict=True):
                now = await guest.look(table)
                assert now["version"] >= whole["version"], "what was acknowledged is there, and bots have gone on at most"
            await play_on(people, table, chance, 3)
        await command("backup", str(file), "--database", str(place(path)))
        versions = [(await people[0].look(table))["version"] for table in tables]
        for table in tables:
            await play_on(people, table, chance, 3)
        child.send(signal.SIGTERM)
        await child.ended()
        said = await command("restore", str(file), "--database", str(place(restored_to(path))))
        closed = sql(file, "select count(*) from matches where state = 'running'")[0][0]
        assert f"matches that were being played, and are void: {closed}" in said
        child = Child(restored_to(path), child.port, more=FOREVER)
        await child.start()
        for table, version_then in zip(tables, versions, strict=True):
            await begin_anew(people, table, version_then, chance)
        if not databases.running:
            for one, revision in ((path, "select version_num from alembic_version"), (tmp_path / "as it was.db", "select 1")):
                assert sql(one, "pragma integrity_check") == [("ok",)]
                assert sql(one, revision)
    finally:
        await child.kill()
        for guest in people:
            await guest.close()


async def begin_anew(people: list[Guest], table: str, version: int, chance: Random) -> None:
    """Read that the match is void and why, look at its record, and play another at the same table's rules to its end."""
    whole: Json = await people[0].look(table)
    if whole["head"]["why"] == "played":
        return  # it was over before the backup
    assert (whole["head"]["state"], whole["head"]["why"], whole["head"]["winners"]) == ("over", "restored", None)
    async with hearing(people[1], table, last=str(version)) as heard:
        await until(lambda: any(event["text"]["id"] == "table.end-restored" for event in heard.of("event")))
    assert verify((await people[0].http.get(f"/api/tables/{table}/record")).text)
    again = await people[0].rematch(table)
    for guest in people:
        await guest.sit(again["id"])
    await play_on(people, again["id"], chance, 5)
    assert (await people[0].look(again["id"]))["version"] > 5
