"""Mistakes in the database: decisions in a person's finished rounds, each due as a practice question at its own time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from mekuri.desk.stores import Mistake
from mekuri.server.storage.review_store import ReviewStore
from mekuri.server.storage.schema import mistakes, searched
from mekuri.server.storage.writer import Statement
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
    mistakes.c.answer,
)
_OWN = mistakes.c.person == bindparam("who")
_IS_DUE = mistakes.c.due <= bindparam("now")
_THIS = (
    _OWN,
    mistakes.c.match == bindparam("of"),
    mistakes.c.round == bindparam("in_round"),
    mistakes.c.number == bindparam("at_number"),
)
_ONE = select(*_MISTAKE).where(*_THIS)
_DUE = select(*_MISTAKE).where(_OWN, _IS_DUE).order_by(mistakes.c.due, mistakes.c.match, mistakes.c.round, mistakes.c.number)
_FIRST_DUE = _DUE.limit(bindparam("most"))
_ALL = select(*_MISTAKE).where(_OWN).order_by(mistakes.c.due)
_COUNT = select(func.count()).where(_OWN)
_COUNT_DUE = _COUNT.where(_IS_DUE)
_NEXT = select(func.min(mistakes.c.due)).where(_OWN, mistakes.c.due > bindparam("now"))
_SEARCHED = select(searched.c.match, searched.c.round).where(
    searched.c.person == bindparam("who"), searched.c.match.in_(bindparam("ids", expanding=True))
)
_ADD_SEARCHED = Statement(insert(searched).inline())
_ADD = Statement(insert(mistakes).inline())
_DROP = Statement(delete(mistakes).where(*_THIS))
_ANSWER = Statement(update(mistakes).where(*_THIS, mistakes.c.tries == bindparam("before")), must_find=True)


class MistakeStore(ReviewStore):
    """The part of the store for mistakes."""

    async def mistake(self, person: str, match: str, round: int, number: int) -> Mistake | None:
        """Return a mistake of a person; None if there is none at this decision."""
        found = await self._read(_ONE, {"who": person, "of": match, "in_round": round, "at_number": number})
        return Mistake(*found[0]) if found else None

    async def due_mistakes(self, person: str, limit: int) -> list[Mistake]:
        """Return mistakes that are due, longest due first."""
        found = await self._read(_FIRST_DUE, {"who": person, "now": self.time.now(), "most": limit})
        return [Mistake(*row) for row in found]

    async def mistakes(self, person: str) -> list[Mistake]:
        """Return all mistakes of a person, by when they are due."""
        return [Mistake(*row) for row in await self._read(_ALL, {"who": person})]

    async def mistakes_count(self, person: str) -> tuple[int, int, int | None]:
        """Count the mistakes of a person.

        Returns:
            How many there are, how many are due, and when the next one will be due, in milliseconds since the epoch; None if no
            other is left.
        """
        values = {"who": person, "now": self.time.now()}
        counted = [await self._read(statement, values) for statement in (_COUNT, _COUNT_DUE, _NEXT)]
        return counted[0][0][0], counted[1][0][0], counted[2][0][0]

    async def searched(self, person: str, matches: Collection[str]) -> set[tuple[str, int]]:
        """Return the rounds of some matches that have been searched for a person's mistakes, as pairs of match and round."""
        return set(map(_pair, await self._read(_SEARCHED, {"who": person, "ids": list(matches)})))

    async def keep_mistakes(self, person: str, match: str, round: int, seat: int, numbers: Sequence[int]) -> None:
        """Record that a round has been searched, and add the mistakes found, due at once.

        Does nothing where the round has been searched already, or the person or the match is deleted.
        """
        now = self.time.now()
        own = {"person": person, "match": match, "round": round}
        rows = [
            {**own, "number": number, "seat": seat, "due": now, "state": new(now), "tries": 0, "answer": None} for number in numbers
        ]
        with suppress(Conflict):
            await self._write(_ADD_SEARCHED(own), _ADD(*rows))

    async def drop_mistake(self, person: str, one: Mistake) -> None:
        """Delete a mistake that is none by a newer review."""
        of = {"who": person, "of": one.match, "in_round": one.round, "at_number": one.number}
        await self._write(_DROP(of))

    async def answer_mistake(self, person: str, before: Mistake, due: int, state: str, answer: str) -> None:
        """Record another answer to a mistake.

        Args:
            person: the person.
            before: the mistake as it was read.
            due: when it is due next, in milliseconds since the epoch.
            state: the new state of its spaced repetition.
            answer: the answer and its outcome, as JSON.

        Raises:
            Conflict: another answer has been recorded since, or the mistake is deleted.
        """
        named = {"who": person, "of": before.match, "in_round": before.round, "at_number": before.number, "before": before.tries}
        change = {**named, "due": due, "state": state, "tries": before.tries + 1, "answer": answer}
        await self._write(_ANSWER(change), missing="it has been answered meanwhile", absent=Conflict)


def _pair(row: Sequence[Any]) -> tuple[str, int]:
    match, round = row
    return match, round
