"""Telling people that it is their turn: web push to a push service that decrypts what it gets, and the webhook of a chat."""

import asyncio
import base64
import json
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import http_ece
import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from sqlalchemy import func, select

from mekuri.cli import main
from mekuri.engine.errors import OptionError
from mekuri.server import turn_news, webhook
from mekuri.server.admin import Admin
from mekuri.server.background import sweep_once
from mekuri.server.push import KNOWN, check_endpoint, make_key, public_key
from mekuri.server.schema import subscriptions
from mekuri.server.settings import Settings
from mekuri.server.webhook import Webhook, harmless
from mekuri.server.work import WorkerThread
from mekuri.table.errors import ProblemError
from mekuri.table.state import DAY_MS
from tests.helpers.patience import PATIENCE
from tests.helpers.server.databases import place
from tests.helpers.server.gathering import Clock, at, guests
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, serving
from tests.helpers.tables import USUAL

SERVICE = "push.test"
HOOK = "https://chat.example/hooks/a-secret-path"


class Browser:
    """A browser's subscription, which decrypts what it is sent."""

    def __init__(self, name: str, lang: str = "en") -> None:
        self.endpoint = f"https://{SERVICE}/{name}"
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = bytes(range(16))
        point = self._private.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.asked = {"endpoint": self.endpoint, "p256dh": text(point), "auth": text(self._auth), "lang": lang}

    def read(self, request: httpx.Request) -> Json:
        content = http_ece.decrypt(request.content, private_key=self._private, auth_secret=self._auth, version="aes128gcm")
        return dict(json.loads(content))


def text(told: bytes) -> str:
    return base64.urlsafe_b64encode(told).rstrip(b"=").decode()


class Service:
    """What is sent out, in place of the network.

    Attributes:
        requests: what was sent.
        status: what is answered from now on.
        headers: what is answered beside that.
    """

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []
        self.status = 201
        self.headers = {"location": "https://elsewhere.test/"}
        self.transport = httpx.MockTransport(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.status, headers=self.headers, text="x" * 1000)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Who is told to move, and at which table, in each line for the chat."""
        texts = [json.loads(request.content)["text"] for request in self.requests]
        return [(line.split(" to move")[0].split(": ")[1], line.rsplit("/", 1)[1]) for line in texts]


def send_to(server: Serving, service: Service) -> None:
    news = server.tables.turn_news
    news.push._transport = service.transport
    if news.webhook:
        news.webhook._transport = service.transport


async def make_push_key(server: Serving) -> str:
    worker = WorkerThread()
    try:
        return await Admin(server.tables.store, worker).push_key("mailto:me@example.org")
    finally:
        worker.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def server(tmp_path: Path, service: Service, clock: Clock) -> AsyncIterator[Serving]:
    hosts: Any = {"push_hosts": (SERVICE,), "webhook": HOOK, "public_url": "https://mekuri.example"}
    async with serving(tmp_path / "mekuri.db", clock, **hosts) as running:
        send_to(running, service)
        yield running


@pytest.fixture
async def people(server: Serving) -> AsyncIterator[list[Guest]]:
    async with guests(server, "Aki", "Ben") as found:
        yield found


async def begun(people: Sequence[Guest], *, club: bool = False, days: int = 2, late: str = "bot") -> str:
    """Return a table at which Ben is asked first. Aki sits down last, as whoever begins it needs no word of it."""
    term = {"days": days, "late": late, "club": club}
    table = await people[0].make(USUAL, seats=["person"] * 2, term=term, first_dealer=1)
    for seat in (1, 0):
        await people[seat].sit(table, seat=seat)
    return table


async def subscribe(guest: Guest, browser: Browser) -> Json:
    return dict(await guest.call("POST", "/api/push", browser.asked))


async def pass_on(table: str, one: Guest, other: Guest) -> None:
    """Have a guest play until the other is asked."""
    chance = Random(0)
    while not (await other.look(table))["owed"]:
        await act(one, table, chance)


async def told(server: Serving) -> None:
    """Wait until all is told that there is to tell."""
    await server.tables.turn_news.finish()


class TestWebPush:
    async def test_who_is_asked_is_told(self, server: Serving, people: list[Guest], service: Service) -> None:
        aki, ben = people
        key = await make_push_key(server)
        browser = Browser("ben")
        assert await subscribe(ben, browser) == {"key": key, "club": True, "here": True}
        ahead = Browser("aki", "ja")
        await subscribe(aki, ahead)
        table = await begun(people)
        await told(server)
        (request,) = service.requests
        assert (request.method, str(request.url)) == ("POST", browser.endpoint)
        assert set(browser.read(request)) == {"title", "body", "path"}
        assert browser.read(request)["path"] == f"/t/{table}"
        assert browser.read(request)["body"] == "It is your turn, with Aki."
        assert b"Aki" not in request.content
        assert request.headers["content-encoding"] == "aes128gcm"
        assert 60 <= int(request.headers["ttl"]) <= 86_400
        await pass_on(table, ben, aki)
        await told(server)
        assert [str(each.url) for each in service.requests] == [browser.endpoint, ahead.endpoint]
        assert ahead.read(service.requests[1])["body"] == "あなたの番です（Benと）。"

    async def test_it_is_signed(self, server: Serving, people: list[Guest], service: Service) -> None:
        key = await make_push_key(server)
        await subscribe(people[1], Browser("ben"))
        await begun(people)
        await told(server)
        signed = service.requests[0].headers["authorization"]
        assert signed.startswith("vapid t=")
        assert f"k={key}" in signed
        assert Vapid02.verify(signed)
        claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
        assert (claims["aud"], claims["sub"]) == (f"https://{SERVICE}", "mailto:me@example.org")

    async def test_off_without_a_key(self, server: Serving, people: list[Guest], service: Service) -> None:
        assert await people[0].call("GET", "/api/push") == {"key": None, "club": True, "here": False}
        with pytest.raises(Refusal) as refused:
            await subscribe(people[0], Browser("aki"))
        assert (refused.value.status, refused.value.error) == (409, "no-push")
        await begun(people)
        await told(server)
        assert not service.requests

    @pytest.mark.parametrize("status", [404, 410])
    async def test_a_subscription_that_is_gone_is_deleted(
        self, server: Serving, people: list[Guest], service: Service, status: int
    ) -> None:
        await make_push_key(server)
        await subscribe(people[1], Browser("ben"))
        service.status = status
        await begun(people)
        await told(server)
        assert (await people[1].call("GET", "/api/push"))["here"] is False

    async def test_a_redirect_is_not_followed(self, server: Serving, people: list[Guest], service: Service) -> None:
        await make_push_key(server)
        await subscribe(people[1], Browser("ben"))
        service.status = 307
        await begun(people)
        await told(server)
        assert {request.url.host for request in service.requests} == {SERVICE}
        assert (await people[1].call("GET", "/api/push"))["here"] is True

    async def test_it_ends_with_the_device(self, server: Serving, people: list[Guest]) -> None:
        aki, ben = people
        await make_push_key(server)
        store = server.tables.store
        for guest, end in ((aki, "/api/guests/devices/here"), (ben, "/api/guests/me")):
            await subscribe(guest, Browser(guest.id))
            assert len(await store.subscriptions(guest.id)) == 1
            await guest.call("DELETE", end)
            assert await store.subscriptions(guest.id) == []
        assert await store._read(select(func.count()).select_from(subscriptions), {}) == [(0,)]

    async def test_it_can_be_ended(self, server: Serving, people: list[Guest]) -> None:
        await make_push_key(server)
        await subscribe(people[0], Browser("aki"))
        assert (await people[0].call("DELETE", "/api/push"))["here"] is False

    async def test_a_browser_is_of_one_guest(self, server: Serving, people: list[Guest]) -> None:
        """Whoever uses it now is told, and nobody who has used it before."""
        await make_push_key(server)
        browser = Browser("shared")
        for guest in people:
            await subscribe(guest, browser)
        assert [(await guest.call("GET", "/api/push"))["here"] for guest in people] == [False, True]

    async def test_who_changes_over_to_another_guest_hears_no_more_of_the_first(self, server: Serving, people: list[Guest]) -> None:
        aki, ben = people
        await make_push_key(server)
        await subscribe(aki, Browser("aki"))
        code = (await ben.call("POST", "/api/guests/code"))["code"]
        await aki.call("POST", "/api/guests/devices", {"code": code, "replace": True})
        assert await server.tables.store.subscriptions(aki.id) == []

    async def test_not_more_often_than_so_many_times_an_hour(
        self, server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await make_push_key(server)
        await subscribe(people[1], Browser("ben"))
        monkeypatch.setattr(server.tables.turn_news.push._told, "_each", 2)
        for _ in range(4):
            await begun(people)
        await told(server)
        assert len(service.requests) == 2

    async def test_the_queue_has_an_end(
        self, server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No move waits, and what there is no room for is not told."""
        jobs: asyncio.Queue[turn_news.Job] = asyncio.Queue(1)
        for kind in ("push", "webhook"):
            monkeypatch.setitem(server.tables.turn_news._jobs, kind, jobs)
        monkeypatch.setattr(server.tables.turn_news, "_tasks", [asyncio.create_task(asyncio.sleep(0))])
        for _ in range(3):
            await begun(people, club=True)
        assert jobs.qsize() == 1
        jobs.get_nowait()
        jobs.task_done()

    async def test_two_processes_tell_it_once(self, tmp_path: Path, service: Service) -> None:
        path = tmp_path / "both.db"
        hosts: Any = {"push_hosts": (SERVICE,)}
        async with serving(path, **hosts) as one, serving(path, **hosts) as two, guests(one, "Aki", "Ben") as (aki, ben):
            for server in (one, two):
                send_to(server, service)
            await make_push_key(one)
            await subscribe(ben, Browser("ben"))
            there = at(two, ben)
            table = await aki.make(USUAL, seats=["person"] * 2, term={"days": 2}, first_dealer=1)
            await there.sit(table, seat=1)
            whole = await aki.sit(table, seat=0)
            assert not whole["owed"]
            async with asyncio.timeout(PATIENCE):
                while (await there.look(table))["head"]["state"] != "running":
                    await asyncio.sleep(0.01)
            for server in (one, two):
                await sweep_once(server.tables)
                await told(server)
            assert len(service.requests) == 1
            await there.close()

    async def test_what_is_exported(self, server: Serving, people: list[Guest]) -> None:
        await make_push_key(server)
        await subscribe(people[0], Browser("aki"))
        told = await people[0].call("GET", "/api/guests/export")
        assert told["pushes"] == [{"endpoint": f"https://{SERVICE}/aki", "lang": "en"}]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://169.254.169.254/latest",
        "https://localhost/x",
        "https://fcm.googleapis.com.evil.test/x",
        "https://evilfcm.googleapis.com/x",
        "https://fcm.googleapis.com@evil.test/x",
        "https://me:pw@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8080/x",
        "https://fcm.googleapis.com:99999/x",
        "https://notify.windows.com/x",
        "https://evilnotify.windows.com.test/x",
        "https://fcm.googleapis.com/x#y",
        "https://fcm.googleapis.com\\@evil.test/x",
        "https://fcm.googleapis.com/\r\nX: y",
        "file:///etc/passwd",
        "https://",
        "nothing",
    ],
)
async def test_nobody_else_is_asked(server: Serving, people: list[Guest], service: Service, endpoint: str) -> None:
    await make_push_key(server)
    with pytest.raises(Refusal) as refused:
        await people[0].call("POST", "/api/push", Browser("aki").asked | {"endpoint": endpoint})
    assert (refused.value.status, refused.value.error) == (422, "no-push-service")
    with pytest.raises(ProblemError):
        check_endpoint(endpoint)
    assert not service.requests


@pytest.mark.parametrize("host", [name.removeprefix(".") if name[0] != "." else f"wns2{name}" for name in KNOWN])
def test_the_usual_browsers_are_known(host: str) -> None:
    check_endpoint(f"https://{host}/wpush/v2/abc")


@pytest.mark.parametrize("keys", [{"p256dh": "A" * 87}, {"auth": "A" * 30}, {"p256dh": "BEl62iUYgUivxIkv"}])
async def test_keys_that_are_none(server: Serving, people: list[Guest], keys: Json) -> None:
    await make_push_key(server)
    with pytest.raises(Refusal) as refused:
        await people[0].call("POST", "/api/push", Browser("aki").asked | keys)
    assert refused.value.error == "no-push-service"


class TestTheKey:
    async def test_it_is_made_once(self, server: Serving) -> None:
        assert await make_push_key(server) == await make_push_key(server)

    def test_by_a_command(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        database = tmp_path / "mekuri.db"

        async def begin() -> None:
            async with serving(database):
                pass

        asyncio.run(begin())
        words = ["admin", "push-key", "--database", str(place(database))]
        main([*words, "--contact", "mailto:me@example.org"])
        first = capsys.readouterr().out
        main([*words, "--contact", "mailto:other@example.org"])
        assert capsys.readouterr().out == first
        assert "PRIVATE" not in first
        main([*words, "--remove"])
        assert capsys.readouterr().out == "web push is off\n"

    @pytest.mark.parametrize("contact", ["", "me@example.org", "mailto:me\n"])
    def test_a_contact_is_needed(self, contact: str) -> None:
        with pytest.raises(OptionError, match="mailto:"):
            make_key(contact)

    async def test_without_the_packages(
        self, server: Serving, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """A command says what to install; a server says so in its log, and offers nothing."""
        await make_push_key(server)
        for name in ("http_ece", "py_vapid", "cryptography.hazmat.primitives"):
            monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(OptionError, match=r"pip install 'mekuri\[push\]'"):
            make_key("mailto:me@example.org")
        assert await server.tables.turn_news.push.public() is None
        assert "mekuri[push]" in caplog.text

    def test_it_does_not_show_itself(self) -> None:
        key = make_key("mailto:me@example.org")
        assert repr(key) == "ServerKey()"
        assert len(base64.urlsafe_b64decode(public_key(key) + "=")) == 65


class Pause:
    """A pause of the webhook between two tries, which ends when a test sets `over`."""

    def __init__(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        self.over = asyncio.Event()
        self._begun = asyncio.Event()
        monkeypatch.setattr(server.tables.turn_news.webhook, "_sleep", self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self._begun.set()
        await self.over.wait()

    async def begin(self, people: Sequence[Guest], service: Service) -> str:
        """Have the chat refuse the first line about a table, once. Returns the table."""
        service.status = 503
        table = await begun(people, club=True)
        async with asyncio.timeout(PATIENCE):
            await self._begun.wait()
        service.status = 201
        return table


class TestTheWebhook:
    async def test_the_club_is_told(self, server: Serving, people: list[Guest], service: Service) -> None:
        table = await begun(people, club=True)
        await told(server)
        (request,) = service.requests
        body = json.loads(request.content)
        assert str(request.url) == HOOK
        assert body["text"] == body["content"]
        assert "Ben to move, until" in body["text"]
        assert body["text"].endswith(f"https://mekuri.example/t/{table}")

    async def test_not_of_other_tables(self, server: Serving, people: list[Guest], service: Service) -> None:
        await begun(people)
        await told(server)
        assert not service.requests

    async def test_it_is_tried_again_and_its_path_is_not_told(self, service: Service, caplog: pytest.LogCaptureFixture) -> None:
        paused: list[float] = []

        async def sleep(seconds: float) -> None:
            paused.append(seconds)

        service.status = 500
        hook = Webhook(HOOK, service.transport, sleep)
        with caplog.at_level(logging.WARNING):
            await hook.send("Ben to move", "aki", lambda: False)
        assert paused == list(webhook._PAUSES) == sorted(paused)
        assert len(service.requests) == 1 + len(paused)
        assert "status 500" in caplog.text
        assert "secret" not in caplog.text
        await hook.close()

    @pytest.mark.parametrize("status", [429, 503])
    @pytest.mark.parametrize(("asked", "paused"), [("7", 7), ("0", 1), ("3600", 60)])
    async def test_a_chat_may_say_when_it_is_tried_again(self, service: Service, status: int, asked: str, paused: float) -> None:
        pauses: list[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        service.status, service.headers = status, {"retry-after": asked}
        await Webhook(HOOK, service.transport, sleep).send("Ben to move", "aki", lambda: False)
        assert pauses == [paused] * 3

    @pytest.mark.parametrize("status", [307, 400, 404])
    async def test_what_a_chat_refuses_for_good_is_not_tried_again(
        self, server: Serving, people: list[Guest], service: Service, caplog: pytest.LogCaptureFixture, status: int
    ) -> None:
        service.status = status
        await begun(people, club=True)
        await told(server)
        assert len(service.requests) == 1
        assert f"status {status}" in caplog.text

    async def test_a_table_has_one_line_that_waits(
        self, server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        aki, ben = people
        pause = Pause(server, monkeypatch)
        first = await pause.begin(people, service)
        second = await begun(people, club=True)
        await pass_on(second, ben, aki)
        assert server.tables.turn_news._jobs["webhook"].qsize() == 1
        pause.over.set()
        await told(server)
        assert service.lines == [("Ben", first), ("Ben", first), ("Aki", second)]

    async def test_a_line_is_not_tried_again_when_the_turn_has_passed(
        self, server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        aki, ben = people
        pause = Pause(server, monkeypatch)
        table = await pause.begin(people, service)
        await pass_on(table, ben, aki)
        pause.over.set()
        await told(server)
        assert service.lines == [("Ben", table), ("Aki", table)]

    async def test_a_line_about_a_match_that_is_over_by_then_is_not_told(
        self, server: Serving, people: list[Guest], service: Service, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pause = Pause(server, monkeypatch)
        first = await pause.begin(people, service)
        second = await begun(people, club=True, days=1, late="end")
        clock.ahead += DAY_MS // 1000 + 1
        await sweep_once(server.tables)
        assert (await people[0].look(second))["head"]["state"] == "over"
        pause.over.set()
        await told(server)
        assert service.lines == [("Ben", first), ("Ben", first)]

    @pytest.mark.parametrize(("limit", "asked"), [("_each", ["Ben", "Ben", "Aki"]), ("_together", ["Ben", "Ben"])])
    async def test_not_more_often_than_so_many_times_an_hour(
        self, server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch, limit: str, asked: list[str]
    ) -> None:
        """There is a limit for the tables of one maker, and one for all, since guests are free to make."""
        assert server.tables.turn_news.webhook
        monkeypatch.setattr(server.tables.turn_news.webhook._told, limit, 2)
        for made_by in (people, people, people, people[::-1]):
            await begun(made_by, club=True)
        await told(server)
        assert [who for who, _ in service.lines] == asked

    async def test_a_chat_that_cannot_be_reached(self, caplog: pytest.LogCaptureFixture) -> None:
        def fail(request: httpx.Request) -> httpx.Response:
            raise httpx.ConnectError(f"no way to {request.url}")

        async def sleep(seconds: float) -> None:
            pass

        hook = Webhook(HOOK, httpx.MockTransport(fail), sleep)
        await hook.send("Ben to move", "aki", lambda: False)
        assert "ConnectError" in caplog.text
        assert "secret" not in caplog.text

    @pytest.mark.parametrize("name", ["@everyone", "<!channel>", "[here](https://evil.test)", "`x`", "a\nb"])
    def test_a_name_calls_nobody(self, name: str) -> None:
        assert not set("@<>[]`\n") & set(harmless(name))

    @pytest.mark.parametrize("url", ["ftp://chat.example/x", "chat.example", "https://", "https://chat.example/a b"])
    def test_what_is_no_address(self, url: str) -> None:
        with pytest.raises(OptionError) as refused:
            Settings(webhook=url)
        assert url not in str(refused.value)


async def test_a_window_tells_nobody_who_has_answered(server: Serving, service: Service) -> None:
    """An answer that is kept asks nobody for anything, so nobody is told."""
    await make_push_key(server)
    async with guests(server, "Aki", "Ben", "Chiyo", "Dai") as people:
        for guest in people:
            await subscribe(guest, Browser(guest.id))
        options = {"onifuda_on_field": "any-card"}
        asked: Any = {"seats": ["person"] * 4, "options": options, "first_dealer": 3, "term": {"days": 1}}
        table = await people[0].make("tenshu", **asked)
        for guest in people:
            await guest.sit(table)
        await told(server)
        before = len(service.requests)
        assert before == 3
        whole = await people[0].look(table)
        await people[0].play(table, whole["view"]["version"], "pass")
        await told(server)
        assert len(service.requests) == before
