"""Stores in memory that a browser keeps: each write is one transaction in its storage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256

import msgspec

from mekuri.desk.memory import Change, Key, write
from mekuri.desk.memory_store import MemoryStore
from mekuri.table.log import LogError
from mekuri.table.time import Time

Keep = Callable[[str], Awaitable[object]]
"""Keeps a JSON array of `[key, body]` in one transaction, or raises an error. A body is JSON; null deletes the entry."""


class NotKept(LogError):
    """The browser has not kept a write, which is therefore not done."""

    refusal = "not-kept"


class PocketStore(MemoryStore):
    """`MemoryStore` with its entries in the storage of a browser.

    Args:
        time: the clock.
        keep: keeps entries; None where the browser keeps nothing.
        kept: the entries that were kept before, as a JSON array of `[key, body]`.
        note: called with the result of each write: whether it is kept.
    """

    def __init__(self, time: Time, keep: Keep | None, kept: str = "[]", note: Callable[[bool], object] = bool) -> None:
        super().__init__(time)
        self._keep = keep
        self._note = note
        self._unsure: set[Key] = set()  # of writes that have failed since the last one that was kept
        entries = msgspec.json.decode(kept, type=list[tuple[list[str | int], str]])
        self.restore((tuple(key), body.encode()) for key, body in entries)

    async def keep(self, entries: Mapping[Key, bytes | None]) -> None:
        """Keep entries, all or none of them. Raises NotKept where the browser refuses twice, as where its storage is full.

        A browser may have deleted everything when it refuses a write, or have stored that write after all. So the next write has
        all entries: those in memory, and those of refused writes, which it deletes.
        """
        if self._keep is None or not (entries or self._unsure):
            return
        for last in (False, True):  # before the last try the worker has made room and opens the storage anew
            whole = {**dict.fromkeys(self._unsure), **self.entries()} if self._unsure else {}
            written = [(key, None if body is None else body.decode()) for key, body in {**whole, **entries}.items()]
            try:
                await self._keep(msgspec.json.encode(written).decode())
            except Exception as error:  # an exception of JavaScript, of a type that exists in browsers only
                self._unsure |= entries.keys()
                if last:
                    self._note(False)
                    raise NotKept(f"the browser has not kept a write: {error}") from error
            else:
                break
        self._unsure.clear()
        self._note(True)

    @write
    def keep_all(self) -> tuple[Change, ...]:
        """Keep all entries, if the last write was refused. Raises NotKept where the browser still refuses."""
        return ()

    async def draw_daily(self, day: str, game: str, root: bytes) -> None:
        """Store the root of a game's deal. Here it follows from the day: every site has the same deal, and it can be foreseen."""
        await super().draw_daily(day, game, sha256(f"mekuri {day} {game}".encode()).digest())
