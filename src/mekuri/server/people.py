"""Who is asking: guests, known by a token that only they have."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from time import monotonic
from typing import Any

from litestar import Request

from mekuri.server.store import Person, Store
from mekuri.table.names import GUEST, check_name
from mekuri.table.refused import Refused

COOKIE = "mekuri"
Asked = Request[Any, Any, Any]
_KEPT = 10_000  # people in memory
_LIFE = 60.0  # seconds after which they are looked up again: another process may have given them another name


class People:
    """All guests. Tokens are kept as hashes only.

    Attributes:
        reserved: names that nobody may take here, beside those that nobody may take anywhere.
    """

    def __init__(self, store: Store, reserved: Sequence[str] = ()) -> None:
        self._store = store
        self.reserved = reserved
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()  # by the hash of their token, and since when

    async def add(self, name: str | None) -> tuple[Person, str]:
        """A new guest, and the token to be told once."""
        id, token = secrets.token_urlsafe(9), secrets.token_urlsafe(32)
        called = check_name(name, self.reserved) if name else f"{GUEST} {secrets.randbelow(9000) + 1000}"
        await self._store.add_person(id, _hash(token), called)
        person = await self._find(token)
        assert person
        return person, token

    async def rename(self, token: str, person: Person, name: str) -> Person:
        """Give a guest another name. At tables where the guest sits already, the old one stays."""
        if name == person.name:
            return person  # whatever it is, they have it
        await self._store.rename(person.id, check_name(name, self.reserved))
        self._known.pop(_hash(token), None)
        return await self._find(token) or person

    async def find(self, request: Asked) -> Person | None:
        """Who is asking; None for somebody without a token, or with a cookie that nobody has any more.

        Raises Refused where a token is given by hand and is nobody's.
        """
        given = request.headers.get("authorization")
        if given is None:
            cookie = request.cookies.get(COOKIE)
            return await self._find(cookie) if cookie else None
        scheme, _, token = given.partition(" ")
        person = await self._find(token.strip()) if scheme.lower() == "bearer" else None
        if person is None:
            raise Refused("bad-token")
        return person

    def key(self, request: Asked) -> str:
        """Under what a request is counted: its guest, or its address where there is no guest that is known already."""
        known = self._known.get(_hash(token_of(request)))
        return known[0].id if known else address_of(request)

    async def _find(self, token: str) -> Person | None:
        hashed = _hash(token)
        person, since = self._known.get(hashed, (None, 0.0))
        if person and monotonic() - since < _LIFE:
            return person
        person = await self._store.person_by_token(hashed)
        if person:
            self._known[hashed] = person, monotonic()
            self._known.move_to_end(hashed)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return person


def address_of(request: Asked) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "nowhere"


def token_of(request: Asked) -> str:
    """The token that a request brings; empty if none."""
    given = request.headers.get("authorization", "")
    return given.partition(" ")[2].strip() if given else request.cookies.get(COOKIE, "")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
