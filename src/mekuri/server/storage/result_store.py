"""Results in the database: each person's finished matches, counted from the log or imported."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import BigInteger, and_, bindparam, cast, func, insert, literal, select

from mekuri.desk.stores import Fingerprint
from mekuri.server.storage.guest_store import GuestStore
from mekuri.server.storage.schema import SEATED_MATCHES, log, matches, results
from mekuri.server.storage.writer import Change, Statement
from mekuri.table.log import Conflict
from mekuri.table.results import BESIDE, Result, Sat, with_record

_AT_ONCE = 50  # matches that are counted by one call
_RESULT = (results.c.match, results.c.game, results.c.at, results.c.imported, results.c.digest, results.c.body)
_COUNTING = results.c.rounds > literal(0)
_HERE = and_(results.c.person == bindparam("who"), results.c.match == matches.c.id)
_UNCOUNTED = (
    select(matches.c.id, matches.c.game, matches.c.changed_at)
    .select_from(SEATED_MATCHES)
    .where(matches.c.state == literal("over"), ~select(results.c.match).where(_HERE).exists())
    .limit(_AT_ONCE)
)
_ROWS_BESIDE = (
    select(log.c.kind, log.c.seat, log.c.person, log.c.at, log.c.body)
    .where(log.c.match == bindparam("of"), log.c.kind.in_(BESIDE))
    .order_by(log.c.n)
)
_OF_PERSON = select(*_RESULT).where(results.c.person == bindparam("who"))
_ALL = _OF_PERSON.where(_COUNTING).order_by(results.c.at, results.c.match)
_SOME = (
    _OF_PERSON.where(_COUNTING)
    .order_by(results.c.at.desc(), results.c.match.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
# The sum of such integers is a decimal number in PostgreSQL.
_SUMS = (cast(func.sum(column), BigInteger) for column in (results.c.at, results.c.rounds))
_FINGERPRINT = select(func.count(), *_SUMS).where(results.c.person == bindparam("who"))
_BROUGHT = _OF_PERSON.where(results.c.imported).order_by(results.c.at)
_SAME = _OF_PERSON.where((results.c.match == bindparam("of")) | (results.c.digest == bindparam("digest")))
_HOW_MANY = select(func.count()).where(results.c.person == bindparam("who"), results.c.imported)
_ADD = Statement(insert(results).inline())


class ResultStore(GuestStore):
    """The part of the store for results. A match is counted for a person once, at the first request for it."""

    async def count_results(self, person: str) -> bool:
        """Store the results of up to 50 finished matches of a person. Returns whether there may be more to count."""
        found = await self._read(_UNCOUNTED, {"who": person})
        for match, game, ended_at in found:
            counted, _ = with_record(match, game, ended_at, person, await self._beside(match))
            with suppress(Conflict):  # counted meanwhile by another request; or the person is deleted
                await self._write(_add(person, counted))
        return len(found) == _AT_ONCE

    async def results(self, person: str) -> list[Result]:
        """Return the results of a person with at least one counted round, in the order in which they ended."""
        return [Result(*row) for row in await self._read(_ALL, {"who": person})]

    async def some_results(self, person: str, skip: int, limit: int) -> list[Result]:
        """Return a page of these results, most recently ended first."""
        return [Result(*row) for row in await self._read(_SOME, {"who": person, "skip": skip, "most": limit})]

    async def results_fingerprint(self, person: str) -> Fingerprint:
        """Return a value that changes whenever the results of a person change."""
        return tuple((await self._read(_FINGERPRINT, {"who": person}))[0])

    async def brought(self, person: str) -> list[Result]:
        """Return the imported results of a person, in the order in which they ended."""
        return [Result(*row) for row in await self._read(_BROUGHT, {"who": person})]

    async def brought_count(self, person: str) -> int:
        """Return how many imported results a person has."""
        return int((await self._read(_HOW_MANY, {"who": person}))[0][0])

    async def same_result(self, person: str, match: str, digest: str | None = None) -> Result | None:
        """Return a person's result of a match, found by the match's id or by the digest of its cards and actions; None if none."""
        found = await self._read(_SAME, {"who": person, "of": match, "digest": digest})
        return Result(*found[0]) if found else None

    async def add_result(self, person: str, result: Result) -> None:
        """Add an imported result. Raises Conflict where the person has this match already, and Gone where they are deleted."""
        await self._write_for(person, _add(person, result), taken="this match is here already")

    async def with_record(self, person: str, match: str, game: str) -> tuple[Result, str | None]:
        """Return the result of a finished match for a person, and the match's record as JSON; None where it has none."""
        return with_record(match, game, 0, person, await self._beside(match))

    async def _beside(self, match: str) -> list[Sat]:
        return [Sat(*row) for row in await self._read(_ROWS_BESIDE, {"of": match})]


def _add(person: str, result: Result) -> Change:
    named = {name: getattr(result, name) for name in ("match", "game", "at", "imported", "digest", "body")}
    return _ADD({**named, "person": person, "rounds": len(result.outcome.rounds)})
