"""A `Log` in memory, for tables in one process; it is lost when the process ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mekuri.table.log import Conflict, LogError, MatchRow, NewMatch, Row, State, spread
from mekuri.table.time import Time


@dataclass
class _Kept:
    """A match, and its rows by their places. The rows are kept as JSON, so that no caller can change them."""

    maker: str | None
    stands: MatchRow
    lone: bool
    household: str | None = None
    term: int | None = None
    due_at: int | None = None
    rows: dict[int, bytes] = field(default_factory=dict)
    decisions: set[tuple[int, int]] = field(default_factory=set)
    seated: set[str] = field(default_factory=set)


class MemoryLog:
    """A `Log` in memory. Its methods do what those of `Log` say.

    Args:
        time: the clock.
    """

    def __init__(self, time: Time) -> None:
        self._time = time
        self._matches: dict[str, _Kept] = {}

    async def add_match(self, new: NewMatch) -> None:
        """Add a match and its first rows. Raises Conflict where there is one of this id."""
        kept = self._begin(new)
        _add(kept, new.rows)
        self._matches[new.id] = kept

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
        """Append rows to a match, and add the match of a rematch: all of it or nothing.

        Raises:
            Conflict: a row's place, a seat's decision or the id of the founded match is taken.
            LogError: there is no such match.
        """
        if match not in self._matches:
            raise LogError(f"there is no match {match}")
        kept = self._matches[match]
        _need_free(kept, rows)
        if founded:
            await self.add_match(founded)
        _add(kept, rows)
        kept.stands = msgspec.structs.replace(kept.stands, state=state, bot_due=bot_due, changed_at=self._time.now())
        kept.lone, kept.due_at = lone, due_at

    async def match(self, id: str) -> MatchRow | None:
        """Return a match by its id; None where there is none."""
        return self._matches[id].stands if id in self._matches else None

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """Return the rows of a match in order, from place `since` of its log on; none where there is no such match."""
        rows = self._matches[match].rows if match in self._matches else {}
        return [msgspec.json.decode(rows[n], type=Row) for n in sorted(rows) if n >= since]

    async def ids(self, state: State) -> list[str]:
        """Return the ids of the matches in a state, oldest first."""
        return [kept.stands.id for kept in self._oldest() if kept.stands.state == state]

    async def unchanged(self, state: State, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches of these games in a state that have not changed since a time, oldest first."""
        kept = [kept for kept in self._oldest() if kept.term is None]
        found = [kept.stands for kept in kept if kept.stands.state == state and kept.stands.changed_at < since]
        return [match.id for match in found if match.game in games][:limit]

    async def unfilled(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of matches to be played turn by turn that wait for players since before a time, oldest first."""
        found = [kept.stands for kept in self._oldest() if kept.term is not None and kept.stands.state == "open"]
        return [match.id for match in found if match.game in games and match.changed_at < since][:limit]

    async def overdue(self, at: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of matches in which a term has passed by a time, longest ago first."""
        due = [(kept.due_at, kept.stands) for kept in self._matches.values() if kept.due_at is not None and kept.due_at <= at]
        return [match.id for _, match in sorted(due, key=lambda one: one[0]) if match.game in games][:limit]

    async def lone(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of matches with one person and bots alone that have not changed since a time, oldest first."""
        found = [kept.stands for kept in self._oldest() if kept.lone and kept.stands.changed_at < since]
        return [match.id for match in found if match.game in games][:limit]

    async def bots_due(self, before: int) -> list[str]:
        """Return the ids of running matches in which a bot has owed a turn since before a time, longest waiting first."""
        due = [kept.stands for kept in self._matches.values() if kept.stands.state == "running" and kept.stands.bot_due]
        return [match.id for match in sorted(due, key=lambda match: match.changed_at) if match.changed_at < before]

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Return the ids of public matches that wait for players: first those whose makers are connected, then the newest."""
        found = [kept for kept in self._newest() if kept.stands.state == "open" and kept.stands.public]
        found.sort(key=lambda kept: kept.maker not in attended.get(kept.stands.id, ()))
        return spread(((kept.stands.id, kept.maker, kept.household) for kept in found), limit, each)

    async def unattended(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of public matches that wait for players, with nobody connected since a time, oldest first."""
        return [id for id in await self.unchanged("open", since, games, len(self._matches)) if self._matches[id].stands.public][
            :limit
        ]

    async def attend(self, matches: Sequence[str]) -> None:
        """Note that somebody is connected now to the tables of these matches. Only those that wait for players are noted."""
        for kept in (self._matches[id] for id in matches if id in self._matches):
            if kept.stands.state == "open":
                kept.stands = msgspec.structs.replace(kept.stands, changed_at=self._time.now())

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches, in these states, in which a person has taken a seat, newest first."""
        return [kept.stands.id for kept in self._newest() if person in kept.seated and kept.stands.state in states][:limit]

    async def unfinished(self, maker: str) -> int:
        """Return the number of matches made by a person that are not over."""
        return sum(kept.maker == maker and kept.stands.state != "over" for kept in self._matches.values())

    def _begin(self, new: NewMatch) -> _Kept:
        if new.id in self._matches:
            raise Conflict(f"match {new.id} is already there: take another id")
        at = self._time.now()
        stands = MatchRow(new.id, new.game, new.state, new.public, new.root, at, at, new.bot_due)
        return _Kept(new.maker, stands, new.lone, new.household, new.term, new.due_at)

    def _oldest(self) -> Iterable[_Kept]:
        return sorted(self._matches.values(), key=lambda kept: kept.stands.made_at)

    def _newest(self) -> Iterable[_Kept]:
        return sorted(self._matches.values(), key=lambda kept: kept.stands.made_at, reverse=True)


def _need_free(kept: _Kept, rows: Sequence[Row]) -> None:
    places, decisions = [row.n for row in rows], list(filter(None, map(_decision, rows)))
    twice = len(set(places)) < len(places) or len(set(decisions)) < len(decisions)
    if twice or kept.rows.keys() & set(places) or kept.decisions & set(decisions):
        raise Conflict(f"somebody else was first to write here in match {kept.stands.id}: read its rows and look again")


def _add(kept: _Kept, rows: Sequence[Row]) -> None:
    _need_free(kept, rows)
    kept.rows |= {row.n: msgspec.json.encode(row) for row in rows}
    kept.decisions |= set(filter(None, map(_decision, rows)))
    kept.seated |= {row.person for row in rows if row.kind == "sit" and row.person}


def _decision(row: Row) -> tuple[Any, int] | None:
    """Return the seat of a row and the index of its decision; None for a row that decides nothing."""
    return None if row.decision is None or row.seat is None else (row.seat, row.decision)
