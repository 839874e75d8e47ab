"""The clocks of the machines that serve the log, in the database: what time each trusts, and by how much it has leapt."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Text, bindparam, func, insert, literal, select, update

from mekuri.desk.stores import FOR_EVER
from mekuri.server.storage.clock import LEAP_MS, SteadyTime, clock
from mekuri.server.storage.moderation import ModerationStore
from mekuri.server.storage.schema import acts, clocks, codes, log, matches, mistakes, people, people_news, table_news
from mekuri.server.storage.writer import Statement, Values
from mekuri.table.log import Conflict

CLOCK_ROW = "clock"  # the kind of the rows, and of the act
_SEEN_MS = 90_000  # after which a process that looks at its clock three times meanwhile is taken to have ended
_OWN = select(clocks.c.trusted, clocks.c.leases).where(clocks.c.boot == bindparam("of"))
_SERVING = (
    select(clocks.c.boot, clocks.c.leap, clocks.c.trusted).where(clocks.c.seen_at > clock() - _SEEN_MS).order_by(clocks.c.boot)
)
_CONFIRMED = select(acts.c.at, acts.c.body).where(acts.c.kind == bindparam("kind")).order_by(acts.c.id.desc())
_NEWEST = select(log.c.at).order_by(log.c.id.desc()).limit(1)
_SAME_TIME = (clocks.c.boot == bindparam("of"), clocks.c.trusted.between(bindparam("least"), bindparam("most")))
_ADD = Statement(insert(clocks).values(seen_at=clock()).inline())
_SEE = Statement(update(clocks).where(*_SAME_TIME).values(seen_at=clock()))
_LEAVE = Statement(update(clocks).where(clocks.c.boot == bindparam("of")).values(seen_at=0))
# So that no row gets a time that is over since a new one was confirmed.
IN_TIME = Statement(update(clocks).where(*_SAME_TIME).values(boot=clocks.c.boot), must_find=True)
_BY = bindparam("by", type_=BigInteger)
_AT = bindparam("at", type_=BigInteger)
_UNFINISHED = matches.c.state.in_(("open", "running"))
_NEXT = select(func.max(log.c.n) + 1).where(log.c.match == matches.c.id).scalar_subquery()
_ROW = select(matches.c.id, _NEXT, literal(CLOCK_ROW), bindparam("body", type_=Text), _AT, bindparam("writer", type_=Text)).where(
    _UNFINISHED
)

# Moves deadlines and ages by a leap, when the new time is confirmed. It is one transaction, so that a command that dies amid it has
# changed nothing. Its parameters are `by` (milliseconds), `at` (the new time, in milliseconds since the epoch), `body` and `writer`
# of the rows, and `for_ever`, the end of a ban that never ends.
_MOVE = Statement(
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
    all_matches=True,
)


class Leap(msgspec.Struct, frozen=True):
    """By how much the clock of a machine has leapt.

    Attributes:
        boot: the id of the machine's last start.
        by: by how many milliseconds its clock is ahead of the trusted time; 0 for no leap.
        trusted: the trusted time of day at that start, in milliseconds since the epoch.
    """

    boot: str
    by: int
    trusted: int


class ClockStore(ModerationStore):
    """The part of the store for clocks.

    Attributes:
        clock: the clock of this store, which follows no leap until it is confirmed.
    """

    clock: SteadyTime

    async def read_clock(self) -> bool:
        """Trust what processes on this machine trust. Returns whether one of them has said so since the machine has started."""
        found = await self._read(_OWN, {"of": self.clock.boot()})
        if found:
            self.clock.trust(*found[0])
        return bool(found)

    async def begin_clock(self) -> None:
        """Let the processes on this machine trust what this one trusts, unless one of them was first."""
        row = {"boot": self.clock.boot(), "trusted": self.clock.trusted, "leases": self.clock.leases, "leap": self.clock.leap}
        try:
            await self._write(_ADD(row), taken="the clock of this machine is there already")
        except Conflict:
            await self.read_clock()

    async def keep_clock(self) -> None:
        """Note that this process looks at the clock, the small steps it has made, and whether it has leapt.

        Nothing is changed where another time has been confirmed since: `read_clock` tells.
        """
        now = {"trusted": self.clock.trusted, "leap": self.clock.leap}
        await self._write(_SEE({**self._same_time(), **now}))

    async def leave_clock(self) -> None:
        """Note that this process looks at the clock no more. Another one on its machine notes within half a minute that it does."""
        await self._write(_LEAVE({"of": self.clock.boot()}))

    async def newest(self) -> int:
        """Return the time of the last row of the log, in milliseconds since the epoch; 0 where there is none."""
        found = await self._read(_NEWEST, {})
        return int(found[0][0]) if found else 0

    async def leaps(self) -> list[Leap]:
        """Return by how much the clock of each machine has leapt on which a server runs, or was killed a minute ago."""
        return [Leap(*row) for row in await self._read(_SERVING, {})]

    async def move_time(self, leap: Leap) -> None:
        """Move all deadlines and ages by a leap, to the new time that the clock shows.

        Raises:
            StoreError: another process has done so.
        """
        by = leap.by
        at = self.clock.now() + self.clock.leap
        body = msgspec.json.encode({"by": by}).decode()
        moved = {"by": by, "at": at, "body": body, "writer": self._own, "for_ever": FOR_EVER}
        once = IN_TIME(_same_time(leap.boot, leap.trusted + by))
        await self._write(_MOVE(moved), self._act(CLOCK_ROW, None, by=by), once)

    async def ago(self, milliseconds: int) -> int:
        """Return the time of day so many milliseconds ago, not counting those over which the clock has leapt ahead.

        A clock that was set back has shown some times twice. The earlier one is returned, so that nothing is taken for older than
        it is.
        """
        since = self.time.now() - milliseconds
        for at, body in await self._read(_CONFIRMED, {"kind": CLOCK_ROW}):
            by: int = msgspec.json.decode(body)["by"]
            if at + by >= since:
                since -= max(0, by)
        return since

    def _same_time(self) -> Values:
        """Return the condition that no other time has been confirmed than the one that this process trusts."""
        return _same_time(self.clock.boot(), self.clock.trusted)


def _same_time(boot: str, trusted: int) -> Values:
    return {"of": boot, "least": trusted - LEAP_MS, "most": trusted + LEAP_MS}
