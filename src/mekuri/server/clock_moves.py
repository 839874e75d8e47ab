"""The statements that move deadlines and ages in the database by a leap of the clock, when its new time is confirmed.

They belong to one transaction, so a command that dies amid them has changed nothing. The parameters are `by` (milliseconds), `at`
(the new time, in milliseconds since the epoch), `body` and `writer` of the rows, and `for_ever`, the end of a ban that never ends.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Text, bindparam, func, insert, literal, select, update

from mekuri.server.schema import clocks, codes, log, matches, mistakes, people, people_news, table_news

CLOCK_ROW = "clock"  # the kind of the rows, and of the act
_BY = bindparam("by", type_=BigInteger)
_AT = bindparam("at", type_=BigInteger)
_UNFINISHED = matches.c.state.in_(("open", "running"))
_NEXT = select(func.max(log.c.n) + 1).where(log.c.match == matches.c.id).scalar_subquery()
_ROW = select(matches.c.id, _NEXT, literal(CLOCK_ROW), bindparam("body", type_=Text), _AT, bindparam("writer", type_=Text)).where(
    _UNFINISHED
)

MOVES = (
    # Matches that are over may be many: their age is computed without the leaps instead, see `ClockStore.ago`.
    update(matches).where(_UNFINISHED).values(changed_at=matches.c.changed_at + _BY, due_at=matches.c.due_at + _BY),
    insert(log).from_select(["match", "n", "kind", "body", "at", "writer"], _ROW, include_defaults=False),
    update(people).where(people.c.banned_until < bindparam("for_ever")).values(banned_until=people.c.banned_until + _BY),
    update(codes).values(until=codes.c.until + _BY),
    update(mistakes).values(due=mistakes.c.due + _BY),
    update(people_news).values(at=people_news.c.at + _BY),
    update(table_news).values(at=table_news.c.at + _BY),
    insert(table_news).from_select(["match", "at"], select(matches.c.id, _AT).where(_UNFINISHED), include_defaults=False),
    update(clocks).values(trusted=clocks.c.trusted + _BY, leap=0),
)
