"""Notify people that it is their turn at tables that are played turn by turn: by web push, and in a club's own chat.

Only the process that wrote the row that asks for a decision sends the notices, so that several processes send each only once.
Notices that are still queued when a process ends are lost. No move waits for a notice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from mekuri.desk.news import News, Subscription
from mekuri.desk.work import payers_neighbourhood
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.protocol.texts import say
from mekuri.server.base import metrics
from mekuri.server.base.settings import Settings
from mekuri.server.notify.push import Notice, Push
from mekuri.server.notify.webhook import Webhook, harmless
from mekuri.server.storage.store import Store, StoreError
from mekuri.table.table import Table

if TYPE_CHECKING:
    import httpx

_log = logging.getLogger("mekuri.server")
_WAITING = 1_000  # notices that wait at most; further ones are dropped
_AT_ONCE = 4  # notices that are sent at the same time

Job = Callable[[], Coroutine[Any, Any, None]]


class TurnNews(News):
    """Tells people that it is their turn.

    Attributes:
        push: sends notices to devices.
        webhook: tells a club's own chat; None where none is set up.
    """

    def __init__(self, store: Store, settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._store = store
        self.push = Push(store, settings.push_hosts, transport)
        self.webhook = Webhook(settings.webhook, store.time, transport) if settings.webhook else None
        self._lang = settings.webhook_lang
        self._public_url = settings.public_url
        self._jobs: dict[str, asyncio.Queue[Job]] = {"push": asyncio.Queue(_WAITING), "webhook": asyncio.Queue(_WAITING)}
        self._lines: dict[str, Job] = {}  # by table: the notice that still waits to be sent to the club
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    @property
    def club(self) -> bool:
        """Whether a club's own chat is set up."""
        return self.webhook is not None

    async def key(self) -> str | None:
        """Return the public key for web push; None where there is none."""
        return await self.push.public()

    async def subscriptions(self, person: str) -> list[Subscription]:
        """Return the subscriptions of a person's devices."""
        return await self._store.subscriptions(person)

    async def subscribe(self, one: Subscription) -> None:
        """Add the subscription of a device. Raises as `Push.subscribe`."""
        await self.push.subscribe(one)

    async def unsubscribe(self, device: int) -> None:
        """Delete the subscription of a device."""
        await self._store.unsubscribe(device)

    def tell(self, table: Table, seats: Sequence[int]) -> None:
        """Tell the people in these seats that a table waits for them. Returns at once."""
        due = table.due
        if table.term is None or due is None or self._closed:
            return
        for seat in seats:
            if person := table.seats[seat].person:
                self._begin("push", self._notice(table, seat, person, due))
        if table.term.club and self.webhook:
            line = self._club_line(self.webhook, table, seats, due)
            # A table has one place in the queue, where its newest line replaces one that still waits.
            if table.id in self._lines or self._begin("webhook", partial(self._tell_club, table.id)):
                self._lines[table.id] = line

    def _notice(self, table: Table, seat: int, person: str, due: int) -> Job:
        others = [table.called[other] for other in self._people(table) if other != person and other in table.called]
        game, entry, path = table.game.contract, table.entry, f"/t/{table.id}"

        def write(lang: str) -> bytes:
            spoken: Lang = "ja" if lang == "ja" else "en"
            name = rulebook(game, entry).tables["name"][spoken]
            joint = "、" if spoken == "ja" else ", "
            body = say("news.turn", spoken, others=joint.join(others))
            return msgspec.json.encode({"title": name, "body": body, "path": path})

        return lambda: self.push.send(Notice(person, table.id, due, write))

    def _club_line(self, webhook: Webhook, table: Table, seats: Sequence[int], due: int) -> Job:
        maker = table.maker or ""
        neighbourhood = payers_neighbourhood(maker)  # asked now, as the line is sent outside of the request

        async def passed() -> bool:
            if table.id in self._lines:
                return True
            try:
                # The log is asked, as another process may have become the home of the table.
                return await self._store.due_of_match(table.id) != due
            except StoreError:
                return False  # a line too many is better than none

        return lambda: webhook.send(self._line(table, seats, due), maker, neighbourhood, passed)

    async def _tell_club(self, id: str) -> None:
        await self._lines.pop(id)()

    def _line(self, table: Table, seats: Sequence[int], due: int) -> str:
        """Return the line for the club's chat: who is to move, in which game, until when, and where."""
        joint = "、" if self._lang == "ja" else ", "
        names = joint.join(harmless(table.label(seat)) for seat in seats)
        until = f"{datetime.fromtimestamp(due / 1000, UTC):%Y-%m-%d %H:%M} UTC"
        name = rulebook(table.game.contract, table.entry).tables["name"][self._lang]
        line = say("news.club", self._lang, names=names, game=name, until=until)
        return f"{line} {self._public_url}/t/{table.id}" if self._public_url else line

    def _people(self, table: Table) -> list[str]:
        return [sitter.person for sitter in table.seats if sitter.person]

    def _begin(self, kind: str, job: Job) -> bool:
        """Queue a notice. Returns whether there is room for it."""
        try:
            self._jobs[kind].put_nowait(job)
        except asyncio.QueueFull:
            metrics.NOTICES.labels(kind, "dropped").inc()
            return False
        if not self._tasks:
            workers = [("push", _AT_ONCE), ("webhook", 1)]  # the lines of a chat come in order
            # In a context of their own: the request that sends the first notice must not pay for all later ones.
            working = [self._work(self._jobs[kind]) for kind, count in workers for _ in range(count)]
            self._tasks = [asyncio.create_task(work, context=Context()) for work in working]
        return True

    async def _work(self, jobs: asyncio.Queue[Job]) -> None:
        while True:
            job = await jobs.get()
            try:
                await job()
            except Exception:
                _log.exception("A player cannot be notified of a turn")
            finally:
                jobs.task_done()

    async def finish(self) -> None:
        """Wait until all queued notices are sent."""
        for jobs in self._jobs.values():
            await jobs.join()

    async def close(self) -> None:
        """Stop. Queued notices are not sent."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.push.close()
        if self.webhook:
            await self.webhook.close()
