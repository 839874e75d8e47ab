"""What the viewers of one table were told, as it was sent: encoded once, kept for a while, and sent again to all who may see it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import cast

import msgspec

from mekuri.protocol import table as wire
from mekuri.server.cached_response import CachedResponse
from mekuri.server.compression import compress
from mekuri.server.sized_cache import SizedCache
from mekuri.server.work import WorkerThread
from mekuri.table.events import Viewer
from mekuri.table.history import Again

EncodedEvents = list[tuple[int, bytes]]  # events as they are sent, by the viewer's version after each

MEDIA = "application/json"


class EventCache:
    """What is kept of a table, on a shelf for all tables."""

    def __init__(self, sized_cache: SizedCache, worker: WorkerThread) -> None:
        self._sized_cache = sized_cache
        self._worker = worker
        self._section = object()
        self._wholes: dict[Viewer, tuple[list[wire.Presence], bytes]] = {}

    def clear(self) -> None:
        """Keep nothing any more, nor what is being made just now: the table goes out of memory, or all is to be told otherwise."""
        self._sized_cache.clear(self._section)
        self._section = object()
        self._wholes = {}

    # --- Tables ---

    def whole(self, viewer: Viewer, presence: list[wire.Presence], tell: Callable[[], wire.Table]) -> bytes:
        """The table as a viewer sees it now."""
        told, kept = self._wholes.get(viewer, (None, b""))
        if told != presence:
            kept = msgspec.json.encode(tell())
            self._wholes[viewer] = presence, kept
        return kept

    def turn(self) -> None:
        """Something has happened: the table is not what it was."""
        self._wholes = {}

    # --- Events ---

    def keep(self, viewer: Viewer, event: wire.Event) -> bytes:
        """An event as it is sent."""
        return self._keep(self._section, viewer, event)

    def told(self, again: Again) -> EncodedEvents:
        """Events, told again at once: what is not kept is made here and now."""
        kept = self._kept(again)
        return self._tell(self._section, again) if kept is None else kept

    async def tell(self, again: Again) -> EncodedEvents:
        """Events, told again: what is not kept is made beside the event loop."""
        kept, section = self._kept(again), self._section
        return await self._worker.do(lambda: self._tell(section, again)) if kept is None else kept

    def _kept(self, again: Again) -> EncodedEvents | None:
        """The events, where all of them are kept."""
        found = [(version, self._sized_cache.find(self._section, (again.viewer, version))) for version in _versions(again)]
        return None if any(data is None for _, data in found) else found

    def _tell(self, section: object, again: Again) -> EncodedEvents:
        kept = {version: self._sized_cache.find(section, (again.viewer, version)) for version in _versions(again)}
        known = {version: data for version, data in kept.items() if data is not None}
        made = {event.version: self._keep(section, again.viewer, event) for event in again.tell(known)}
        return [(version, cast(bytes, known.get(version) or made[version])) for version in _versions(again)]

    def _keep(self, section: object, viewer: Viewer, event: wire.Event) -> bytes:
        data = msgspec.json.encode(event)
        self._sized_cache.keep(section, (viewer, event.version), data, len(data))
        return data

    # --- Whole answers ---

    async def answer(self, key: Hashable, body: Callable[[], bytes], where: WorkerThread | None = None) -> CachedResponse:
        """An answer: what is kept, or made beside the event loop; `where`, if not in the usual place."""
        section = self._section

        def made() -> CachedResponse:
            kept = self._answer(section, key)
            if kept is None:
                kept = CachedResponse(body(), MEDIA)
                _ = kept.tag  # made here, and not where others wait
                self._sized_cache.keep(section, key, kept, len(kept.body) + len(kept.compressed or b""))
            return kept

        found = self._answer(section, key)
        return await (where or self._worker).do(made) if found is None else found

    def find(self, key: Hashable) -> CachedResponse | None:
        """An answer that is kept."""
        return self._answer(self._section, key)

    def _answer(self, section: object, key: Hashable) -> CachedResponse | None:
        return cast(CachedResponse | None, self._sized_cache.find(section, key))

    def find_compressed(self, key: Hashable) -> bytes | None:
        """A compressed answer that is kept."""
        return cast(bytes | None, self._sized_cache.find(self._section, key))

    async def compress(self, key: Hashable, body: bytes) -> bytes:
        """An answer compressed, beside the event loop."""
        section = self._section

        def packed() -> bytes:
            found = compress(body)
            self._sized_cache.keep(section, key, found, len(found))
            return found

        return await self._worker.do(packed)


def _versions(again: Again) -> range:
    return range(again.after + 1, again.until + 1)
