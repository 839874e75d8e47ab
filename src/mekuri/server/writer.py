"""Group commit: what is to be written while a transaction is under way is taken together into the next one.

A transaction costs one wait for the disk, however much is in it; so many tables at once wait hardly longer than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, update
from sqlalchemy.exc import OperationalError

from mekuri.server import counts
from mekuri.server.database import Side
from mekuri.server.schema import acts, codes, devices, log, matches, people, people_news, processes

Values = dict[str, Any]


class Missing(LookupError):
    """What a write was to change is not there."""


@dataclass(frozen=True)
class Write:
    """What is written whole or not at all. Its parts stand in the order in which they are done.

    Attributes:
        matches: new matches.
        changes: what changes of matches, named by `of`.
        attended: when somebody was at matches that wait for players, named by `of`; others stay as they are.
        unhoused: matches of which the household is known no more, named by `of`.
        rows: new rows of the log.
        people: new people.
        names: what changes of people, named by `of`.
        used: codes that are used up, named by `of` and good at `at`.
        devices: new devices.
        seen: what changes of devices, named by `of`.
        void: people whose codes are void, named by `of`.
        codes: new codes.
        given_back: devices to be taken away, named by `of`.
        signed_out: people signed out on all devices `but` one, named by `of`.
        forgotten: people to be taken away, named by `of`, with all devices and codes taken away before.
        people_news: what others must hear of people.
        old_news: news to be taken away, up to `at`.
        bans: what changes of people's bans, named by `of`.
        acts: what the keeper has done.
        unnamed: people of whom no act of the keeper tells any more, named by `who`.
        removed_rows: matches, named by `of`, of which the rows from `since` on are deleted.
        removed: matches to be deleted, named by `of`, when they have no rows any more.
        gone: processes to be taken away, named by `of`.
        beats: new rows of processes.
    """

    matches: Sequence[Values] = ()
    changes: Sequence[Values] = ()
    attended: Sequence[Values] = ()
    unhoused: Sequence[Values] = ()
    rows: Sequence[Values] = ()
    people: Sequence[Values] = ()
    names: Sequence[Values] = ()
    used: Sequence[Values] = ()
    devices: Sequence[Values] = ()
    seen: Sequence[Values] = ()
    void: Sequence[Values] = ()
    codes: Sequence[Values] = ()
    given_back: Sequence[Values] = ()
    signed_out: Sequence[Values] = ()
    forgotten: Sequence[Values] = ()
    people_news: Sequence[Values] = ()
    old_news: Sequence[Values] = ()
    bans: Sequence[Values] = ()
    acts: Sequence[Values] = ()
    unnamed: Sequence[Values] = ()
    removed_rows: Sequence[Values] = ()
    removed: Sequence[Values] = ()
    gone: Sequence[Values] = ()
    beats: Sequence[Values] = ()


# Made once, so that each is compiled once. A change before its rows: so a match that is not there is told from a row that is.
_STATEMENTS = {
    "matches": insert(matches).inline(),
    "changes": update(matches).where(matches.c.id == bindparam("of")),
    "attended": update(matches).where(matches.c.id == bindparam("of"), matches.c.state == "open"),
    "unhoused": update(matches).where(matches.c.id == bindparam("of")),
    "rows": insert(log).inline(),
    "people": insert(people).inline(),
    "names": update(people).where(people.c.id == bindparam("of")),
    "used": delete(codes).where(codes.c.code_hash == bindparam("of"), codes.c.until > bindparam("at")),
    "devices": insert(devices).inline(),
    "seen": update(devices).where(devices.c.id == bindparam("of")),
    "void": delete(codes).where(codes.c.person == bindparam("of")),
    "codes": insert(codes).inline(),
    "given_back": delete(devices).where(devices.c.id == bindparam("of")),
    "signed_out": delete(devices).where(devices.c.person == bindparam("of"), devices.c.id != bindparam("but")),
    "forgotten": delete(people).where(people.c.id == bindparam("of")),
    "people_news": insert(people_news).inline(),
    "old_news": delete(people_news).where(people_news.c.at <= bindparam("at")),
    "bans": update(people).where(people.c.id == bindparam("of")),
    "acts": insert(acts).inline(),
    "unnamed": update(acts).where(acts.c.of == bindparam("who")),
    "removed_rows": delete(log).where(log.c.match == bindparam("of"), log.c.n >= bindparam("since")),
    "removed": delete(matches).where(matches.c.id == bindparam("of")),
    "gone": delete(processes).where(processes.c.writer == bindparam("of")),
    "beats": insert(processes).inline(),
}
_PARTS = tuple(field.name for field in fields(Write))
# What is not there need not be changed, or taken away.
_MAY_MISS = (
    *("attended", "seen", "void", "given_back", "signed_out", "forgotten", "old_news"),
    *("unnamed", "removed_rows", "removed", "gone"),
)
_Waiting = tuple[Write, asyncio.Future[None]]


class Writer:
    """Writes to a database in the order it is asked to, in as few transactions as there can be."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, write: Write) -> None:
        """Write something; it is durable when this returns. Where a caller is cancelled, it is written all the same.

        Raises:
            Missing: what it changes is not there.
            sqlalchemy.exc.IntegrityError: something is already where it would be.
            sqlalchemy.exc.SQLAlchemyError: the database cannot be written.
        """
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((write, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        await done

    async def finish(self) -> None:
        """Wait until everything is written."""
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            await self._settle(group)

    async def _settle(self, group: list[_Waiting]) -> None:
        """Write a group, each of it alone if they cannot be written together, and tell those who wait."""
        try:
            await self._transact([write for write, _ in group])
        except Exception as error:
            # When the database itself does not work, to try once more for each would only take longer.
            if len(group) > 1 and not isinstance(error, OperationalError):
                for one in group:
                    await self._settle([one])
                return
            for _, done in group:
                if not done.done():
                    done.set_exception(error)
        else:
            for _, done in group:
                if not done.done():
                    done.set_result(None)

    async def _transact(self, writes: list[Write]) -> None:
        with counts.WRITING.time():
            await self._execute(writes)
        for write in writes:
            for row in write.rows:
                counts.ROWS.labels(row["kind"]).inc()

    async def _execute(self, writes: list[Write]) -> None:
        def execute(connection: Connection) -> None:
            for part in _PARTS:
                values = [value for write in writes for value in getattr(write, part)]
                if values:
                    done = connection.execute(_STATEMENTS[part], values)
                    if done.rowcount != len(values) and part not in _MAY_MISS:
                        raise Missing(part)

        await self._side.do(execute)
