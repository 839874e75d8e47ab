"""Guests in the database: people, their devices and codes, and a feed of changes for other processes."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

import msgspec
from sqlalchemy import Executable, bindparam, func, literal, select

from mekuri.server.schema import codes, devices, people, people_news, site
from mekuri.server.side import StoreError
from mekuri.server.writer import Values, Write
from mekuri.table.log import Conflict
from mekuri.table.time import Time

_MOST_ASKED = 500  # ids in one query
_MOST_NEWS = 5000  # changes of one call; the next call returns the rest


class Person(msgspec.Struct, frozen=True):
    """A person, with the device of the request. Times are in milliseconds since the epoch.

    Attributes:
        id, name: of the person.
        made_at: when the person came first.
        device: the id of the device.
        seen_at: when the device was last used, to the hour.
        banned_until: when the ban ends; None without one.
        banned_why: the reason of the ban.
    """

    id: str
    name: str
    made_at: int
    device: int
    seen_at: int
    banned_until: int | None = None
    banned_why: str | None = None


class Device(msgspec.Struct, frozen=True):
    """A device on which a person is signed in. Times are in milliseconds since the epoch."""

    id: int
    made_at: int
    seen_at: int


# --- Queries, built once, so that each is compiled once ---

_BY_TOKEN = (
    select(
        people.c.id, people.c.name, people.c.made_at, devices.c.id, devices.c.seen_at, people.c.banned_until, people.c.banned_why
    )
    .join(devices)
    .where(devices.c.token_hash == bindparam("token_hash"))
)
_NAMES = select(people.c.id, people.c.name).where(people.c.id.in_(bindparam("ids", expanding=True)))
_DEVICES = (
    select(devices.c.id, devices.c.made_at, devices.c.seen_at).where(devices.c.person == bindparam("of")).order_by(devices.c.id)
)
_BY_CODE = select(codes.c.person).where(codes.c.code_hash == bindparam("code_hash"), codes.c.until > bindparam("at"))
_SITE = select(site.c.value).where(site.c.name == literal("id"))
_PEOPLE_PLACE = select(func.coalesce(func.max(people_news.c.id), 0))
_PEOPLE_NEWS = (
    select(people_news.c.id, people_news.c.person)
    .where(people_news.c.id > bindparam("after"), people_news.c.writer != bindparam("own"))
    .order_by(people_news.c.id)
    .limit(bindparam("most"))
)


class Gone(StoreError):
    """There is no such person, or not any more: they may be deleted while a request of theirs is in progress."""


class GuestStore(ABC):
    """The part of the store for people. Every change of a person is added to a feed, as other processes cache people.

    Attributes:
        time: the clock.
    """

    time: Time
    _own: str  # the id of this store among those that have the database open

    # --- People ---

    async def add_person(self, id: str, token_hash: str, name: str) -> None:
        """Add a person with a device. Raises Conflict where the id or the token exists."""
        at = self.time.now()
        person = {"id": id, "name": name, "made_at": at}
        write = Write(people=(person,), devices=(_device(id, token_hash, at),))
        await self._write(write, taken="there is such a person already: take another id and token")

    async def person_by_token(self, token_hash: str) -> Person | None:
        """Return the person with a token of this SHA-256; None if there is none."""
        found = await self._read(_BY_TOKEN, {"token_hash": token_hash})
        return Person(*found[0]) if found else None

    async def rename(self, id: str, name: str) -> None:
        """Rename a person. Raises Gone where there is no such person."""
        await self._write(self._told(id, names=({"of": id, "name": name},)), missing=f"there is no person {id}", absent=Gone)

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of people by their ids. Unknown ids are left out."""
        found: dict[str, str] = {}
        for start in range(0, len(ids), _MOST_ASKED):
            rows = await self._read(_NAMES, {"ids": list(ids[start : start + _MOST_ASKED])})
            found |= {row[0]: row[1] for row in rows}
        return found

    async def forget_person(self, id: str) -> None:
        """Delete a person and all personal data. Rows of matches stay, with an unknown id. Unknown ids are ignored."""
        person = ({"of": id},)
        unnamed = ({"who": id, "of": None, "body": "{}"},)
        signed_out = ({"of": id, "but": 0},)
        parts = ("forgotten_results", "forgotten_mistakes", "forgotten_searched", "forgotten_tries")
        own: dict[str, Sequence[Values]] = {**dict.fromkeys(parts, person), "unnamed_cuts": ({"who": id, "person": None},)}
        await self._write(self._told(id, void=person, signed_out=signed_out, **own, forgotten=person, unnamed=unnamed))

    # --- Devices ---

    async def devices(self, person: str) -> list[Device]:
        """Return a person's devices, oldest first."""
        return [Device(*row) for row in await self._read(_DEVICES, {"of": person})]

    async def see_device(self, id: int) -> None:
        """Set the time at which a device was last used to now."""
        await self._write(Write(seen=({"of": id, "seen_at": self.time.now()},)))

    async def sign_out(self, person: str, but: int = 0) -> None:
        """Delete a person's devices but one (0 for none), and the code for a new one."""
        await self._write(self._told(person, void=({"of": person},), signed_out=({"of": person, "but": but},)))

    async def sign_out_device(self, person: str, id: int) -> None:
        """Delete one device of a person."""
        await self._write(self._told(person, given_back=({"of": id},)))

    async def add_code(self, person: str, code_hash: str, life_ms: int) -> int:
        """Add a code for a new device of a person, in the place of an older one.

        Returns:
            When it expires, in milliseconds since the epoch.

        Raises:
            Conflict: another person has the same code.
            Gone: there is no such person.
        """
        until = self.time.now() + life_ms
        code = {"person": person, "code_hash": code_hash, "until": until}
        write = Write(void=({"of": person},), codes=(code,))
        await self._write_for(person, write, taken="there is such a code already: take another")
        return until

    async def use_code(self, code_hash: str, token_hash: str) -> bool:
        """Use up a code and add a device with its own token. Returns whether the code was valid."""
        at = self.time.now()
        found = await self._read(_BY_CODE, {"code_hash": code_hash, "at": at})
        if not found:
            return False
        person = found[0][0]
        used = ({"of": code_hash, "at": at},)
        write = self._told(person, used=used, devices=(_device(person, token_hash, at),))
        try:
            await self._write(write, taken="the person is gone", missing="the code is used up", absent=Conflict)
        except Conflict:
            return False  # another request was first
        return True

    # --- The database that knows the people ---

    async def site_id(self) -> str:
        """Return the random id of the database, drawn at the first call. Backups and copies of the database have the same."""
        while not (found := await self._read(_SITE, {})):
            with suppress(Conflict):  # another process was first
                await self._write(Write(site=(_new_site_id(),)), taken="the database has an id already")
        return cast(str, found[0][0])

    def _new_site(self) -> Write:
        """Return a write that gives the database another id."""
        return Write(old_site=({"of": "id"},), site=(_new_site_id(),))

    # --- The feed of changes ---

    async def people_place(self) -> int:
        """Return the last position of the feed of changed people."""
        return cast(int, (await self._read(_PEOPLE_PLACE, {}))[0][0])

    async def people_news(self, after: int) -> tuple[int, set[str]]:
        """Return the people whom other stores have changed after a position of the feed.

        Returns:
            The position for the next call, and the ids of the people.
        """
        found = await self._read(_PEOPLE_NEWS, {"after": after, "own": self._own, "most": _MOST_NEWS})
        return (found[-1][0] if found else after), {person for _, person in found}

    def _told(self, person: str, **parts: Sequence[Values]) -> Write:
        """Return a write that also adds a person to the feed of changes."""
        return Write(people_news=({"person": person, "at": self.time.now(), "writer": self._own},), **parts)

    async def _write_for(self, person: str, write: Write, taken: str) -> None:
        """Execute a write that adds rows of a person.

        Raises:
            Conflict: a row is there already.
            Gone: there is no such person.
        """
        try:
            await self._write(write, taken)
        except Conflict:
            if await self.names([person]):
                raise
            raise Gone(f"there is no person {person}") from None

    # --- Access to the database, implemented by `Store` ---

    @abstractmethod
    async def _write(
        self, write: Write, taken: str = "", missing: str = "", absent: type[StoreError | Conflict] = StoreError
    ) -> None: ...

    @abstractmethod
    async def _read(self, statement: Executable, values: Values) -> Sequence[Sequence[Any]]: ...


def _new_site_id() -> Values:
    return {"name": "id", "value": secrets.token_hex(8)}


def _device(person: str, token_hash: str, at: int) -> Values:
    return {"person": person, "token_hash": token_hash, "made_at": at, "seen_at": at}
