"""Web push: players to move are notified through a push service that decrypts its input."""

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from py_vapid import Vapid02
from sqlalchemy import func, select

from mekuri.cli import main
from mekuri.engine.errors import OptionError
from mekuri.server.http.background import sweep_once
from mekuri.server.notify import turn_news
from mekuri.server.notify.push import KNOWN, check_endpoint, make_key, public_key
from mekuri.server.storage.schema import subscriptions
from mekuri.table.errors import ProblemError
from tests.helpers.server.databases import place
from tests.helpers.server.gathering import at, guests
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, refused, serving
from tests.helpers.server.turn_news import SERVICE, Browser, Service, begun, delivered, make_push_key, pass_on, send_to, subscribe
from tests.helpers.tables import USUAL
from tests.helpers.time import moment


async def test_player_to_move_gets_a_push(server: Serving, people: list[Guest], service: Service) -> None:
    aki, ben = people
    key = await make_push_key(server)
    browser = Browser("ben")
    assert await subscribe(ben, browser) == {"key": key, "club": True, "here": True}
    ahead = Browser("aki", "ja")
    await subscribe(aki, ahead)
    table = await begun(people)
    await delivered(server)
    (request,) = service.requests
    assert (request.method, str(request.url)) == ("POST", browser.endpoint)
    assert set(browser.read(request)) == {"title", "body", "path"}
    assert browser.read(request)["path"] == f"/t/{table}"
    assert browser.read(request)["body"] == "It is your turn, with Aki."
    assert b"Aki" not in request.content
    assert request.headers["content-encoding"] == "aes128gcm"
    assert 60 <= int(request.headers["ttl"]) <= 86_400
    await pass_on(table, ben, aki)
    await delivered(server)
    assert [str(each.url) for each in service.requests] == [browser.endpoint, ahead.endpoint]
    assert ahead.read(service.requests[1])["body"] == "あなたの番です（Benと）。"


async def test_push_is_signed_with_the_server_key(server: Serving, people: list[Guest], service: Service) -> None:
    key = await make_push_key(server)
    await subscribe(people[1], Browser("ben"))
    await begun(people)
    await delivered(server)
    signed = service.requests[0].headers["authorization"]
    assert signed.startswith("vapid t=")
    assert f"k={key}" in signed
    assert Vapid02.verify(signed)
    claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == (f"https://{SERVICE}", "mailto:me@example.org")


async def test_push_is_off_without_a_key(server: Serving, people: list[Guest], service: Service) -> None:
    assert await people[0].call("GET", "/api/push") == {"key": None, "club": True, "here": False}
    assert await refused(subscribe(people[0], Browser("aki"))) == (409, "no-push")
    await begun(people)
    await delivered(server)
    assert not service.requests


@pytest.mark.parametrize("status", [404, 410])
async def test_expired_subscription_is_deleted(server: Serving, people: list[Guest], service: Service, status: int) -> None:
    await make_push_key(server)
    await subscribe(people[1], Browser("ben"))
    service.status = status
    await begun(people)
    await delivered(server)
    assert (await people[1].call("GET", "/api/push"))["here"] is False


async def test_redirect_is_not_followed(server: Serving, people: list[Guest], service: Service) -> None:
    await make_push_key(server)
    await subscribe(people[1], Browser("ben"))
    service.status = 307
    await begun(people)
    await delivered(server)
    assert {request.url.host for request in service.requests} == {SERVICE}
    assert (await people[1].call("GET", "/api/push"))["here"] is True


async def test_subscription_ends_with_the_device(server: Serving, people: list[Guest]) -> None:
    aki, ben = people
    await make_push_key(server)
    store = server.desk.store
    for guest, end in ((aki, "/api/guests/devices/here"), (ben, "/api/guests/me")):
        await subscribe(guest, Browser(guest.id))
        assert len(await store.subscriptions(guest.id)) == 1
        await guest.call("DELETE", end)
        assert await store.subscriptions(guest.id) == []
    assert await store._read(select(func.count()).select_from(subscriptions), {}) == [(0,)]


async def test_subscription_can_be_ended(server: Serving, people: list[Guest]) -> None:
    await make_push_key(server)
    await subscribe(people[0], Browser("aki"))
    assert (await people[0].call("DELETE", "/api/push"))["here"] is False


async def test_browser_is_subscribed_for_one_guest(server: Serving, people: list[Guest]) -> None:
    """The present user of the browser gets pushes, and former users do not."""
    await make_push_key(server)
    browser = Browser("shared")
    for guest in people:
        await subscribe(guest, browser)
    assert [(await guest.call("GET", "/api/push"))["here"] for guest in people] == [False, True]


async def test_changing_the_guest_ends_the_subscription(server: Serving, people: list[Guest]) -> None:
    aki, ben = people
    await make_push_key(server)
    await subscribe(aki, Browser("aki"))
    code = (await ben.call("POST", "/api/guests/code"))["code"]
    await aki.call("POST", "/api/guests/devices", {"code": code, "replace": True})
    assert await server.desk.store.subscriptions(aki.id) == []


async def test_pushes_per_hour_are_limited(
    server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make_push_key(server)
    await subscribe(people[1], Browser("ben"))
    monkeypatch.setattr(server.desk.turn_news.push._sent, "_each", 2)
    for _ in range(4):
        await begun(people)
    await delivered(server)
    assert len(service.requests) == 2


async def test_queue_is_bounded(server: Serving, people: list[Guest], service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves do not wait, and notifications without room are dropped."""
    jobs: asyncio.Queue[turn_news.Job] = asyncio.Queue(1)
    for kind in ("push", "webhook"):
        monkeypatch.setitem(server.desk.turn_news._jobs, kind, jobs)
    monkeypatch.setattr(server.desk.turn_news, "_tasks", [asyncio.create_task(asyncio.sleep(0))])
    for _ in range(3):
        await begun(people, club=True)
    assert jobs.qsize() == 1
    jobs.get_nowait()
    jobs.task_done()


async def test_two_processes_send_one_push(tmp_path: Path, service: Service) -> None:
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
        while (await there.look(table))["head"]["state"] != "running":
            await moment()
        for server in (one, two):
            await sweep_once(server.desk)
            await delivered(server)
        assert len(service.requests) == 1


async def test_export_holds_subscriptions(server: Serving, people: list[Guest]) -> None:
    await make_push_key(server)
    await subscribe(people[0], Browser("aki"))
    export = await people[0].call("GET", "/api/guests/export")
    assert export["pushes"] == [{"endpoint": f"https://{SERVICE}/aki", "lang": "en"}]


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
async def test_unknown_push_service_is_refused(server: Serving, people: list[Guest], service: Service, endpoint: str) -> None:
    await make_push_key(server)
    with pytest.raises(Refusal) as refused:
        await people[0].call("POST", "/api/push", Browser("aki").asked | {"endpoint": endpoint})
    assert (refused.value.status, refused.value.error) == (422, "no-push-service")
    with pytest.raises(ProblemError):
        check_endpoint(endpoint)
    assert not service.requests


@pytest.mark.parametrize("host", [name.removeprefix(".") if name[0] != "." else f"wns2{name}" for name in KNOWN])
def test_push_services_of_the_usual_browsers_are_allowed(host: str) -> None:
    check_endpoint(f"https://{host}/wpush/v2/abc")


@pytest.mark.parametrize("keys", [{"p256dh": "A" * 87}, {"auth": "A" * 30}, {"p256dh": "BEl62iUYgUivxIkv"}])
async def test_invalid_browser_keys_are_refused(server: Serving, people: list[Guest], keys: Json) -> None:
    await make_push_key(server)
    assert (await refused(people[0].call("POST", "/api/push", Browser("aki").asked | keys)))[1] == "no-push-service"


class TestServerKey:
    async def test_server_key_is_made_once(self, server: Serving) -> None:
        assert await make_push_key(server) == await make_push_key(server)

    def test_command_makes_and_removes_the_key(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    def test_server_key_needs_a_contact(self, contact: str) -> None:
        with pytest.raises(OptionError, match="mailto:"):
            make_key(contact)

    async def test_missing_packages_are_named(
        self, server: Serving, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Commands name the package to install; a server logs it and offers no push."""
        await make_push_key(server)
        for name in ("http_ece", "py_vapid", "cryptography.hazmat.primitives"):
            monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(OptionError, match=r"pip install 'mekuri\[push\]'"):
            make_key("mailto:me@example.org")
        assert await server.desk.turn_news.push.public() is None
        assert "mekuri[push]" in caplog.text

    def test_server_key_has_no_readable_repr(self) -> None:
        key = make_key("mailto:me@example.org")
        assert repr(key) == "ServerKey()"
        assert len(base64.urlsafe_b64decode(public_key(key) + "=")) == 65


async def test_stored_window_answer_sends_no_push(server: Serving, service: Service) -> None:
    """A stored answer asks no player, so no push is sent."""
    await make_push_key(server)
    async with guests(server, "Aki", "Ben", "Chiyo", "Dai") as people:
        for guest in people:
            await subscribe(guest, Browser(guest.id))
        options = {"onifuda_on_field": "any-card"}
        asked: Any = {"seats": ["person"] * 4, "options": options, "first_dealer": 3, "term": {"days": 1}}
        table = await people[0].make("tenshu", **asked)
        for guest in people:
            await guest.sit(table)
        await delivered(server)
        before = len(service.requests)
        assert before == 3
        whole = await people[0].look(table)
        await people[0].play(table, whole["view"]["version"], "pass")
        await delivered(server)
        assert len(service.requests) == before
