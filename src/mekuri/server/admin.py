"""What `mekuri admin` does: it works on the log, also while servers have it open, and they hear of it a moment later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from mekuri.engine.errors import OptionError
from mekuri.server.database import StoreError
from mekuri.server.loading import Loader, Waiting
from mekuri.server.moderation import FOR_EVER
from mekuri.server.store import Store
from mekuri.server.work import WorkerThread
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, Row
from mekuri.table.names import check_name
from mekuri.table.table import Table

DAY_MS = 86_400_000
_LIFE = 100 * 365 * 86_400  # seconds; who is banned for longer is so for ever
_LONGEST = 500  # signs of what is told to everybody, or to whoever is banned
_TRIES = 20  # at a table at which others keep being first
_ALL = 1 << 31  # tables of one person
_PRUNED = 100  # matches that are looked up at a time
_PAUSE = 0.01  # seconds, at least, that are left to others between two transactions


class Admin:
    """The keeper at work.

    Attributes:
        store: the log.
    """

    def __init__(self, store: Store, worker: WorkerThread) -> None:
        self.store = store
        self._loader = Loader(store, worker)

    async def close(self, id: str) -> None:
        """Close a table. Raises StoreError where there is none, or it is closed already."""
        match = await self.store.match(id)
        if match is None:
            raise StoreError(f"there is no table {id}")
        if match.state == "over":
            raise StoreError(f"table {id} is over already")
        await self._do(id, commands.close)
        await self.store.act("close", id)

    async def rename(self, person: str, name: str) -> str:
        """Give somebody another name. Raises StoreError where there is nobody of this id, ProblemError where it is no name."""
        called = check_name(name)
        await self.store.rename(person, called)
        await self.store.act("rename", person)
        return called

    async def ban(self, person: str, seconds: float | None, why: str) -> int:
        """Let somebody do nothing more, for some time or for ever. Returns until when, in milliseconds since 1970.

        The seats that they hold at tables that have not begun are free again. Raises StoreError where there is nobody of this id.
        """
        until = FOR_EVER if seconds is None or seconds > _LIFE else self.store.clock() + round(seconds * 1000)
        _need_short(why)
        await self.store.ban(person, until, why)
        for id in await self.store.of_person(person, ("open",), _ALL):
            await self._do(id, partial(commands.let_go, person=person, made=False))
        return until

    async def forget(self, person: str) -> None:
        """Delete what is kept about somebody, as they can themselves. Raises StoreError where there is nobody of this id."""
        if await self.store.person(person) is None:
            raise StoreError(f"there is no person {person}")
        sat = await self.store.of_person(person, ("open", "running"), _ALL)
        made = await self.store.made_open(person)
        await self.store.forget_person(person)
        for id in dict.fromkeys([*sat, *made]):
            await self._do(id, partial(commands.let_go, person=person, made=id in made))
        await self.store.act("forget")

    async def prune(self, days: float, dry_run: bool) -> int:
        """Delete matches that were over so many days ago, one after the other. Returns how many they are."""
        if not 0 <= days < FOR_EVER / DAY_MS:
            raise OptionError(f"days are a number from 0, not {days}")
        before = self.store.clock() - round(days * DAY_MS)
        if dry_run:
            return len(await self.store.old(before, FOR_EVER))
        done = 0
        while found := await self.store.old(before, _PRUNED):
            for id in found:
                begun = time.monotonic()
                await self.store.remove(id)
                await asyncio.sleep(max(_PAUSE, time.monotonic() - begun))
            done += len(found)
        if done:
            await self.store.act("prune", matches=done)
        return done

    async def announce(self, en: str, ja: str) -> None:
        """Tell everybody something until something else is told; nothing, where both are empty."""
        texts = {lang: " ".join(text.split()) for lang, text in (("en", en), ("ja", ja))}
        for text in texts.values():
            _need_short(text)
        await self.store.act("announce", **{lang: text for lang, text in texts.items() if text})

    async def _do(self, id: str, command: Callable[[Table, int], None]) -> None:
        """Do something at a table. One whose rules are not here is closed as it is."""
        for _ in range(_TRIES):
            at = self.store.clock()
            try:
                table = await self._loader.load(id)
                command(table, at)
                rows, state = table.fresh, table.state
            except Waiting:
                rows, state = [Row(len(await self.store.rows(id)), "end", None, {"why": "closed"}, at)], "over"
            if not rows:
                return
            due = False if isinstance(state, str) and state == "over" else commands.bot_due(table, at) is not None
            try:
                await self.store.append(id, rows, state, due, lone=state != "over" and table.lone)
            except Conflict:
                continue
            return
        raise ProblemError("busy")


def _need_short(text: str) -> None:
    if len(text) > _LONGEST or not text.isprintable():
        raise OptionError(f"this is told in one line of at most {_LONGEST} signs")


@asynccontextmanager
async def opened(database: Path) -> AsyncIterator[Admin]:
    """A keeper at work on a database. Raises StoreError where there is none."""
    if not database.is_file():
        raise StoreError(f"there is no database at {database}: name another with --database")
    store, worker = await Store.open(database), WorkerThread()
    try:
        yield Admin(store, worker)
    finally:
        worker.close()
        await store.close()
