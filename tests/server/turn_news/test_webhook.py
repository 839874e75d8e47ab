"""The webhook of a club's chat: a line for each turn."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from mekuri.desk.work import PURSE
from mekuri.engine.errors import OptionError
from mekuri.match.daily import DAY_MS
from mekuri.server.base.settings import Settings
from mekuri.server.http.background import sweep_once
from mekuri.server.notify import webhook
from mekuri.server.notify.webhook import Webhook, harmless
from mekuri.server.storage.store import StoreError
from tests.helpers.server.gathering import at
from tests.helpers.server.serving import Guest, Serving, serving
from tests.helpers.server.turn_news import HOOK, PUBLIC, Service, begun, delivered, pass_on, send_to
from tests.helpers.time import FakeTime, Skipping


async def not_passed() -> bool:
    return False


class Pause:
    """A pause of the webhook between two tries, which ends when a test sets `over`."""

    def __init__(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        self.over = asyncio.Event()
        self._begun = asyncio.Event()
        call_later = server.desk.time.call_later
        monkeypatch.setattr(server.desk.turn_news.webhook, "_time", SimpleNamespace(sleep=self._sleep, call_later=call_later))

    async def _sleep(self, seconds: float) -> None:
        self._begun.set()
        await self.over.wait()

    async def begin(self, people: Sequence[Guest], service: Service) -> str:
        """Have the chat refuse the first line about a table, once. Returns the table."""
        service.status = 503
        table = await begun(people, club=True)
        await self._begun.wait()
        service.status = 201
        return table


async def test_club_gets_a_line_for_each_turn(server: Serving, people: list[Guest], service: Service) -> None:
    table = await begun(people, club=True)
    await delivered(server)
    (request,) = service.requests
    body = json.loads(request.content)
    assert str(request.url) == HOOK
    assert body["text"] == body["content"]
    assert "Ben to move, until" in body["text"]
    assert body["text"].endswith(f"https://mekuri.example/t/{table}")


async def test_other_tables_send_no_line(server: Serving, people: list[Guest], service: Service) -> None:
    await begun(people)
    await delivered(server)
    assert not service.requests


async def test_failed_line_is_retried_and_its_path_not_logged(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    time = Skipping()
    paused = time.slept
    service.status = 500
    hook = Webhook(HOOK, time, service.transport)
    with caplog.at_level(logging.WARNING):
        await hook.send("Ben to move", "aki", "192.0.2.1", not_passed)
    assert paused == list(webhook._PAUSES) == sorted(paused)
    assert len(service.requests) == 1 + len(paused)
    assert "status 500" in caplog.text
    assert "secret" not in caplog.text
    await hook.close()


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("asked", "paused"), [("7", 7), ("0", 1), ("3600", 60)])
async def test_retry_after_header_is_respected(service: Service, status: int, asked: str, paused: float) -> None:
    time = Skipping()
    pauses = time.slept
    service.status, service.headers = status, {"retry-after": asked}
    await Webhook(HOOK, time, service.transport).send("Ben to move", "aki", "192.0.2.1", not_passed)
    assert pauses == [paused] * 3


@pytest.mark.parametrize("status", [307, 400, 404])
async def test_permanent_refusal_is_not_retried(
    server: Serving, people: list[Guest], service: Service, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    service.status = status
    await begun(people, club=True)
    await delivered(server)
    assert len(service.requests) == 1
    assert f"status {status}" in caplog.text


async def test_table_has_one_waiting_line(
    server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    aki, ben = people
    pause = Pause(server, monkeypatch)
    first = await pause.begin(people, service)
    second = await begun(people, club=True)
    await pass_on(second, ben, aki)
    assert server.desk.turn_news._jobs["webhook"].qsize() == 1
    pause.over.set()
    await delivered(server)
    assert service.lines == [("Ben", first), ("Ben", first), ("Aki", second)]


async def test_line_of_a_passed_turn_is_not_retried(
    server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    aki, ben = people
    pause = Pause(server, monkeypatch)
    table = await pause.begin(people, service)
    await pass_on(table, ben, aki)
    pause.over.set()
    await delivered(server)
    assert service.lines == [("Ben", table), ("Aki", table)]


async def test_line_of_a_turn_passed_elsewhere_is_not_retried(
    server: Serving, people: list[Guest], service: Service, time: FakeTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = Pause(server, monkeypatch)
    table = await pause.begin(people, service)
    async with serving(tmp_path / "mekuri.db", time) as other:
        while not await server.desk.peers.hand_over(table, other.desk.store.id):
            await server.desk.peers.renew()  # until it knows the other
        aki, ben = (at(other, guest) for guest in people)
        time.move(1)
        await pass_on(table, ben, aki)
        pause.over.set()
        await delivered(server)
        assert service.lines == [("Ben", table)]


async def test_line_is_sent_if_the_log_is_unreadable(
    server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the turn has passed is not known then."""

    async def fail(*_: object) -> int | None:
        raise StoreError("not just now")

    monkeypatch.setattr(server.desk.store, "due_of_match", fail)
    table = await begun(people, club=True)
    await delivered(server)
    assert service.lines == [("Ben", table)]


async def test_sending_lines_is_charged_to_no_guest(
    server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid = list[object]()
    due_of_match = server.desk.store.due_of_match

    async def noted(match: str) -> int | None:
        paid.append(PURSE.get())
        return await due_of_match(match)

    monkeypatch.setattr(server.desk.store, "due_of_match", noted)
    await begun(people, club=True)
    await delivered(server)
    assert paid == [None]


async def test_line_of_a_finished_match_is_not_sent(
    server: Serving, people: list[Guest], service: Service, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = Pause(server, monkeypatch)
    first = await pause.begin(people, service)
    second = await begun(people, club=True, days=1, late="end")
    time.move(DAY_MS // 1000 + 1)
    await sweep_once(server.desk)
    assert (await people[0].look(second))["head"]["state"] == "over"
    pause.over.set()
    await delivered(server)
    assert service.lines == [("Ben", first), ("Ben", first)]


async def test_lines_per_hour_are_limited(
    server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server.desk.turn_news.webhook
    monkeypatch.setattr(server.desk.turn_news.webhook._sent, "_each", 2)
    for made_by in (people, people, people, people[::-1]):
        await begun(made_by, club=True)
    await delivered(server)
    assert [who for who, _ in service.lines] == ["Ben", "Ben", "Aki"]


async def test_lines_are_limited_per_maker_and_neighbourhood(service: Service) -> None:
    """Twenty about the tables of one maker, forty of one neighbourhood, and sixty of all, but for the first of each."""
    hook = Webhook(HOOK, Skipping(), service.transport)
    for maker, neighbourhood in (("aki", "one"), ("ben", "one"), ("chiyo", "one"), ("dai", "two"), ("emi", "three")):
        for _ in range(21):
            await hook.send(maker, maker, neighbourhood, not_passed)
    await hook.close()
    sent = Counter(json.loads(request.content)["text"] for request in service.requests)
    assert sent == {"aki": 20, "ben": 20, "dai": 20, "emi": 1}


async def test_first_line_of_each_maker_is_sent(service: Service, time: FakeTime, tmp_path: Path) -> None:
    """Any number of guests may come from one address: their lines are counted by their address, too."""
    much: Any = {"budget": 10**6, "proxies": ("127.0.0.1",)}
    async with serving(tmp_path / "mekuri.db", time, webhook=HOOK, public_url=PUBLIC, **much) as server:
        send_to(server, service)
        hook = server.desk.turn_news.webhook
        assert hook
        hook._sent._together = 6
        hook._sent._each = 2
        async with AsyncExitStack() as stack:
            for address, pairs in (("203.0.113.9", 4), ("198.51.100.7", 1)):
                for _ in range(pairs):
                    pair = [Guest(server.address, headers={"x-forwarded-for": address}) for _ in range(2)]
                    for guest, name in zip(pair, ("Aki", "Ben"), strict=True):
                        stack.push_async_callback(guest.close)
                        await guest.arrive(name)
                    tables = [await begun(pair, club=True) for _ in range(3)]
            await delivered(server)
    assert len(service.lines) == 4 + 2
    assert {table for _, table in service.lines} >= set(tables[:2])


async def test_unreachable_chat_is_logged_without_its_path(caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"no way to {request.url}")

    hook = Webhook(HOOK, Skipping(), httpx.MockTransport(fail))
    await hook.send("Ben to move", "aki", "192.0.2.1", not_passed)
    assert "ConnectError" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "name", ["@everyone", "<!channel>", "[here](https://evil.test)", "`x`", "a\nb", "evil.example", "http://evil"]
)
def test_names_are_made_harmless(name: str) -> None:
    assert not set("@<>[]`\n.:/") & set(harmless(name))


@pytest.mark.parametrize("url", ["ftp://chat.example/x", "chat.example", "https://", "https://chat.example/a b"])
def test_invalid_webhook_is_refused_without_its_address(url: str) -> None:
    with pytest.raises(OptionError) as refused:
        Settings(webhook=url)
    assert url not in str(refused.value)
