"""The desk inside a page: a worker of the page hands its requests to a `Pocket`, which answers them without a network.

Everything here runs on the one thread of the worker. Bots think between two requests. Reviews, analyses and
imports are made in a second worker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress

from mekuri.desk.desk import Desk
from mekuri.desk.front import Front
from mekuri.desk.options import Options
from mekuri.desk.route import Route, Visitor
from mekuri.pocket import search
from mekuri.pocket.second import Ask, Second, Slices
from mekuri.pocket.store import Keep, NotKept, PocketStore
from mekuri.protocol.table import Notice
from mekuri.table.time import REAL, Time, Timer

PLAYER = "mekuri-player"
"""The header that names the person at the browser who asks, by number. The first person asks without it."""

UNKEPT = {
    "en": "This browser stores nothing for this page. Your matches last until you close it.",
    "ja": "このブラウザーはこのページの記録を保存しません。対局はページを閉じるまでしか残りません。",
}

UNOPENED = {
    "en": "Your matches could not be opened, probably because this device is full. They are still there: make room, then reload, "
    "and restart the browser if that does not help. What you play until then lasts until you close this page.",
    "ja": "保存した対局を開けませんでした。端末の空きがないためと思われます。"
    "記録は残っていますので、空きを作ってから再読み込みし、それでも開けなければブラウザーを再起動してください。それまでの対局はページを閉じるまでしか残りません。",
}
FULL = {
    "en": "This device seems to be full: make room, and play goes on. Until then nothing more is stored. "
    "Save your matches as a file on the page You: a browser may delete what pages have stored when a device is full.",
    "ja": "端末の空きがないようです。空きを作れば対局が続きます。それまでは何も保存されません。"
    "空きがないとブラウザーが記録を消すことがあるので、「あなた」のページで対局をファイルに保存してください。",
}
_AGAIN = 5  # seconds after a refused write until the store and the tables try again


def beside_the_page(body: bytes) -> bytes:
    """Return the JSON of an answer with relative addresses of the drawn cards, which are files of the site."""
    return body.replace(b':"/cards/', b':"cards/')


class PocketFront(Front):
    """A front for the people at one browser, who need no tokens: a request has the number of its person, counted from 1.

    Number 0 is nobody. The first number that no person has yet becomes a new guest's.
    """

    def __init__(self, desk: Desk, store: PocketStore) -> None:
        super().__init__(desk)
        self._store = store

    async def _visitor(self, route: Route, token: str | None) -> Visitor:
        people, number = self._store.people(), int(token or 1)
        return Visitor(people[number - 1] if 0 < number <= len(people) else None)


class Pocket:
    """Answers the requests of a page.

    Args:
        keep: as in `PocketStore`.
        kept: as in `PocketStore`.
        options: how the desk is set up.
        time: the clock.
        second: has the second worker of the page do work: reviews, analyses and imports; None where there is none.
        unopened: whether there is nothing to keep entries with because the storage, which may have some, could not be opened.
        noted: called when there is another announcement, for pages without a stream.
    """

    def __init__(
        self,
        keep: Keep | None,
        kept: str = "[]",
        options: Options | None = None,
        time: Time = REAL,
        second: Ask | None = None,
        unopened: bool = False,
        noted: Callable[[], object] = bool,
    ) -> None:
        search.use()
        self._store = store = PocketStore(time, keep, kept, self._note)
        options = options or Options(grace=0, stalled=0, guests=0)
        self.desk = Desk(store, options, work=Slices, apart=Second(second), alone=True)
        self._front = PocketFront(self.desk, store)
        self._streams: dict[str, asyncio.Task[object]] = {}
        self._trying: Timer | None = None
        self._noted = noted
        if keep is None:
            self.desk.streams.announce(Notice(texts=UNOPENED if unopened else UNKEPT))

    async def answer(
        self,
        id: str,
        method: str,
        url: str,
        body: str,
        headers: Mapping[str, str],
        begin: Callable[[int, str], object],
        send: Callable[[bytes], object],
    ) -> None:
        """Answer a request.

        Args:
            id: the request's id, by which `leave` ends a stream.
            method, url, body: as in `Front.ask`.
            headers: the headers, by their names in lower case. `PLAYER` says which person asks.
            begin: called once with the status and the media type of the answer.
            send: called with each part of the body.
        """
        reply = await self._front.ask(method, url, body.encode(), headers.get(PLAYER), headers)
        begin(reply.status, reply.headers["content-type"])
        if isinstance(reply.body, bytes):
            send(beside_the_page(reply.body))
            return
        task = asyncio.current_task()
        assert task
        self._streams[id] = task
        try:
            async for part in reply.body:
                send(part)
        except asyncio.CancelledError:
            pass  # the page has left
        finally:
            del self._streams[id]
            reply.close()

    def leave(self, id: str) -> None:
        """End the stream of a request. Does nothing where the request has no stream."""
        if task := self._streams.get(id):
            task.cancel()

    def _note(self, kept: bool) -> None:
        """Say whether the browser keeps writes. Some time after the last refused one, store all entries and let bots go on."""
        if (notice := Notice(texts={} if kept else FULL)) != self.desk.streams.notice:
            self.desk.streams.announce(notice)
            self._noted()
        if kept:
            return
        if self._trying:
            self._trying.cancel()  # it might come before the refused write has reached the bot that waits for it
        self._trying = self.desk.time.call_later(_AGAIN, lambda: self.desk.tables.tasks.begin(self._try()))

    async def _try(self) -> None:
        with suppress(NotKept):  # there is another try after each refused write
            await self._store.keep_all()
            for id in list(self.desk.tables.live_tables):
                await self.desk.tables.visit(id)
