"""Moves taken back at a server: by a player alone with bots, through a restart, and counted nowhere."""

from pathlib import Path

from tests.helpers.server.gathering import at, begun, choosing, guests
from tests.helpers.server.serving import Guest, Json, play_out, refused, serving
from tests.helpers.tables import USUAL
from tests.server.test_played import asked, bring, exported, played


async def take_back(guest: Guest, table: str, version: int) -> Json:
    return dict(await guest.call("POST", f"/api/tables/{table}/take-back", {"version": version}))


async def test_taken_back_move_survives_a_restart_and_is_uncounted(tmp_path: Path) -> None:
    async with serving(tmp_path / "log.db") as server, guests(server, "Aki") as (aki,):
        table = await begun([aki], USUAL, rounds=1)
        _, before = await choosing(table, [aki], 2)
        await aki.play(table, before["version"], before["legal"][0]["action"])
        _, later = await choosing(table, [aki])
    async with serving(tmp_path / "log.db") as server, guests(server, "Ben") as (ben,):
        aki = at(server, aki)
        whole = await take_back(aki, table, later["version"])
        assert whole["view"]["legal"] == before["legal"]
        assert whole["view"]["zones"] == before["zones"]
        assert whole["head"]["practice"]
        assert (await take_back(aki, table, later["version"]))["version"] == whole["version"]
        await play_out(table, [aki])
        assert await played(aki) == {"games": [], "matches": [], "more": False, "counting": False}
        match = await exported(aki, table)
        assert (match["seat"], match["counted"]) == (None, [])
        assert match["record"]["practice"]
        assert (await refused(bring(ben, asked(match, seat=0, counted=[1]))))[1] == "bad-record"
