"""The commands of `mekuri admin`. They change the database, also while servers have it open, which notice a moment later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from mekuri.desk.loading import Loader, Waiting
from mekuri.desk.stores import FOR_EVER
from mekuri.engine.errors import OptionError
from mekuri.server.base.work import WorkerThread
from mekuri.server.notify.push import make_key, public_key
from mekuri.server.storage.clock import LEAP_MS
from mekuri.server.storage.clock_store import Leap
from mekuri.server.storage.database import Place, is_there, named
from mekuri.server.storage.side import StoreError
from mekuri.server.storage.store import Store
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.graphemes import is_line
from mekuri.table.log import Conflict, Row
from mekuri.table.names import check_name
from mekuri.table.table import Table
from mekuri.table.time import REAL, Time

DAY_MS = 86_400_000
_LIFE = 100 * 365 * 86_400  # seconds; a longer ban never ends
_LONGEST = 500  # characters of an announcement, or of the reason for a ban
_TRIES = 20  # at a table to which other processes keep writing first
_ALL = 1 << 31  # a limit above the number of tables of any person
_PRUNED = 100  # matches of one query
_PAUSE = 0.01  # the least seconds between two deletions, in which others may write


class Admin:
    """Administration of a database by the operator of a server. Each act is recorded in the log's audit.

    Attributes:
        store: the log.
    """

    def __init__(self, store: Store, worker: WorkerThread) -> None:
        self.store = store
        self._loader = Loader(store, worker)

    async def close(self, id: str) -> None:
        """Close a table.

        Raises:
            StoreError: there is no such table, or it is over.
        """
        match = await self.store.match(id)
        if match is None:
            raise StoreError(f"there is no table {id}")
        if match.state == "over":
            raise StoreError(f"table {id} is over already")
        await self._do(id, commands.close)
        await self.store.act("close", id)

    async def rename(self, person: str, name: str) -> str:
        """Rename a person. Returns the new name.

        Raises:
            Gone: there is no such person.
            ProblemError: the name is not allowed.
        """
        called = check_name(name)
        await self.store.rename(person, called)
        await self.store.act("rename", person)
        return called

    async def ban(self, person: str, seconds: float | None, why: str) -> int:
        """Ban a person, who also loses the seats at tables that have not begun.

        Args:
            person: the id of the person.
            seconds: how long; None for ever.
            why: the reason, one line of at most 500 characters, which the person is shown.

        Returns:
            When the ban ends, in milliseconds since the epoch; `FOR_EVER` for never.

        Raises:
            StoreError: there is no such person.
            OptionError: the reason is too long, or has more than one line.
        """
        until = FOR_EVER if seconds is None or seconds > _LIFE else self.store.time.now() + round(seconds * 1000)
        _need_short(why)
        await self.store.ban(person, until, why)
        for id in await self.store.of_person(person, ("open",), _ALL):
            await self._do(id, partial(commands.let_go, person=person, made=False))
        return until

    async def forget(self, person: str) -> None:
        """Delete a person's data, as the person can. Raises StoreError where there is no such person."""
        if await self.store.person(person) is None:
            raise StoreError(f"there is no person {person}")
        sat = await self.store.of_person(person, ("open", "running"), _ALL)
        made = await self.store.made_open(person)
        await self.store.forget_person(person)
        for id in dict.fromkeys([*sat, *made]):
            await self._do(id, partial(commands.let_go, person=person, made=id in made))
        await self.store.act("forget")

    async def prune(self, days: float, dry_run: bool) -> int:
        """Delete the matches that were over so many days ago, one by one, with pauses for other writers.

        Args:
            days: the age of the matches in days, from 0; may be a fraction.
            dry_run: only count them.

        Returns:
            How many matches were deleted, or would be.

        Raises:
            OptionError: `days` is out of range.
            StoreError: the clock of a server has leapt.
        """
        if not 0 <= days < FOR_EVER / DAY_MS:
            raise OptionError(f"days are a number from 0, not {days}")
        before = await self.store.ago(round(days * DAY_MS))
        if dry_run:
            return len(await self.store.old(before, FOR_EVER))
        if any(clock.by for clock in await self.clocks()):
            raise StoreError("the clock has leapt, so that no age is certain: see mekuri admin clock")
        done = 0
        while found := await self.store.old(before, _PRUNED):
            for id in found:
                begun = self.store.time.monotonic()
                await self.store.remove(id)
                await self.store.time.sleep(max(_PAUSE, self.store.time.monotonic() - begun))
            done += len(found)
        if done:
            await self.store.act("prune", matches=done)
        return done

    async def clocks(self) -> list[Leap]:
        """Return the clocks of the machines on which servers run; where none runs, that of this machine."""
        clock = self.store.clock
        clock.now()
        return await self.store.leaps() or [Leap(clock.boot(), clock.leap, clock.trusted)]

    async def confirm_clock(self) -> int:
        """Confirm the new time of the clocks that have leapt: all deadlines and ages move with it, in one transaction.

        Returns:
            By how many milliseconds they have moved.

        Raises:
            StoreError: no clock has leapt, the clocks of the machines differ by more than a minute, or another process was first.
        """
        leaps = sorted(await self.clocks(), key=lambda clock: clock.by)
        if not any(clock.by for clock in leaps):
            raise StoreError("no clock has leapt: there is nothing to confirm")
        if leaps[-1].by - leaps[0].by > LEAP_MS:
            raise StoreError("the clocks of the machines do not agree: set them right first, then look at them again")
        await self.store.move_time(leaps[0])
        return leaps[0].by

    async def new_id(self) -> None:
        """Give a copy of a database an id of its own, so that browsers keep its guests apart from those of the original."""
        await self.store.renew_site_id()

    async def announce(self, en: str, ja: str) -> None:
        """Publish an announcement to everybody, which replaces the last one. Two empty texts remove it.

        Raises:
            OptionError: a text is longer than 500 characters, or has characters that cannot be printed.
        """
        texts = {lang: " ".join(text.split()) for lang, text in (("en", en), ("ja", ja))}
        for text in texts.values():
            _need_short(text)
        await self.store.act("announce", **{lang: text for lang, text in texts.items() if text})

    async def push_key(self, contact: str) -> str:
        """Return the public key for web push, with a new key pair where there is none.

        Args:
            contact: an address at which push services can reach the operator, such as mailto:me@example.org.

        Raises:
            OptionError: the contact is none, or the packages for web push are not installed.
        """
        key = await self.store.server_key()
        if key is None:
            key = make_key(contact)
            try:
                await self.store.add_server_key(key)
            except Conflict:
                return await self.push_key(contact)  # another command was first
            await self.store.act("push-key")
        return public_key(key)

    async def remove_push_key(self) -> None:
        """Delete the key for web push and all subscriptions. A server that runs notices within a minute."""
        await self.store.remove_server_key()
        await self.store.act("push-key-removed")

    async def _do(self, id: str, command: Callable[[Table, int], None]) -> None:
        """Run a command at a table. A table whose game is not installed is closed without its rules."""
        for _ in range(_TRIES):
            at = self.store.time.now()
            try:
                table = await self._loader.load(id)
                command(table, at)
                rows, state = table.fresh, table.state
            except Waiting:
                rows, state = [Row(len(await self.store.rows(id)), "end", None, {"why": "closed", "settled": True}, at)], "over"
            if not rows:
                return
            due = False if isinstance(state, str) and state == "over" else commands.bot_due(table, at) is not None
            deadline = None if state == "over" else commands.due_at(table)
            try:
                await self.store.append(id, rows, state, due, lone=state != "over" and table.lone, due_at=deadline)
            except Conflict:
                continue
            return
        raise ProblemError("busy")


def _need_short(text: str) -> None:
    if len(text) > _LONGEST or not is_line(text):
        raise OptionError(f"this must be one line of at most {_LONGEST} characters that can be printed")


@asynccontextmanager
async def opened(place: Place, time: Time = REAL) -> AsyncIterator[Admin]:
    """Open a database for administration, by a clock. Raises StoreError where there is none."""
    if not await asyncio.to_thread(is_there, place):
        raise StoreError(f"there is no database at {named(place)}: name another with --database")
    store, worker = await Store.open(place, time), WorkerThread()
    try:
        yield Admin(store, worker)
    finally:
        worker.close()
        await store.close()
