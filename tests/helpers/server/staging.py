"""Worlds played over a server: one table with different cards where a viewer cannot see them, and all that the viewer is sent."""

import asyncio
import itertools
import logging
import random
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

import mekuri
from mekuri.bots import usual
from mekuri.cards import card_text
from mekuri.desk.desk import Desk
from mekuri.engine.chance import Seed, stream
from mekuri.engine.contract import legal
from mekuri.engine.options import differing
from mekuri.match.fair import FairDeals
from mekuri.match.match import Match
from mekuri.match.record import RoundRecord
from mekuri.server.tables import pictures
from mekuri.table import transitions
from mekuri.table.table import Table
from mekuri.testing.worlds import Viewer, act, branch, steps, twin, values
from tests.helpers.server.raw import Headers, Tap, body_of, head_of, request, send, status
from tests.helpers.server.serving import Serving, serving
from tests.helpers.time import FakeTime

ROOT = bytes(range(100, 132))  # the root of every match
_LINES = logging.Formatter("%(levelname)s %(name)s: %(message)s")  # whatever formats the lines that pytest shows
AT = 1_700_000_000_000  # the time of the time, in milliseconds since 1970
MOST_ACTIONS = 63  # the most actions that a game has
Answers = dict[str, bytes]  # answers, by request


class Course(NamedTuple):
    """The rounds of a table up to a moment of its second round."""

    first: mekuri.Round
    now: mekuri.Round
    lots: bool = False  # whether seats are drawn by lot
    person: int | None = None  # the only person, with bots in the other seats; None for people in all seats

    @property
    def rounds(self) -> tuple[mekuri.Round, mekuri.Round]:
        """Both rounds."""
        return self.first, self.now

    @property
    def packs(self) -> list[RoundRecord]:
        return [RoundRecord(round.dealer, tuple(map(tuple, round.packs)), (), "", (), ()) for round in self.rounds]


class Asker(NamedTuple):
    """A client that looks at the table: the person of a seat, a guest who watches, or nobody."""

    name: str
    viewer: Viewer
    headers: Headers
    tap: Tap


class OverHttp:
    """A server as clients reach it.

    Attributes:
        desk: its desk.
    """

    def __init__(self, server: Serving) -> None:
        self.desk: Desk = server.desk
        self._address = server.address

    async def arrive(self, name: str) -> Headers:
        """Become a guest. Returns the headers of this guest's requests."""
        return {"authorization": f"Bearer {body_of(await self.ask('POST', '/api/guests', {'name': name}, {}))['token']}"}

    async def ask(self, method: str, path: str, body: object, headers: Headers) -> bytes:
        """Send a request. Returns the whole answer, as HTTP has it."""
        return await send(self._address, request(method, path, body, headers))

    async def follow(self, path: str, headers: Headers) -> Tap:
        """Open a stream."""
        return await Tap(self._address).open(path, headers)


class Stage(NamedTuple):
    """A table at the end of a course."""

    server: OverHttp
    table: str
    askers: list[Asker]

    @property
    def played(self) -> Table:
        found = self.server.desk.tables.live_tables[self.table].table
        assert found
        return found

    async def ask(self, asker: Asker, method: str, path: str, body: object = None, more: Headers | None = None) -> bytes:
        return await self.server.ask(method, path, body, asker.headers | (more or {}))

    async def wait(self, happened: Callable[[], bool]) -> None:
        while not happened():
            await asyncio.sleep(0)

    async def quiet(self) -> None:
        """Wait until every stream has sent all its messages."""
        while any(stream._waiting or stream._something.is_set() for stream in self.server.desk.streams.open):
            await asyncio.sleep(0)
        for _ in range(10):
            await asyncio.sleep(0)


# --- Courses ---


def courses(game: mekuri.Game, seed: int, silent: bool = False) -> Iterator[Course]:
    """Yield a match of two rounds at every moment of the second at which a seat is asked for an action.

    With `silent`, all answer a window as silence does.
    """
    chance = random.Random(str(("course", seed)))
    match = game.match(seed=f"course {seed}", rounds=2)
    for _ in range(2):
        while not match.round.over:
            if silent and match.round.silence:
                match.round.play(match.round.silence)
            else:
                act(match.round, chance)
        match.next_round()
    first, second = match.finished
    for now in steps(second):
        if now.waiting and now.waiting[0] < game.seats:
            yield Course(first, branch(now))


def moments(game: mekuri.Game, seed: int = 0) -> dict[str, Course]:
    """Return a moment in the middle of a round and, where the game has them, one with a hidden commitment and one with a window.

    With more than two seats, the seats of the first have been drawn by lot.
    """
    found = list(courses(game, seed))
    middle = found[len(found) // 2]._replace(lots=game.seats > 2)
    unseen = [course for course in found if course.now.secret]
    windows = [course for course in found if course.now.silence]
    return {"middle": middle} | ({"unseen": unseen[-1]} if unseen else {}) | ({"window": windows[-1]} if windows else {})


def another(course: Course, viewer: Viewer, seed: Seed = 0) -> Course | None:
    """Return a course that has looked the same to a viewer so far; None where nothing is hidden from that viewer."""
    chance = stream(seed, "another")
    for _ in range(20):
        now = twin(course.now, viewer, chance)
        if values(now._state) != values(course.now._state):
            return course._replace(now=now)
    return None


# --- Setting the stage ---


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> "Stages":
    """Return servers without randomness and without time, with the log of `mekuri serve` in finer detail."""
    monkeypatch.setattr(pictures, "_draw", str.encode)  # the data of a picture, which say no less than the picture
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "mekuri")
    for name in ("alembic", "uvicorn.error", "httpx"):
        caplog.set_level(logging.WARNING, name)
    caplog.handler.setLevel(logging.DEBUG)
    return Stages(monkeypatch, caplog, tmp_path)


class Stages:
    """Plays worlds and collects what is sent in them."""

    def __init__(self, patch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, folder: Path) -> None:
        self._patch = patch
        self._caplog = caplog
        self._folder = folder
        self._files = (folder / f"{n}.db" for n in itertools.count())

    async def answers(self, course: Course, viewers: Sequence[Viewer], thorough: bool = False) -> dict[Viewer, Answers]:
        """Return all that these viewers are sent until the end of a course."""
        async with AsyncExitStack() as stack:
            stage = await self.play(stack, course)
            before = self._logged()
            found: dict[Viewer, Answers] = {viewer: {"log until now": before} for viewer in viewers}
            for asker in stage.askers:
                if asker.viewer in found:
                    sent = await inquire(stage, asker, course, thorough)
                    sent["stream"] = asker.tap.heard
                    sent["log of it"] = self._logged()
                    found[asker.viewer] |= {f"{asker.name}: {what}": heard for what, heard in sent.items()}
        return found

    async def play(self, stack: AsyncExitStack, course: Course) -> Stage:
        """Play a course at a table of a new server."""
        self._leave_nothing_to_chance(course)
        self._caplog.clear()
        # The pace slows nothing down, as no bots play here, but the time at which a window closes depends on it.
        # From the beginning of a wait on, the presence says for whom and until when.
        time = FakeTime(AT, moves=False)
        stage = await _set(stack, await self.start(stack, time), course)
        await _play(stage, course)
        return stage

    async def start(self, stack: AsyncExitStack, time: FakeTime) -> OverHttp:
        """Start a server."""
        return OverHttp(await stack.enter_async_context(serving(next(self._files), time=time, pace=0.3, stalled=30)))

    def _leave_nothing_to_chance(self, course: Course) -> None:
        count = itertools.count()
        self._patch.setattr(secrets, "token_urlsafe", lambda n: f"{next(count):0{n}}")
        self._patch.setattr(secrets, "token_bytes", lambda n: ROOT[:n])
        self._patch.setattr(secrets, "randbelow", lambda n: 0)
        self._patch.setattr(transitions, "Match", partial(Match, replayed=course.packs))

    def _logged(self) -> bytes:
        """Return the log since the last call, without durations, the port, and the lines of requests to act.

        The operator of the server may see how often a seat with hidden actions has acted; nobody at the table may.
        """
        found = [_LINES.format(each) for each in self._caplog.records]
        found = [re.sub(r"(?<=serves at port )\d+|(?<=\d{3} )[\d.]+(?= \S+$)", "-", line) for line in found]
        found = [line for line in found if not re.search(r"mekuri\.requests.* POST /api/tables/\S+/actions ", line)]
        self._caplog.clear()
        return "\n".join(found).encode()


async def _set(stack: AsyncExitStack, server: OverHttp, course: Course) -> Stage:
    """Make a table with its people and two spectators."""
    game = course.now.game

    async def ask(method: str, path: str, body: object, headers: Headers) -> dict[str, str]:
        heard = await server.ask(method, path, body, headers)
        assert status(heard) < 300, heard
        return dict(body_of(heard))

    seats = [course.person in (None, seat) for seat in range(game.seats)]
    people: list[tuple[str, Viewer]] = [(f"seat {seat}", seat) for seat, person in enumerate(seats) if person]
    headers: dict[str, Headers] = {"nobody": {}}
    for name, _ in [*people, ("watcher", None)]:
        headers[name] = await server.arrive(name)
    asked = {"game": game.id, "options": differing(game.options), "match_options": {"rounds": "2"}}
    asked["seats"] = ["person" if person else usual(game.contract) for person in seats]
    asked["seating"] = "lot" if course.lots else "order"
    table = (await ask("POST", "/api/tables", asked, headers["watcher"]))["id"]
    taps: dict[str, Tap] = {}
    for name, _ in [*people, ("watcher", None), ("nobody", None)]:
        taps[name] = await server.follow(f"/api/stream?table={table}", headers[name])
        stack.push_async_callback(taps[name].close)
    for name, seat in people:
        await ask("POST", f"/api/tables/{table}/seat", {"seat": None if course.lots else seat, "cut": "a cut"}, headers[name])
    askers = [Asker("nobody", None, {}, taps["nobody"])]
    for name, tap in taps.items():
        if headers[name]:
            you: Viewer = (await ask("GET", f"/api/tables/{table}", None, headers[name]))["you"]  # type: ignore[assignment]
            askers.append(Asker(name if you is None else f"seat {you}", you, headers[name], tap))
    return Stage(server, table, askers)


async def _play(stage: Stage, course: Course) -> None:
    seats = {asker.viewer: asker for asker in stage.askers if asker.viewer is not None}
    done = dict.fromkeys(range(course.now.game.seats), 0)

    def asked_again(seat: int) -> bool:
        """Return whether a seat is asked for its next action, and all its earlier ones have been taken."""
        sitter = stage.played.seats[seat]
        return bool(sitter.open_decision) and sum(decision.action is not None for decision in sitter.decisions) == done[seat]

    for number, round in enumerate(course.rounds):
        if number:
            for asker in seats.values():
                await stage.wait(lambda: stage.played.resting)
                assert status(await stage.ask(asker, "POST", f"/api/tables/{stage.table}/ready", {"round": number})) == 200
        for seat, action in round.actions:
            if seat not in seats:
                continue  # a bot's
            await stage.wait(lambda: asked_again(seat))  # noqa: B023 - waited for at once
            body = {"version": stage.played.version(seat), "action": round.action_text(action)}
            heard = await stage.ask(seats[seat], "POST", f"/api/tables/{stage.table}/actions", body)
            assert status(heard) == 200, heard
            done[seat] += 1
    if course.person is not None:
        await stage.wait(lambda: len(stage.played.running.actions) == len(course.now.actions))
    await stage.quiet()


# --- All requests of a client ---


async def inquire(stage: Stage, asker: Asker, course: Course, thorough: bool) -> Answers:
    """Return the answers to every request that changes nothing."""
    answers: Answers = {}

    async def ask(method: str, path: str, body: object = None, **more: str) -> bytes:
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        found = answers[f"{method} {path} {str(body)[:80]} {more or ''}"] = await stage.ask(asker, method, path, body, headers)
        return found

    here, version = f"/api/tables/{stage.table}", stage.played.version(asker.viewer)
    some = range(version + 2) if thorough else (0, version - 1, version, version + 1)
    await ask("GET", here)
    await ask("GET", "/api/tables")
    for path in ("me", "devices", "export", "matches"):
        await ask("GET", f"/api/guests/{path}")
    for path in ("", "/question"):
        await ask("GET", f"/api/practice{path}")
    await ask("POST", "/api/practice")
    for path in ("", f"/{course.now.game.id}", f"/{course.now.game.id}/cuts"):
        await ask("GET", f"/api/daily{path}")
    await ask("POST", "/api/daily", {"day": "2027-01-15", "cut": "tsuru"})
    await ask(
        "POST", "/api/practice/tries", {"table": here.rpartition("/")[2], "round": 1, "number": 1, "tries": 0, "action": None}
    )
    await ask("GET", f"{here}/cards")
    await ask("GET", f"{here}/record")
    for since in some:
        await ask("GET", f"{here}/events?since={since}")
        answers[f"stream from {since}"] = await _resumed(stage, asker, str(since))
    for last in ("x", "-1", f"{version},0", f"0,{version}"):
        answers[f"stream from {last}"] = await _resumed(stage, asker, last)
    twice = f"{here.rpartition('/')[2]}&table=nothing"
    await ask("GET", f"/api/stream?table={twice}", last_event_id=f"0,{version}")
    for number in range(4):
        await ask("GET", f"{here}/rounds/{number}")
    await ask("GET", f"{here}/analysis")
    await ask("GET", f"{here}/why")
    for owner in (0, 15):
        await ask("GET", f"{here}/rounds/2/analysis?seat={owner}&version={version}")
        await ask("GET", f"{here}/rounds/2/why?seat={owner}&version={version}")
        await ask("GET", f"{here}/rounds/2/review?seat={owner}")
        await ask("POST", f"{here}/rounds/2/retry", {"seat": owner, "seen": version, "line": "", "since": version})
    for seat in (*range(course.now.game.seats), 15):
        await ask("GET", f"{here}/rounds/2?seat={seat}")
        if thorough:
            await ask("GET", f"{here}/rounds/1?seat={seat}")
    for seat in (None, 0, course.now.game.seats - 1, 15):
        await ask("POST", f"{here}/seat", {"seat": seat})
    for number in range(4):
        await ask("POST", f"{here}/ready", {"round": number})
    if course.person is None:  # who might take back
        await ask("POST", f"{here}/take-back", {"version": version})
    for path in ("stand-in", "break-off", "rematch"):
        await ask("POST", f"{here}/{path}")
    for said in ("nothing", "stamps.wow") if asker.viewer is None else ("nothing",):
        await ask("POST", f"{here}/say", {"said": said, "version": version})
    await ask("POST", f"{here}/free", {"seat": 0})
    if asker.viewer is None:
        await ask("DELETE", f"{here}/seat")
    for body in _actions(course.now, asker.viewer, version, thorough):
        await ask("POST", f"{here}/actions", body)
    for path in (here, f"{here}/events?since=0", f"{here}/rounds/1", f"{here}/rounds/2", f"{here}/record", "/api/tables"):
        await ask("GET", path, accept_encoding="gzip")
        tag = head_of(await ask("GET", path)).get("etag", '"none"')
        for known in (tag, "*"):
            await ask("GET", path, if_none_match=known)
        await ask("GET", path, range="bytes=0-99", accept="text/html", mekuri_api="7")
        for method in ("HEAD", "OPTIONS", "TRACE"):
            await ask(method, path)
    await ask("GET", "/api/notice")
    await ask("GET", "/api/push")
    for path in ("/health", "/ready"):
        for method in ("GET", "HEAD"):
            await ask(method, path)
    page = f"/t/{here.rpartition('/')[2]}"
    for path in (page, f"{page}/rounds/1", f"{page}/rounds/2", f"{page}/rounds/1/review", "/t/nothing"):
        for method in ("GET", "HEAD"):
            await ask(method, path, accept="text/html")
            await ask(method, f"{path}?lang=ja", accept="text/html")
    for path in (f"{page}/rounds/1/picture", f"{page}/rounds/2/picture", f"{page}/qr"):
        for method in ("GET", "HEAD"):
            await ask(method, path)
    for method, path, strange in [
        ("GET", f"{here}/nothing", None),
        ("GET", "/api/tables/nothing", None),
        ("GET", f"{here}/events?since=x", None),
        ("GET", "/api/stream?table=nothing", None),
        ("PATCH", here, None),
        ("POST", f"{here}/actions", b'{"version": '),
        ("POST", f"{here}/actions", b" " * 20_000),
    ]:
        await ask(method, path, strange)
    await stage.quiet()
    return answers


def _actions(now: mekuri.Round, viewer: Viewer, version: int, thorough: bool) -> Iterator[dict[str, object]]:
    """Yield actions that are refused: not legal ones, those for another version of the table, and texts that are no action."""
    may = 0 if viewer is None else legal(now._state, viewer)
    texts = [_text(now, action) for action in range(MOST_ACTIONS)]
    for action, text in enumerate(texts):
        # A legal action would be played. Clients without a seat get the same answer to all actions.
        if not may >> action & 1 and (thorough or viewer is not None or action % 8 == 0):
            yield {"version": version, "action": text}
        if thorough or may >> action & 1 or action % 8 == 0:
            yield {"version": version + 1, "action": text}
            yield {"version": 0, "action": text}
    if thorough:
        # The open decision may have been asked for in an earlier version.
        forbidden = [text for action, text in enumerate(texts) if not may >> action & 1]
        for then in range(1, version):
            yield from ({"version": then, "action": text} for text in forbidden[then % 16 :: 16])
    for text in ("G", "?", "7X", "", "63", "-1"):
        yield {"version": version, "action": text}


def _text(now: mekuri.Round, action: int) -> str:
    """Return the notation of an action, or its number where it has none."""
    try:
        return now.action_text(action)
    except (ValueError, IndexError):
        return str(action)


async def _resumed(stage: Stage, asker: Asker, last: str) -> bytes:
    """Return what a client that reconnects is sent."""
    tap = await stage.server.follow(f"/api/stream?table={stage.table}", asker.headers | {"last-event-id": last})
    await stage.quiet()
    heard, open_streams = tap.heard, len(stage.server.desk.streams.open)
    await tap.close()
    while len(stage.server.desk.streams.open) == open_streams:
        await asyncio.sleep(0)
    await stage.quiet()
    return heard


# --- What must never be told ---


def secrets_of(course: Course) -> dict[str, bytes]:
    """Return what nobody may be sent at the end of a course: the root, secrets not yet revealed, and the order of the stock."""
    deals = FairDeals(ROOT, ())
    stock = [card_text(card) for card in course.now._state.pack[: course.now._state.stock]]
    found = {"root": ROOT, "root in hex": ROOT.hex().encode(), "root as text": repr(ROOT).encode()}
    found |= {f"secret {number}": deals.secret(number).encode() for number in range(1, 4)}
    for way, row in (("stock", stock), ("stock from its end", stock[::-1])):
        if len(row) > 5:
            found |= {f"{way} {gap!r}": gap.join(row[:6]).encode() for gap in (" ", ",", '","', "', '")}
    return found


def differences(one: Answers, other: Answers) -> dict[str, tuple[bytes, bytes]]:
    """Return the answers that differ between two worlds."""
    return {what: (heard, other.get(what, b"")) for what, heard in one.items() if heard != other.get(what, b"")}
