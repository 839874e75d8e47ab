"""The log: everything that has happened at every table, durable before anybody is told of it.

Rows are only ever added. What a match is at any moment follows from its rows; the table of matches only says which to look for.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import msgspec
from sqlalchemy import Executable, bindparam, func, literal, literal_column, select, text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from mekuri.server import metrics
from mekuri.server.database import Side, StoreError, open_database, store_error
from mekuri.server.moderation import ModerationStore
from mekuri.server.schema import SIT, log, matches, processes
from mekuri.server.writer import Missing, Values, Write, Writer
from mekuri.table.log import Conflict, MatchRow, NewMatch, Row, State, spread

__all__ = ["Lines", "Process", "Store", "StoreError", "default_database"]

Lines = dict[str, list[str]]  # the people who follow each table
_MOST_OPEN = 500  # open tables among which those to be listed are looked for
_MOST_NEWS = 5000  # rows at a time; what is more comes with the next question


class Process(msgspec.Struct, frozen=True):
    """Another process that serves the log, as it last said: its id, a beat that changes while it lives, and its lines."""

    id: str
    beat: int
    lines: Lines


def now() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def default_database() -> Path:
    """Where the log is kept when nobody says otherwise: in the user's own folder of data."""
    from platformdirs import user_data_path

    return user_data_path("mekuri", appauthor=False) / "mekuri.db"


# --- What is asked, made once, so that each is compiled once ---

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
        matches.c.game.in_(bindparam("games", expanding=True)),
    )
    .order_by(matches.c.changed_at)
    .limit(bindparam("most"))
)
# A database only takes an index of some rows where it sees their condition as it is written there.
_LONE = (
    select(matches.c.id)
    .where(
        text("lone"),
        matches.c.changed_at < bindparam("since"),
        matches.c.game.in_(bindparam("games", expanding=True)),
    )
    .order_by(matches.c.changed_at)
    .limit(bindparam("most"))
)
_BOTS_DUE = select(matches.c.id).where(text("bot_due"), matches.c.changed_at < bindparam("before")).order_by(matches.c.changed_at)
_OPEN = (
    select(matches.c.id, matches.c.maker, matches.c.household)
    .where(matches.c.state == literal("open"), matches.c.public)
    .order_by(matches.c.made_at.desc())
)
_PUBLIC = _OPEN.limit(bindparam("most"))
_ATTENDED = _OPEN.where(matches.c.id.in_(bindparam("ids", expanding=True)))
# The time at which it was made is in the index.
_UNATTENDED = (
    select(matches.c.id)
    .where(
        matches.c.state == literal("open"),
        matches.c.public,
        matches.c.made_at < bindparam("since"),
        matches.c.changed_at < bindparam("since"),
        matches.c.game.in_(bindparam("games", expanding=True)),
    )
    .order_by(matches.c.made_at)
    .limit(bindparam("most"))
)
_HOUSED = (
    select(matches.c.id).where(text("household IS NOT NULL"), matches.c.state.in_(("running", "over"))).limit(bindparam("most"))
)
_SEATED = select(log.c.match).where(log.c.person == bindparam("who"), log.c.kind == literal(SIT, literal_execute=True)).distinct()
# One person's matches are looked up one by one, and not looked for among all that are in a state.
_OF_PERSON = (
    select(matches.c.id)
    .select_from(_SEATED.subquery("seated").join(matches, literal_column("seated.match") == matches.c.id))
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
_NEWS = (
    select(log.c.id, log.c.match, *_IN_LOG)
    .where(log.c.id > bindparam("after"), log.c.id <= bindparam("place"), log.c.writer != bindparam("own"))
    .order_by(log.c.id)
    .limit(bindparam("most"))
)
_OTHERS = select(processes.c.writer, processes.c.beat, processes.c.lines).where(processes.c.writer != bindparam("own"))


class Store(ModerationStore):
    """An open log: `mekuri.table.log.Log`, and what only a database of several processes has. `open` makes them.

    Several may be open on one file, in one process or in many. Every method raises StoreError where the database cannot be read or
    written.

    Attributes:
        refusal: what people are told where nothing could be written when that was tried last, an id among the texts of errors.
    """

    def __init__(self, writer: Side, readers: Side, clock: Callable[[], int]) -> None:
        self._sides = (writer, readers)
        self._readers = readers
        self._writer = Writer(writer)
        self.clock = clock
        self._own = secrets.token_hex(8)
        self._closed = False
        self.refusal: str | None = None

    @classmethod
    async def open(cls, where: Path | str, clock: Callable[[], int] = now) -> Store:
        """Open a log, making it, its folder and its tables where they are not there or not as new as this Mekuri.

        Args:
            where: the path of a file, or `sqlite:///PATH`.
            clock: what says the time in milliseconds.

        Raises StoreError where there can be no such file, or where it is another program's or a newer Mekuri's.
        """
        return cls(*await open_database(where), clock)

    async def close(self) -> None:
        """Write what is still to be written, and close the file. To close twice is to close once."""
        self._closed = True
        await self._writer.finish()
        for side in self._sides:
            await side.close()

    # --- Matches and their log ---

    async def add_match(self, new: NewMatch) -> None:
        """A new match and its first rows. Raises Conflict where there is one of this id."""
        write = Write(matches=(self._match_values(new),), rows=self._values(new.id, new.rows))
        await self._write(write, taken=f"match {new.id} is already there: take another id")

    async def add_daily_try(self, new: NewMatch, day: str, person: str) -> None:
        """The table at which somebody plays the deal of a day. Raises Conflict where they have one already, or are gone."""
        one = {"day": day, "game": new.game, "person": person, "match": new.id, "over": False, "points": None}
        write = Write(matches=(self._match_values(new),), rows=self._values(new.id, new.rows), daily_tries=(one,))
        await self._write(write, taken=f"{person} plays the deal of {day} already: look where")

    async def append(
        self, match: str, rows: Sequence[Row], state: State, bot_due: bool, founded: NewMatch | None = None, lone: bool = False
    ) -> None:
        """More rows of a match, what it is after them, and a match that they found: in one transaction, durable when this returns.

        Rows that build on others are given after those have been acknowledged. A caller that is cancelled may be sure that the
        rows are written whole, or refused whole.

        Raises:
            Conflict: a place of the log, or a seat's decision, has been written by somebody else: read the rows and look again.
            StoreError: there is no such match.
        """
        change = {"of": match, "state": state, "bot_due": bot_due, "lone": lone, "changed_at": self.clock()}
        write = Write(changes=(change,), rows=self._values(match, rows))
        if founded:
            new = (self._match_values(founded),)
            write = replace(write, matches=new, rows=[*write.rows, *self._values(founded.id, founded.rows)])
        taken = f"somebody else was first to write here in match {match}: read its rows and look again"
        await self._write(write, taken, missing=f"there is no match {match}")

    async def match(self, id: str) -> MatchRow | None:
        """The match of an id; None if there is none."""
        found = await self._read(_MATCH, {"of": id})
        return MatchRow(*found[0]) if found else None

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """The rows of a match in order, from place `since` of its log."""
        return [_row(row) for row in await self._read(_ROWS, {"of": match, "since": since})]

    async def ids(self, state: State) -> list[str]:
        """The matches in a state, oldest first."""
        return _firsts(await self._read(_IN_STATE, {"is_in": state}))

    async def unchanged(self, state: State, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Matches of some games in a state in which nothing has happened since a time, oldest first."""
        values = {"is_in": state, "since": since, "games": list(games), "most": limit}
        return _firsts(await self._read(_UNCHANGED, values))

    async def lone(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Running matches of some games in which one person plays with bots and nothing has happened since a time, oldest first."""
        return _firsts(await self._read(_LONE, {"since": since, "games": list(games), "most": limit}))

    async def bots_due(self, before: int) -> list[str]:
        """Running matches in which a bot has been due since before a time, longest waiting first."""
        return _firsts(await self._read(_BOTS_DUE, {"before": before}))

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Public matches that wait for players, newest first, and before them those whose makers are among who is at them.

        They are `spread`, so that nobody's tables hide all others. `attended` are the people at tables.
        """
        among = await self._read(_ATTENDED, {"ids": list(islice(attended, _MOST_OPEN))}) if attended else []
        found = [row for row in among if row[1] in attended[row[0]]] + [*await self._read(_PUBLIC, {"most": _MOST_OPEN})]
        return spread(((id, maker, household) for id, maker, household in found), limit, each)

    async def unattended(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Public matches of some games that wait for players, and at which nobody has been since a time, oldest first."""
        return _firsts(await self._read(_UNATTENDED, {"since": since, "games": list(games), "most": limit}))

    async def attend(self, matches: Sequence[str]) -> None:
        """Note that somebody is at these matches, those of them that wait for players."""
        at = self.clock()
        await self._write(Write(attended=[{"of": id, "changed_at": at} for id in matches]))

    async def forget_households(self, limit: int) -> None:
        """Let go of what is known of the households of matches that wait for nobody any more."""
        found = _firsts(await self._read(_HOUSED, {"most": limit}))
        if found:
            await self._write(Write(unhoused=[{"of": id, "household": None} for id in found]))

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Matches in which a person has taken a seat, newest first."""
        return _firsts(await self._read(_OF_PERSON, {"who": person, "states": list(states), "most": limit}))

    async def made_open(self, maker: str) -> list[str]:
        """Matches that somebody has made and that wait for players."""
        return _firsts(await self._read(_MADE_OPEN, {"who": maker}))

    async def all_of_person(self, person: str) -> list[str]:
        """All matches that a person has made, or has taken a seat in."""
        made = _firsts(await self._read(_MADE, {"who": person}))
        return list(dict.fromkeys([*made, *_firsts(await self._read(_SEATED, {"who": person}))]))

    async def own_rows(self, person: str, match: str) -> tuple[Sequence[Any], Sequence[Sequence[Any]]]:
        """A match as its id, game, state, time and maker, and what a person has done there: kind, time, seat and body."""
        stood = await self._read(_STOOD, {"of": match})
        return stood[0], await self._read(_OWN_ROWS, {"of": match, "who": person})

    async def unfinished(self, maker: str) -> int:
        """How many matches somebody has made that are not over."""
        return cast(int, (await self._read(_UNFINISHED, {"who": maker}))[0][0])

    # --- What others write ---

    async def place(self) -> int:
        """The end of the whole log, all matches together: what comes after it is news."""
        return cast(int, (await self._read(_PLACE, {}))[0][0])

    async def news(self, after: int) -> tuple[int, dict[str, list[Row]]]:
        """What other stores have written after a place of the whole log, match by match, and the place to ask from next."""
        place = await self.place()
        if place <= after:
            return after, {}
        found = await self._read(_NEWS, {"after": after, "place": place, "own": self._own, "most": _MOST_NEWS})
        news: dict[str, list[Row]] = {}
        for _, match, *row in found:
            news.setdefault(match, []).append(_row(row))
        return (found[-1][0] if len(found) == _MOST_NEWS else place), news

    # --- Who else serves the log ---

    async def beat(self, beat: int, lines: Lines, gone: Sequence[str] = ()) -> None:
        """Say that this store is open and who has a line to its process, and take away others that are gone."""
        row = {"writer": self._own, "beat": beat, "lines": msgspec.json.encode(lines).decode()}
        # A row of its own may be there, or have been taken away by another who heard nothing for long.
        await self._write(Write(gone=[{"of": id} for id in (self._own, *gone)], beats=(row,)))

    async def leave(self) -> None:
        """Say that this store is about to close."""
        await self._write(Write(gone=({"of": self._own},)))

    async def peers(self) -> list[Process]:
        """What the other processes have said last."""
        found = await self._read(_OTHERS, {"own": self._own})
        return [Process(id, beat, msgspec.json.decode(lines, type=Lines)) for id, beat, lines in found]

    # --- The database ---

    def _match_values(self, new: NewMatch) -> Values:
        at = self.clock()
        named = {
            name: getattr(new, name) for name in ("id", "game", "root", "maker", "public", "state", "bot_due", "lone", "household")
        }
        return {**named, "made_at": at, "changed_at": at}

    def _values(self, match: str, rows: Sequence[Row]) -> list[Values]:
        return [
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
        ]

    async def _write(
        self, write: Write, taken: str = "", missing: str = "", absent: type[StoreError | Conflict] = StoreError
    ) -> None:
        self._check_open()
        try:
            await self._writer.write(write)
        except Missing:
            raise absent(missing) from None
        except IntegrityError:
            raise Conflict(taken) from None
        except SQLAlchemyError as error:
            failed = store_error("the log cannot be written", error)
            self.refusal = failed.refusal
            metrics.FAILURES.labels(failed.refusal).inc()
            raise failed from error
        self.refusal = None

    async def _read(self, statement: Executable, values: Values) -> Sequence[Sequence[Any]]:
        self._check_open()
        try:
            return await self._readers.do(lambda connection: connection.execute(statement, values).all())
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
