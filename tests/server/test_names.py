"""Names on a server: refusals, stored names, and look-alikes at one table."""

from pathlib import Path

import pytest

from mekuri.terminal.base.online import join_table
from tests.helpers.server.gathering import at, guests, pair
from tests.helpers.server.serving import Guest, Refusal, Serving, refused, serving
from tests.helpers.server.stores import write
from tests.helpers.tables import USUAL


@pytest.mark.alone
@pytest.mark.parametrize(("asked", "error"), [("\u3164", "name-sign"), ("Grееdy", "name-reserved"), ("Guest 7", "name-reserved")])
async def test_invalid_name_gets_400(server: Serving, aki: Guest, asked: str, error: str) -> None:
    assert await refused(Guest(server.address).arrive(asked)) == (400, error)
    with pytest.raises(Refusal, match=error):
        await aki.call("POST", "/api/guests", {"name": asked})
    assert (await aki.call("GET", "/api/guests/me"))["name"] == "Aki"


@pytest.mark.alone
async def test_name_of_10_000_letters_is_refused(aki: Guest) -> None:
    with pytest.raises(Refusal, match="name-long"):
        await aki.call("POST", "/api/guests", {"name": "A\u0301" * 5000})


async def test_reserved_name_of_the_server_is_refused(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db", reserved=("Klub Tokyo",)) as server:
        with pytest.raises(Refusal, match="name-reserved"):
            await Guest(server.address).arrive("klub tokyo")


@pytest.mark.alone
async def test_assigned_name_can_be_submitted_again(server: Serving) -> None:
    guest = await Guest(server.address).arrive("Aki")
    given = (await guest.call("POST", "/api/guests", {"name": "Ben"}))["name"]
    assert (await guest.call("POST", "/api/guests", {"name": given}))["name"] == given
    nobody = Guest(server.address)
    visitor = await nobody.call("POST", "/api/guests", {})
    nobody.http.headers["authorization"] = f"Bearer {visitor['token']}"
    assert (await nobody.call("POST", "/api/guests", {"name": visitor["name"]}))["name"] == visitor["name"]


async def test_stored_unsafe_name_is_shown_safely(server: Serving, aki: Guest, tmp_path: Path) -> None:
    table = await aki.make(USUAL, **pair(USUAL))
    await write(tmp_path / "mekuri.db", "UPDATE people SET name = ? WHERE id = ?", ["\u202e\u3164", aki.id])
    async with serving(tmp_path / "mekuri.db") as again:
        there = at(again, aki)
        assert (await there.sit(table))["head"]["seats"][0]["name"] == "?"
        with pytest.raises(Refusal, match="name-sign"):
            await there.call("POST", "/api/guests", {"name": "\u202eAki"})
        assert (await there.call("POST", "/api/guests", {"name": "Aki"}))["name"] == "Aki"


async def test_terminal_numbers_look_alike_names(server: Serving) -> None:
    async with guests(server, "Aki", "Аki") as (aki, other):
        table = await aki.make(USUAL, **pair(USUAL))
        await aki.sit(table)
        head = (await other.sit(table))["head"]
        assert [seat["name"] for seat in head["seats"]] == ["Aki", "Аki (2)"]
        play = await join_table(f"{server.address}/t/{table}", "", "", watch=True, pace=0)
        assert play.seats == ("Aki", "Аki (2)")
