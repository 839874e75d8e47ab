"""A match that the people end before its rounds are played."""

from pathlib import Path
from random import Random

import mekuri
from tests.helpers.server.gathering import begun, guests
from tests.helpers.server.serving import Guest, act, serving
from tests.helpers.tables import USUAL, games_in_turn
from tests.helpers.time import moment


async def play_round(people: list[Guest], table: str) -> None:
    """Play until the round is over for everybody."""
    chance = Random(0)
    while not (await people[0].look(table))["view"]["over"]:
        acted = False
        for guest in people:
            whole = await guest.look(table)
            acted |= not whole["view"]["over"] and await act(guest, table, chance, whole)
        if not acted:
            await moment()


@games_in_turn(0)
async def test_when_everybody_has_had_enough(tmp_path: Path, name: str) -> None:
    async with serving(tmp_path / "db") as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, name, rounds=6)
        await play_round(people, table)
        aki, ben = people
        head = (await aki.ready(table, 1, enough=True))["head"]
        assert (head["state"], head["seats"][0]["enough"], head["seats"][1]["enough"]) == ("running", True, False)
        whole = await ben.ready(table, 1, enough=True)
        assert (whole["head"]["state"], whole["head"]["why"]) == ("over", "agreed")
        told = [event["text"]["id"] for event in await aki.events(table) if event["kind"] in ("ready", "end")]
        assert told == ["table.enough", "table.enough", "table.end-agreed"]
        match = mekuri.replay((await aki.http.get(f"/api/tables/{table}/record")).text)
        assert list(match.leading) == whole["head"]["winners"]
        assert len(match.finished) == 1


async def test_one_who_would_play_on_is_played_with(tmp_path: Path) -> None:
    async with serving(tmp_path / "db") as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, USUAL, rounds=6)
        await play_round(people, table)
        await people[0].ready(table, 1, enough=True)
        head = (await people[1].ready(table, 1))["head"]
        assert (head["state"], head["round"]) == ("running", 2)
        assert not any(seat["enough"] for seat in head["seats"])


async def test_bots_are_not_asked(tmp_path: Path) -> None:
    async with serving(tmp_path / "db") as server, guests(server, "Aki") as people:
        table = await begun(people, USUAL, rounds=6, bots=["random"])
        await play_round(people, table)
        assert (await people[0].ready(table, 1, enough=True))["head"]["why"] == "agreed"


async def test_the_log_leads_there_again(tmp_path: Path) -> None:
    async with serving(tmp_path / "db") as server, guests(server, "Aki") as people:
        table = await begun(people, USUAL, rounds=6, bots=["random"])
        await play_round(people, table)
        before = await people[0].ready(table, 1, enough=True)
        token = people[0].http.headers["authorization"]
    async with serving(tmp_path / "db") as server:
        again = Guest(server.address, headers={"authorization": token})
        assert (await again.look(table))["head"] == before["head"]
        await again.close()
