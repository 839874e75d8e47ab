"""Guests in the database: people, their devices and codes, and a feed of changes for other processes."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from sqlalchemy import Executable, bindparam, delete, func, insert, literal, select, update

from mekuri.desk.stores import Device, Gone, Person
from mekuri.server.storage.schema import (
    acts,
    codes,
    daily_cuts,
    daily_tries,
    devices,
    mistakes,
    people,
    people_news,
    results,
    searched,
    site,
)
from mekuri.server.storage.side import StoreError
from mekuri.server.storage.writer import Change, Statement, Values
from mekuri.table.log import Conflict, LogError
from mekuri.table.time import Time

_MOST_ASKED = 500  # ids in one query
_MOST_NEWS = 5000  # changes of one call; the next call returns the rest


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

# --- Statements ---

_ADD_PERSON = Statement(insert(people).inline())
_RENAME = Statement(update(people).where(people.c.id == bindparam("of")), must_find=True)
_ADD_DEVICE = Statement(insert(devices).inline())
_SEE_DEVICE = Statement(update(devices).where(devices.c.id == bindparam("of")))
_REMOVE_DEVICE = Statement(delete(devices).where(devices.c.id == bindparam("of")))
_SIGN_OUT = Statement(delete(devices).where(devices.c.person == bindparam("of"), devices.c.id != bindparam("but")))
_ADD_CODE = Statement(insert(codes).inline())
_USE_CODE = Statement(delete(codes).where(codes.c.code_hash == bindparam("of"), codes.c.until > bindparam("at")), must_find=True)
_VOID_CODE = Statement(delete(codes).where(codes.c.person == bindparam("of")))
_OF_PERSON = (results, mistakes, searched, daily_tries, people)
_FORGET = [
    Statement(delete(table).where(table.c["id" if table is people else "person"] == bindparam("of"))) for table in _OF_PERSON
]
_UNNAME_CUTS = Statement(update(daily_cuts).where(daily_cuts.c.person == bindparam("who")))
_UNNAME_ACTS = Statement(update(acts).where(acts.c.of == bindparam("who")))
_ADD_NEWS = Statement(insert(people_news).inline())
_REMOVE_SITE = Statement(delete(site).where(site.c.name == bindparam("of")))
_ADD_SITE = Statement(insert(site).inline())


class GuestStore(ABC):
    """The part of the store for people. Every change of a person is added to a feed, as other processes cache people.

    Attributes:
        time: the clock.
    """

    time: Time
    _own: str  # the id of this store among the stores that have the database open

    # --- People ---

    async def add_person(self, id: str, token_hash: str, name: str) -> None:
        """Add a person with a device. Raises Conflict where the id or the token exists."""
        at = self.time.now()
        person = _ADD_PERSON({"id": id, "name": name, "made_at": at})
        device = _ADD_DEVICE(_device(id, token_hash, at))
        await self._write(person, device, taken="there is such a person already: take another id and token")

    async def person_by_token(self, token_hash: str) -> Person | None:
        """Return the person with a token of this SHA-256; None if there is none."""
        found = await self._read(_BY_TOKEN, {"token_hash": token_hash})
        return Person(*found[0]) if found else None

    async def rename(self, id: str, name: str) -> None:
        """Rename a person. Raises Gone where there is no such person."""
        change = _RENAME({"of": id, "name": name})
        await self._write(change, self._person_news(id), missing=f"there is no person {id}", absent=Gone)

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the names of people by their ids. Unknown ids are left out."""
        found: dict[str, str] = {}
        for start in range(0, len(ids), _MOST_ASKED):
            rows = await self._read(_NAMES, {"ids": list(ids[start : start + _MOST_ASKED])})
            found |= {row[0]: row[1] for row in rows}
        return found

    async def forget_person(self, id: str) -> None:
        """Delete a person and all personal data. Rows of matches stay, with an unknown id. Unknown ids are ignored."""
        own = [statement({"of": id}) for statement in (_VOID_CODE, *_FORGET)]
        unnamed = _UNNAME_CUTS({"who": id, "person": None}), _UNNAME_ACTS({"who": id, "of": None, "body": "{}"})
        await self._write(*own, *unnamed, _SIGN_OUT({"of": id, "but": 0}), self._person_news(id))

    # --- Devices ---

    async def devices(self, person: str) -> list[Device]:
        """Return a person's devices, oldest first."""
        return [Device(*row) for row in await self._read(_DEVICES, {"of": person})]

    async def see_device(self, id: int) -> None:
        """Set the time at which a device was last used to now."""
        await self._write(_SEE_DEVICE({"of": id, "seen_at": self.time.now()}))

    async def sign_out(self, person: str, but: int = 0) -> None:
        """Delete a person's devices but one (0 for none), and the code for a new one."""
        await self._write(_VOID_CODE({"of": person}), _SIGN_OUT({"of": person, "but": but}), self._person_news(person))

    async def sign_out_device(self, person: str, id: int) -> None:
        """Delete one device of a person."""
        await self._write(_REMOVE_DEVICE({"of": id}), self._person_news(person))

    async def add_code(self, person: str, code_hash: str, life_ms: int) -> int:
        """Add a code for a new device of a person, in the place of an older one.

        Returns:
            When it expires, in milliseconds since the epoch.

        Raises:
            Conflict: another person has the same code.
            Gone: there is no such person.
        """
        until = self.time.now() + life_ms
        code = _ADD_CODE({"person": person, "code_hash": code_hash, "until": until})
        await self._write_for(person, _VOID_CODE({"of": person}), code, taken="there is such a code already: take another")
        return until

    async def use_code(self, code_hash: str, token_hash: str) -> bool:
        """Use up a code and add a device with its own token. Returns whether the code was valid."""
        at = self.time.now()
        found = await self._read(_BY_CODE, {"code_hash": code_hash, "at": at})
        if not found:
            return False
        person = found[0][0]
        changes = _USE_CODE({"of": code_hash, "at": at}), _ADD_DEVICE(_device(person, token_hash, at)), self._person_news(person)
        try:
            await self._write(*changes, taken="the person is gone", missing="the code is used up", absent=Conflict)
        except Conflict:
            return False  # another request was first
        return True

    # --- The database that knows the people ---

    async def site_id(self) -> str:
        """Return the random id of the database, drawn at the first call. Backups and copies of the database have the same."""
        while not (found := await self._read(_SITE, {})):
            with suppress(Conflict):  # another process was first
                await self._write(_add_site_id(), taken="the database has an id already")
        return cast(str, found[0][0])

    def _new_site(self) -> tuple[Change, Change]:
        """Return the changes that give the database another id."""
        return _REMOVE_SITE({"of": "id"}), _add_site_id()

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

    def _person_news(self, person: str) -> Change:
        """Return the change that adds a person to the feed."""
        return _ADD_NEWS({"person": person, "at": self.time.now(), "writer": self._own})

    async def _write_for(self, person: str, *changes: Change, taken: str) -> None:
        """Execute a write that adds rows of a person.

        Raises:
            Conflict: a row is there already.
            Gone: there is no such person.
        """
        try:
            await self._write(*changes, taken=taken)
        except Conflict:
            if await self.names([person]):
                raise
            raise Gone(f"there is no person {person}") from None

    # --- Access to the database, implemented by `Store` ---

    @abstractmethod
    async def _write(
        self, *changes: Change, taken: str = "", missing: str = "", absent: type[LogError | Conflict] = StoreError
    ) -> None: ...

    @abstractmethod
    async def _read(self, statement: Executable, values: Values) -> Sequence[Sequence[Any]]: ...


def _add_site_id() -> Change:
    return _ADD_SITE({"name": "id", "value": secrets.token_hex(8)})


def _device(person: str, token_hash: str, at: int) -> Values:
    return {"person": person, "token_hash": token_hash, "made_at": at, "seen_at": at}
