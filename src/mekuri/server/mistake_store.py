"""The mistakes in a log: a person's own, of finished rounds, each due as a question at a time of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, select

from mekuri.server.review_store import ReviewStore
from mekuri.server.schema import mistakes, reviews, searched
from mekuri.server.writer import Write
from mekuri.table.log import Conflict
from mekuri.table.schedule import new

_MISTAKE = (
    mistakes.c.match,
    mistakes.c.round,
    mistakes.c.seat,
    mistakes.c.number,
    mistakes.c.due,
    mistakes.c.state,
    mistakes.c.tries,
    mistakes.c.told,
)
_OWN = mistakes.c.person == bindparam("who")
_IS_DUE = mistakes.c.due <= bindparam("now")
_ONE = select(*_MISTAKE).where(
    _OWN, mistakes.c.match == bindparam("of"), mistakes.c.round == bindparam("in_round"), mistakes.c.number == bindparam("at")
)
_DUE = select(*_MISTAKE).where(_OWN, _IS_DUE).order_by(mistakes.c.due, mistakes.c.match, mistakes.c.round, mistakes.c.number)
_FIRST_DUE = _DUE.limit(bindparam("most"))
_ALL = select(*_MISTAKE).where(_OWN).order_by(mistakes.c.due)
_COUNT = select(func.count()).where(_OWN)
_COUNT_DUE = _COUNT.where(_IS_DUE)
_NEXT = select(func.min(mistakes.c.due)).where(_OWN, mistakes.c.due > bindparam("now"))
_SEARCHED = select(searched.c.match, searched.c.round).where(
    searched.c.person == bindparam("who"), searched.c.match.in_(bindparam("ids", expanding=True))
)
_REVIEWED = select(reviews.c.match, reviews.c.round, reviews.c.seat).where(reviews.c.match.in_(bindparam("ids", expanding=True)))


@dataclass(frozen=True)
class Mistake:
    """A mistake of somebody's: a row of the database.

    Attributes:
        match, round, seat, number: of which match, which round there, by which seat, and its place among the seat's decisions.
        due: when it is to be asked, in milliseconds since 1970.
        state: as the schedule has it.
        tries: how often an answer was tried, ever.
        told: what became of the last try, as JSON; None before the first.
    """

    match: str
    round: int
    seat: int
    number: int
    due: int
    state: str
    tries: int
    told: str | None


class MistakeStore(ReviewStore):
    """A log, as far as mistakes are concerned."""

    async def mistake(self, person: str, match: str, round: int, number: int) -> Mistake | None:
        """One of somebody's mistakes; None where they have made no such one."""
        found = await self._read(_ONE, {"who": person, "of": match, "in_round": round, "at": number})
        return Mistake(*found[0]) if found else None

    async def due_mistakes(self, person: str, limit: int) -> list[Mistake]:
        """Mistakes that are due, longest due first."""
        found = await self._read(_FIRST_DUE, {"who": person, "now": self.clock(), "most": limit})
        return [Mistake(*row) for row in found]

    async def mistakes(self, person: str) -> list[Mistake]:
        """All mistakes of somebody, those that are due first first."""
        return [Mistake(*row) for row in await self._read(_ALL, {"who": person})]

    async def mistakes_count(self, person: str) -> tuple[int, int, int | None]:
        """How many mistakes somebody has, how many of them are due, and when the next of the others is."""
        values = {"who": person, "now": self.clock()}
        counted = [await self._read(statement, values) for statement in (_COUNT, _COUNT_DUE, _NEXT)]
        return counted[0][0][0], counted[1][0][0], counted[2][0][0]

    async def searched(self, person: str, matches: Collection[str]) -> set[tuple[str, int]]:
        """Rounds of some matches that have been looked through for somebody's mistakes."""
        return set(map(_pair, await self._read(_SEARCHED, {"who": person, "ids": list(matches)})))

    async def reviewed(self, matches: Collection[str]) -> set[tuple[str, int, int]]:
        """The rounds and seats of some matches for which there are reviews."""
        return {(match, round, seat) for match, round, seat in await self._read(_REVIEWED, {"ids": list(matches)})}

    async def keep_mistakes(self, person: str, match: str, round: int, seat: int, numbers: Sequence[int]) -> None:
        """Note that a round has been looked through, and the mistakes found there, which are due at once.

        Where that is noted already, or the person or the match is gone, nothing is.
        """
        now = self.clock()
        own = {"person": person, "match": match, "round": round}
        rows = [
            {**own, "number": number, "seat": seat, "due": now, "state": new(now), "tries": 0, "told": None} for number in numbers
        ]
        with suppress(Conflict):
            await self._write(Write(searched=(own,), mistakes=rows))

    async def answer_mistake(self, person: str, before: Mistake, due: int, state: str, told: str) -> None:
        """Note another try. Raises Conflict where somebody else has noted one since, or the mistake is gone."""
        named = {"who": person, "of": before.match, "in_round": before.round, "at_number": before.number, "before": before.tries}
        change = {**named, "due": due, "state": state, "tries": before.tries + 1, "told": told}
        await self._write(Write(answered=(change,)), missing="it has been answered meanwhile", absent=Conflict)


def _pair(row: Sequence[Any]) -> tuple[str, int]:
    match, round = row
    return match, round
