"""The maker of a table frees seats at it, until the match begins."""

import asyncio
from pathlib import Path

import pytest

from mekuri.table.rows import load
from tests.helpers.server.gathering import at, guests, pair
from tests.helpers.server.serving import Guest, Refusal, Serving, data, refused, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import moment


async def gathered(aki: Guest, ben: Guest) -> str:
    """A table that Aki has made, at which Ben sits."""
    table = await aki.make(USUAL, **pair(USUAL))
    await ben.sit(table, seat=1)
    return table


async def free(maker: Guest, table: str, seat: int = 1, version: int | None = None, **more: object) -> None:
    seen = (await maker.look(table))["version"] if version is None else version
    await maker.call("POST", f"/api/tables/{table}/free", {"seat": seat, "version": seen, **more})


@pytest.mark.alone
async def test_freed_seat_is_announced_and_can_be_taken(server: Serving, aki: Guest, ben: Guest) -> None:
    table = await gathered(aki, ben)
    async with ben.stream(table) as stream:
        while (await anext(stream)).event != "table":
            pass
        await free(aki, table)
        messages = (message async for message in stream if message.event != "presence")
        pair = [data(await anext(messages)) for _ in range(2)]
        assert (pair[0]["kind"], pair[0]["seat"], pair[0]["text"]) == ("leave", 1, {"id": "table.freed", "args": {"name": "Ben"}})
        assert pair[1]["you"] is None
    assert (await ben.sit(table))["you"] is not None


async def test_guest_of_a_freed_seat_is_not_kept_out_after_a_restart(server: Serving, aki: Guest, ben: Guest) -> None:
    table = await gathered(aki, ben)
    await free(aki, table)
    await ben.sit(table)
    rows = await server.desk.store.rows(table)
    match = await server.desk.store.match(table)
    assert match
    assert load(table, match.root, rows).people.kept_out == set()


async def test_exclusion_holds_in_every_process_and_after_restart(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "mekuri.db") as one,
        serving(tmp_path / "mekuri.db") as two,
        guests(one, "Aki", "Ben") as (aki, ben),
    ):
        table = await gathered(aki, ben)
        there = at(two, ben)
        await there.look(table)
        await free(aki, table, keep_out=True)
        while (await there.look(table))["head"]["seats"][1]["name"]:
            await moment()  # until the other process has heard of it
        for guest in (ben, there):
            assert await refused(guest.sit(table)) == (403, "kept-out")
        await there.close()
        async with serving(tmp_path / "mekuri.db") as again:
            back = at(again, ben)
            with pytest.raises(Refusal, match="kept-out"):
                await back.sit(table)


@pytest.mark.alone
async def test_maker_of_a_table_has_a_seat_number(aki: Guest, ben: Guest) -> None:
    table = await gathered(aki, ben)
    assert (await ben.look(table))["head"]["maker"] is None
    await aki.sit(table)
    assert (await ben.look(table))["head"]["maker"] == 0


@pytest.mark.alone
async def test_only_the_maker_frees_seats(aki: Guest, ben: Guest) -> None:
    table = await gathered(aki, ben)
    assert await refused(free(ben, table)) == (403, "not-maker")


@pytest.mark.alone
async def test_maker_cannot_exclude_the_maker(aki: Guest, ben: Guest) -> None:
    table = await gathered(aki, ben)
    await ben.leave(table)
    await aki.sit(table, seat=1)
    await free(aki, table, keep_out=True)
    assert (await aki.sit(table))["you"] == 0


@pytest.mark.alone
async def test_invalid_freeing_is_refused(aki: Guest, ben: Guest) -> None:
    table = await gathered(aki, ben)
    for seat, version, error in (
        (0, None, "seat-empty"),
        (2, None, "no-seat"),
        (1, 0, "stale"),
        (1, 9, "ahead"),
        (-1, None, "malformed"),
    ):
        with pytest.raises(Refusal, match=error):
            await free(aki, table, seat, version)
    await aki.sit(table)
    with pytest.raises(Refusal, match="begun"):
        await free(aki, table)


@pytest.mark.parametrize("keep_out", [False, True])
async def test_repeated_freeing_changes_nothing(tmp_path: Path, keep_out: bool) -> None:
    """Also at another process, and when another person sits there by then, or the match has begun."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as one, serving(path) as two, guests(one, "Aki", "Ben", "Chiyo") as (aki, ben, chiyo):
        table, there = await gathered(aki, ben), at(two, aki)
        version = (await aki.look(table))["version"]
        await free(aki, table, version=version, keep_out=keep_out)
        await free(there, table, version=version, keep_out=keep_out)
        with pytest.raises(Refusal, match="stale"):
            await free(aki, table, version=version, keep_out=not keep_out)
        await chiyo.sit(table, seat=1)
        await free(there, table, version=version, keep_out=keep_out)
        assert (await chiyo.look(table))["you"] == 1
        await aki.sit(table, seat=0)
        await free(aki, table, version=version, keep_out=keep_out)
        assert (await chiyo.look(table))["head"]["state"] == "running"


@pytest.mark.alone
async def test_repeated_freeing_of_own_seat_changes_nothing(server: Serving, aki: Guest, ben: Guest) -> None:
    table = await aki.make(USUAL, **pair(USUAL))
    await aki.sit(table, seat=1)
    version = (await aki.look(table))["version"]
    for _ in range(2):
        await free(aki, table, version=version)
    await ben.sit(table, seat=1)
    await free(aki, table, version=version)
    assert (await ben.look(table))["you"] == 1


async def test_freeing_removes_only_the_seen_player(tmp_path: Path) -> None:
    """Freeing removes only the player that the maker has seen, never a newcomer, and interrupts no match."""
    async with (
        serving(tmp_path / "mekuri.db") as one,
        serving(tmp_path / "mekuri.db") as two,
        guests(one, "Aki", "Ben", "Chiyo") as (aki, ben, chiyo),
    ):
        there = at(two, chiyo)
        for _ in range(8):
            table = await gathered(aki, ben)
            seen = (await aki.look(table))["version"]
            await asyncio.gather(
                free(aki, table, version=seen), ben.leave(table), there.sit(table), aki.sit(table), return_exceptions=True
            )
            rows = await one.desk.store.rows(table)
            match = await one.desk.store.match(table)
            assert match
            assert load(table, match.root, rows).rounds == sum(row.kind == "round" for row in rows)
            # Only Ben was meant.
            assert all(rows[row.n - 1].kind == "sit" and rows[row.n - 1].person == ben.id for row in rows if row.kind == "free")
