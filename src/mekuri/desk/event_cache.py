"""The cached events and responses of one table: encoded once, and sent again to every viewer who may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from functools import partial
from typing import cast
from weakref import WeakValueDictionary

from mekuri.desk.cached_response import CachedResponse, compress
from mekuri.desk.sized_cache import SizedCache
from mekuri.desk.work import Work
from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.table.events import Viewer
from mekuri.table.history import Again

EncodedEvents = list[tuple[int, bytes]]  # pairs of the viewer's version after an event, and the event as JSON


class EventCache:
    """The cached events and responses of one table, in a section of the cache that all tables share."""

    def __init__(self, sized_cache: SizedCache, work: Work) -> None:
        self._sized_cache = sized_cache
        self._work = work
        self._section = object()
        self._turns: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()
        self._wholes: dict[Viewer, tuple[list[wire.Presence], bytes]] = {}

    def clear(self) -> None:
        """Drop everything, also what is being encoded just now: the table is evicted, or names in it have changed."""
        self._sized_cache.clear(self._section)
        self._section = object()
        self._wholes = {}

    # --- Tables ---

    def whole(self, viewer: Viewer, presence: list[wire.Presence], make: Callable[[], wire.Table]) -> bytes:
        """Return the table as a viewer sees it, as JSON.

        Args:
            viewer: a seat; None for a spectator.
            presence: who is connected; it is part of the response.
            make: makes the table where it is not cached.
        """
        known, kept = self._wholes.get(viewer, (None, b""))
        if known != presence:
            kept = encode(make())
            self._wholes[viewer] = presence, kept
        return kept

    def turn(self) -> None:
        """Drop the tables returned by `whole`, after something has happened."""
        self._wholes = {}

    # --- Events ---

    def keep(self, viewer: Viewer, event: wire.Event) -> bytes:
        """Encode an event, cache it and return it as JSON."""
        return self._keep(self._section, viewer, event)

    def events_now(self, again: Again) -> EncodedEvents:
        """Return a range of events as JSON. Events that are not cached are encoded at once, on the event loop."""
        kept = self._kept(again)
        return self._encoded(self._section, again) if kept is None else kept

    async def events(self, again: Again) -> EncodedEvents:
        """Return a range of events as JSON. Events that are not cached are encoded in a worker."""
        kept, section = self._kept(again), self._section
        return await self._work.do(lambda: self._encoded(section, again)) if kept is None else kept

    def _kept(self, again: Again) -> EncodedEvents | None:
        """Return a range of events; None where one of them is not cached."""
        found = [(version, self._sized_cache.find(self._section, (again.viewer, version))) for version in _versions(again)]
        return None if any(data is None for _, data in found) else found

    def _encoded(self, section: object, again: Again) -> EncodedEvents:
        kept = {version: self._sized_cache.find(section, (again.viewer, version)) for version in _versions(again)}
        known = {version: data for version, data in kept.items() if data is not None}
        made = {event.version: self._keep(section, again.viewer, event) for event in again.tell(known)}
        return [(version, cast(bytes, known.get(version) or made[version])) for version in _versions(again)]

    def _keep(self, section: object, viewer: Viewer, event: wire.Event) -> bytes:
        data = encode(event)
        self._sized_cache.keep(section, (viewer, event.version), data, len(data))
        return data

    # --- Responses ---

    async def answer(self, key: Hashable, body: Callable[[], bytes], where: Work | None = None) -> CachedResponse:
        """Return a cached response, or make it in a worker. Requests for a response that is being made wait for it.

        Args:
            key: what identifies the response among those of the table.
            body: makes the body. It is pickled if `where` pickles work.
            where: the worker; that of the tables if left out.
        """
        section = self._section
        if found := self._answer(section, key):
            return found
        async with self._turns.setdefault((section, key), asyncio.Lock()):
            found = self._answer(section, key)
            if found is None:
                found = await (where or self._work).do(partial(_response, body))
                self._sized_cache.keep(section, key, found, len(found.body) + len(found.compressed or b""))
            return found

    def find(self, key: Hashable) -> CachedResponse | None:
        """Return a cached response; None where it is not cached."""
        return self._answer(self._section, key)

    def _answer(self, section: object, key: Hashable) -> CachedResponse | None:
        return cast(CachedResponse | None, self._sized_cache.find(section, key))

    def find_compressed(self, key: Hashable) -> bytes | None:
        """Return a cached compressed body; None where it is not cached."""
        return cast(bytes | None, self._sized_cache.find(self._section, key))

    async def compress(self, key: Hashable, body: bytes) -> bytes:
        """Compress a body in the worker thread, and cache it."""
        section = self._section

        def packed() -> bytes:
            found = compress(body)
            self._sized_cache.keep(section, key, found, len(found))
            return found

        return await self._work.do(packed)


def _response(body: Callable[[], bytes]) -> CachedResponse:
    """Return a response with its tag and its compressed body, which are computed here in the worker, and not on the event loop."""
    response = CachedResponse(body())
    _ = response.tag, response.compressed
    return response


def _versions(again: Again) -> range:
    return range(again.after + 1, again.until + 1)
