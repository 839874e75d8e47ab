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

from mekuri.server import metrics
from mekuri.server.database import Side
from mekuri.server.schema import (
    acts,
    codes,
    daily_cuts,
    daily_deals,
    daily_tries,
    devices,
    log,
    matches,
    mistakes,
    people,
    people_news,
    processes,
    results,
    reviews,
    searched,
)

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
        results: what came of matches for somebody.
        reviews: new reviews of rounds.
        searched: rounds whose reviews have been looked through for somebody's mistakes.
        mistakes: the mistakes found there.
        answered: what changes of mistakes, named by `who`, `of`, `in_round`, `at_number`, that have been tried `before` so often.
        daily_deals: secrets of deals of a day.
        daily_cuts: what people have put into those of a day.
        daily_recuts: what changes of that, named by `who` and `of_day`.
        daily_tries: who plays the deal of a day, and at which table.
        daily_counted: what came of that, named by `of_day`, `of_game` and `who`.
        unnamed_cuts: people, named by `who`, whose cuts are nobody's from now on.
        forgotten_tries: people, named by `of`, of whom it is not known any more which deals of a day they have played.
        forgotten_results: people, named by `of`, of whom nothing is known any more that they have played.
        forgotten_mistakes, forgotten_searched: people, named by `of`, whose mistakes are forgotten, and where they were looked for.
        forgotten: people to be taken away, named by `of`, with all devices, codes, results and mistakes taken away before.
        people_news: what others must hear of people.
        old_news: news to be taken away, up to `at`.
        bans: what changes of people's bans, named by `of`.
        acts: what the keeper has done.
        unnamed: people of whom no act of the keeper tells any more, named by `who`.
        removed_rows: matches, named by `of`, of which the rows from `since` on are deleted.
        removed_results: matches, named by `of`, of which nobody has a result any more, unless it was brought from a file.
        removed_reviews: matches, named by `of`, of which no review is kept any more.
        removed_mistakes, removed_searched: matches, named by `of`, of which nobody's mistakes are kept any more.
        removed: matches to be deleted, named by `of`, when they have no rows any more.
        old_deals, old_cuts, old_tries: days, named by `before`, before which nothing of their deals is kept any more.
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
    results: Sequence[Values] = ()
    reviews: Sequence[Values] = ()
    searched: Sequence[Values] = ()
    mistakes: Sequence[Values] = ()
    answered: Sequence[Values] = ()
    daily_deals: Sequence[Values] = ()
    daily_cuts: Sequence[Values] = ()
    daily_recuts: Sequence[Values] = ()
    daily_tries: Sequence[Values] = ()
    daily_counted: Sequence[Values] = ()
    unnamed_cuts: Sequence[Values] = ()
    forgotten_tries: Sequence[Values] = ()
    forgotten_results: Sequence[Values] = ()
    forgotten_mistakes: Sequence[Values] = ()
    forgotten_searched: Sequence[Values] = ()
    forgotten: Sequence[Values] = ()
    people_news: Sequence[Values] = ()
    old_news: Sequence[Values] = ()
    bans: Sequence[Values] = ()
    acts: Sequence[Values] = ()
    unnamed: Sequence[Values] = ()
    removed_rows: Sequence[Values] = ()
    removed_results: Sequence[Values] = ()
    removed_reviews: Sequence[Values] = ()
    removed_mistakes: Sequence[Values] = ()
    removed_searched: Sequence[Values] = ()
    removed: Sequence[Values] = ()
    old_deals: Sequence[Values] = ()
    old_cuts: Sequence[Values] = ()
    old_tries: Sequence[Values] = ()
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
    "results": insert(results).inline(),
    "reviews": insert(reviews).inline(),
    "searched": insert(searched).inline(),
    "mistakes": insert(mistakes).inline(),
    "answered": update(mistakes).where(
        mistakes.c.person == bindparam("who"),
        mistakes.c.match == bindparam("of"),
        mistakes.c.round == bindparam("in_round"),
        mistakes.c.number == bindparam("at_number"),
        mistakes.c.tries == bindparam("before"),
    ),
    "daily_deals": insert(daily_deals).inline(),
    "daily_cuts": insert(daily_cuts).inline(),
    "daily_recuts": update(daily_cuts).where(daily_cuts.c.person == bindparam("who"), daily_cuts.c.day == bindparam("of_day")),
    "daily_tries": insert(daily_tries).inline(),
    "daily_counted": update(daily_tries).where(
        daily_tries.c.day == bindparam("of_day"),
        daily_tries.c.game == bindparam("of_game"),
        daily_tries.c.person == bindparam("who"),
    ),
    "unnamed_cuts": update(daily_cuts).where(daily_cuts.c.person == bindparam("who")),
    "forgotten_tries": delete(daily_tries).where(daily_tries.c.person == bindparam("of")),
    "forgotten_results": delete(results).where(results.c.person == bindparam("of")),
    "forgotten_mistakes": delete(mistakes).where(mistakes.c.person == bindparam("of")),
    "forgotten_searched": delete(searched).where(searched.c.person == bindparam("of")),
    "forgotten": delete(people).where(people.c.id == bindparam("of")),
    "people_news": insert(people_news).inline(),
    "old_news": delete(people_news).where(people_news.c.at <= bindparam("at")),
    "bans": update(people).where(people.c.id == bindparam("of")),
    "acts": insert(acts).inline(),
    "unnamed": update(acts).where(acts.c.of == bindparam("who")),
    "removed_rows": delete(log).where(log.c.match == bindparam("of"), log.c.n >= bindparam("since")),
    "removed_results": delete(results).where(results.c.match == bindparam("of"), ~results.c.imported),
    "removed_reviews": delete(reviews).where(reviews.c.match == bindparam("of")),
    "removed_mistakes": delete(mistakes).where(mistakes.c.match == bindparam("of")),
    "removed_searched": delete(searched).where(searched.c.match == bindparam("of")),
    "removed": delete(matches).where(matches.c.id == bindparam("of")),
    "old_deals": delete(daily_deals).where(daily_deals.c.day < bindparam("before")),
    "old_cuts": delete(daily_cuts).where(daily_cuts.c.day < bindparam("before")),
    "old_tries": delete(daily_tries).where(daily_tries.c.day < bindparam("before")),
    "gone": delete(processes).where(processes.c.writer == bindparam("of")),
    "beats": insert(processes).inline(),
}
_PARTS = tuple(field.name for field in fields(Write))
# What is not there need not be changed, or taken away.
_MAY_MISS = (
    *("attended", "seen", "void", "given_back", "signed_out"),
    *("daily_counted", "unnamed_cuts", "forgotten_tries"),
    *("forgotten_results", "forgotten_mistakes", "forgotten_searched", "forgotten", "old_news", "unnamed"),
    *("removed_rows", "removed_results", "removed_reviews", "removed_mistakes", "removed_searched", "removed"),
    *("old_deals", "old_cuts", "old_tries", "gone"),
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
        with metrics.WRITING.time():
            await self._execute(writes)
        for write in writes:
            for row in write.rows:
                metrics.ROWS.labels(row["kind"]).inc()

    async def _execute(self, writes: list[Write]) -> None:
        def execute(connection: Connection) -> None:
            for part in _PARTS:
                values = [value for write in writes for value in getattr(write, part)]
                if values:
                    done = connection.execute(_STATEMENTS[part], values)
                    if done.rowcount != len(values) and part not in _MAY_MISS:
                        raise Missing(part)

        await self._side.do(execute)
