"""Servers that are killed again and again, and people who go on playing at them."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx

from mekuri.match.verify import verify
from tests.helpers.server.serving import Guest, Json, Refusal, data
from tests.helpers.server.stores import sql
from tests.helpers.tables import seats_for
from tests.helpers.time import moment

T = TypeVar("T")
_PAUSE = 0.2  # seconds before a request is sent again: with less, waiting clients keep the server from starting


class Person:
    """A person who sends every request to one of the servers, and repeats it, to any of them, until it is answered.

    Attributes:
        guest: the connection to the server.
        did: the actions that the server has acknowledged, in order, by table.
        retried: how many requests had to be repeated.
    """

    def __init__(self, guest: Guest, chance: Random, addresses: Sequence[str] = ()) -> None:
        self.guest = guest
        self._addresses = addresses
        self.did: dict[str, list[str]] = {}
        self.retried = 0
        self._chance = chance

    async def asked(self, request: Callable[[], Awaitable[T]]) -> T:
        """Repeat a request until it is answered, and return the answer."""
        while True:
            if self._addresses:
                self.guest.http.base_url = self._chance.choice(self._addresses)
            try:
                return await request()
            except (httpx.TransportError, json.JSONDecodeError):
                self.retried += 1
            except Refusal as refused:
                if refused.status not in (408, 429, 503):
                    raise
            await asyncio.sleep(_PAUSE)

    def watcher(self, table: str) -> "Watcher":
        """Return a spectator of a table at the same servers."""
        return Watcher(table, self._addresses or [str(self.guest.http.base_url)], self._chance)

    async def look(self, table: str) -> Json:
        return await self.asked(lambda: self.guest.look(table))

    async def make(self, name: str, seats: list[str], rounds: int) -> str:
        """Make a table with a seat for this person. If the server did not acknowledge a table, it may be left over, empty."""
        options = {"rounds": str(rounds)}
        return await self.asked(lambda: self.guest.make(name, seats=seats, match_options=options))

    async def sit(self, table: str) -> Json:
        whole = await self.asked(lambda: self.guest.sit(table, cut=f"cut of {self.guest.id}"))
        self.did.setdefault(table, [])
        return whole

    async def move(self, table: str) -> bool:
        """Do what the table waits for. Returns whether there was anything.

        Nobody else decides for this seat, so no answer may be a conflict, unless a window has closed meanwhile.
        """
        whole = await self.look(table)
        if whole["head"]["state"] == "over":
            return False
        view = whole["view"]
        if view and view["legal"]:
            action = self._chance.choice(view["legal"])["action"]
            try:
                answer = await self.asked(lambda: self.guest.play(table, view["version"], action))
            except Refusal as refused:
                if view["closes"] is None or refused.error not in ("stale", "decided-otherwise"):
                    raise
                return True
            assert (answer["table"], answer["action"]) == (table, action)
            self.did[table].append(action)
            return True
        if view and view["over"] and not whole["head"]["seats"][whole["you"]]["ready"]:
            await self.asked(lambda: self.guest.ready(table, whole["head"]["round"]))
            return True
        return False


def moment_of(view: Json | None) -> str:
    """Return what a table waits for, by the view of one of its people."""
    if view is None:
        return "people"
    if view["over"]:
        return "the next round"
    if view["closes"] is not None:
        return "silence"
    return "several seats" if len(view["waiting"]) > 1 else "one seat"


class Table:
    """A table of people who play until the match is over.

    Attributes:
        id: the table's id.
        people: its people, in the order of their seats; bots have the seats after them.
        commitment: the commitment to its deals, as it was before the first player sat down.
        moment: what the table waited for when it was last looked at.
        over: whether the match is over.
    """

    def __init__(self, id: str, people: list[Person], commitment: str) -> None:
        self.id = id
        self.people = people
        self.commitment = commitment
        self.moment = moment_of(None)
        self.over = False

    @classmethod
    async def made(cls, name: str, people: list[Person], bots: list[str], rounds: int) -> "Table":
        id = await people[0].make(name, seats_for(name, *["person"] * len(people), *bots), rounds)
        table = cls(id, people, (await people[0].look(id))["head"]["commitment"])
        for person in people:
            await person.sit(id)
        return table

    async def play(self) -> None:
        """Play until the match is over."""
        while (whole := await self.people[0].look(self.id))["head"]["state"] != "over":
            self.moment = moment_of(whole["view"])
            if not any([await person.move(self.id) for person in self.people]):
                await moment()
        self.over = True

    async def record(self) -> Any:
        """Return the text of the record."""

        async def fetch() -> str:
            answer = await self.people[0].guest.http.get(f"/api/tables/{self.id}/record")
            if answer.status_code != 200:
                raise Refusal(answer.status_code, answer.json())
            return answer.text

        return await self.people[0].asked(fetch)


class Watcher:
    """A spectator whose stream is opened again, at any of the servers, whenever it ends.

    Attributes:
        events: the events of the stream, by the version after it.
        table: the id of the table.
    """

    def __init__(self, table: str, addresses: Sequence[str], chance: Random) -> None:
        self.table = table
        self.events: dict[int, Json] = {}
        self._version = 0
        self._guest = Guest(addresses[0])
        self._addresses = addresses
        self._chance = chance

    async def watch(self) -> None:
        """Follow the table until the match is over. Each message must follow the one before."""
        while True:
            self._guest.http.base_url = self._chance.choice(self._addresses)
            try:
                async with self._guest.stream(self.table, last=str(self._version) if self._version else "") as stream:
                    async for message in stream:
                        if message.event == "event":
                            event = data(message)
                            assert event["version"] == self._version + 1, "a stream goes neither back nor on without telling"
                            self._version += 1
                            self.events[self._version] = event
                        elif message.event == "table":
                            assert data(message)["version"] >= self._version, "a stream never goes back"
                            self._version = data(message)["version"]
                        if message.event in ("event", "table") and (data(message).get("head") or {}).get("state") == "over":
                            return
            except (httpx.TransportError, json.JSONDecodeError):
                pass
            except Refusal as refused:
                if refused.status not in (408, 429, 503):
                    raise
            await asyncio.sleep(_PAUSE)

    async def events_again(self, address: str) -> dict[int, Json]:
        """Return what a spectator is told now of what this one was told, by the version after each event."""
        guest = Guest(address)
        events = {event["version"]: event for event in await guest.events(self.table)}
        await guest.close()
        return {version: events[version] for version in self.events}

    async def close(self) -> None:
        await self._guest.close()


async def check(database: Path | str, table: Table) -> None:
    """What people were told is what the log has and what the record tells: nothing lost, nothing twice."""
    rows = sql(database, "select n, seat, decision, body, person, kind from log where match = ? order by n", [table.id])
    assert [row[0] for row in rows] == list(range(len(rows)))
    record = await table.record()
    actions = [action for part in json.loads(record)["rounds"] for action in part["actions"].split()]
    for seat, person in enumerate(table.people):
        own = [row for row in rows if row[1] == seat and row[5] == "play"]
        assert {row[4] for row in own} <= {person.guest.id, None}
        assert acknowledges([(json.loads(row[3])["action"], bool(row[4])) for row in own], person.did[table.id])
        assert [row[2] for row in own] == sorted({row[2] for row in own})
        assert [action for action in actions if action.startswith(f"{seat}:")] == [
            f"{seat}:{json.loads(row[3])['action']}" for row in own
        ]
    assert len(actions) == sum(row[2] is not None for row in rows)
    assert verify(record, commitment=table.commitment).verified == len(json.loads(record)["rounds"])
    assert [row[5] for row in rows].count("end") == 1


def acknowledges(rows: list[tuple[str, bool]], did: list[str]) -> bool:
    """Return whether a player got exactly the log's rows of the seat: actions, and whether the player sent them.

    Actions that the player did not send were silence. A player whose equal action came just too late got the answer that it stands.
    """
    ways = {0}  # how many of the acknowledged actions the rows so far may account for
    for action, sent in rows:
        later = {way + 1 for way in ways if did[way : way + 1] == [action]}
        ways = later if sent else later | ways
    return len(did) in ways
