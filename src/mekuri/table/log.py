"""The log of tables: an append-only list of rows for each match, from which its table can be built at any moment.

`Log` is the interface; `mekuri.desk.memory` implements it in memory, `mekuri.server.storage.store` in a database.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        person: the id of the person who did it; None if no person did.
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
        maker: the id of the person who made the table; None if no person did.
        public: whether the table is listed while a seat is free.
        rows: the first rows.
        state: the match's state after them.
        bot_due: whether a bot owes a turn after them.
        lone: whether one person plays with bots alone.
        household: a key that is the same for people who come from one network address; None where it is not known.
        term: the term of each decision, in milliseconds, at a table that is played turn by turn; None elsewhere.
        due_at: the first deadline of a person who is asked, in milliseconds since 1970; None if no person is.
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


class Log(Protocol):
    """A log of tables.

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

        Rows that build on other rows are appended after the log has acknowledged these. If the caller is cancelled, the rows are
        written whole or not at all.

        Args:
            match: the match's id.
            rows: the rows.
            state: the match's state after them.
            bot_due: whether a bot owes a turn after them; only in a running match.
            founded: the match of a rematch, added in the same transaction; None where there is none.
            lone: whether one person plays with bots alone; only in a running match.
            due_at: the first deadline of a person who is asked, in milliseconds since 1970; None if no person is.

        Raises:
            Conflict: another writer has written a row's place or a seat's decision, or the id of the founded match is taken:
                read the rows again, and repeat the command on them.
            LogError: there is no such match.
        """

    async def rows(self, match: str, since: int = 0) -> list[Row]:
        """Return the rows of a match in order, from place `since` of its log on; none where there is no such match."""
