"""A log in memory, the base of all stores in memory.

Values are found by looking through all of their kind: there are some hundreds of matches.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from mekuri.desk.stores import spread
from mekuri.table.log import Conflict, LogError, MatchRow, NewMatch, Row, State
from mekuri.table.tasks import Tasks
from mekuri.table.time import Time

T = TypeVar("T")
P = ParamSpec("P")
S = TypeVar("S", bound="MemoryLog")
Key = tuple[str | int, ...]  # what names a value: first the match, person or day to which it belongs
Change = tuple[type, Key, Any]  # the kind of a value, its key, and the value; None deletes it


def write(changes: Callable[Concatenate[S, P], Iterable[Change]]) -> Callable[Concatenate[S, P], Coroutine[Any, Any, None]]:
    """Return a method that keeps and then applies the changes that a method returns: all or none, even where it is cancelled.

    The method is called when all earlier writes are done. It raises an error where the write is refused.
    """

    @wraps(changes)
    async def written(self: S, /, *args: P.args, **named: P.kwargs) -> None:
        await self._tasks.do(self._write(partial(changes, self, *args, **named)))

    return written


class KeptMatch(MatchRow, frozen=True):
    """A match, with the id of the person who made it, and the time until which a player owes a decision there."""

    maker: str | None = None
    due_at: int | None = None


class MemoryLog:
    """A `mekuri.table.log.Log` in memory, with its `mekuri.desk.stores.Matches`. Its methods do what those of the protocols say.

    A subclass may keep everything elsewhere, such as in the storage of a browser: `keep` is awaited before a write is
    acknowledged, and `restore` takes back what was kept.

    Args:
        time: the clock.

    Attributes:
        kinds: the types of values, by the names under which they are kept. These names never change.
        time: as above.
    """

    kinds: ClassVar[dict[str, type]] = {"match": KeptMatch, "row": Row}

    def __init__(self, time: Time) -> None:
        self.time = time
        self._names = {kind: name for name, kind in self.kinds.items()}
        # By kind, by the first part of the key, and by the whole key.
        self._values: dict[type, defaultdict[str | int, dict[Key, Any]]] = {kind: defaultdict(dict) for kind in self._names}
        self._tasks = Tasks()
        self._writing = asyncio.Lock()

    # --- Keeping ---

    async def keep(self, entries: Mapping[Key, bytes | None]) -> None:
        """Store entries durably, all or none of them, and delete entries that are None. This class does nothing.

        Args:
            entries: JSON, by the name of its kind and its key.

        Raises:
            LogError: they cannot be kept. Then the write is not done.
        """

    def restore(self, entries: Iterable[tuple[Key, bytes]]) -> None:
        """Take back all entries that were kept, in any order. Call it before anything is read or written."""
        for (name, *key), body in entries:
            self._apply(self.kinds[str(name)], tuple(key), body)

    def entries(self) -> dict[Key, bytes]:
        """Return all that is stored, as `keep` gets it."""
        kinds = ((kind, values.items()) for kind, firsts in self._values.items() for values in firsts.values())
        return {(self._names[kind], *key): msgspec.json.encode(value) for kind, values in kinds for key, value in values}

    async def _write(self, changes: Callable[[], Iterable[Change]]) -> None:
        async with self._writing:
            bodies = [(kind, key, None if value is None else msgspec.json.encode(value)) for kind, key, value in changes()]
            await self.keep({(self._names[kind], *key): body for kind, key, body in bodies})
            for kind, key, body in bodies:
                self._apply(kind, key, body)

    def _apply(self, kind: type, key: Key, body: bytes | None) -> None:
        values = self._values[kind][key[0]]
        if body is None:
            values.pop(key, None)
            return
        values[key] = msgspec.json.decode(body, type=kind)  # a copy, which nobody else can change

    # --- Reading ---

    def _one(self, kind: type[T], *key: str | int) -> T | None:
        return self._values[kind].get(key[0], {}).get(key)

    def _of(self, kind: type[T], first: str) -> list[T]:
        return list(self._values[kind].get(first, {}).values())

    def _all(self, kind: type[T]) -> list[T]:
        return [value for values in self._values[kind].values() for value in values.values()]

    # --- The log ---

    @write
    def add_match(self, new: NewMatch) -> list[Change]:
        """Add a match and its first rows. Raises Conflict where there is one of this id."""
        return self._added(new)

    @write
    def append(
        self,
        match: str,
        rows: Sequence[Row],
        state: State,
        bot_due: bool,
        founded: NewMatch | None = None,
        lone: bool = False,
        due_at: int | None = None,
    ) -> list[Change]:
        """Append rows to a match, and add the match of a rematch: all of it or nothing.

        Raises:
            Conflict: a row's place, a seat's decision or the id of the founded match is taken.
            LogError: there is no such match.
        """
        stood = self._one(KeptMatch, match)
        if stood is None:
            raise LogError(f"there is no match {match}")
        _need_free(match, [*self._of(Row, match), *rows])
        now = replace(stood, state=state, bot_due=bot_due, changed_at=self.time.now(), due_at=due_at)
        return [(KeptMatch, (match,), now), *_new_rows(match, rows), *(self._added(founded) if founded else ())]

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """Return the rows of a match in order, from place `since` of its log on; none where there is no such match."""
        rows = sorted((row for row in self._of(Row, match) if row.n >= since), key=lambda row: row.n)
        return [msgspec.json.decode(msgspec.json.encode(row), type=Row) for row in rows]  # which the caller may change

    def _added(self, new: NewMatch) -> list[Change]:
        if self._one(KeptMatch, new.id):
            raise Conflict(f"match {new.id} is already there: take another id")
        _need_free(new.id, new.rows)
        at = self.time.now()
        match = KeptMatch(new.id, new.game, new.state, new.public, new.root, at, at, new.bot_due, new.maker, new.due_at)
        return [(KeptMatch, (new.id,), match), *_new_rows(new.id, new.rows)]

    # --- Matches ---

    async def match(self, id: str) -> MatchRow | None:
        """Return a match; None where there is none."""
        found = self._one(KeptMatch, id)
        return found and MatchRow(*(getattr(found, name) for name in MatchRow.__struct_fields__))

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches, in these states, in which a person has taken a seat, newest first."""
        found = [match for match in self._all(KeptMatch) if match.state in states and self._sat(person, match.id)]
        return [match.id for match in sorted(found, key=lambda match: match.made_at, reverse=True)][:limit]

    async def all_of_person(self, person: str) -> list[str]:
        """Return the ids of all matches that a person has made or has taken a seat in."""
        return [match.id for match in self._all(KeptMatch) if match.maker == person or self._sat(person, match.id)]

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Return public matches that wait for players: first matches of makers who are present, then the others, newest first."""
        found = [match for match in self._all(KeptMatch) if match.public and match.state == "open"]
        found.sort(key=lambda match: (match.maker in attended.get(match.id, ()), match.made_at), reverse=True)
        return spread(((match.id, match.maker, None) for match in found), limit, each)

    async def due_of_person(self, person: str, limit: int) -> list[str]:
        """Return running matches in which a person has a seat and a player owes a decision, the most urgent first."""
        due = [(match.due_at, match.id) for match in self._all(KeptMatch) if match.due_at and self._sat(person, match.id)]
        return [id for _, id in sorted(due)][:limit]

    async def made_open(self, maker: str) -> list[str]:
        """Return the ids of the matches that a person has made and that wait for players."""
        return [match.id for match in self._all(KeptMatch) if match.maker == maker and match.state == "open"]

    async def unfinished(self, maker: str) -> int:
        """Return the number of matches made by a person that are not over."""
        return sum(match.maker == maker and match.state != "over" for match in self._all(KeptMatch))

    async def own_rows(self, person: str, match: str) -> tuple[Sequence[Any], Sequence[Sequence[Any]]]:
        """Return a match (id, game, state, time made, maker), and a person's own rows in it (kind, time, seat, body as JSON)."""
        found = self._one(KeptMatch, match)
        assert found, "the person has played it"
        own = [(row.kind, row.at, row.seat, as_json(row.body)) for row in await self.rows(match) if row.person == person]
        return (found.id, found.game, found.state, found.made_at, found.maker), own

    def _sat(self, person: str, match: str) -> bool:
        return any(row.kind == "sit" and row.person == person for row in self._of(Row, match))


def _new_rows(match: str, rows: Sequence[Row]) -> list[Change]:
    return [(Row, (match, row.n), row) for row in rows]


def _need_free(match: str, rows: Sequence[Row]) -> None:
    """Raise Conflict where two rows of a match have the same place, or the same decision of a seat."""
    decisions = [(row.seat, row.decision) for row in rows if row.seat is not None and row.decision is not None]
    if len({row.n for row in rows}) < len(rows) or len(set(decisions)) < len(decisions):
        raise Conflict(f"another writer was first here in match {match}: read its rows and look again")


def as_json(body: object) -> str:
    """Return the body of a row as JSON."""
    return msgspec.json.encode(body).decode()
