"""Turn-by-turn matches in the database: matches whose term has passed, and matches that wait for players."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, literal, select, text

from mekuri.server.storage.guest_store import GuestStore
from mekuri.server.storage.schema import SEATED_MATCHES, matches

_GAMES = matches.c.game.in_(bindparam("games", expanding=True))
# A database uses a partial index only where a query has its condition word for word.
_DUE = text("due_at IS NOT NULL")
_OVERDUE = (
    select(matches.c.id)
    .where(_DUE, matches.c.due_at <= bindparam("at"), _GAMES)
    .order_by(matches.c.due_at)
    .limit(bindparam("most"))
)
_UNFILLED = (
    select(matches.c.id)
    .where(text("term IS NOT NULL"), matches.c.state == literal("open"), matches.c.changed_at < bindparam("since"), _GAMES)
    .order_by(matches.c.changed_at)
    .limit(bindparam("most"))
)
_DUE_OF_MATCH = select(matches.c.due_at).where(matches.c.id == bindparam("of"))
_DUE_OF_PERSON = select(matches.c.id).select_from(SEATED_MATCHES).where(_DUE).order_by(matches.c.due_at).limit(bindparam("most"))


class TermStore(GuestStore):
    """The part of the store for matches that are played turn by turn. Times are in milliseconds since the epoch."""

    async def overdue(self, at: int, games: Sequence[str], limit: int) -> list[str]:
        """Return matches of the named games in which a term has passed by a time, longest ago first."""
        return [row[0] for row in await self._read(_OVERDUE, {"at": at, "games": list(games), "most": limit})]

    async def unfilled(self, since: int, games: Sequence[str], limit: int) -> list[str]:
        """Return matches of the named games that wait for players since before a time, oldest first."""
        return [row[0] for row in await self._read(_UNFILLED, {"since": since, "games": list(games), "most": limit})]

    async def due_of_match(self, match: str) -> int | None:
        """Return until when a player owes a decision in a match; None if no player does, or if there is no such match."""
        found = await self._read(_DUE_OF_MATCH, {"of": match})
        return found[0][0] if found else None

    async def due_of_person(self, person: str, limit: int) -> list[str]:
        """Return running matches in which a person has a seat and a player owes a decision, the most urgent first."""
        return [row[0] for row in await self._read(_DUE_OF_PERSON, {"who": person, "most": limit})]
