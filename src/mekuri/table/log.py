"""The log of tables: an append-only list of rows for each match, from which its table can be built at any moment.

`Log` is the interface; `mekuri.table.memory` implements it in memory, `mekuri.server.store` in a database.
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
    """The log cannot be read or written, or has no such match.

    Attributes:
        refusal: the error that clients get meanwhile, a key of the catalogue's table `errors`.
    """

    refusal = "busy"


class Conflict(MekuriError):
    """Another writer has already written this row's place in the log or this seat's decision, or the match's id is taken."""


class Moved(Conflict):
    """Another process is the home of this match now, and alone may write it."""


class Row(msgspec.Struct, frozen=True):
    """A row in the log of a match.

    Attributes:
        n: the row's place in the match's log, from 0.
        kind: the kind of row, such as `sit` or `play`; `mekuri.table.transitions` has all of them.
        seat: the seat that it concerns, or DRIVER; None for the table itself.
        body: the row's data, of JSON values.
        at: when it was written, in milliseconds since 1970.
        decision: the index, from 0, of the decision among the seat's; None where the row decides nothing.
        person: the id of the person who did it; None for nobody.
    """

    n: int
    kind: str
    seat: int | None
    body: dict[str, Any]
    at: int
    decision: int | None = None
    person: str | None = None


class MatchRow(msgspec.Struct, frozen=True):
    """A match in the list of matches. Its `repr` leaves out the secret `root`.

    Attributes:
        id: the match's id.
        game: the game's name.
        state: whether it waits for players, is running or is over.
        public: whether its table is listed while a seat is free.
        root: the 32 secret bytes from which its deals are derived.
        made_at, changed_at: when it was made and when something last happened, in milliseconds since 1970.
        bot_due: whether a bot owes a turn.
    """

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
    """A match to be added to the log, with its first rows.

    Attributes:
        id: the match's id.
        game: the game's name.
        root: the 32 secret bytes from which its deals are derived.
        maker: the id of the person who made the table; None for nobody.
        public: whether the table is listed while a seat is free.
        rows: the first rows.
        state: the match's state after them.
        bot_due: whether a bot owes a turn after them.
        lone: whether one person plays with bots alone.
        household: a key that is the same for people who come from one network address; None where it is not known.
        term: the term of each decision, in milliseconds, at a table that is played turn by turn; None elsewhere.
        due_at: when the term of somebody who is asked passes, in milliseconds since 1970; None where nobody is.
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
    term: int | None = None
    due_at: int | None = None


def spread(found: Iterable[tuple[str, str | None, str | None]], limit: int, each: int) -> list[str]:
    """Return the first matches of a list, without letting one maker or household fill it.

    Args:
        found: each match's id, its maker and its household, in the order of the list.
        limit: how many matches are returned at most.
        each: how many of them one maker may have; a household may have twice as many.

    Returns:
        The ids, in the same order.
    """
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
    """A log of tables, and the list of its matches.

    Every process that uses the same log reads the rows that any of them has written. Every method raises LogError where the log
    cannot be read or written. Times are milliseconds since 1970, and people and matches are given by their ids.
    """

    async def add_match(self, new: NewMatch) -> None:
        """Add a match and its first rows. Raises Conflict where there is one of this id."""

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
        """Append rows to a match, in one transaction; they are durable when this returns.

        Rows that build on others are appended after those have been acknowledged. Where the caller is cancelled, the rows are
        written whole or not at all.

        Args:
            match: the match's id.
            rows: the rows.
            state: the match's state after them.
            bot_due: whether a bot owes a turn after them; only in a running match.
            founded: the match of a rematch, added in the same transaction; None where there is none.
            lone: whether one person plays with bots alone; only in a running match.
            due_at: when the term of somebody who is asked passes, in milliseconds since 1970; None where nobody's does.

        Raises:
            Conflict: another writer has written a row's place or a seat's decision, or the id of the founded match is taken:
                read the rows again, and repeat the command on them.
            LogError: there is no such match.
        """

    async def match(self, id: str) -> MatchRow | None:
        """Return a match by its id; None where there is none."""

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """Return the rows of a match in order, from place `since` of its log on; none where there is no such match."""

    async def ids(self, state: State) -> list[str]:
        """Return the ids of the matches in a state, oldest first."""

    async def unchanged(self, state: State, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches of these games in a state that have not changed since a time, oldest first.

        Matches that are played turn by turn are left out: see `overdue` and `unfilled`.
        """

    async def unfilled(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches of these games that wait for players since before a time, oldest first.

        Only matches that are to be played turn by turn are among them.
        """

    async def lone(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches of these games in which one person plays with bots alone, oldest first.

        Only running matches that have not changed since a time are among them.
        """

    async def bots_due(self, before: int) -> list[str]:
        """Return the ids of running matches in which a bot has owed a turn since before a time, longest waiting first."""

    async def overdue(self, at: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches of these games in which a term has passed by a time, longest ago first."""

    async def public_open(self, limit: int, each: int, attended: Mapping[str, Collection[str]]) -> list[str]:
        """Return the ids of public matches that wait for players: first those whose makers are connected, then the newest.

        The list goes through `spread`, so that one person's tables do not fill it.

        Args:
            limit: how many matches are returned at most.
            each: how many of them may have the same maker.
            attended: the people who are connected to a table, by its id.
        """

    async def unattended(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return the ids of at most `limit` public matches of these games that wait for players, oldest first.

        Only matches to whose tables nobody has been connected since a time are among them. Those that are to be played turn by turn
        are left out: see `unfilled`.
        """

    async def attend(self, matches: Sequence[str]) -> None:
        """Note that somebody is connected now to the tables of these matches. Only those that wait for players are noted."""

    async def of_person(self, person: str, states: Sequence[State], limit: int) -> list[str]:
        """Return the ids of at most `limit` matches, in these states, in which a person has taken a seat, newest first."""

    async def unfinished(self, maker: str) -> int:
        """Return the number of matches made by a person that are not over."""
