"""Group commit: writes that arrive while a transaction is in progress share the next one.

A transaction costs one sync of the disk, however much it writes, so many tables at once wait hardly longer than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, Executable, bindparam, delete, insert, or_, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from mekuri.server import metrics, postgresql
from mekuri.server.clock import clock
from mekuri.server.clock_moves import MOVES
from mekuri.server.schema import (
    acts,
    clocks,
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
    server_keys,
    site,
    subscriptions,
    table_news,
)
from mekuri.server.side import Side, StoreError

Values = dict[str, Any]


class Missing(LookupError):
    """A row that a write was to change does not exist."""


@dataclass(frozen=True)
class Write:
    """The statements of one atomic write, executed in the order of the fields. Each field is a list of parameter sets.

    In updates and deletions the parameters `of` and `who` are the id in the condition.

    Attributes:
        matches: new matches.
        moved: leaps of the clock by which all deadlines and ages are moved, see `clock_moves`.
        claims: matches that get the home `by`, if they still have the fencing number `was`.
        changes: updates of matches.
        own_changes: the same, of matches that still have the home `by` and the fencing number `as_of`.
        attended: updates of when somebody was at a match; matches that do not wait for players are left unchanged.
        unhoused: matches whose household is deleted.
        rows: new rows of the log.
        people: new people.
        names: updates of people's names.
        used: codes to be deleted, by their hash `of`, that have not expired at time `at`.
        devices: new devices.
        seen: updates of devices.
        void: people whose codes are deleted.
        codes: new codes.
        given_back: devices to be deleted.
        signed_out: people whose devices are deleted, except the device `but`.
        results: new results.
        old_reviews: reviews of rounds to be deleted, by `of`, `number` and `place`.
        reviews: new reviews of rounds.
        searched: rounds that have been searched for a person's mistakes.
        mistakes: new mistakes.
        dropped: mistakes to be deleted, by `who`, `of`, `in_round` and `at_number`.
        answered: updates of mistakes, by `who`, `of`, `in_round` and `at_number`, if they have `before` tries.
        daily_deals: new deals of a day.
        daily_cuts: new cuts of a day's deals.
        daily_recuts: updates of cuts, by `who` and `of_day`.
        daily_tries: new tries at deals of a day.
        daily_counted: updates of tries, by `of_day`, `of_game` and `who`.
        unnamed_cuts: people whose cuts lose their person.
        forgotten_tries, forgotten_results, forgotten_mistakes, forgotten_searched: people whose rows in these tables are deleted.
        forgotten: people to be deleted, after all rows that refer to them.
        people_news: new entries of the feed of changed people.
        old_news: entries of that feed to be deleted, up to time `before`.
        bans: updates of people's bans.
        acts: new acts of administration.
        unnamed: people whose ids and details are removed from acts.
        removed_rows: matches whose rows from number `since` on are deleted.
        removed_results, removed_reviews, removed_mistakes, removed_searched: matches whose rows in these tables are deleted, except
            imported results.
        removed: matches to be deleted, after all their rows.
        old_deals, old_cuts, old_tries: days `before` which these rows are deleted.
        unsubscribed: subscriptions to be deleted, of the device `of` and of the `address`.
        all_unsubscribed: not empty where all subscriptions are deleted.
        subscriptions: new subscriptions of devices.
        old_keys: key pairs of the server to be deleted.
        server_keys: new key pairs of the server.
        old_site: names of values of the database as a whole to be deleted.
        site: new values of the database as a whole.
        table_news: new entries of the feed of matches that were written by others than their homes.
        old_table_news: entries of that feed to be deleted, up to time `before`.
        gone: processes to be deleted.
        renewed: updates of processes whose leases are not over.
        processes: new processes.
        clocks: new clocks.
        clocks_seen: updates of clocks, by `of`, that are trusted with a time from `least` to `most`.
        clocks_left: clocks at which a process looks no more.
        in_time: clocks of which the same must hold, so that no row gets a time that is over since a new one was confirmed.
    """

    matches: Sequence[Values] = ()
    moved: Sequence[Values] = ()
    claims: Sequence[Values] = ()
    changes: Sequence[Values] = ()
    own_changes: Sequence[Values] = ()
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
    old_reviews: Sequence[Values] = ()
    reviews: Sequence[Values] = ()
    searched: Sequence[Values] = ()
    mistakes: Sequence[Values] = ()
    dropped: Sequence[Values] = ()
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
    unsubscribed: Sequence[Values] = ()
    all_unsubscribed: Sequence[Values] = ()
    subscriptions: Sequence[Values] = ()
    old_keys: Sequence[Values] = ()
    server_keys: Sequence[Values] = ()
    old_site: Sequence[Values] = ()
    site: Sequence[Values] = ()
    table_news: Sequence[Values] = ()
    old_table_news: Sequence[Values] = ()
    gone: Sequence[Values] = ()
    renewed: Sequence[Values] = ()
    processes: Sequence[Values] = ()
    clocks: Sequence[Values] = ()
    clocks_seen: Sequence[Values] = ()
    clocks_left: Sequence[Values] = ()
    in_time: Sequence[Values] = ()


_SAME_TIME = (clocks.c.boot == bindparam("of"), clocks.c.trusted.between(bindparam("least"), bindparam("most")))
_MISTAKE = (
    mistakes.c.person == bindparam("who"),
    mistakes.c.match == bindparam("of"),
    mistakes.c.round == bindparam("in_round"),
    mistakes.c.number == bindparam("at_number"),
)
# Built once, so that each is compiled once. Matches are updated before rows are inserted, so that a missing match is reported
# as such, and not as a violated constraint of its rows.
_STATEMENTS: dict[str, Executable | Sequence[Executable]] = {
    "matches": insert(matches).inline(),
    "moved": MOVES,
    "claims": update(matches)
    .where(matches.c.id == bindparam("of"), matches.c.fence == bindparam("was"))
    .values(home=bindparam("by"), fence=matches.c.fence + 1),
    "changes": update(matches).where(matches.c.id == bindparam("of")),
    "own_changes": update(matches).where(
        matches.c.id == bindparam("of"), matches.c.home == bindparam("by"), matches.c.fence == bindparam("as_of")
    ),
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
    "old_reviews": delete(reviews).where(
        reviews.c.match == bindparam("of"), reviews.c.round == bindparam("number"), reviews.c.seat == bindparam("place")
    ),
    "reviews": insert(reviews).inline(),
    "searched": insert(searched).inline(),
    "mistakes": insert(mistakes).inline(),
    "dropped": delete(mistakes).where(*_MISTAKE),
    "answered": update(mistakes).where(*_MISTAKE, mistakes.c.tries == bindparam("before")),
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
    "old_news": delete(people_news).where(people_news.c.at <= bindparam("before")),
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
    "unsubscribed": delete(subscriptions).where(
        or_(subscriptions.c.device == bindparam("of"), subscriptions.c.endpoint == bindparam("address"))
    ),
    "all_unsubscribed": delete(subscriptions).where(subscriptions.c.device > bindparam("of")),
    "subscriptions": insert(subscriptions).inline(),
    "old_keys": delete(server_keys).where(server_keys.c.name == bindparam("of")),
    "server_keys": insert(server_keys).inline(),
    "old_site": delete(site).where(site.c.name == bindparam("of")),
    "site": insert(site).inline(),
    "table_news": insert(table_news).inline(),
    "old_table_news": delete(table_news).where(table_news.c.at <= bindparam("before")),
    "gone": delete(processes).where(processes.c.id == bindparam("of")),
    "renewed": update(processes)
    .where(processes.c.id == bindparam("of"), processes.c.until > clock())
    .values(until=clock() + bindparam("lease")),
    "processes": insert(processes).values(until=clock() + bindparam("lease")).inline(),
    "clocks": insert(clocks).values(seen_at=clock()).inline(),
    "clocks_seen": update(clocks).where(*_SAME_TIME).values(seen_at=clock()),
    "clocks_left": update(clocks).where(clocks.c.boot == bindparam("of")).values(seen_at=0),
    "in_time": update(clocks).where(*_SAME_TIME).values(boot=clocks.c.boot),
}
_PARTS = tuple(field.name for field in fields(Write))
# Statements that must find a row for each of their parameter sets.
_MUST_FIND = {"claims", "changes", "own_changes", "renewed", "unhoused", "names", "used", "answered", "daily_recuts"}
_MUST_FIND |= {"bans", "in_time"}
# Feeds that others read on from the greatest id they have seen: their rows must become visible in the order of their ids.
_FEEDS = ("people_news", "acts", "table_news")
_Waiting = tuple[Write, asyncio.Future[None]]


def _of_all(error: Exception) -> bool:
    """Whether it was the database that failed, and not one of the writes."""
    if isinstance(error, StoreError):
        return True
    if not isinstance(error, DBAPIError) or isinstance(error, (IntegrityError, DataError)):
        return False
    return not postgresql.is_deadlock(error)


class Writer:
    """Executes writes in the order in which they are requested, in as few transactions as possible."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, write: Write) -> None:
        """Execute a write. It is durable when this returns, and executed even if the caller is cancelled.

        Raises:
            Missing: a row that it changes does not exist.
            sqlalchemy.exc.IntegrityError: a constraint is violated, such as that of a unique key.
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
        """Execute a group of writes, one by one if it fails as a whole, and resolve their futures."""
        try:
            await self._transact([write for write, _ in group])
        except Exception as error:
            # Where the database itself fails, trying the writes one by one would only take longer.
            if len(group) > 1 and not _of_all(error):
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
            if any(getattr(write, part) for write in writes for part in _FEEDS):
                postgresql.lock_feeds(connection)
                postgresql.wake(connection)
            if any(write.moved for write in writes):
                postgresql.lock_matches(connection)
            for part in _PARTS:
                values = [value for write in writes for value in getattr(write, part)]
                statements = _STATEMENTS[part]
                for statement in statements if isinstance(statements, tuple) else (statements,):
                    done = connection.execute(statement, values) if values else None
                    if done and part in _MUST_FIND and done.rowcount != len(values):
                        raise Missing(part)

        await self._side.do(execute)
