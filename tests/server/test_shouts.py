"""Windows of the games that have them: the first shout counts, silence passes, and bots speak after the people.

The clock of these servers stands still until a test moves it, so that no window closes before that.
"""

import asyncio
from pathlib import Path

import pytest

from mekuri import Record, replay
from mekuri.table.commands import Turn
from mekuri.table.log import Row
from tests.helpers.server.gathering import WINDOWS, at, begun, guests, hearing, party, post
from tests.helpers.server.serving import Guest, Json, Serving, play_out, serving
from tests.helpers.server.windows import asked
from tests.helpers.time import FakeTime, moment, until

__all__ = ["asked"]
pytestmark = pytest.mark.parametrize("name", WINDOWS)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime(moves=False)


class Window:
    """A window that is open at a table.

    Attributes:
        silent: who is asked: people and their views.
        silence: the word that silence means.
        closes: when it closes.
        since: how long the log was when it was found open.
    """

    def __init__(self, server: Serving, table: str, views: list[tuple[Guest, Json]], since: int) -> None:
        live = server.desk.tables.live_tables[table].table
        assert live
        assert live.running.silence
        self._server = server
        self.table = table
        self.silent = [(guest, view) for guest, view in views if view["legal"]]
        self.silence = live.running.silence
        self.closes = views[0][1]["closes"]
        self.since = since

    @classmethod
    async def found(cls, server: Serving, table: str, people: list[Guest]) -> "Window | None":
        """Return the open window, if a person is asked: it closes at once when only bots are asked."""
        views = [(guest, (await guest.look(table))["view"]) for guest in people]
        if views[0][1]["closes"] is None or not any(view["legal"] for _, view in views):
            return None
        return cls(server, table, views, len(await server.desk.store.rows(table)))

    @classmethod
    async def opened(cls, server: Serving, table: str, people: list[Guest]) -> "Window":
        """Return the next window; until then people play."""
        while not (window := await cls.found(server, table, people)):
            for guest in people:
                view = (await guest.look(table))["view"]
                if view["legal"]:
                    await guest.play(table, view["version"], view["legal"][0]["action"])
                    break  # that may have opened it
        return window

    @property
    def seats(self) -> list[int]:
        """Return the seats of the people asked."""
        return [view["you"] for _, view in self.silent]

    def shout(self, view: Json) -> str:
        """Return the action of a player who is not silent."""
        return next(str(legal["action"]) for legal in view["legal"] if legal["action"] != self.silence)

    async def rows(self, server: Serving | None = None) -> list[Row]:
        """What seats have done at the table since the window was found."""
        rows = (await (server or self._server).desk.store.rows(self.table))[self.since :]
        return [row for row in rows if row.decision is not None]


async def pass_time(server: Serving, time: FakeTime, window: Window) -> None:
    """Let a window close."""
    time.move(9)
    await server.desk.tables.visit(window.table)
    guest, view = window.silent[0]
    async with hearing(guest, window.table, last=str(view["version"])) as heard:
        await until(lambda: any(event["view"]["closes"] is None for event in heard.of("event")))


async def alone(server: Serving, guest: Guest, name: str) -> Window:
    """A window in which the only person at a table is asked."""
    for _ in range(100):
        table = await begun([guest], name, bots=["greedy"])
        window = await Window.found(server, table, [guest])
        if window:
            return window
        await guest.leave(table)
    raise AssertionError("nobody is ever asked")


async def test_first_shout_closes_the_window(server: Serving, people: list[Guest], name: str) -> None:
    """Later shouts get `stale`, however often; the first gets the same answer again."""
    window = await Window.opened(server, await begun(people, name, rounds=1), people)
    (first, view), (late, lates), *_ = window.silent
    answer = await post(first, window.table, view["version"], window.shout(view))
    assert answer.status_code == 200
    whole = await late.look(window.table)
    assert whole["view"]["closes"] is None
    for action in (window.shout(lates), window.silence):
        refused = await post(late, window.table, lates["version"], action)
        assert (refused.status_code, refused.json()["error"]) == (409, "stale")
    assert await late.look(window.table) == whole
    again = await post(first, window.table, view["version"], window.shout(view))
    assert (again.status_code, again.content) == (200, answer.content)
    await play_out(window.table, people)
    record = Record.from_json((await first.http.get(f"/api/tables/{window.table}/record")).text)
    assert replay(record).over


async def test_one_of_several_concurrent_shouts_wins(server: Serving, people: list[Guest], name: str) -> None:
    """One of them was first."""
    window = await Window.opened(server, await begun(people, name, rounds=1), people)
    answers = await asyncio.gather(
        *(post(guest, window.table, view["version"], window.shout(view)) for guest, view in window.silent for _ in range(2))
    )
    assert sorted({answer.status_code for answer in answers}) == [200, 409]
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    (shouted,) = [row for row in await window.rows() if row.seat in window.seats]
    assert shouted.body["action"] != window.silence
    assert (await play_out(window.table, people))["head"]["why"] == "played"


async def test_player_who_passed_is_not_asked_again(server: Serving, people: list[Guest], name: str) -> None:
    """Answers before a shout stay valid, and a retry gets the same answer."""
    window = await Window.opened(server, await begun(people, name, rounds=1), people)
    (one, view), (other, others), *_ = window.silent
    passed = await post(one, window.table, view["version"], window.silence)
    assert (await one.look(window.table))["view"]["legal"] == []
    assert (await one.look(window.table))["view"]["closes"] == window.closes
    assert (await post(other, window.table, others["version"], window.shout(others))).status_code == 200
    assert (await post(one, window.table, view["version"], window.silence)).content == passed.content
    assert (await post(one, window.table, view["version"], window.shout(view))).json()["error"] == "decided-otherwise"


async def test_silence_counts_as_a_pass(server: Serving, people: list[Guest], time: FakeTime, name: str) -> None:
    window = await Window.opened(server, await begun(people, name, rounds=1), people)
    guest, view = window.silent[0]
    await pass_time(server, time, window)
    passed = [row for row in await window.rows() if row.seat in window.seats][: len(window.seats)]
    assert sorted(row.seat or 0 for row in passed) == window.seats
    assert {(row.body["action"], row.person) for row in passed} == {(window.silence, None)}
    assert min(row.at for row in passed) >= window.closes
    refused = await post(guest, window.table, view["version"], window.shout(view))
    assert (refused.status_code, refused.json()["error"]) == (409, "decided-otherwise")
    assert (await play_out(window.table, people))["head"]["why"] == "played"


async def test_bots_answer_after_the_people(server: Serving, people: list[Guest], asked: list[Turn], name: str) -> None:
    window = await alone(server, people[0], name)
    asked.clear()
    for _ in range(20):
        assert (await people[0].look(window.table))["view"] == window.silent[0][1]
    assert not asked
    await people[0].play(window.table, window.silent[0][1]["version"], window.silence)
    await until(lambda: asked)
    assert (await play_out(window.table, people[:1]))["head"]["why"] == "played"


async def test_bots_answer_when_the_window_closes(
    server: Serving, people: list[Guest], time: FakeTime, asked: list[Turn], name: str
) -> None:
    window = await alone(server, people[0], name)
    await pass_time(server, time, window)
    rows = await window.rows()
    assert (rows[0].seat, rows[0].body["action"], rows[0].person) == (window.seats[0], window.silence, None)
    assert rows[1].seat not in window.seats
    assert rows[0].at >= window.closes
    assert asked


@pytest.mark.alone
async def test_window_without_people_closes_at_once(server: Serving, people: list[Guest], name: str) -> None:
    """If the only person is not asked, the table continues at once: by this clock it would wait forever."""
    for _ in range(100):
        table = await begun(people[:1], name, rounds=1, bots=["greedy"])
        while not (await people[0].look(table))["view"]["legal"]:
            await moment()
        windows = [event["view"] for event in await people[0].events(table) if event["view"] and event["view"]["closes"]]
        if windows and not any(view["legal"] for view in windows):
            return
        await people[0].leave(table)
    raise AssertionError("everybody is always asked")


@pytest.mark.parametrize("late", [0, 9])
async def test_open_window_survives_a_restart(tmp_path: Path, time: FakeTime, name: str, late: int) -> None:
    """It closes at the announced time, before or after the restart; players who have answered are not asked again."""
    path = tmp_path / "other.db"
    async with serving(path, time) as server, guests(server, *party(name)) as people:
        window = await Window.opened(server, await begun(people, name), people)
        (speaker, view), (silent, since), *_ = window.silent
        await speaker.play(window.table, view["version"], window.silence)
        spoken = await window.rows()
    time.move(late)
    async with serving(path, time) as server:
        again = at(server, silent)
        if not late:
            assert (await again.look(window.table))["view"]["closes"] == window.closes
            time.move(9)
            await server.desk.tables.visit(window.table)
        async with hearing(again, window.table, last=str(since["version"])) as heard:
            await until(lambda: any(event["view"]["closes"] is None for event in heard.of("event")))
        await again.close()
        answers = [row for row in await window.rows(server) if row.seat in window.seats][: len(window.seats)]
    assert answers[:1] == spoken
    assert sorted(row.seat or 0 for row in answers) == window.seats
    assert all(row.at >= window.closes and row.body["action"] == window.silence for row in answers[1:])
