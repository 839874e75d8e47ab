"""Turns that people are told of: browsers that decrypt what they are sent, and a service in place of the network."""

import base64
import json
from collections.abc import Sequence
from random import Random

import http_ece
import httpx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from mekuri.server.base.work import WorkerThread
from mekuri.server.ops.admin import Admin
from tests.helpers.server.serving import Guest, Json, Serving, act
from tests.helpers.tables import USUAL

SERVICE = "push.test"
HOOK = "https://chat.example/hooks/a-secret-path"
PUBLIC = "https://mekuri.example"


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


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


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
    news = server.desk.turn_news
    news.push._transport = service.transport
    if news.webhook:
        news.webhook._transport = service.transport


async def make_push_key(server: Serving) -> str:
    worker = WorkerThread()
    try:
        return await Admin(server.desk.store, worker).push_key("mailto:me@example.org")
    finally:
        worker.close()


async def begun(people: Sequence[Guest], *, club: bool = False, days: int = 2, late: str = "bot") -> str:
    """Return a table at which Ben is asked first. Aki sits down last: the player who starts a match gets no notification."""
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


async def delivered(server: Serving) -> None:
    """Wait until every notification is sent."""
    await server.desk.turn_news.finish()
