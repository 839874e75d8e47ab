"""A guest on several devices: codes, signing out, stored data, and deletion."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from jsonschema_rs import validator_for

from mekuri.desk.guests import _CODE_MS
from mekuri.desk.route import Visitor
from mekuri.desk.routes.guests import forget_me
from mekuri.desk.routes.tables import sit_down
from mekuri.desk.stores import Person
from mekuri.protocol import table as wire
from mekuri.protocol.schema import schema
from mekuri.protocol.texts import say
from mekuri.server.guests.visitors import COOKIE
from mekuri.server.http.background import sweep_once
from mekuri.server.ops.backup import back_up, restore
from tests.helpers.server.databases import place_of
from tests.helpers.server.gathering import begun, guests, hearing, pair
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, play_out, refused, serving
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, moment, until


@asynccontextmanager
async def devices(server: Serving, guest: Guest, number: int) -> AsyncIterator[list[Guest]]:
    """Other devices that a guest takes into use."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(number):
            device = Guest(server.address)
            stack.push_async_callback(device.close)
            found.append(await use(device, (await guest.call("POST", "/api/guests/code"))["code"]))
        yield found


async def use(device: Guest, code: str, **more: object) -> Guest:
    """Use the code of another guest on a device."""
    guest = await device.call("POST", "/api/guests/devices", {"code": code, **more})
    device.id = guest["id"]
    device.http.headers["authorization"] = f"Bearer {guest['token']}"
    device.http.cookies.clear()
    return device


async def becomes(server: Serving, code: str, **headers: str) -> str:
    """Return the id of the guest that a new visitor becomes by a code, with these headers."""
    stranger = Guest(server.address, headers=headers)
    try:
        return (await use(stranger, code)).id
    finally:
        await stranger.close()


async def code_of(guest: Guest) -> str:
    return str((await guest.call("POST", "/api/guests/code"))["code"])


async def nobody_any_more(guest: Guest) -> bool:
    return (await guest.http.get("/api/guests/me")).status_code == 401


def of(guest: Guest) -> Visitor:
    """A request of a guest that began a moment before."""
    return Visitor(Person(guest.id, "Aki", made_at=0, device=0, seen_at=0))


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 10**18:018d}"


NO_CODE = (404, "no-such-code")


class TestCode:
    async def test_code_adds_a_device_to_the_guest(self, server: Serving, aki: Guest, ben: Guest) -> None:
        table = await begun([aki, ben], USUAL)
        async with devices(server, aki, 1) as (phone,):
            assert phone.id == aki.id
            assert phone.http.headers["authorization"] != aki.http.headers["authorization"]
            assert (await phone.look(table))["you"] == 0
            chance = Random(1)
            for _ in range(6):  # either device plays the same seat
                for one in (aki, phone, ben):
                    await act(one, table, chance)
            for one in (aki, phone):
                known = (await one.call("GET", "/api/guests/devices"))["devices"]
                assert [device["here"] for device in known] == [one is aki, one is phone]

    async def test_code_works_once_and_until_replaced(self, server: Serving, aki: Guest) -> None:
        first, second = [await code_of(aki) for _ in range(2)]
        assert await refused(becomes(server, first)) == NO_CODE
        assert await becomes(server, second) == aki.id
        assert await refused(becomes(server, second)) == NO_CODE

    async def test_code_expires_after_some_minutes(self, tmp_path: Path) -> None:
        time = FakeTime()
        async with serving(tmp_path / "mekuri.db", time) as server, guests(server, "Aki") as (aki,):
            code = await aki.call("POST", "/api/guests/code")
            time.move(_CODE_MS / 1000)
            assert time.now() >= code["until"]
            assert await refused(becomes(server, code["code"])) == NO_CODE
            again = await code_of(aki)
            time.move(_CODE_MS / 1000 - 60)
            assert await becomes(server, again) == aki.id

    async def test_concurrent_uses_of_a_code_succeed_once(self, server: Serving, aki: Guest, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db") as two:
            code = await code_of(aki)
            asked = [becomes(each, code) for each in (server, two) for _ in range(5)]
            found = await asyncio.gather(*asked, return_exceptions=True)
        assert found.count(aki.id) == 1
        assert {one.error for one in found if isinstance(one, Refusal)} == {"no-such-code"}
        assert len(sql(tmp_path / "mekuri.db", "SELECT id FROM devices WHERE person = ?", [aki.id])) == 2

    async def test_code_is_stored_as_a_hash(self, aki: Guest, tmp_path: Path) -> None:
        code = await code_of(aki)
        assert sql(tmp_path / "mekuri.db", "SELECT code_hash FROM codes") == [(hashlib.sha256(code.encode()).hexdigest(),)]

    async def test_codes_are_not_restored_from_a_backup(self, aki: Guest, tmp_path: Path) -> None:
        await code_of(aki)
        await asyncio.to_thread(back_up, place_of(tmp_path / "mekuri.db"), tmp_path / "backup.db")
        await asyncio.to_thread(restore, tmp_path / "backup.db", tmp_path / "again.db")
        kept = [sql(tmp_path / "again.db", f"SELECT count(*) FROM {table}") for table in ("codes", "people", "devices")]
        assert kept == [[(0,)], [(2,)], [(2,)]]

    async def test_code_is_read_in_any_spelling(self, server: Serving, aki: Guest) -> None:
        for spelled in ("{0} {1} {2}", "{0}-{1}-{2}", " {0}{1}\u3000{2} ", "wide"):
            code = await code_of(aki)
            parts = code[:6], code[6:12], code[12:]
            wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code)
            assert await becomes(server, wide if spelled == "wide" else spelled.format(*parts)) == aki.id

    async def test_code_comes_with_a_link_and_a_qr_code(self, aki: Guest, server: Serving) -> None:
        code = await aki.call("POST", "/api/guests/code")
        assert code["link"] == f"{server.address}/you#{code['code']}"
        size = len(code["qr"])
        assert {len(row) for row in code["qr"]} == {size}
        assert set("".join(code["qr"])) == {"0", "1"}
        finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        for down, across in ((0, 0), (0, size - 7), (size - 7, 0)):
            assert [row[across : across + 7] for row in code["qr"][down : down + 7]] == finder

    async def test_code_needs_a_guest(self, server: Serving) -> None:
        assert await refused(Guest(server.address).call("POST", "/api/guests/code")) == (401, "not-signed-in")

    async def test_other_guest_must_confirm_the_replacement(self, server: Serving, aki: Guest, ben: Guest) -> None:
        table = await begun([ben], USUAL, bots=["random"])
        old = dict(ben.http.headers)
        code = await code_of(aki)
        assert await refused(use(ben, code)) == (409, "guest-already")
        assert (await use(ben, code, replace=True)).id == aki.id
        assert (await ben.look(table))["you"] is None
        # The former guest still exists, for a client with that token.
        before = Guest(server.address, headers={"authorization": old["authorization"]})
        assert (await before.look(table))["you"] == 0

    async def test_own_device_is_not_added_twice(self, aki: Guest) -> None:
        before = aki.http.headers["authorization"]
        await use(aki, await code_of(aki), replace=True)
        assert len((await aki.call("GET", "/api/guests/devices"))["devices"]) == 1
        aki.http.headers["authorization"] = before
        assert await nobody_any_more(aki)

    async def test_code_sets_the_cookie_of_a_browser(self, server: Serving, aki: Guest) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            answer = await browser.post("/api/guests/devices", json={"code": await code_of(aki)})
            assert "httponly" in answer.headers["set-cookie"].lower()
            assert (await browser.get("/api/guests/me")).json()["id"] == aki.id


class TestGuessing:
    async def test_wrong_codes_are_limited_per_address(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", codes=3, proxies=("127.0.0.1",)) as server, guests(server, "Aki") as (aki,):
            code = await code_of(aki)

            async def guess(address: str, guessed: str) -> tuple[int, str | None]:
                return await refused(becomes(server, guessed, **{"x-forwarded-for": address}))

            for _ in range(3):
                assert await guess("192.0.2.1", other_than(code)) == NO_CODE
            assert await guess("192.0.2.1", code) == (429, "too-many"), "the right one, too"
            # A network of IPv6 counts as one address.
            for part in range(3):
                assert await guess(f"2001:db8::{part + 1}", other_than(code)) == NO_CODE
            assert (await guess("2001:db8::99", code))[0] == 429
            # However many others guess, a code can be used.
            for part in range(100):
                assert await guess(f"198.51.100.{part}", other_than(code)) == NO_CODE
            assert await becomes(server, code, **{"x-forwarded-for": "203.0.113.1"}) == aki.id

    async def test_right_codes_do_not_count_as_guesses(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", codes=2) as server, guests(server, "Aki") as (aki,):
            for _ in range(5):
                assert await becomes(server, await code_of(aki)) == aki.id

    @pytest.mark.alone
    async def test_name_changes_are_limited(self, aki: Guest) -> None:
        for number in range(20):
            await aki.call("POST", "/api/guests", {"name": f"Aki {number}"})
        assert await refused(aki.call("POST", "/api/guests", {"name": "Ume"})) == (429, "too-many")
        await aki.call("POST", "/api/guests", {"name": "Aki 19"})  # is no other name


class TestSigningOut:
    async def test_signing_out_elsewhere_ends_streams_of_other_devices(self, server: Serving, aki: Guest, ben: Guest) -> None:
        table = await begun([aki, ben], USUAL)
        async with devices(server, aki, 2) as (phone, lost), AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(hearing(one, table)) for one in (aki, phone, lost)]
            for line in lines:
                await line.some("table")
            code = await code_of(lost)
            left = await aki.call("DELETE", "/api/guests/devices")
            assert [device["here"] for device in left["devices"]] == [True]
            await until(lambda: lines[1].ended and lines[2].ended)
            for one in (phone, lost):
                assert await nobody_any_more(one)
            assert await refused(becomes(server, code)) == NO_CODE
            await aki.call("POST", "/api/guests", {"name": "Ume"})
            await lines[0].some("table", lambda table: table["head"]["seats"][0]["name"] == "Ume")
            assert not lines[0].ended

    async def test_signing_out_reaches_other_processes(self, server: Serving, aki: Guest, ben: Guest, tmp_path: Path) -> None:
        table = await begun([aki, ben], USUAL)
        async with devices(server, aki, 1) as (phone,), serving(tmp_path / "mekuri.db") as two:
            there = Guest(two.address, headers={"authorization": phone.http.headers["authorization"]})
            async with hearing(there, table) as heard:
                await heard.some("table")
                await aki.call("DELETE", "/api/guests/devices")
                await until(lambda: heard.ended)
                assert await nobody_any_more(there), "not kept for a minute"

    async def test_signing_out_here_deletes_the_cookie(self, server: Serving, aki: Guest) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            await browser.post("/api/guests/devices", json={"code": await code_of(aki)})
            answer = await browser.delete("/api/guests/devices/here")
            assert (answer.status_code, answer.json()) == (200, {"devices": []})
            assert COOKIE not in browser.cookies
        assert len((await aki.call("GET", "/api/guests/devices"))["devices"]) == 1

    async def test_stream_opening_during_sign_out_gets_401(self, server: Serving, aki: Guest, monkeypatch: Any) -> None:
        table = await begun([aki], USUAL, bots=["random"])
        connect = server.desk.streams.connect

        async def slowly(stream: Any) -> None:
            await connect(stream)
            server.desk.streams.open.discard(stream)  # as if it had come a moment later
            await server.desk.store.sign_out(aki.id)
            await server.desk.refresh({aki.id})

        monkeypatch.setattr(server.desk.streams, "connect", slowly)
        with pytest.raises(Refusal) as refusal:
            async with aki.stream(table):
                pass
        assert refusal.value.status == 401
        assert not server.desk.tables.live_tables[table].streams


class TestExport:
    async def export(self, guest: Guest) -> Json:
        answer = await guest.http.get("/api/guests/export")
        assert "attachment" in answer.headers["content-disposition"]
        export: Json = answer.json()
        validator_for(schema() | {"anyOf": [{"$ref": "#/$defs/Export"}]}).validate(export)
        return export

    async def test_export_holds_all_own_data_only(self, server: Serving, aki: Guest, ben: Guest, tmp_path: Path) -> None:
        over, running = await begun([aki, ben], USUAL, rounds=1), await begun([ben, aki], USUAL)
        await play_out(over, [aki, ben])
        made, _ = await aki.make(USUAL, **pair(USUAL)), await ben.make(USUAL, **pair(USUAL))
        next_one = (await aki.rematch(over))["id"]
        export = await self.export(aki)
        assert (export["mekuri_guest"], export["id"], export["name"]) == (1, aki.id, "Aki")
        assert [device["here"] for device in export["devices"]] == [True]
        stands = {match["table"]: (match["state"], match["maker"]) for match in export["matches"]}
        assert stands == {over: ("over", True), running: ("running", False), made: ("open", True), next_one: ("open", True)}
        own = sql(tmp_path / "mekuri.db", "SELECT match, kind, at, seat FROM log WHERE person = ? ORDER BY id", [aki.id])
        given = [(match["table"], row["kind"], row["at"], row["seat"]) for match in export["matches"] for row in match["rows"]]
        assert sorted(given, key=str) == sorted(own, key=str)
        played = [row["body"] for match in export["matches"] for row in match["rows"] if row["kind"] == "play"]
        assert played
        assert all(body.keys() == {"action"} for body in played)
        text = json.dumps(export)
        assert ben.id not in text
        assert "Ben" not in text
        for hashed in sql(tmp_path / "mekuri.db", "SELECT token_hash FROM devices"):
            assert hashed[0] not in text

    async def test_export_of_a_new_guest_has_no_matches(self, aki: Guest) -> None:
        assert (await self.export(aki))["matches"] == []

    async def test_export_needs_a_guest_and_is_limited(self, server: Serving, aki: Guest) -> None:
        assert await refused(Guest(server.address).call("GET", "/api/guests/export")) == (401, "not-signed-in")
        for _ in range(6):
            await self.export(aki)
        assert await refused(aki.call("GET", "/api/guests/export")) == (429, "too-many")


async def test_signing_out_others_is_limited(aki: Guest) -> None:
    """Each time all processes are notified."""
    for _ in range(6):
        await aki.call("DELETE", "/api/guests/devices")
    assert await refused(aki.call("DELETE", "/api/guests/devices")) == (429, "too-many")


class TestDeletion:
    async def test_deletion_leaves_a_bot_and_no_personal_data(
        self, server: Serving, aki: Guest, ben: Guest, tmp_path: Path
    ) -> None:
        running, lone = await begun([aki, ben], USUAL), await begun([aki], USUAL, bots=["random"])
        alone, together, bens = [await one.make(USUAL, **pair(USUAL)) for one in (aki, aki, ben)]
        await aki.sit(alone)
        await ben.sit(together)
        await aki.sit(bens)
        await code_of(aki)
        async with devices(server, aki, 1) as (phone,), hearing(phone, running) as heard, hearing(ben, running) as other:
            await heard.some("table")
            answer = await aki.http.delete("/api/guests/me")
            assert (answer.status_code, answer.json()) == (200, {"devices": []})
            await until(lambda: heard.ended)
            left = await other.some("event", lambda event: event["kind"] == "leave")
            assert left["text"] == {"id": "table.leave", "args": {"name": {"id": "table.gone", "args": {}}}}
            for one in (aki, phone):
                assert await nobody_any_more(one)
        seat = (await ben.look(running))["head"]["seats"][0]
        assert (seat["name"], seat["gone"], bool(seat["bot"])) == (say("table.gone", "en"), True, True)
        heads = {table: (await ben.look(table))["head"] for table in (lone, alone, together, bens)}
        assert [(heads[table]["state"], heads[table]["why"]) for table in (lone, alone)] == [("over", "abandoned")] * 2
        assert [heads[table]["state"] for table in (together, bens)] == ["open"] * 2
        assert [seat["name"] for table in (together, bens) for seat in heads[table]["seats"]] == ["Ben", None, None, None]
        for kept in ("people", "devices", "codes"):
            of = "id" if kept == "people" else "person"
            assert sql(tmp_path / "mekuri.db", f"SELECT * FROM {kept} WHERE {of} = ?", [aki.id]) == []
        await play_out(running, [ben])

    async def test_concurrent_deletions_leave_once(self, server: Serving, aki: Guest, ben: Guest, tmp_path: Path) -> None:
        table = await begun([aki, ben], USUAL)
        async with devices(server, aki, 2) as found, serving(tmp_path / "mekuri.db") as two:
            found[1].http = Guest(two.address, headers={"authorization": found[1].http.headers["authorization"]}).http
            ways = [one.http.delete("/api/guests/me") for one in (aki, *found) for _ in range(3)]
            statuses = {answer.status_code for answer in await asyncio.gather(*ways)}
            assert 200 in statuses
            assert statuses <= {200, 401}
            assert await nobody_any_more(aki)
            assert (await aki.http.delete("/api/guests/me")).status_code == 401
        leaves = sql(tmp_path / "mekuri.db", "SELECT count(*) FROM log WHERE kind = 'leave' AND match = ?", [table])
        assert leaves == [(1,)]
        assert (await ben.look(table))["head"]["seats"][0]["gone"]

    async def test_deletion_during_play_causes_no_fault(self, server: Serving, aki: Guest, ben: Guest) -> None:
        """Their concurrent requests succeed or are refused, and never fail."""
        tables = [await begun([aki, ben], USUAL, rounds=1) for _ in range(4)]
        chance, stop = Random(5), asyncio.Event()
        statuses: set[int] = set()
        done = 0

        async def play(guest: Guest, table: str) -> None:
            nonlocal done
            while not stop.is_set():
                try:
                    if await act(guest, table, chance):
                        done += 1
                except Refusal as refusal:
                    statuses.add(refusal.status)
                await asyncio.sleep(0)

        playing = [asyncio.create_task(play(guest, table)) for table in tables for guest in (aki, ben)]
        await until(lambda: done > 8)
        await aki.call("DELETE", "/api/guests/me")
        stop.set()
        await asyncio.gather(*playing)
        assert statuses <= {401, 403, 409}
        for table in tables:
            head = (await ben.look(table))["head"]
            assert head["state"] == "over" or head["seats"][0]["bot"]
            await play_out(table, [ben])

    async def test_seat_taken_during_deletion_is_freed(self, server: Serving, aki: Guest, ben: Guest) -> None:
        table = await ben.make(USUAL, **pair(USUAL))
        await aki.call("DELETE", "/api/guests/me")
        await sit_down(server.desk, table, of(aki), wire.AskSeat())  # was known when the request began
        head = (await ben.look(table))["head"]
        assert (head["seats"][0]["name"], head["seats"][0]["gone"]) == (say("table.gone", "en"), True)
        await sweep_once(server.desk)
        assert (await ben.look(table))["head"]["seats"][0]["name"] is None

    @pytest.mark.parametrize(("path", "body"), [("/api/guests", {"name": "Ume"}), ("/api/guests/code", None)])
    async def test_guest_deleted_mid_request_gets_401(self, server: Serving, aki: Guest, path: str, body: Json | None) -> None:
        await server.desk.store.forget_person(aki.id)  # was known when the request began
        assert await refused(aki.call("POST", path, body)) == (401, "not-signed-in")

    async def test_deletion_reaches_other_processes(self, server: Serving, aki: Guest, ben: Guest, tmp_path: Path) -> None:
        table = await begun([aki, ben], USUAL)
        async with serving(tmp_path / "mekuri.db") as two:
            there, other = (Guest(two.address, headers={"authorization": one.http.headers["authorization"]}) for one in (aki, ben))
            async with hearing(there, table) as gone, hearing(other, table) as stays:
                for line in (gone, stays):
                    await line.some("table")
                await aki.call("DELETE", "/api/guests/me")
                await until(lambda: gone.ended)
                await stays.some("event", lambda event: event["kind"] == "leave")
                await stays.some("table", lambda whole: whole["head"]["seats"][0]["gone"])
            assert await nobody_any_more(there)

    async def test_deletion_completes_if_the_client_disconnects(self, server: Serving, aki: Guest, ben: Guest) -> None:
        table = await begun([aki, ben], USUAL)
        asking = asyncio.create_task(forget_me(server.desk, of(aki)))
        await asyncio.sleep(0)
        asking.cancel()
        while not (await ben.look(table))["head"]["seats"][0]["bot"]:
            await moment()
        assert await nobody_any_more(aki)
