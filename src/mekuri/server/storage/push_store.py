"""Web push in the database: the server's key pair, and the subscriptions of devices."""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, delete, insert, or_, select

from mekuri.desk.news import Subscription
from mekuri.server.storage.guest_store import GuestStore
from mekuri.server.storage.schema import devices, server_keys, subscriptions
from mekuri.server.storage.writer import Statement

PUSH = "push"  # the name of the key pair for web push
_SUBSCRIPTIONS = (
    select(subscriptions.c.device, subscriptions.c.endpoint, subscriptions.c.p256dh, subscriptions.c.auth, subscriptions.c.lang)
    .join(devices, devices.c.id == subscriptions.c.device)
    .where(devices.c.person == bindparam("of"))
    .order_by(subscriptions.c.device)
)
_KEY = select(server_keys.c.private, server_keys.c.contact).where(server_keys.c.name == bindparam("of"))
_ADD_KEY = Statement(insert(server_keys).inline())
_REMOVE_KEY = Statement(delete(server_keys).where(server_keys.c.name == bindparam("of")))
_UNSUBSCRIBE = Statement(
    delete(subscriptions).where(or_(subscriptions.c.device == bindparam("of"), subscriptions.c.endpoint == bindparam("address")))
)
_UNSUBSCRIBE_ALL = Statement(delete(subscriptions).where(subscriptions.c.device > bindparam("of")))
_SUBSCRIBE = Statement(insert(subscriptions).inline())


class ServerKey(msgspec.Struct, frozen=True):
    """The server's private key for web push, as PEM, and the address for complaints of push services. Its `repr` shows neither."""

    private: str
    contact: str

    def __repr__(self) -> str:
        return "ServerKey()"


class PushStore(GuestStore):
    """The part of the store for web push. A subscription is deleted with its device, and so with its person."""

    async def server_key(self) -> ServerKey | None:
        """Return the server's key for web push; None where none was made."""
        found = await self._read(_KEY, {"of": PUSH})
        return ServerKey(*found[0]) if found else None

    async def add_server_key(self, key: ServerKey) -> None:
        """Keep a key for web push. Raises Conflict where there is one."""
        row = {"name": PUSH, "private": key.private, "contact": key.contact, "made_at": self.time.now()}
        await self._write(_ADD_KEY(row), taken="there is a key already")

    async def remove_server_key(self) -> None:
        """Delete the key for web push and all subscriptions, which are bound to it."""
        await self._write(_REMOVE_KEY({"of": PUSH}), _UNSUBSCRIBE_ALL({"of": 0}))

    async def subscriptions(self, person: str) -> list[Subscription]:
        """Return the subscriptions of a person's devices."""
        return [Subscription(*row) for row in await self._read(_SUBSCRIPTIONS, {"of": person})]

    async def subscribe(self, one: Subscription) -> None:
        """Add a subscription of a device, in place of another of the device or of the same address.

        Raises:
            Conflict: the device was signed out meanwhile.
        """
        row = msgspec.structs.asdict(one) | {"made_at": self.time.now()}
        old = _UNSUBSCRIBE({"of": one.device, "address": one.endpoint})
        await self._write(old, _SUBSCRIBE(row), taken="the device is gone")

    async def unsubscribe(self, device: int, endpoint: str = "") -> None:
        """Delete the subscription of a device, and those of an address."""
        await self._write(_UNSUBSCRIBE({"of": device, "address": endpoint}))
