"""The log of tables: rows that are only ever added. What a table is at any moment follows from them.

Whoever keeps one is a `Log`: `mekuri.table.memory` in memory, `mekuri.server.store` in a database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, get_args

import msgspec

from mekuri.engine.errors import MekuriError

State = Literal["open", "running", "over"]
STATES: tuple[State, ...] = get_args(State)


class LogError(MekuriError):
    """The log cannot be read or written, or what was asked of it is not there.

    Attributes:
        refusal: what people are told who ask for something meanwhile, an id among the texts of errors.
    """

    refusal = "busy"


class Conflict(MekuriError):
    """Somebody else has written this place of the log first, or this seat's decision, or this id is taken."""


class Row(msgspec.Struct, frozen=True):
    """One thing in the log of a match.

    Attributes:
        n: its place in the match's log, from 0.
        kind: what sort of thing it is.
        seat: whose it is, if a seat's.
        body: what it says, as JSON has it.
        at: when, in milliseconds since 1970.
        decision: the seat's own number of this decision, if it is one.
        person: who did it, if a person.
    """

    n: int
    kind: str
    seat: int | None
    body: dict[str, Any]
    at: int
    decision: int | None = None
    person: str | None = None


class MatchRow(msgspec.Struct, frozen=True):
    """A match as it stands in the table of matches; times in milliseconds. Its `root` is secret, and is not printed with it."""

    id: str
    game: str
    state: State
    public: bool
    root: bytes
    made_at: int
    changed_at: int
    bot_due: bool

    def __repr__(self) -> str:
        return f"MatchRow(id={self.id!r}, game={self.game!r}, state={self.state!r})"


class NewMatch(msgspec.Struct, frozen=True):
    """A match to be added, with its first rows.

    `maker` is who made its table, if a person did, `household` under what those count who came from one place, if that is known;
    for the others see `Log.append`.
    """

    id: str
    game: str
    root: bytes
    maker: str | None
    public: bool
    rows: Sequence[Row]
    state: State
    bot_due: bool = False
    lone: bool = False
    household: str | None = None


def spread(found: Iterable[tuple[str, str | None, str | None]], limit: int, each: int) -> list[str]:
    """Of matches with their makers and households the first few, at most `each` of one maker and twice that of one household."""
    counts: Counter[tuple[str, str]] = Counter()
    listed: dict[str, None] = {}
    for id, maker, household in found:
        of = [(kind, who) for kind, who in (("maker", maker), ("household", household)) if who is not None]
        if id in listed or any(counts[one] >= each * (1 + (one[0] == "household")) for one in of):
            continue
        counts.update(of)
        listed[id] = None
        if len(listed) == limit:
            break
    return list(listed)


class Log(Protocol):
    """A log of tables, and the list of matches that says which to look for.

    What is read is what was written, in every process that keeps the same log. Every method raises LogError where that cannot be.
    """

    async def add_match(self, new: NewMatch) -> None:
        """A new match and its first rows. Raises Conflict where there is one of this id."""

    async def append(
        self, match: str, rows: Sequence[Row], state: State, bot_due: bool, founded: NewMatch | None = None, lone: bool = False
    ) -> None:
        """More rows of a match, what it is after them, and a match that they found: all of it or nothing, kept when this returns.

        `bot_due` says that a bot owes a turn, `lone` that one person plays with bots alone; neither is so but in a running match.
        Rows that build on others are given after those have been acknowledged. A caller that is cancelled may be sure that the
        rows are written whole, or refused whole.

        Raises:
            Conflict: a place of the log, a seat's decision or the id of the match that is founded has been written by somebody
                else: read the rows and look again.
            LogError: there is no such match.
        """

    async def match(self, id: str) -> MatchRow | None:
        """The match of an id; None if there is none."""

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """The rows of a match in order, from place `since` of its log."""

    async def ids(self, state: State) -> list[str]:
        """The matches in a state, oldest first."""

    async def unchanged(self, state: State, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Matches of some games in a state in which nothing has happened since a time, oldest first."""

    async def lone(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Running matches of some games in which one person plays with bots and nothing has happened since a time, oldest first."""

    async def bots_due(self, before: int) -> list[str]:
        """Running matches in which a bot has been due since before a time, longest waiting first."""

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Public matches that wait for players, newest first, and before them those whose makers are among who is at them.

        They are `spread`, so that nobody's tables hide all others. `attended` are the people at tables.
        """

    async def unattended(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Public matches of some games that wait for players, and at which nobody has been since a time, oldest first."""

    async def attend(self, matches: Sequence[str]) -> None:
        """Note that somebody is at these matches, those of them that wait for players."""

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Matches in which a person has taken a seat, newest first."""

    async def unfinished(self, maker: str) -> int:
        """How many matches somebody has made that are not over."""
