"""Playing again after a match: one table for all players of the old one, for any number of requests."""

import asyncio
import json
from pathlib import Path

import pytest

from mekuri import replay
from mekuri.match.verify import verify
from tests.helpers.server.gathering import at, begun, full, guests, hearing, kinds_in_turn, pair
from tests.helpers.server.serving import Guest, Refusal, Serving, play_out, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime

GRACE = 30


async def played(people: list[Guest], name: str = USUAL, rounds: int = 1) -> str:
    """A table at which a match is over."""
    table = await begun(people, name, rounds)
    await play_out(table, people)
    return table


@pytest.mark.alone
@kinds_in_turn(0)
async def test_players_get_the_same_table(people: list[Guest], name: str) -> None:
    old = await played(people, name)
    watcher = Guest(str(people[0].http.base_url))
    async with hearing(people[1], old) as seated, hearing(watcher, old) as watching:
        found = [await guest.rematch(old) for guest in (*people, people[0])]
        assert len({table["id"] for table in found}) == 1
        for line in (seated, watching):
            event = await line.some("event", lambda event: event["kind"] == "rematch")
            assert event["head"]["rematch"] == {"table": found[0]["id"], "seat": 0}
            assert event["text"] == {"id": "table.rematch", "args": {"name": "Aki"}}
            assert len([event for event in line.of("event") if event["kind"] == "rematch"]) == 1
    assert (await watcher.look(old))["head"]["rematch"]["table"] == found[0]["id"]
    await watcher.close()

    first, was = found[0], await people[0].look(old)
    same = ("game", "ruleset", "options", "match_options", "length", "public", "seating")
    assert {each: first[each] for each in same} == {each: was[each] for each in same}
    assert [seat["kept_for"] for seat in first["head"]["seats"]] == [seat["name"] for seat in was["head"]["seats"]]
    for guest in reversed(people):  # in whatever order they come
        await guest.sit(first["id"])
    for guest in people:
        assert (await guest.look(first["id"]))["you"] == (await guest.look(old))["you"]
    assert [seat["kept_for"] for seat in (await people[0].look(first["id"]))["head"]["seats"]] == [None] * len(
        first["head"]["seats"]
    )


@pytest.mark.alone
@kinds_in_turn(1)
async def test_deal_passes_on_and_is_recorded(people: list[Guest], name: str) -> None:
    table = await played(people, name)
    for _ in range(3):
        last = replay(json.dumps(await people[0].call("GET", f"/api/tables/{table}/record")))
        following = await people[0].rematch(table)
        assert following["first_dealer"] == last.round.next_dealer
        for guest in people:
            await guest.sit(following["id"])
        table = following["id"]
        await play_out(table, people)
        record = json.dumps(await people[0].call("GET", f"/api/tables/{table}/record"))
        assert replay(record).finished[0].dealer == last.round.next_dealer
        text = str(verify(record, following["head"]["commitment"]))
        assert "dealt first, by no lot" in text


async def test_concurrent_rematches_make_one_table(tmp_path: Path) -> None:
    """Also at two processes; each of the people sees it as one."""
    path = tmp_path / "mekuri.db"
    async with serving(path) as one, serving(path) as two, guests(one, "Aki", "Ben") as people:
        old = await played(people)
        lines = [at(server, guest) for server in (one, two) for guest in people]
        for line in lines:
            await line.look(old)
        found = await asyncio.gather(*(line.rematch(old) for line in lines))
        assert len({table["id"] for table in found}) == 1
        # The late request has left no rows.
        assert sql(path, "select count(*) from matches") == [(2,)]
        for line in lines:
            await line.close()


async def test_rematch_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "mekuri.db"
    async with serving(path) as server, guests(server, "Aki", "Ben") as people:
        old = await played(people)
        following = await people[0].rematch(old)
        await people[0].sit(following["id"])
        tokens = [dict(guest.http.headers) for guest in people]
    async with serving(path) as server:
        again = [Guest(server.address, headers={"authorization": headers["authorization"]}) for headers in tokens]
        assert (await again[1].rematch(old))["id"] == following["id"]
        assert (await again[1].sit(following["id"]))["head"]["state"] == "running"


class TestSeats:
    async def test_seats_are_reserved_for_a_while(self, tmp_path: Path) -> None:
        time = FakeTime()
        async with serving(tmp_path / "mekuri.db", time, grace=GRACE) as server, guests(server, "Aki", "Ben", "Eve") as people:
            aki, ben, eve = people
            old = await played([aki, ben])
            table = (await aki.rematch(old))["id"]
            await aki.sit(table)
            for asked in ({}, {"seat": 1}):
                with pytest.raises(Refusal, match="seat-kept"):
                    await eve.sit(table, **asked)
            time.move(GRACE + 1)
            assert (await eve.sit(table))["you"] == 1
            with pytest.raises(Refusal, match="table-full"):
                await ben.sit(table)

    async def test_reserved_seats_are_not_listed(self, tmp_path: Path) -> None:
        time = FakeTime()
        async with serving(tmp_path / "mekuri.db", time, grace=GRACE) as server, guests(server, "Aki", "Ben", "Eve") as people:
            aki, ben, eve = people
            old = await aki.make(USUAL, **pair(USUAL, match_options={"rounds": "1"}, public=True))
            for guest in (aki, ben):
                await guest.sit(old)
            await play_out(old, [aki, ben])
            table = (await aki.rematch(old))["id"]

            async def listed(guest: Guest) -> bool:
                return table in [each["id"] for each in (await guest.call("GET", "/api/tables"))["open"]]

            assert [await listed(guest) for guest in (ben, eve)] == [True, False]
            time.move(GRACE + 1)
            assert await listed(eve)

    async def test_seats_of_players_who_left_are_free(self, people: list[Guest], server: Serving) -> None:
        aki, ben = people
        old = await begun(people, USUAL, 1)
        await ben.leave(old)
        await play_out(old, [aki])
        table = await aki.rematch(old)
        assert [seat["kept_for"] for seat in table["head"]["seats"]] == ["Aki", None]
        async with guests(server, "Eve") as (eve,):
            assert (await eve.sit(table["id"]))["you"] == 1

    @pytest.mark.alone
    async def test_drawn_seats_are_kept(self, people: list[Guest]) -> None:
        for _ in range(3):
            old = await people[0].make(USUAL, **full(USUAL, match_options={"rounds": "1"}, seating="lot"))
            for guest in people:
                await guest.sit(old)
            places = [(await guest.look(old))["you"] for guest in people]
            await play_out(old, people)
            table = (await people[1].rematch(old))["id"]
            assert [(await guest.sit(table))["you"] for guest in people] == places


class TestRefused:
    @pytest.mark.alone
    async def test_rematch_of_a_running_match_is_refused(self, people: list[Guest]) -> None:
        table = await begun(people, USUAL, 1)
        with pytest.raises(Refusal, match="not-over"):
            await people[0].rematch(table)

    @pytest.mark.alone
    async def test_rematch_needs_a_seat_at_the_old_table(self, people: list[Guest], server: Serving) -> None:
        table = await played(people)
        async with guests(server, "Eve") as (eve,):
            with pytest.raises(Refusal, match="not-seated"):
                await eve.rematch(table)
        with pytest.raises(Refusal, match="not-signed-in"):
            await Guest(server.address).rematch(table)

    async def test_rematch_counts_against_the_table_limit(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", tables=1) as server, guests(server, "Aki", "Ben") as people:
            aki, ben = people
            old = await played(people)
            await aki.make(USUAL)
            with pytest.raises(Refusal, match="too-many-tables"):
                await aki.rematch(old)
            found = await ben.rematch(old)
            assert (await aki.rematch(old))["id"] == found["id"]  # to come along is to make nothing


@pytest.mark.alone
async def test_rematch_of_an_abandoned_match_draws_the_dealer(people: list[Guest]) -> None:
    table = await begun(people, USUAL, 1)
    for guest in people:
        await guest.leave(table)
    following = await people[0].rematch(table)
    assert following["first_dealer"] is None
    assert [seat["kept_for"] for seat in following["head"]["seats"]] == [None, None]
