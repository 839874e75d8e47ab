"""The deal of the day: committed before the cut, equal for everyone, played once, and sealed during the day."""

import asyncio
import doctest
import hashlib
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mekuri import games
from mekuri.bots import Budget
from mekuri.desk import daily
from mekuri.match.daily import CLOSING_MS, DAY_MS, after, begins, day_of, ends, mixed
from mekuri.match.record import Record
from mekuri.match.verify import verify
from mekuri.protocol.table import AskAction
from mekuri.server.http.background import sweep_once
from mekuri.table import commands, turns
from mekuri.table.founding import of_the_day
from tests.helpers.folders import DOCS
from tests.helpers.server.addresses import routes
from tests.helpers.server.gathering import VOTES, choosing, guests, pair
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, play_out, refused, serving
from tests.helpers.server.stores import read_through, sql
from tests.helpers.tables import USUAL
from tests.helpers.time import FakeTime, moment

Patch = pytest.MonkeyPatch
TODAY = "2027-01-15"
TOMORROW = after(TODAY)
SKILLED = daily.games_of_skill()
GAME = USUAL
SEALED = (403, "daily-sealed")
SETTINGS = {"proxies": ("127.0.0.1",)}


@pytest.fixture(autouse=True)
def hasty(monkeypatch: Patch) -> None:
    """Bots think little."""
    monkeypatch.setattr(turns, "_OF_THE_DAY", Budget(2))


@pytest.fixture
def time() -> FakeTime:
    return FakeTime(begins(TODAY) - DAY_MS // 2, moves=False)


async def show(guest: Guest) -> Json:
    return dict(await guest.call("GET", "/api/daily"))


async def deal_of(guest: Guest, game: str = GAME, day: str = "") -> Json:
    return dict(await guest.call("GET", f"/api/daily/{game}{day and f'?day={day}'}"))


async def cut(guest: Guest, what: str, day: str = TODAY, address: str = "192.0.2.1") -> Json:
    return dict(await guest.call("POST", "/api/daily", {"day": day, "cut": what}, {"x-forwarded-for": address}))


async def begin(guest: Guest, game: str = GAME) -> str:
    return str((await guest.call("POST", f"/api/daily/{game}"))["id"])


async def played(guest: Guest, game: str = GAME, seed: int = 0) -> str:
    table = await begin(guest, game)
    await play_out(table, [guest], seed)
    return table


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def rows(server: Serving, statement: str) -> list[Any]:
    return sql(server.desk.settings.database or "", statement)


# --- Drawing and cutting ---


@pytest.mark.every_days(4)
async def test_committed_deal_is_dealt_and_its_cut_reproducible(server: Serving, time: FakeTime) -> None:
    """The cut of the deal can be computed by hand."""
    async with guests(server, "Aki", "Ben") as [aki, ben]:
        eve = (await show(aki))["tomorrow"]
        assert (eve["day"], eve["cuts"], eve["yours"]) == (TODAY, 0, None)
        assert list(eve["commitments"]) == list(SKILLED)
        await cut(aki, "tsuru")
        time.move((1) / 1000)
        given = await cut(ben, "kame")
        assert (given["cuts"], given["yours"]) == (2, digest("kame"))
        assert given["commitments"] == eve["commitments"]
        time.move_to(begins(TODAY))
        for game in SKILLED:
            table = await played(aki, game)
            deal = await deal_of(aki, game)
            text = (await aki.http.get(f"/api/daily/{game}/cuts")).text
            assert text.splitlines() == ["mekuri deal of the day", TODAY, game, *sorted([digest("tsuru"), digest("kame")])]
            assert deal["cut"] == digest(text)
            assert (deal["in_time"], deal["cuts"]) == (True, 2)
            record = Record.from_json((await aki.http.get(f"/api/tables/{table}/record")).text)
            assert record.fair
            assert record.fair.commitment == deal["commitment"] == eve["commitments"][game]
            assert record.fair.cuts == (deal["cut"], *[""] * (len(record.players) - 1))
            assert verify(record, eve["commitments"][game]).verified == 1
            assert deal["secret"] is None, "while the day lasts whoever has finished knows it, and nobody else"
            time.move((1) / 1000)
            secret = record.fair.secrets[0]
        time.move_to(ends(TODAY))
        assert (await deal_of(ben, game, TODAY))["secret"] == secret


async def test_cut_can_be_changed_until_the_day_begins(server: Serving, time: FakeTime) -> None:
    async with guests(server, "Aki") as [aki]:
        await cut(aki, "one")
        both = await asyncio.gather(*[cut(aki, "two") for _ in range(4)])
        assert {(each["cuts"], each["yours"]) for each in both} == {(1, digest("two"))}
        time.move_to(begins(TODAY) - CLOSING_MS - 1)
        assert (await cut(aki, "three"))["yours"] == digest("three")
        for closed in (begins(TODAY) - CLOSING_MS, begins(TODAY) - 1, begins(TODAY)):
            time.move_to(closed)
            assert await refused(cut(aki, "four")) == (409, "daily-cuts-closed")
        text = (await aki.http.get(f"/api/daily/{GAME}/cuts")).text
        assert text.splitlines()[3:] == [digest("three")]


async def test_invalid_cut_is_refused(server: Serving, aki: Guest) -> None:
    closed = (409, "daily-cuts-closed")
    for day in (TOMORROW, after(TODAY, -1), "2027-02-30", "not a day."):
        assert await refused(cut(aki, "x", day)) == closed
    assert await refused(cut(aki, "x" * 65)) == (400, "cut")
    assert await refused(cut(aki, "x", "tomorrow")) == (400, "malformed")
    nobody = Guest(server.address)
    assert await refused(cut(nobody, "x")) == (401, "not-signed-in")
    assert (await show(nobody))["tomorrow"]["yours"] is None
    await nobody.close()
    assert (await cut(aki, "x" * 64))["cuts"] == 1


async def test_cuts_of_one_address_leave_room_for_others(server: Serving, monkeypatch: Patch) -> None:
    monkeypatch.setattr(daily, "MOST_CUTS", 3)
    monkeypatch.setattr(daily, "CUTS_EACH", 2)
    full = (409, "daily-cuts-full")
    async with guests(server, "Aki", "Ben", "Chie", "Dan", "Emi", "Fumi") as [aki, ben, chie, dan, emi, fumi]:
        await cut(aki, "one", address="2001:db8::1")
        await cut(ben, "two", address="2001:db8:0:9::1")
        assert await refused(cut(chie, "three", address="2001:db8:0:ff00::1")) == full, "one network of 48 bits"
        assert (await cut(aki, "four", address="2001:db8::1"))["yours"] == digest("four"), "whoever has cut may do so again"
        for number, guest in enumerate((chie, dan, emi)):
            assert (await cut(guest, "five", address=f"192.0.2.{number}"))["cuts"] == 3 + number, "the first from an address"
        assert await refused(cut(fumi, "six", address="192.0.2.0")) == full


async def test_deal_drawn_on_its_day_is_marked_late(server: Serving, aki: Guest, time: FakeTime) -> None:
    """A server that is started in the middle of a day has a deal, and says that nothing was published the day before."""
    deal = await deal_of(aki)
    assert (deal["day"], deal["in_time"], deal["cuts"], deal["committed_at"]) == (day_of(time.now()), False, 0, time.now())
    assert deal["cut"] == mixed(deal["day"], GAME, ())
    await show(aki)
    time.move_to(begins(TODAY))
    assert (await deal_of(aki))["in_time"]
    time.move_to(begins(after(TODAY, 9)) - CLOSING_MS)
    assert (await show(aki))["tomorrow"]["day"] == after(TODAY, 9)
    time.move_to(begins(after(TODAY, 9)))
    assert not (await deal_of(aki))["in_time"], "drawn when nobody could cut any more"


@pytest.mark.alone
async def test_only_games_of_skill_have_a_daily_deal(server: Serving, aki: Guest) -> None:
    chance = [name for name in games.names() if games.find(name).levels == ()]
    assert chance
    assert not set(chance) & set(SKILLED)
    for name in (*chance, "nothing"):
        assert await refused(begin(aki, name)) == await refused(deal_of(aki, name)) == (404, "no-such-daily")
    for day in (TODAY, after(TODAY, -2), "2026-1-1", "2027-02-30", "today"):
        assert await refused(deal_of(aki, GAME, day)) == (404, "no-such-daily"), "of days gone by nothing is drawn anew"
    assert await refused(deal_of(aki, GAME, "x" * 11)) == (400, "malformed")


async def test_servers_on_one_database_draw_the_same_deal(tmp_path: Path, time: FakeTime) -> None:
    path = tmp_path / "log.db"
    async with serving(path, time=time) as one, serving(path, time=time) as two:
        seen = await asyncio.gather(*[one.desk.daily.show(None), two.desk.daily.show(None)] * 3)
        assert all(each == seen[0] for each in seen)
        async with guests(one, "Aki") as [aki]:
            there = Guest(two.address, headers=dict(aki.http.headers))
            await cut(aki, "tsuru")
            assert (await cut(there, "kame"))["yours"] == digest("kame")
            time.move_to(begins(TODAY))
            assert len(set(await asyncio.gather(*[begin(each) for each in (aki, there) * 3]))) == 1
            assert await deal_of(aki) == await deal_of(there)
    async with serving(path, time=time) as again:
        after_start = await again.desk.daily.show(None)
        assert [one.commitment for one in after_start.deals] == list(seen[0].tomorrow.commitments.values())


async def test_sweeper_draws_deals_and_deletes_old_ones(server: Serving, time: FakeTime) -> None:
    async with guests(server, "Aki") as [aki]:
        await sweep_once(server.desk)
        assert {day for (day,) in rows(server, "select day from daily_deals")} == {day_of(time.now()), TODAY}
        await cut(aki, "tsuru")
        time.move_to(begins(TODAY))
        await played(aki)
        for days in range(1, 7):
            time.move_to(begins(after(TODAY, days)))
            assert (await deal_of(aki))["cuts"] == 0
            assert (await deal_of(aki, GAME, TODAY))["cuts"] == 1
        time.move_to(begins(after(TODAY, daily.KEPT_DAYS)))
        await sweep_once(server.desk)
        kept = ("daily_deals", "daily_cuts", "daily_tries")
        assert [TODAY in {day for (day,) in rows(server, f"select day from {each}")} for each in kept] == [True] * 3
        time.move((DAY_MS) / 1000)
        await sweep_once(server.desk)
        assert [TODAY in {day for (day,) in rows(server, f"select day from {each}")} for each in kept] == [False] * 3
        assert await refused(deal_of(aki, GAME, TODAY)) == (404, "no-such-daily")


def test_daily_document_passes_doctest() -> None:
    result = doctest.testfile(str(DOCS / "daily.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 10
    assert result.failed == 0


# --- Playing ---


async def watched(guest: Guest, table: str) -> list[Any]:
    """Return the events that a guest has seen at a table: views, without the parts that belong to the table itself."""
    events = await guest.events(table)
    return [(event["kind"], event["seat"], event["action"], event["view"]) for event in events]


@pytest.mark.alone
@pytest.mark.parametrize("game", SKILLED)
async def test_equal_play_gets_equal_cards_and_bot_moves(server: Serving, game: str) -> None:
    async with guests(server, "Aki", "Ben") as [aki, ben]:
        tables = [await played(guest, game) for guest in (aki, ben)]
        assert tables[0] != tables[1]
        seen = [await watched(guest, table) for guest, table in zip((aki, ben), tables, strict=True)]
        assert [event[:3] for event in seen[0]] == [event[:3] for event in seen[1]]
        records = [(await g.http.get(f"/api/tables/{table}/record")).json() for g, table in zip((aki, ben), tables, strict=True)]
        assert records[0]["rounds"] == records[1]["rounds"]
        assert len(seen[0]) > len(records[0]["rounds"][0]["actions"].split()) > 0
        assert records[0]["match_options"] == {"rounds": "1"}


def test_bots_of_a_daily_have_no_time_limit() -> None:
    table = of_the_day("t", bytes(32), GAME, TODAY, "", "aki", "Aki", 0, window=8000, pace=0)
    while commands.bot_due(table, 0) is None:
        commands.play(table, "aki", AskAction(version=table.version(0), action=table.running.legal_for(0)[0]), 0)
    turn = commands.bot_turn(table, 0)
    assert turn
    assert turn.budget.milliseconds is None
    table.day = None
    turn = commands.bot_turn(table, 0)
    assert turn
    assert turn.budget.milliseconds, "nobody waits for long elsewhere"


@pytest.mark.parametrize("game", [name for name in VOTES if name in SKILLED])
def test_bots_wait_for_the_person_in_simultaneous_decisions(game: str) -> None:
    """Bots see who has decided, so a bot asked a moment later would choose differently."""
    table = of_the_day("t", bytes(32), game, TODAY, "", "aki", "Aki", 0, window=8000, pace=0)
    assert len(table.running.waiting) == len(table.seats)
    assert commands.bot_due(table, 0) is None
    commands.play(table, "aki", AskAction(version=table.version(0), action=table.running.legal_for(0)[0]), 0)
    assert commands.bot_due(table, 0) == 1


@pytest.mark.alone
async def test_guest_gets_one_daily_table_a_day(server: Serving, aki: Guest) -> None:
    first = set(await asyncio.gather(*[begin(aki) for _ in range(4)]))
    assert len(first) == 1
    await play_out(first.copy().pop(), [aki])
    assert {await begin(aki)} == first
    assert await refused(begin(Guest(server.address))) == (401, "not-signed-in")


async def test_daily_table_that_is_gone_is_not_replaced(server: Serving, aki: Guest, time: FakeTime) -> None:
    first = await begin(aki)
    await play_out(first, [aki])
    assert rows(server, "select match from daily_tries") == [(first,)]
    await server.desk.store.remove(first)
    await server.desk.put_away_deleted()
    assert await refused(begin(aki)) == (404, "no-such-table"), "there is no second try, though the table is gone"
    time.move_to(begins(TODAY))
    assert await begin(aki) != first


@pytest.mark.alone
async def test_hints_are_refused_during_a_daily(server: Serving, aki: Guest) -> None:
    table = await begin(aki)
    await choosing(table, [aki])
    for what in ("analysis", "why"):
        assert await refused(aki.call("GET", f"/api/tables/{table}/{what}")) == (403, "daily-alone")


async def test_results_of_others_appear_after_finishing(server: Serving, time: FakeTime) -> None:
    async with guests(server, "Aki", "Ben", "Chiyo") as [aki, ben, chiyo]:
        points = []
        for seed, guest in enumerate((aki, ben)):
            table = await played(guest, seed=seed)
            deal = await deal_of(guest)
            assert deal["yours"] == {"table": table, "over": True, "points": deal["yours"]["points"]}
            record = (await guest.http.get(f"/api/tables/{table}/record")).json()
            assert record["rounds"][0]["returns"][0] == deal["yours"]["points"]
            points.append(deal["yours"]["points"])
        table = await begin(chiyo)
        hidden = await deal_of(chiyo)
        assert (hidden["tries"], hidden["spread"], hidden["yours"]) == (2, None, {"table": table, "over": False, "points": None})
        nobody = Guest(server.address)
        assert (await deal_of(nobody))["spread"] is None
        assert [(await deal_of(guest))["better"] for guest in (aki, ben)] == [
            sum(other < own for other in points) for own in points
        ]
        assert hidden["better"] is None
        shown = (await deal_of(aki))["spread"]
        assert shown == [{"points": each, "times": points.count(each)} for each in sorted(set(points))]
        assert [deal["game"] for deal in (await show(aki))["deals"] if deal["spread"]] == [GAME]
        time.move((DAY_MS) / 1000)
        assert (await deal_of(nobody, GAME, after(TODAY, -1)))["spread"] == shown, "once the day is over, to everybody"


async def test_takeback_leaving_and_late_end_do_not_count(server: Serving, time: FakeTime) -> None:
    """Matches with a takeback, abandoned ones, and late ones do not count."""
    async with guests(server, "Aki", "Ben", "Chiyo") as [aki, ben, chiyo]:
        tables = [await begin(guest) for guest in (aki, ben, chiyo)]
        _, before = await choosing(tables[0], [aki], 2)
        await aki.play(tables[0], before["version"], before["legal"][0]["action"])
        _, later = await choosing(tables[0], [aki])
        await aki.call("POST", f"/api/tables/{tables[0]}/take-back", {"version": later["version"]})
        await play_out(tables[0], [aki])
        await ben.leave(tables[1])
        nothing = {"over": True, "points": None}
        for guest, table in zip((aki, ben), tables, strict=False):
            assert (await deal_of(guest))["yours"] == {"table": table, **nothing}
            assert await begin(guest) == table
        time.move((DAY_MS // 2) / 1000)
        await play_out(tables[2], [chiyo])
        assert (await deal_of(chiyo, GAME, after(TODAY, -1)))["yours"] == {"table": tables[2], **nothing}
        assert (await deal_of(chiyo, GAME, after(TODAY, -1)))["tries"] == 0


# --- The seal ---


PAGES = ("", "/rounds/1", "/rounds/1/review", "/rounds/1/picture", "/qr")


def asked_of(table: str) -> list[tuple[str, str, Any]]:
    """Everything that can be asked about a table, or done at it."""
    at, retry = f"/api/tables/{table}", {"seat": 0, "seen": 1, "line": "", "since": 1}
    return [
        *(("GET", f"{at}{what}", None) for what in ("", "/cards", "/events", "/analysis", "/why", "/record")),
        *(
            ("GET", f"{at}/rounds/1{what}", None)
            for what in ("", "?seat=0", "/analysis?seat=0&version=3", "/why?seat=0&version=3", "/review?seat=0")
        ),
        ("POST", f"{at}/rounds/1/retry", retry),
        ("POST", f"{at}/seat", {}),
        ("DELETE", f"{at}/seat", None),
        ("POST", f"{at}/free", {"seat": 1, "version": 1}),
        ("POST", f"{at}/actions", {"version": 1, "action": "1H"}),
        ("POST", f"{at}/ready", {"round": 1}),
        ("POST", f"{at}/take-back", {"version": 1}),
        ("POST", f"{at}/say", {"version": 1, "said": "stamps.thanks"}),
        *(("POST", f"{at}/{what}", None) for what in ("stand-in", "break-off", "rematch")),
    ]


def test_daily_test_requests_every_table_route() -> None:
    """A new one is asked here, too, or what one player has seen might reach the others by it."""
    asked = {f"{method} {path.partition('?')[0]}" for method, path, _ in asked_of("TABLE")}
    asked |= {f"GET /t/TABLE{place}" for place in PAGES}
    there = {re.sub(r"{(id|table):str}", "TABLE", re.sub(r"{number:\w+}", "1", route)) for route in routes()}
    about = {route for route in there if "TABLE" in route and route.split()[0] not in ("OPTIONS", "HEAD")}
    assert about == asked


@pytest.mark.parametrize("finished", [False, True])
async def test_daily_table_is_closed_to_others_during_the_day(server: Serving, time: FakeTime, finished: bool) -> None:
    async with guests(server, "Aki", "Ben") as [aki, ben]:
        table = await (played if finished else begin)(aki)
        nobody = Guest(server.address)
        for method, path, body in asked_of(table):
            assert await refused(ben.call(method, path, body)) == SEALED, path
            if method == "GET" and not path.endswith(("/analysis", "/why")):
                assert await refused(nobody.call(method, path)) == SEALED, path
        for guest in (ben, nobody):
            with pytest.raises(Refusal) as refusal:
                async with guest.stream(table):
                    pass
            assert (refusal.value.status, refusal.value.error) == SEALED
            for place in PAGES:
                page = await guest.http.get(f"/t/{table}{place}", headers={"accept": "text/html"})
                assert f"/pictures/{GAME}" not in page.text, "a preview says nothing of it"
                assert page.status_code == (403 if place.endswith(("picture", "qr")) else 200)
        assert await refused(aki.call("GET", f"/t/{table}/rounds/1/picture")) == SEALED, (
            "what may be kept on the way is drawn for nobody"
        )
        if finished:
            assert (await aki.call("GET", f"/api/tables/{table}/rounds/1?seat=0"))["events"]
            assert (await aki.call("GET", f"/api/tables/{table}/record"))["rounds"]
            assert (await aki.call("GET", f"/api/tables/{table}/rounds/1/review?seat=0"))["table"] == table
        else:
            listed = await aki.call("GET", "/api/tables")
            assert [each["id"] for each in listed["yours"]] == [table]
        time.move((DAY_MS) / 1000)
        assert (await nobody.call("GET", f"/api/tables/{table}"))["day"] == after(TODAY, -1)
        if finished:
            assert (await nobody.call("GET", f"/api/tables/{table}/rounds/1"))["events"]


@pytest.mark.alone
async def test_other_tables_stay_open_to_others(server: Serving, aki: Guest) -> None:
    table = await aki.make(GAME, **pair(GAME))
    assert (await aki.look(table))["day"] is None
    nobody = Guest(server.address)
    assert (await nobody.look(table))["id"] == table


# --- What is kept of people ---


async def test_tries_are_deleted_with_the_guest(server: Serving, time: FakeTime) -> None:
    async with guests(server, "Aki", "Ben") as [aki, ben]:
        await cut(aki, "tsuru")
        await cut(ben, "kame")
        time.move_to(begins(TODAY))
        table = await played(aki)
        own = await deal_of(aki)
        export = (await aki.http.get("/api/guests/export")).json()
        assert export["daily"] == [{"day": TODAY, "game": GAME, **own["yours"]}]
        assert export["daily_cuts"] == {TODAY: digest("tsuru")}
        before = (await deal_of(ben))["cut"]
        await aki.call("DELETE", "/api/guests/me")
        assert rows(server, "select * from daily_tries") == []
        assert rows(server, f"select person, digest from daily_cuts where person is null or person <> '{ben.id}'") == [
            (None, digest("tsuru"))
        ]
        assert (await deal_of(ben))["cut"] == before, "what is mixed stays mixed"
        assert await refused(ben.look(table)) == SEALED


async def test_guest_deleted_mid_request_gets_401(server: Serving, time: FakeTime, people: list[Guest]) -> None:
    """Both were known when their requests began."""
    aki, ben = people
    await server.desk.store.forget_person(aki.id)
    assert await refused(cut(aki, "tsuru")) == (401, "not-signed-in")
    time.move_to(begins(TODAY))
    await ben.call("GET", "/api/guests/me")
    await server.desk.store.forget_person(ben.id)
    assert await refused(begin(ben)) == (401, "not-signed-in")
    assert rows(server, "select * from daily_tries") == []


@pytest.mark.alone
async def test_daily_with_first_bot_turn_starts(server: Serving, time: FakeTime) -> None:
    """A table is in the log before it is in memory, so another reader sees the due bot."""
    async with guests(server, "Aki") as [aki]:
        for n in range(8):
            time.move_to(begins(TODAY) + n * DAY_MS)
            table = await begin(aki)
            while not (await aki.look(table))["view"]["legal"]:
                await moment()
            assert await act(aki, table, Random(n))


def test_daily_queries_use_an_index(tmp_path: Path) -> None:
    async def look() -> None:
        async with serving(tmp_path / "log.db") as server:
            for table, wanted in (
                ("daily_tries", "day = 'a'"),
                ("daily_tries", "day = 'a' and game = 'a' and person = 'a'"),
                ("daily_tries", "person = 'a'"),
                ("daily_cuts", "day = 'a'"),
                ("daily_cuts", "person = 'a'"),
            ):
                assert not read_through(server.desk.settings.database or "", f"select * from {table} where {wanted}")

    asyncio.run(look())
