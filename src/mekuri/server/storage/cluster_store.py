"""The processes that serve one log, in the database: their leases, and which of them is the home of each match.

The home of a match is the one process that may write it. It keeps that until its lease is over, or another takes the match when it
is. Each time a match gets another home its fencing number grows, and a process writes a match only together with the check that it
is still the home by the number it knows: one that was cut off, or slept, can change nothing any more.
"""

from __future__ import annotations

import secrets

import msgspec
from sqlalchemy import bindparam, delete, func, insert, or_, select, text, update

from mekuri.server.storage.clock import clock
from mekuri.server.storage.moderation import ModerationStore
from mekuri.server.storage.schema import matches, people_news, processes, table_news
from mekuri.server.storage.writer import Change, Statement, Values
from mekuri.table.log import Conflict, Moved

Waiting = dict[str, list[str]]  # the people who wait at each listed table
_OLD_NEWS_MS = 86_400_000  # after which an entry of a feed is deleted, as every process has read it
_DEAD_MS = 60_000  # after which the row of a process whose lease is over is deleted


class Process(msgspec.Struct, frozen=True):
    """A process that serves the log.

    Attributes:
        id: its id.
        address: where it answers other processes, as `HOST:PORT`.
        machine: what is the same for all processes that share its loopback; None where that is not known.
        secret: by which it knows them. It is left out of `repr`.
        waiting: the people who wait at each listed table there.
    """

    id: str
    address: str
    machine: str | None
    secret: str
    waiting: Waiting

    def __repr__(self) -> str:
        return f"Process(id={self.id!r}, address={self.address!r})"


ALIVE = select(processes.c.id).where(processes.c.id == matches.c.home, processes.c.until > clock()).correlate(matches).exists()
_HOME = select(matches.c.home, matches.c.fence, ALIVE).where(matches.c.id == bindparam("of"))
_PEERS = select(*(processes.c[name] for name in ("id", "address", "machine", "secret", "waiting"))).where(
    processes.c.until > clock(), processes.c.id != bindparam("own")
)
_DEAD = select(processes.c.id).where(processes.c.until < clock() - _DEAD_MS)
_ORPHANED = matches.c.home.is_not(None) & ~ALIVE
_OWN_LONG = (matches.c.changed_at < bindparam("before")) & ((matches.c.home == bindparam("own")) | ~ALIVE)
_DUE = select(matches.c.id).where(text("bot_due"), _ORPHANED | _OWN_LONG).order_by(matches.c.changed_at)
_NEWS = select(table_news.c.id, table_news.c.match).where(table_news.c.id > bindparam("after")).order_by(table_news.c.id)
_OLD_NEWS = select(
    or_(
        select(people_news.c.id).where(people_news.c.at <= bindparam("before")).exists(),
        select(table_news.c.id).where(table_news.c.at <= bindparam("before")).exists(),
    )
)
_NEWS_PLACE = select(func.coalesce(func.max(table_news.c.id), 0))
_RENEW = Statement(
    update(processes)
    .where(processes.c.id == bindparam("of"), processes.c.until > clock())
    .values(until=clock() + bindparam("lease")),
    must_find=True,
)
_BEGIN = Statement(insert(processes).values(until=clock() + bindparam("lease")).inline())
_END = Statement(delete(processes).where(processes.c.id == bindparam("of")))
_CLAIM = Statement(
    update(matches)
    .where(matches.c.id == bindparam("of"), matches.c.fence == bindparam("was"))
    .values(home=bindparam("by"), fence=matches.c.fence + 1),
    must_find=True,
)
CHANGE_OWN = Statement(
    update(matches).where(
        matches.c.id == bindparam("of"), matches.c.home == bindparam("by"), matches.c.fence == bindparam("as_of")
    ),
    must_find=True,
)
_CHANGE = Statement(update(matches).where(matches.c.id == bindparam("of")), must_find=True)
_ADD_NEWS = Statement(insert(table_news).inline())
_REMOVE_NEWS = [Statement(delete(feed).where(feed.c.at <= bindparam("before"))) for feed in (people_news, table_news)]


class ClusterStore(ModerationStore):
    """The part of the store for the processes that serve the log.

    Attributes:
        id: the id of this process under its lease. With each lease that it begins it gets another, so that nothing of which it was
            the home before counts as its own: others may just be taking it.
        next_id: the id of the lease that it has begun last, also where the answer of the database did not come.
        fences: the matches in memory whose home this process is, with their fencing numbers.
        serves: whether this process is a server, and so the home of the matches that it writes. Writes of other programs, such as
            `mekuri admin`, are noted in a feed that homes read.
    """

    id: str
    next_id: str
    fences: dict[str, int]
    serves: bool

    # --- Leases ---

    async def renew(self, own: Process, lease: int) -> bool:
        """Renew the lease of this process, or begin another if it is over by the clock of the database.

        The process may not know that it is over: its own clock stands still while the machine sleeps. A process that begins a lease
        deletes the rows of processes that have been dead for a minute.

        Args:
            own: this process; its id is not used.
            lease: for how many milliseconds from now.

        Returns:
            Whether it was renewed, and not begun.
        """
        waiting = msgspec.json.encode(own.waiting).decode()
        row = {"address": own.address, "machine": own.machine, "secret": own.secret, "waiting": waiting, "lease": lease}
        try:
            await self._write(_RENEW({"of": self.id, **row}), absent=Conflict)
        except Conflict:
            dead = [{"of": row[0]} for row in await self._read(_DEAD, {})]
            self.next_id = secrets.token_hex(8)
            await self._write(_END(*dead, {"of": self.id}), _BEGIN({"id": self.next_id, **row}))
            self.id = self.next_id
            return False
        return True

    async def peers(self) -> list[Process]:
        """Return the other processes whose leases are not over."""
        found = await self._read(_PEERS, {"own": self.id})
        return [
            Process(id, address, machine, secret, msgspec.json.decode(waiting, type=Waiting))
            for id, address, machine, secret, waiting in found
        ]

    async def bury(self, process: str) -> None:
        """End the lease of a process that is known to have ended."""
        await self._write(_END({"of": process}))

    async def leave(self) -> None:
        """End the lease of this process, as before it stops: any other may take its matches at once."""
        self.fences.clear()
        await self._write(_END({"of": self.id}, {"of": self.next_id}))

    # --- Homes ---

    async def claim(self, match: str) -> str | None:
        """Make this process the home of a match, unless another is.

        Returns:
            The id of the process that is its home; None where this one is, and where there is no such match.
        """
        own = self.id
        while found := await self._read(_HOME, {"of": match}):
            home, fence, alive = found[0]
            if home == own:
                self.fences[match] = fence
                return None
            if alive:
                return str(home)
            try:
                await self._write(_CLAIM({"of": match, "by": own, "was": fence}), absent=Conflict)
            except Conflict:
                continue  # another process was first
            self.fences[match] = fence + 1
            return None
        return None

    async def hand_over(self, match: str, to: str) -> bool:
        """Make another process the home of a match whose home is this one. Returns whether it was.

        No process has the empty id, so a match with that home counts as a match of a dead process.
        """
        self.fences.pop(match, None)
        found = await self._read(_HOME, {"of": match})
        if not found or found[0][0] != self.id:
            return False
        try:
            await self._write(_CLAIM({"of": match, "by": to, "was": found[0][1]}), absent=Conflict)
        except Conflict:
            return False
        return True

    async def bots_due(self, before: int) -> list[str]:
        """Return running matches in which a bot is due that no process plays, longest waiting first.

        These are all whose home is dead, and of those of this process or of none the ones in which a bot has been due since
        before a time (milliseconds).
        """
        return [row[0] for row in await self._read(_DUE, {"own": self.id, "before": before})]

    def _home_of_new(self) -> Values:
        """Return the columns of a new match by which this process is its home, where it serves."""
        return {"home": self.id, "fence": 1} if self.serves else {"home": None, "fence": 0}

    # --- The feed of what others than homes have written ---

    async def table_news_place(self) -> int:
        """Return the last position of the feed of matches that were written by others than their homes."""
        return int((await self._read(_NEWS_PLACE, {}))[0][0])

    async def table_news(self, after: int) -> tuple[int, list[str]]:
        """Return the matches in that feed after a position, and the position for the next call."""
        found = await self._read(_NEWS, {"after": after})
        return (found[-1][0] if found else after), list(dict.fromkeys(match for _, match in found))

    async def delete_old_news(self) -> None:
        """Delete the entries of the feeds that every process has read. No index helps to find them, so it is done now and then.

        If there are none, nothing is written: a write that deletes nothing would succeed on a full disk, as if it could be written.
        """
        before = {"before": self.time.now() - _OLD_NEWS_MS}
        [(found,)] = await self._read(_OLD_NEWS, before)
        if found:
            await self._write(*(statement(before) for statement in _REMOVE_NEWS))

    def _changed(self, match: str, change: Values) -> tuple[Change, ...]:
        """Return the changes of a match: by its home, or by another process, of which the home must be notified.

        Raises:
            Moved: this process serves, and is not the home.
        """
        if (fence := self.fences.get(match)) is not None:
            return (CHANGE_OWN({**change, "of": match, "by": self.id, "as_of": fence}),)
        if self.serves:
            raise Moved(f"match {match} has another home: ask there")
        return _CHANGE({**change, "of": match}), _ADD_NEWS({"match": match, "at": change["changed_at"]})
