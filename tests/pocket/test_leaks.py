"""Nothing leaks to a page without a server: two worlds that differ only in hidden state give a person the same bytes.

All answers, refusals and streams that the worker hands to the page are compared, and what it logs. Ids, the root and the clock are
the same in both worlds; packs are given by hand.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

import mekuri
from mekuri.bots import Budget
from mekuri.desk.options import Options
from mekuri.match.round import Chronicle
from mekuri.pocket.pocket import PLAYER, Pocket
from mekuri.table import weighing
from mekuri.table.commands import Answer, Turn
from mekuri.testing.worlds import Viewer, viewers
from tests.helpers.machine_code import without_machine_code
from tests.helpers.server.raw import Headers
from tests.helpers.server.staging import Course, Stages, another, courses, differences, moments, secrets_of, stages
from tests.helpers.tables import GAMES
from tests.helpers.time import FakeTime

__all__ = ["stages"]


class InPage:
    """A page without a server, as its worker reaches it.

    Attributes:
        desk: its desk.
    """

    def __init__(self, pocket: Pocket) -> None:
        self.desk = pocket.desk
        self._pocket = pocket
        self._ids = map(str, count())
        self._people = count(1)

    async def arrive(self, name: str) -> Headers:
        headers = {PLAYER: str(next(self._people))}
        await self.ask("POST", "/api/guests", {"name": name}, headers)
        return headers

    async def ask(self, method: str, path: str, body: object, headers: Headers) -> bytes:
        if path.startswith("/api/stream?") and "nothing" not in path:
            stream = await self.follow(path, headers)
            await stream.close()
            return stream.heard
        return await Stream(self._pocket, next(self._ids)).read(method, path, body, headers)

    async def follow(self, path: str, headers: Headers) -> "Stream":
        return await Stream(self._pocket, next(self._ids)).open(path, headers)


class Stream:
    """A request to the worker, and all that it hands to the page for it, as HTTP would have it."""

    def __init__(self, pocket: Pocket, id: str) -> None:
        self._pocket, self._id = pocket, id
        self._heard = bytearray()

    @property
    def heard(self) -> bytes:
        return bytes(self._heard)

    async def read(self, method: str, path: str, body: object, headers: Headers) -> bytes:
        sent = body.decode() if isinstance(body, bytes) else "" if body is None else json.dumps(body)
        given = {PLAYER: "0", **headers}
        await self._pocket.answer(self._id, method, path, sent, given, self._begin, self._heard.extend)
        return self.heard

    def _begin(self, status: int, media: str) -> None:
        self._heard += f"HTTP/1.1 {status} -\r\ncontent-type: {media}\r\n\r\n".encode()

    async def open(self, path: str, headers: Headers) -> "Stream":
        self._task = asyncio.create_task(self.read("GET", path, None, headers))
        while not self._heard:
            await asyncio.sleep(0)
        return self

    async def close(self) -> None:
        self._pocket.leave(self._id)
        await self._task


class Pages(Stages):
    """Plays worlds in a page. Bots choose as the course says."""

    async def play(self, stack: AsyncExitStack, course: Course) -> Any:
        self._left: list[list[int]] = [[] for _ in range(course.now.game.seats)]
        for round in course.rounds:
            for seat, action in round.actions:
                if seat < len(self._left):
                    self._left[seat].append(action)
        return await super().play(stack, course)

    async def start(self, stack: AsyncExitStack, time: FakeTime) -> Any:
        async def keep(entries: str) -> None:
            await asyncio.sleep(0)

        pocket = Pocket(keep, options=Options(grace=0, stalled=0, guests=0, pace=0), time=time)
        stack.push_async_callback(pocket.desk.close)
        tables = pocket.desk.tables
        tables._context = replace(tables._context, choose=self._choose)
        return InPage(pocket)

    async def _choose(self, turn: Turn) -> Answer:
        return Answer(self._left[turn.seat].pop(0), turn.bot)


@pytest.fixture
def pages(stages: Stages, monkeypatch: pytest.MonkeyPatch) -> Pages:
    """Pages in which an analysis ends by play-outs, and not by time."""
    monkeypatch.setattr(weighing, "BUDGET", Budget(30))
    without_machine_code(monkeypatch)
    return Pages(stages._patch, stages._caplog, stages._folder)


async def leaks(pages: Pages, course: Course, others: Mapping[Viewer, Course]) -> dict[str, Any]:
    """Return where viewers get hidden information: by comparing two worlds, and by searching for secrets."""
    sent = await pages.answers(course, list(others))
    found: dict[str, Any] = {}
    for viewer, other in others.items():
        found |= differences(sent[viewer], (await pages.answers(other, [viewer]))[viewer])
        for name, secret in secrets_of(course).items():
            found |= {f"{name} in {what}": heard for what, heard in sent[viewer].items() if secret in heard}
    return found


def among_people(game: mekuri.Game) -> Iterator[tuple[Course, dict[Viewer, Course]]]:
    """Yield moments at which people play all seats, each with another world for every viewer with hidden information."""
    for course in moments(game).values():
        yield course, {viewer: other for viewer in viewers(game) if (other := another(course, viewer, str(viewer)))}


def among_bots(game: mekuri.Game) -> Iterator[tuple[Course, dict[Viewer, Course]]]:
    """Yield moments at which all wait for the only person: in the middle of a round, when bots have chosen unseen, and in a window.

    Nobody has shouted in a window: bots answer there after the person, and a shout ends it.
    """
    played = [course._replace(person=course.now.waiting[0]) for course in courses(game, 1, silent=True)]
    found = [course for course in played if len(course.now.waiting) == 1]
    unseen = [course for course in found if course.now.secret]
    windows = [course for course in played if course.now.silence]
    for course in (found[len(found) // 2], *unseen[-1:], *windows[:1]):
        if other := another(course, course.person):
            yield course, {course.person: other}


SHORT = next(name for name in GAMES if mekuri.game(name).deal(seed=0).secret)


def each_of(names: Sequence[str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == SHORT else pytest.mark.slow) for name in names])


@each_of(GAMES)
async def test_people_get_equal_bytes_from_two_worlds(pages: Pages, in_full: bool, name: str) -> None:
    for course, others in list(among_people(mekuri.game(name)))[: None if in_full else 1]:
        assert others
        assert await leaks(pages, course, others if in_full else dict(list(others.items())[:1])) == {}


@each_of(GAMES)
async def test_person_gets_equal_bytes_from_two_worlds_of_bots(pages: Pages, name: str) -> None:
    found = list(among_bots(mekuri.game(name)))
    assert found
    for course, others in found:
        assert await leaks(pages, course, others) == {}


async def test_view_of_another_seat_is_found(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    course, others = next(among_people(mekuri.game(SHORT)))
    monkeypatch.setattr(Chronicle, "view", lambda self, viewer: self._again.view(0))
    viewer = course.now.game.seats - 1
    found = await leaks(pages, course, {viewer: others[viewer]})
    assert any("GET /api/tables/" in place for place in found), found.keys()
