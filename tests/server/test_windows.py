"""Windows: while silence is an answer, people answer first, and the table goes on without silent players.

Two-player games that begin with a vote are given a window: silence then means the first word of the vote. Games with windows of
their own are tested in `test_shouts`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mekuri import games
from mekuri.cards import NONE, each
from mekuri.engine.contract import DRIVER, FIRST_WORD, legal, waiting
from mekuri.server.storage.store import StoreError
from mekuri.table import events
from mekuri.table.commands import Turn
from mekuri.table.log import Row
from tests.helpers.server.gathering import VOTES, at, begun, choosing, each_vote, guests, hearing
from tests.helpers.server.serving import Guest, Json, Serving, play_out, refused, serving
from tests.helpers.server.windows import asked
from tests.helpers.time import FakeTime, FakeTimer, until

__all__ = ["asked"]
pytestmark = each_vote


def silence(s: Any) -> int:
    asked = [seat for seat in each(waiting(s)) if seat != DRIVER]
    if not asked or not s.contract.table.secret(s):
        return NONE
    return next(action for action in each(legal(s, asked[0])) if action >= FIRST_WORD)


def any_silence(s: Any) -> int:
    """A word for silence at every decision."""
    asked = [seat for seat in each(waiting(s)) if seat != DRIVER]
    return next(iter(each(legal(s, asked[0])))) if asked else NONE


@pytest.fixture(autouse=True)
def window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A contract is frozen, but for tests."""
    for name in VOTES:
        monkeypatch.setitem(vars(games.find(name).table), "window", silence)


def votes(events: list[Json]) -> dict[int, str]:
    """Return the first action of each seat."""
    found: dict[int, str] = {}
    for event in events:
        if event["kind"] == "play" and event["seat"] != DRIVER:
            found.setdefault(event["seat"], event["action"])
    return found


async def test_window_closes_at_one_time_for_every_viewer(server: Serving, people: list[Guest], name: str) -> None:
    watcher = Guest(server.address)
    table = await begun(people, name)
    views = [(await guest.look(table))["view"] for guest in (*people, watcher)]
    closes = views[0]["closes"]
    assert [view["closes"] for view in views] == [closes] * 3
    begun_at = (await server.desk.store.rows(table))[-1].at
    assert closes == begun_at + 8000
    async with hearing(people[1], table) as live:
        await live.some("table")
        await people[0].play(table, views[0]["version"], views[0]["legal"][1]["action"])
        await live.version(views[1]["version"] + 1)
        # An answer does not put off the end.
        assert live.of("event")[0]["view"]["closes"] == closes
        await people[1].play(table, views[1]["version"], views[1]["legal"][1]["action"])
        end = (await people[1].look(table))["view"]
        await live.version(end["version"])
    assert end["closes"] is None
    assert live.of("event")[-1]["view"]["closes"] is None
    async with hearing(people[1], table, last=str(views[1]["version"])) as again:
        await again.version(end["version"])
    assert again.received == live.received


async def test_silence_of_all_closes_the_window(people: list[Guest], name: str) -> None:
    table = await begun(people, name, rounds=1)
    async with hearing(people[0], table, last="0") as heard:
        await until(lambda: len(votes(heard.of("event"))) == 2)
    view = next(event["view"] for event in heard.of("event") if event["view"] and event["view"]["closes"] is not None)
    said = view["legal"][0]["action"]
    events = await people[0].events(table, view["version"])
    assert votes(events)[0] == said
    assert any(event["view"]["closes"] is None for event in events)
    # The other's stays unseen, as if it had been said.
    assert votes(events)[1] is None
    assert votes(await people[1].events(table, view["version"]))[1] == said


async def test_silence_of_one_player_is_filled_in(people: list[Guest], name: str) -> None:
    """Answers count when they are given; silence is an answer only for the other."""
    table = await begun(people, name, rounds=1)
    view = (await people[0].look(table))["view"]
    silent, said = [legal["action"] for legal in view["legal"][:2]]
    answer = await people[0].play(table, view["version"], said)
    assert answer["version"] == view["version"] + 1
    async with hearing(people[1], table, last=str(view["version"])) as heard:
        await until(lambda: any(event["view"]["closes"] is None for event in heard.of("event")))
    assert votes(await people[0].events(table, view["version"]))[0] == said
    assert votes(await people[1].events(table, view["version"]))[1] == silent
    # Too late: the answer stands.
    assert (await refused(people[1].play(table, view["version"], said)))[1] == "decided-otherwise"


async def test_bots_answer_after_the_people(people: list[Guest], asked: list[Turn], name: str) -> None:
    table = await begun(people[:1], name, rounds=1, bots=["greedy"])
    view = (await people[0].look(table))["view"]
    for _ in range(20):
        assert (await people[0].look(table))["view"] == view
    assert not asked
    await people[0].play(table, view["version"], view["legal"][1]["action"])
    await until(lambda: asked)
    whole = await play_out(table, people[:1])
    assert whole["head"]["why"] == "played"


async def test_bots_answer_when_the_window_closes(people: list[Guest], asked: list[Turn], name: str) -> None:
    table = await begun(people[:1], name, rounds=1, bots=["greedy"])
    async with hearing(people[0], table, last="0") as heard:
        await until(lambda: len(votes(heard.of("event"))) == 2)
    assert asked
    assert list(votes(heard.of("event"))) == [0, 1]
    first = next(event["view"] for event in heard.of("event") if event["view"] and event["view"]["closes"] is not None)
    assert votes(heard.of("event"))[0] == first["legal"][0]["action"]


async def test_failed_closing_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It closes later without a request."""
    failed, written = list[Row](), list[Row]()
    async with serving(tmp_path / "other.db") as server, guests(server, "Aki", "Ben") as people:
        append = server.desk.store.append

        async def fail_once(id: str, rows: Sequence[Row], *rest: Any, **named: Any) -> None:
            closing = [row for row in rows if row.decision == 0]
            if closing and not failed:
                failed.extend(closing)
                raise StoreError("the log cannot be written: disk full")
            # The retry may follow at once, because nothing else moves the time: so the log is read before it.
            if closing:
                written.extend(row for row in await server.desk.store.rows(id) if row.decision == 0)
            await append(id, rows, *rest, **named)

        monkeypatch.setattr(server.desk.store, "append", fail_once)
        table = await begun(people, name, rounds=1)
        async with hearing(people[0], table) as heard:
            await until(lambda: any(event["view"]["closes"] is None for event in heard.of("event") if event["view"]))
        assert failed
        assert not written
        assert [row.seat for row in await server.desk.store.rows(table) if row.decision == 0] == [0, 1]


async def test_successive_windows_have_separate_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It does not end when the one before would have ended."""
    monkeypatch.setitem(vars(games.find(name).table), "window", any_silence)
    own = 0
    async with serving(tmp_path / "other.db", time := FakeTime()) as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, name, rounds=1)
        while (await people[0].look(table))["head"]["state"] == "running":
            guest, view = await choosing(table, people)
            time.move(3)
            start = time.now()
            await guest.play(table, view["version"], view["legal"][-1]["action"])
            after = (await guest.look(table))["view"]
            if view["waiting"] == [view["you"]] and after["closes"] is not None:
                assert start <= after["closes"] - events.WINDOW_MS <= time.now()
                own += 1
    assert own > 5 or games.find(name).side, "this shows nothing"


async def test_stopped_server_cancels_the_window(tmp_path: Path, name: str) -> None:
    """Its log is closed; the next server closes it."""
    async with serving(tmp_path / "other.db") as server, guests(server, "Aki", "Ben") as people:
        live = server.desk.tables.live_tables[await begun(people, name)]
        assert live.window
    assert isinstance(live.window, FakeTimer)
    assert live.window.cancelled()


@pytest.mark.parametrize("late", [0, 9])
async def test_open_window_survives_a_restart(tmp_path: Path, name: str, late: float) -> None:
    """It closes at the announced time, before or after the restart, though tables now wait longer."""
    time, path = FakeTime(), tmp_path / "other.db"
    async with serving(path, time, window=1) as server, guests(server, "Aki", "Ben") as people:
        table = await begun(people, name)
        view = (await people[0].look(table))["view"]
    time.move(late)
    async with serving(path, time) as server:
        aki = at(server, people[0])
        async with hearing(aki, table, last=str(view["version"])) as heard:
            await until(lambda: any(event["view"]["closes"] is None for event in heard.of("event")))
        assert votes(heard.of("event"))[0] == view["legal"][0]["action"]
        rows = [row for row in await server.desk.store.rows(table) if row.decision == 0]
        assert len(rows) == 2
        assert all(row.at >= view["closes"] for row in rows)
