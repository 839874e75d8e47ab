"""The log in a database: everything that has happened at every table, durable before any client is sent it.

Rows of the log are only ever added. The state of a match follows from its rows; the table `matches` is an index of them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, cast

import msgspec
from sqlalchemy import URL, Executable, bindparam, func, insert, literal, select, text, update
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from mekuri.desk.stores import spread
from mekuri.server.base import metrics
from mekuri.server.storage import postgresql
from mekuri.server.storage.clock import SteadyTime
from mekuri.server.storage.clock_store import IN_TIME, ClockStore
from mekuri.server.storage.cluster_store import CHANGE_OWN, ClusterStore
from mekuri.server.storage.daily_store import ADD_TRY
from mekuri.server.storage.database import Place, database_at, open_database
from mekuri.server.storage.push_store import PushStore
from mekuri.server.storage.schema import SEATED, SEATED_MATCHES, log, matches
from mekuri.server.storage.side import Side, StoreError, Vanished, store_error
from mekuri.server.storage.term_store import TermStore
from mekuri.server.storage.writer import Change, Missing, Statement, Values, Writer
from mekuri.table.log import Conflict, LogError, MatchRow, Moved, NewMatch, Row, State
from mekuri.table.time import REAL, Time, time_limit

__all__ = ["Store", "StoreError", "default_database"]

# Seconds that a lease lasts. In a file, a renewal costs a small machine a write to its disk, and no peer is on another machine:
# the other processes of this machine notice at once when a process has ended.
FILE_LEASE, SERVER_LEASE = 15.0, 3.0
_NEWS = 0.25  # seconds between two readings of the feeds
_NEWS_AT_LEAST = 5.0  # the same where the database wakes its processes
_MOST_OPEN = 500  # the newest open tables that are considered for the list


def default_database() -> Path:
    """Return the path of the database where none is configured: in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("mekuri", appauthor=False) / "mekuri.db"


# --- Queries, built once, so that each is compiled once ---

_IN_LOG = (log.c.n, log.c.kind, log.c.seat, log.c.body, log.c.at, log.c.decision, log.c.person)
_MATCH = select(
    matches.c.id,
    matches.c.game,
    matches.c.state,
    matches.c.public,
    matches.c.root,
    matches.c.made_at,
    matches.c.changed_at,
    matches.c.bot_due,
).where(matches.c.id == bindparam("of"))
_ROWS = select(*_IN_LOG).where(log.c.match == bindparam("of"), log.c.n >= bindparam("since")).order_by(log.c.n)
_IN_STATE = select(matches.c.id).where(matches.c.state == bindparam("is_in")).order_by(matches.c.made_at)
_UNCHANGED = (
    select(matches.c.id)
    .where(
        matches.c.state == bindparam("is_in"),
        matches.c.changed_at < bindparam("since"),
        matches.c.term.is_(None),
        matches.c.game.in_(bindparam("games", expanding=True)),
    )
    .order_by(matches.c.changed_at)
    .limit(bindparam("most"))
)
# A database uses a partial index only where a query has its condition word for word.
_LONE = (
    select(matches.c.id)
    .where(text("lone"), matches.c.changed_at < bindparam("since"), matches.c.game.in_(bindparam("games", expanding=True)))
    .order_by(matches.c.changed_at)
    .limit(bindparam("most"))
)
_OPEN = (
    select(matches.c.id, matches.c.maker, matches.c.household)
    .where(matches.c.state == literal("open"), matches.c.public)
    .order_by(matches.c.made_at.desc())
)
_PUBLIC = _OPEN.limit(bindparam("most"))
_ATTENDED = _OPEN.where(matches.c.id.in_(bindparam("ids", expanding=True)))
# The condition on made_at lets the query use an index.
_UNATTENDED = (
    select(matches.c.id)
    .where(
        matches.c.state == literal("open"),
        matches.c.public,
        matches.c.made_at < bindparam("since"),
        matches.c.changed_at < bindparam("since"),
        matches.c.term.is_(None),
        matches.c.game.in_(bindparam("games", expanding=True)),
    )
    .order_by(matches.c.made_at)
    .limit(bindparam("most"))
)
_HOUSED = (
    select(matches.c.id).where(text("household IS NOT NULL"), matches.c.state.in_(("running", "over"))).limit(bindparam("most"))
)
# Begins with the rows of one person, which are few, and not with all matches in a state.
_OF_PERSON = (
    select(matches.c.id)
    .select_from(SEATED_MATCHES)
    .where(matches.c.state.in_(bindparam("states", expanding=True)))
    .order_by(matches.c.made_at.desc())
    .limit(bindparam("most"))
)
_MADE = select(matches.c.id).where(matches.c.maker == bindparam("who"))
_MADE_OPEN = _MADE.where(matches.c.state == literal("open"))
_STOOD = select(*(matches.c[name] for name in ("id", "game", "state", "made_at", "maker"))).where(matches.c.id == bindparam("of"))
_OWN_ROWS = (
    select(log.c.kind, log.c.at, log.c.seat, log.c.body)
    .where(log.c.match == bindparam("of"), log.c.person == bindparam("who"))
    .order_by(log.c.n)
)
_UNFINISHED = select(func.count()).where(matches.c.maker == bindparam("who"), matches.c.state.in_(("open", "running")))
_PLACE = select(func.coalesce(func.max(log.c.id), 0))
_ADD_MATCH = Statement(insert(matches).inline())
_ADD_ROWS = Statement(insert(log).inline())
_ATTEND = Statement(update(matches).where(matches.c.id == bindparam("of"), matches.c.state == literal("open")))
_FORGET_HOUSEHOLD = Statement(update(matches).where(matches.c.id == bindparam("of")), must_find=True)
_AT_A_TIME = (_ADD_MATCH, _ADD_ROWS, _ATTEND)  # statements that note the time of day


class Store(TermStore, PushStore, ClockStore, ClusterStore):
    """An open database. `Store.open` opens one.

    It is the `mekuri.desk.stores.Stores` of a server, with its lobby and the leases of its processes. Several stores may
    be open on one database, in one process or in many. Every method raises StoreError where the database cannot be read or written.

    Attributes:
        time: the clock, and the ways to wait for it: `clock` as everything uses it.
        refusal: the id of the error that clients are sent while the last write has failed; None after one that succeeded.
    """

    def __init__(self, place: Place, writer: Side, readers: Side, clock: SteadyTime) -> None:
        self._at = place
        self._sides = (writer, readers)
        self._readers = readers
        self._writer = Writer(writer)
        self.time: Time = clock
        self.clock = clock
        self._own = self.id = self.next_id = secrets.token_hex(8)
        self._closed = False
        self.refusal: str | None = None
        self.fences = {}
        self.serves = False

    @classmethod
    async def open(cls, where: Place | str, time: Time = REAL) -> Store:
        """Open a database. Creates the file, its folder and its tables, or migrates the tables, where that is needed.

        Args:
            where: a place, the path of a file, or a URL such as `sqlite:///PATH` or `postgresql+psycopg://USER@HOST/DATABASE`.
            time: the clock, and the ways to wait for it.

        Raises:
            StoreError: the database cannot be created or reached, or belongs to another program or a newer Mekuri.
        """
        place = where if isinstance(where, URL) else database_at(where)
        clock = SteadyTime(time)
        store = cls(place, *await open_database(place, clock.lease_now), clock)
        try:
            await store.read_clock()
        except BaseException:
            await store.close()
            raise
        return store

    @property
    def lease(self) -> float:
        """For how many seconds a process keeps its tables without renewing its lease, by default."""
        return FILE_LEASE if isinstance(self._at, Path) else SERVER_LEASE

    @property
    def may_be_cut_off(self) -> bool:
        """Whether this process may lose the database while others keep it, as over a network."""
        return not isinstance(self._at, Path)

    @asynccontextmanager
    async def wake_ups(self) -> AsyncIterator[Callable[[], Awaitable[object]]]:
        """Yield a function that returns when the feeds are to be read again, as something may have been written to them."""
        if isinstance(self._at, Path):
            yield lambda: self.time.sleep(_NEWS)
            return
        woken = asyncio.Event()
        listening = asyncio.create_task(postgresql.listen(self._at, woken.set, self.time))

        async def next_one() -> None:
            with suppress(TimeoutError):
                async with time_limit(self.time, _NEWS_AT_LEAST):
                    await woken.wait()
            woken.clear()

        try:
            yield next_one
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def close(self) -> None:
        """Finish the writes in progress and close the database. May be called twice."""
        self._closed = True
        await self._writer.finish()
        for side in self._sides:
            await side.close()

    # --- Matches and their log ---

    async def add_match(self, new: NewMatch) -> None:
        """Add a match and its first rows.

        Raises:
            Conflict: a match of this id exists.
        """
        await self._write(*self._added(new), taken=f"match {new.id} is already there: take another id")

    async def add_daily_try(self, new: NewMatch, day: str, person: str) -> None:
        """Add the match at which a guest plays the deal of a day, such as `2026-11-24`.

        Raises:
            Conflict: the guest has played this deal already.
            Gone: the guest is deleted.
        """
        one = ADD_TRY({"day": day, "game": new.game, "person": person, "match": new.id, "over": False, "points": None})
        await self._write_for(person, *self._added(new), one, taken=f"{person} plays the deal of {day} already: look where")

    async def append(
        self,
        match: str,
        rows: Sequence[Row],
        state: State,
        bot_due: bool,
        founded: NewMatch | None = None,
        lone: bool = False,
        due_at: int | None = None,
    ) -> None:
        """Add rows to a match and update its state, in one transaction that is durable when this returns.

        Await each call before the next one for the same match. If the caller is cancelled, all rows are written, or no row.

        Args:
            match: the id of the match.
            rows: the new rows.
            state: the state of the match after them.
            bot_due: whether a bot has to move after them.
            founded: a new match to be added with them: a rematch.
            lone: whether one person plays against bots only.
            due_at: when the term of the players who are asked passes (milliseconds); None if no player has a term.

        Raises:
            Moved: another process is the home of the match.
            Conflict: another process has written the same place of the log, or decision of a seat: read the rows and try again.
            StoreError: there is no such match.
        """
        change = {"state": state, "bot_due": bot_due, "lone": lone, "due_at": due_at, "changed_at": self.time.now()}
        changes = *self._changed(match, change), self._new_rows(match, rows), *(self._added(founded) if founded else ())
        taken = f"another writer was first here in match {match}: read its rows and look again"
        await self._write(*changes, taken=taken, missing=f"there is no match {match}")

    async def match(self, id: str) -> MatchRow | None:
        """Return the match of an id; None if there is none."""
        found = await self._read(_MATCH, {"of": id})
        return MatchRow(*found[0]) if found else None

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """Return the rows of a match in order, from row number `since` on."""
        return [_row(row) for row in await self._read(_ROWS, {"of": match, "since": since})]

    async def ids(self, state: State) -> list[str]:
        """Return the matches in a state, oldest first."""
        return _firsts(await self._read(_IN_STATE, {"is_in": state}))

    async def unchanged(self, state: State, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return matches of the named games in a state that have not changed since a time (milliseconds), oldest first.

        Matches that are played turn by turn are left out: see `TermStore`.
        """
        values = {"is_in": state, "since": since, "games": list(games), "most": limit}
        return _firsts(await self._read(_UNCHANGED, values))

    async def lone(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return running matches of one person against bots that have not changed since a time (milliseconds), oldest first."""
        return _firsts(await self._read(_LONE, {"since": since, "games": list(games), "most": limit}))

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Return public matches that wait for players: first matches of makers who are present, then the others, newest first.

        Args:
            limit: the most matches returned.
            each: the most of one maker; twice as many of one household.
            attended: the people present at each match.
        """
        among = await self._read(_ATTENDED, {"ids": list(islice(attended, _MOST_OPEN))}) if attended else []
        found = [row for row in among if row[1] in attended[row[0]]] + [*await self._read(_PUBLIC, {"most": _MOST_OPEN})]
        return spread(((id, maker, household) for id, maker, household in found), limit, each)

    async def unattended(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return public matches of the named games that wait for players and that nobody has visited since a time, oldest first."""
        return _firsts(await self._read(_UNATTENDED, {"since": since, "games": list(games), "most": limit}))

    async def attend(self, matches: Sequence[str]) -> None:
        """Note that people are present at these matches, those of them that still wait for players."""
        at = self.time.now()
        await self._write(_ATTEND(*({"of": id, "changed_at": at} for id in matches)))

    async def forget_households(self, limit: int) -> None:
        """Delete the household from up to `limit` matches that are not waiting for players any more."""
        found = _firsts(await self._read(_HOUSED, {"most": limit}))
        if found:
            await self._write(_FORGET_HOUSEHOLD(*({"of": id, "household": None} for id in found)))

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Return matches in which a person has taken a seat, newest first."""
        return _firsts(await self._read(_OF_PERSON, {"who": person, "states": list(states), "most": limit}))

    async def made_open(self, maker: str) -> list[str]:
        """Return matches that a person has made and that wait for players."""
        return _firsts(await self._read(_MADE_OPEN, {"who": maker}))

    async def all_of_person(self, person: str) -> list[str]:
        """Return all matches that a person has made or has taken a seat in."""
        made = _firsts(await self._read(_MADE, {"who": person}))
        return list(dict.fromkeys([*made, *_firsts(await self._read(SEATED, {"who": person}))]))

    async def own_rows(self, person: str, match: str) -> tuple[Sequence[Any], Sequence[Sequence[Any]]]:
        """Return a match (id, game, state, time made, maker), and a person's own rows in it (kind, time, seat, body as JSON)."""
        stood = await self._read(_STOOD, {"of": match})
        return stood[0], await self._read(_OWN_ROWS, {"of": match, "who": person})

    async def unfinished(self, maker: str) -> int:
        """Return how many matches of a maker are not over."""
        return cast(int, (await self._read(_UNFINISHED, {"who": maker}))[0][0])

    async def place(self) -> int:
        """Return the id of the last row of the whole log."""
        return cast(int, (await self._read(_PLACE, {}))[0][0])

    # --- The database ---

    def _added(self, new: NewMatch) -> tuple[Change, Change]:
        """Return the changes that add a match."""
        at = self.time.now()
        named = {
            name: getattr(new, name)
            for name in ("id", "game", "root", "maker", "public", "state", "bot_due", "lone", "household", "term", "due_at")
        }
        match = _ADD_MATCH({**named, "made_at": at, "changed_at": at, **self._home_of_new()})
        return match, self._new_rows(new.id, new.rows)

    def _new_rows(self, match: str, rows: Sequence[Row]) -> Change:
        return _ADD_ROWS(
            *(
                {
                    "match": match,
                    "n": row.n,
                    "kind": row.kind,
                    "seat": row.seat,
                    "body": msgspec.json.encode(row.body).decode(),
                    "at": row.at,
                    "decision": row.decision,
                    "person": row.person,
                    "writer": self._own,
                }
                for row in rows
            )
        )

    async def _write(
        self, *changes: Change, taken: str = "", missing: str = "", absent: type[LogError | Conflict] = StoreError
    ) -> None:
        self._check_open()
        if self.serves and self.clock.leap and any(values and statement in _AT_A_TIME for statement, values in changes):
            changes = (*changes, IN_TIME(self._same_time()))
        try:
            await self._writer.write(changes)
        except Missing as error:
            if error.statement is IN_TIME:
                await self.read_clock()
                raise StoreError("a new time was confirmed meanwhile: try again") from None
            raise (Moved if error.statement is CHANGE_OWN else absent)(missing) from None
        except IntegrityError:
            raise Conflict(taken) from None
        except (SQLAlchemyError, Vanished) as error:
            failed = error if isinstance(error, Vanished) else store_error("the log cannot be written", error)
            self.refusal = failed.refusal
            metrics.FAILURES.labels(failed.refusal).inc()
            raise failed from error
        self.refusal = None

    async def _read(self, statement: Executable, values: Values) -> Sequence[Sequence[Any]]:
        self._check_open()
        try:
            return await self._readers.do(lambda connection: connection.execute(statement, values).all())
        except DataError:  # a value that no row can hold, such as a text with a NUL in PostgreSQL
            return []
        except SQLAlchemyError as error:
            raise store_error("the log cannot be read", error) from error

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the log is closed: open it again")


def _row(values: Sequence[Any]) -> Row:
    n, kind, seat, body, at, decision, person = values
    return Row(n, kind, seat, msgspec.json.decode(body), at, decision, person)


def _firsts(found: Sequence[Sequence[Any]]) -> list[str]:
    return [row[0] for row in found]
