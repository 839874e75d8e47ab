"""Reviews of finished rounds in the database."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from sqlalchemy import bindparam, delete, insert, select

from mekuri.server.storage.result_store import ResultStore
from mekuri.server.storage.schema import reviews
from mekuri.server.storage.writer import Statement
from mekuri.table.log import Conflict

_OF_SEAT = (reviews.c.match == bindparam("of"), reviews.c.round == bindparam("number"), reviews.c.seat == bindparam("place"))
_REVIEW = select(reviews.c.body).where(*_OF_SEAT)
_REVIEWED = select(reviews.c.match, reviews.c.round, reviews.c.seat).where(reviews.c.match.in_(bindparam("ids", expanding=True)))
_REMOVE = Statement(delete(reviews).where(*_OF_SEAT))
_ADD = Statement(insert(reviews).inline())


class ReviewStore(ResultStore):
    """The part of the store for reviews."""

    async def review(self, match: str, number: int, seat: int) -> bytes | None:
        """Return the review of a round for a seat, as JSON; None where there is none."""
        found = await self._read(_REVIEW, {"of": match, "number": number, "place": seat})
        return str(found[0][0]).encode() if found else None

    async def keep_review(self, match: str, number: int, seat: int, body: bytes) -> None:
        """Store a review in the place of an older one. Does nothing where the match is deleted."""
        row = {"match": match, "round": number, "seat": seat, "at": self.time.now(), "body": body.decode()}
        older = {"of": match, "number": number, "place": seat}
        with suppress(Conflict):
            await self._write(_REMOVE(older), _ADD(row))

    async def reviewed(self, matches: Collection[str]) -> set[tuple[str, int, int]]:
        """Return the rounds of some matches that have reviews, as match, round and seat."""
        return {(match, round, seat) for match, round, seat in await self._read(_REVIEWED, {"ids": list(matches)})}
