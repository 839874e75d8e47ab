"""The reviews in a log: each is kept as it was made."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import bindparam, select

from mekuri.server.result_store import ResultStore
from mekuri.server.schema import reviews
from mekuri.server.writer import Write
from mekuri.table.log import Conflict

_REVIEW = select(reviews.c.body).where(
    reviews.c.match == bindparam("of"), reviews.c.round == bindparam("number"), reviews.c.seat == bindparam("place")
)


class ReviewStore(ResultStore):
    """A log, as far as reviews are concerned."""

    async def review(self, match: str, number: int, seat: int) -> bytes | None:
        """The review of a round for a seat, as JSON; None where there is none yet."""
        found = await self._read(_REVIEW, {"of": match, "number": number, "place": seat})
        return str(found[0][0]).encode() if found else None

    async def keep_review(self, match: str, number: int, seat: int, body: bytes) -> None:
        """Keep a review. One that is there already stays as it is; of a match that is gone none is kept."""
        row = {"match": match, "round": number, "seat": seat, "at": self.clock(), "body": body.decode()}
        with suppress(Conflict):
            await self._write(Write(reviews=(row,)))
