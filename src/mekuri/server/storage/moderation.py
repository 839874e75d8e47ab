"""Moderation in the database: bans, announcements, deletion of old matches, and the audit of these acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, func, insert, literal, select, update

from mekuri.server.storage.daily_store import DailyStore
from mekuri.server.storage.schema import acts, log, matches, mistakes, people, results, reviews, searched
from mekuri.server.storage.side import StoreError
from mekuri.server.storage.writer import Change, Statement, Values
from mekuri.table.log import Conflict

NEW_ID = "new-id"  # the kind of the act by which the database gets another id
_ROWS = 2_000  # rows that are deleted in one transaction, so that no move waits long
_ACTS = 100  # acts of one query
_TRIES = 20  # how often a deletion is begun again where others write meanwhile


class Act(msgspec.Struct, frozen=True):
    """An act of administration.

    Attributes:
        id: its position in the audit.
        at: when, in milliseconds since the epoch.
        kind: such as `ban`, `announce` or `prune`.
        of: the person or table that it is about, if any.
        body: its other values.
    """

    id: int
    at: int
    kind: str
    of: str | None
    body: dict[str, Any]


class ListedMatch(msgspec.Struct, frozen=True):
    """A match in the list of `mekuri admin`. Times are in milliseconds since the epoch."""

    id: str
    game: str
    state: str
    public: bool
    maker: str | None
    made_at: int
    changed_at: int


class ListedPerson(msgspec.Struct, frozen=True):
    """A person in the list of `mekuri admin`. Times are in milliseconds since the epoch."""

    id: str
    name: str
    made_at: int
    banned_until: int | None
    banned_why: str | None


_ACT = (acts.c.id, acts.c.at, acts.c.kind, acts.c.of, acts.c.body)
_NEW_ACTS = select(*_ACT).where(acts.c.id > bindparam("after")).order_by(acts.c.id).limit(_ACTS)
_LAST_ACTS = select(*_ACT).order_by(acts.c.id.desc()).limit(bindparam("most"))
_LAST_OF_KIND = select(*_ACT).where(acts.c.kind == bindparam("kind")).order_by(acts.c.id.desc()).limit(1)
_PLACE = select(func.coalesce(func.max(acts.c.id), 0))
_MATCHES = (
    select(*(matches.c[field.name] for field in msgspec.structs.fields(ListedMatch)))
    .where(matches.c.state.in_(bindparam("states", expanding=True)))
    .order_by(matches.c.made_at.desc())
    .limit(bindparam("most"))
)
_LISTED = select(people.c.id, people.c.name, people.c.made_at, people.c.banned_until, people.c.banned_why)
_PEOPLE = _LISTED.order_by(people.c.made_at.desc()).limit(bindparam("most"))
_BANNED = _LISTED.where(people.c.banned_until > bindparam("at")).order_by(people.c.made_at.desc()).limit(bindparam("most"))
_PERSON = _LISTED.where(people.c.id == bindparam("of"))
_COUNT = select(func.count()).select_from(matches).where(matches.c.state == bindparam("is_in"))
_OLD = (
    select(matches.c.id)
    .where(matches.c.state == literal("over"), matches.c.changed_at < bindparam("before"))
    .order_by(matches.c.changed_at)
    .limit(bindparam("most"))
)
_LENGTH = select(func.max(log.c.n)).where(log.c.match == bindparam("of"))
_ADD_ACT = Statement(insert(acts).inline())
_BAN = Statement(update(people).where(people.c.id == bindparam("of")), must_find=True)
_REMOVE_ROWS = Statement(delete(log).where(log.c.match == bindparam("of"), log.c.n >= bindparam("since")))
_REMOVE_RESULTS = Statement(delete(results).where(results.c.match == bindparam("of"), ~results.c.imported))
_REMOVE_BESIDE = [Statement(delete(table).where(table.c.match == bindparam("of"))) for table in (reviews, mistakes, searched)]
_REMOVE_MATCH = Statement(delete(matches).where(matches.c.id == bindparam("of")))


class ModerationStore(DailyStore):
    """The part of the store for administration. Every act is audited in the same transaction, and read by every process."""

    # --- Acts ---

    async def act(self, kind: str, of: str | None = None, **body: Any) -> None:
        """Add an act to the audit, which is done already or consists of this row alone."""
        await self._write(self._act(kind, of, **body))

    async def acts_place(self) -> int:
        """Return the last position of the audit."""
        return int((await self._read(_PLACE, {}))[0][0])

    async def acts(self, after: int) -> list[Act]:
        """Return up to 100 acts after a position of the audit, in order."""
        return list(map(_act_of, await self._read(_NEW_ACTS, {"after": after})))

    async def last_acts(self, limit: int) -> list[Act]:
        """Return the last acts, newest first."""
        return list(map(_act_of, await self._read(_LAST_ACTS, {"most": limit})))

    async def announcement(self) -> dict[str, str]:
        """Return the current announcement by language; empty if there is none."""
        found = await self._read(_LAST_OF_KIND, {"kind": "announce"})
        return _act_of(found[0]).body if found else {}

    async def renew_site_id(self) -> None:
        """Give the database another id, so that browsers take it for another server."""
        await self._write(*self._new_site(), self._act(NEW_ID, None))

    # --- People ---

    async def listed_people(self, limit: int, banned: bool = False) -> list[ListedPerson]:
        """Return people, newest first; only banned ones, if that is asked."""
        found = (
            await self._read(_BANNED, {"at": self.time.now(), "most": limit})
            if banned
            else await self._read(_PEOPLE, {"most": limit})
        )
        return [ListedPerson(*row) for row in found]

    async def person(self, id: str) -> ListedPerson | None:
        """Return the person of an id; None if there is none."""
        found = await self._read(_PERSON, {"of": id})
        return ListedPerson(*found[0]) if found else None

    async def ban(self, id: str, until: int, why: str) -> None:
        """Ban a person until a time in milliseconds since the epoch. Raises StoreError where there is no such person."""
        await self._change(id, "ban", {"banned_until": until, "banned_why": why}, until=until, why=why)

    async def unban(self, id: str) -> None:
        """Lift a ban. Raises StoreError where there is no such person."""
        await self._change(id, "unban", {"banned_until": None, "banned_why": None})

    async def _change(self, id: str, kind: str, values: Values, **body: Any) -> None:
        changes = _BAN({"of": id, **values}), self._act(kind, id, **body), self._person_news(id)
        await self._write(*changes, missing=f"there is no person {id}")

    # --- Matches ---

    async def listed_matches(self, states: Sequence[str], limit: int) -> list[ListedMatch]:
        """Return matches in some states, newest first."""
        found = await self._read(_MATCHES, {"states": list(states), "most": limit})
        return [ListedMatch(*row) for row in found]

    async def count(self, state: str) -> int:
        """Return the number of matches in a state."""
        return int((await self._read(_COUNT, {"is_in": state}))[0][0])

    async def old(self, before: int, limit: int) -> list[str]:
        """Return matches that were over before a time (milliseconds since the epoch), oldest first."""
        return [row[0] for row in await self._read(_OLD, {"before": before, "most": limit})]

    async def remove(self, match: str) -> None:
        """Delete a match and its rows, the last ones first, in short transactions. An interrupted deletion may be repeated.

        Raises:
            StoreError: others write the match all the time.
        """
        tries = 0
        while True:
            last = (await self._read(_LENGTH, {"of": match}))[0][0]
            rows = 0 if last is None else max(0, int(last) + 1 - _ROWS)
            beside = () if rows else (_REMOVE_RESULTS, *_REMOVE_BESIDE, _REMOVE_MATCH)
            try:
                await self._write(_REMOVE_ROWS({"of": match, "since": rows}), *(statement({"of": match}) for statement in beside))
            except Conflict:
                # PostgreSQL lets others write meanwhile: a player has moved again, and there are more rows now.
                tries += 1
                if tries > _TRIES:
                    raise StoreError(f"match {match} is in use and cannot be deleted now; try again") from None
                continue
            if not rows:
                return

    def _act(self, kind: str, of: str | None, **body: Any) -> Change:
        return _ADD_ACT({"at": self.time.now(), "kind": kind, "of": of, "body": msgspec.json.encode(body).decode()})


def _act_of(row: Sequence[Any]) -> Act:
    id, at, kind, of, body = row
    return Act(id, at, kind, of, msgspec.json.decode(body))
