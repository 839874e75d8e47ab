"""Web push: notices to the devices of people who want to hear that it is their turn, encrypted for each of them.

The addresses are chosen by strangers. So only https addresses of the known push services are asked, redirects are not followed, and
what they answer is not read. The packages `http-ece` and `py-vapid` are needed: `pip install mekuri[push]`.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mekuri.desk.limits import RateLimit
from mekuri.desk.news import Subscription
from mekuri.engine.errors import OptionError
from mekuri.server.base import metrics
from mekuri.server.storage.push_store import ServerKey
from mekuri.server.storage.store import Store, StoreError
from mekuri.table.errors import ProblemError
from mekuri.table.time import time_limit

if TYPE_CHECKING:
    import httpx

_log = logging.getLogger("mekuri.server")
# The push services of Firefox, Chrome, Edge and Safari. A leading dot stands for all names below.
KNOWN = ("updates.push.services.mozilla.com", "fcm.googleapis.com", ".notify.windows.com", "web.push.apple.com")
_PATIENCE = 10.0  # seconds for one notice
_AN_HOUR = 30  # notices to one person in an hour
_LONGEST = 86_400  # seconds for which a push service keeps a notice for a device that is switched off
_KEPT = 60.0  # seconds for which the server's key is kept before it is read again
_GONE = (404, 410)  # statuses by which a push service says that there is no such subscription any more


@dataclass(frozen=True)
class Notice:
    """A notice to one person.

    Attributes:
        person: the person's id.
        table: the table's id: a later notice of the same table takes the place of an earlier one.
        until: when the term passes, in milliseconds since 1970.
        write: returns the content, as JSON, in a language.
    """

    person: str
    table: str
    until: int
    write: Callable[[str], bytes]


def check_endpoint(endpoint: str, more: tuple[str, ...] = ()) -> None:
    """Raise ProblemError unless an address is one of a known push service.

    Args:
        endpoint: the address.
        more: names of further push services; a leading dot stands for all names below.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise ProblemError("no-push-service") from None
    known = any(host.endswith(name) if name.startswith(".") else host == name for name in (*KNOWN, *more))
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and "\\" not in endpoint
    if parts.scheme != "https" or port not in (None, 443) or "@" in parts.netloc or parts.fragment or not (known and plain):
        raise ProblemError("no-push-service")


def make_key(contact: str) -> ServerKey:
    """Return a new key for web push.

    Args:
        contact: an address at which push services can reach the operator, such as mailto:me@example.org.

    Raises:
        OptionError: the contact is none, or the packages are not installed.
    """
    if not contact.startswith(("mailto:", "https://")) or not contact.isascii() or not contact.isprintable() or len(contact) > 200:
        raise OptionError(f"a contact begins with mailto: or https://, such as mailto:me@example.org, not {contact!r}")
    vapid = _vapid()()
    from cryptography.hazmat.primitives import serialization

    vapid.generate_keys()
    pem = vapid.private_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return ServerKey(pem.decode(), contact)


def public_key(key: ServerKey) -> str:
    """Return the public key that browsers need, in base64 for addresses. Raises OptionError without the packages."""
    vapid = _vapid()
    from cryptography.hazmat.primitives import serialization

    public = vapid.from_pem(key.private.encode()).public_key
    point = public.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def request_for(
    key: ServerKey, to: Subscription, content: bytes, table: str, seconds: int, now: int
) -> tuple[dict[str, str], bytes]:
    """Return the headers and the encrypted body of a notice.

    Args:
        key: the server's key.
        to: the subscription.
        content: the notice, at most about 3 KiB.
        table: the table's id.
        seconds: for how long the push service may keep it.
        now: the time, in seconds since 1970.

    Raises:
        ValueError: the keys of the subscription are none.
    """
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    parts = urlsplit(to.endpoint)
    claims = {"sub": key.contact, "aud": f"{parts.scheme}://{parts.netloc}", "exp": str(now + 12 * 3_600)}
    signed = _vapid().from_pem(key.private.encode()).sign(claims)
    own = ec.generate_private_key(ec.SECP256R1())
    body: bytes = http_ece.encrypt(content, private_key=own, dh=_bytes(to.p256dh), auth_secret=_bytes(to.auth), version="aes128gcm")
    topic = base64.urlsafe_b64encode(hashlib.sha256(table.encode()).digest())[:32].decode()
    headers = {"TTL": str(seconds), "Topic": topic, "Urgency": "normal", "Content-Encoding": "aes128gcm"}
    return {**headers, "Content-Type": "application/octet-stream", "Authorization": signed["Authorization"]}, body


def check_keys(p256dh: str, auth: str) -> None:
    """Raise ProblemError unless the keys of a subscription are a point of the curve P-256 and 16 bytes."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        fits = len(_bytes(auth)) == 16
    except ValueError:
        fits = False
    if not fits:
        raise ProblemError("no-push-service")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _vapid() -> Any:
    try:
        import http_ece  # noqa: F401 - both are needed
        from py_vapid import Vapid02
    except ImportError:
        raise OptionError("web push needs two more packages: pip install 'mekuri[push]'") from None
    return Vapid02


class Push:
    """Sends notices to the devices of people.

    Args:
        store: the database, with the key and the subscriptions.
        hosts: names of push services besides the known ones.
        transport: how requests are sent; None for the network.
    """

    def __init__(self, store: Store, hosts: tuple[str, ...], transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._store = store
        self._hosts = hosts
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._key: ServerKey | None = None
        self._public: str | None = None
        self._read_at = -float("inf")
        self._sent = RateLimit(_AN_HOUR, store.time, seconds=3_600)

    async def public(self) -> str | None:
        """Return the server's public key, in base64 for addresses; None where web push is off."""
        now = self._store.time.monotonic()
        if now - self._read_at >= _KEPT or self._key is None:
            key = await self._store.server_key()
            if key != self._key or key is None:
                self._public = None
                try:
                    self._public = await asyncio.to_thread(public_key, key) if key else None
                except OptionError as error:
                    _log.warning("There is a key for web push, but it cannot be used: %s", error)
            self._key, self._read_at = key, now
        return self._public

    async def subscribe(self, one: Subscription) -> None:
        """Add the subscription of a device. Raises ProblemError where it is none, or web push is off."""
        if await self.public() is None:
            raise ProblemError("no-push")
        check_endpoint(one.endpoint, self._hosts)
        check_keys(one.p256dh, one.auth)
        await self._store.subscribe(one)

    async def send(self, notice: Notice) -> None:
        """Send a notice to all devices of a person. Failures are logged; a person with too many notices gets none."""
        import httpx

        if await self.public() is None or self._key is None:
            return
        to = await self._store.subscriptions(notice.person)
        if not to:
            return
        try:
            self._sent.count(notice.person)
        except ProblemError:
            return
        for one in to:
            try:
                await self._send(self._key, one, notice)
            except (httpx.HTTPError, TimeoutError, ValueError, StoreError) as error:
                metrics.NOTICES.labels("push", "failed").inc()
                _log.warning("A push service cannot be reached: %s", type(error).__name__)

    async def _send(self, key: ServerKey, one: Subscription, notice: Notice) -> None:
        import httpx

        check_endpoint(one.endpoint, self._hosts)  # the list of hosts may have changed since
        now = self._store.time.now()
        seconds = max(60, min(_LONGEST, (notice.until - now) // 1000))
        content = notice.write(one.lang)
        headers, body = await asyncio.to_thread(request_for, key, one, content, notice.table, seconds, now // 1000)
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=None, follow_redirects=False, transport=self._transport)
        async with (
            time_limit(self._store.time, _PATIENCE),
            self._client.stream("POST", one.endpoint, headers=headers, content=body) as answer,
        ):
            status = answer.status_code  # what it says beside that is not read
        metrics.NOTICES.labels("push", "told" if status < 300 else "failed").inc()
        if status in _GONE:
            await self._store.unsubscribe(one.device, one.endpoint)
        elif status >= 300:
            _log.warning("A push service has refused a notice with status %d", status)

    async def close(self) -> None:
        """Close the connections."""
        if self._client:
            await self._client.aclose()
