"""Reviews of finished rounds, made in the background decision by decision, and analyses of single decisions: each in a worker."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec
from msgspec import Raw

from mekuri.bots import find, precompile
from mekuri.bots.review.version import JUDGE
from mekuri.desk.cached_response import CachedResponse
from mekuri.desk.event_cache import EventCache
from mekuri.desk.limits import Shares
from mekuri.desk.stores import Reviews
from mekuri.desk.work import PURSE, Work, payers_neighbourhood
from mekuri.match.round import Round
from mekuri.protocol.coding import encode
from mekuri.table.errors import ProblemError
from mekuri.table.log import LogError
from mekuri.table.reviewing import reviewed
from mekuri.table.tasks import Tasks
from mekuri.table.weighing import Weighing

_log = logging.getLogger("mekuri.desk")
_LONGEST, _EACH = 16, 4  # reviews in progress, or analyses in the queue, and those of one neighbourhood

Key = tuple[str, int, int]  # a table's id, the number of a round, a seat


@dataclass
class _Making:
    """A review in progress.

    Attributes:
        who: the guest or address that has requested it first, and is charged.
        done, total: how many decisions have been judged, of how many; 0 while that is not known.
        failed: the error with which it has failed; empty while it has not.
    """

    who: str
    done: int = 0
    total: int = 0
    failed: str = ""


class _Judged(msgspec.Struct):
    """The part of a review that says who has judged."""

    version: str


_DIGEST = 12  # digits
_JUDGED = msgspec.json.Decoder(_Judged)


def is_older(review: bytes) -> bool:
    """Return whether an earlier version of the judge made a review, given as JSON. The first ones had digests as versions."""
    version = _JUDGED.decode(review).version
    return len(version) == _DIGEST or int(version) < int(JUDGE)


class Reviewers:
    """Makes reviews in a worker: one at a time for each guest or address, as fast as its budget of processor time allows.

    Attributes:
        failed: some rounds that could not be reviewed again.
    """

    def __init__(self, store: Reviews, work: Work) -> None:
        self._store = store
        self._sleep = store.time.sleep
        self._work = work
        self._tasks = Tasks()
        self._making: dict[Key, _Making] = {}
        self._shares = Shares(_LONGEST, _EACH)
        self._begun: list[asyncio.Task[None]] = []
        self.failed: set[Key] = set()

    async def answer(self, key: Key, round: Round, who: str, again: bool = False) -> bytes:
        """Return a review, or how far it has come, as JSON. Arguments and errors are those of `progress`."""
        kept, done, total = await self.progress(key, round, who, again)
        table, number, seat = key
        progress = {"table": table, "round": number, "seat": seat, "done": done, "total": total}
        older = kept is not None and is_older(kept)
        return msgspec.json.encode({**progress, "review": Raw(kept) if kept else None, "older": older})

    async def progress(self, key: Key, round: Round, who: str, again: bool = False) -> tuple[bytes | None, int, int]:
        """Return a review, which is started at the first request.

        Args:
            key: the table, the round and the seat.
            round: the round.
            who: the guest or address that is charged.
            again: whether a review of an earlier judge is made again.

        Returns:
            The review as JSON, or None while it is in progress; and how many decisions have been judged, of how many.

        Raises:
            ProblemError: another review for `who` is in progress, too many of the neighbourhood are, or this one has failed.
        """
        making, kept = self._making.get(key), None
        if making is None:
            kept = await self._store.review(*key)
        if making is None and (kept is None or (again and is_older(kept))):
            making = self._making.get(key) or self._begin(key, round, who)
        if making and making.failed:
            del self._making[key]
            raise ProblemError(making.failed)
        return (None, making.done, making.total) if making else (kept, 0, 0)

    def _begin(self, key: Key, round: Round, who: str) -> _Making:
        self._making = {key: one for key, one in self._making.items() if not one.failed}
        if any(one.who == who for one in self._making.values()):
            raise ProblemError("reviewing")
        neighbourhood = payers_neighbourhood(who)
        if self._shares.full(neighbourhood):
            raise ProblemError("busy")
        self._shares.enter(neighbourhood)
        making = self._making[key] = _Making(who)
        self._begun = [task for task in self._begun if not task.done()]
        task = self._tasks.begin(self._make(key, round, making))
        task.add_done_callback(lambda _: self._shares.leave(neighbourhood))
        self._begun.append(task)
        return making

    async def _make(self, key: Key, round: Round, making: _Making) -> None:
        try:
            await self._store.keep_review(*key, await self._reviewed(key, round, making))
        except LogError as error:
            making.failed = error.refusal
            _log.error("A review cannot be kept: %s", error)
        except Exception:
            making.failed = "server"
            _log.exception("A round cannot be reviewed")
        else:
            del self._making[key]

    async def _reviewed(self, key: Key, round: Round, making: _Making) -> bytes:
        purse, (_, number, seat) = PURSE.get(), key

        async def pause(done: int, total: int) -> None:
            making.done, making.total = done, total
            while purse and (wait := purse.wait):
                await self._sleep(wait)

        return encode(await reviewed(round, number, seat, self._work.do, pause, self._sleep))

    def close(self) -> None:
        """Cancel the reviews in progress; they start again at the next request."""
        for task in self._begun:
            task.cancel()
        self._work.close()


def _body(weigh: Callable[[], object]) -> bytes:
    return encode(weigh())


class Weighers:
    """Makes analyses in a worker. Each guest or address waits for one at a time, so that it is charged before the next begins."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._waiting: set[str] = set()
        self._shares = Shares(_LONGEST, _EACH)

    async def answer(self, event_cache: EventCache, weighing: Weighing[object], who: str) -> CachedResponse:
        """Return an analysis or an explanation of a move, cached or computed now.

        Args:
            event_cache: the cache of the table.
            weighing: what is to be computed.
            who: the guest or address that is charged.

        Raises:
            ProblemError: `who` waits for another one, or too many requests of the neighbourhood wait.
        """
        if kept := event_cache.find(weighing.key):
            return kept
        if who in self._waiting:
            raise ProblemError("weighing")
        neighbourhood = payers_neighbourhood(who)
        if self._shares.full(neighbourhood):
            raise ProblemError("busy")
        precompile.begin(weighing.contract, find("flat"))  # the bot whose search is used
        self._waiting.add(who)
        self._shares.enter(neighbourhood)
        try:
            return await event_cache.answer(weighing.key, partial(_body, weighing.weigh), self._work)
        finally:
            self._waiting.discard(who)
            self._shares.leave(neighbourhood)

    def close(self) -> None:
        """Start no more."""
        self._work.close()
