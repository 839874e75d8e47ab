"""Who is asking: guests, known by a token that only they have."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Set
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from unicodedata import normalize

from mekuri.protocol import table as wire
from mekuri.server import metrics
from mekuri.server.asked import Asked
from mekuri.server.connection_limits import household_of
from mekuri.server.export import device_of, export
from mekuri.server.guest_store import Person
from mekuri.server.moderation import FOR_EVER
from mekuri.server.rate_limit import RateLimit
from mekuri.server.store import StoreError
from mekuri.server.table_registry import TableRegistry
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict
from mekuri.table.names import GUEST, check_name

COOKIE = "mekuri"
# What is kept about people is theirs, also while they are banned.
_OWN = (("GET", "/api/guests/export"), ("DELETE", "/api/guests/me"))
_KEPT = 10_000  # people in memory
_LIFE = 60.0  # seconds after which they are looked up again, should it not have been heard that something has changed
_SEEN_MS = 3_600_000  # after which it is noted again that somebody has come
_CODE = 12  # digits, which every keyboard has: 40 bits
_CODE_MS = 300_000  # for which a code is good
_BETWEEN = " -\u2010\u2013\u2212\u30fc"  # what people write between the digits
_HOUSEHOLDS = 10  # of those that guess as often as they may are too many
_RENAMES, _EXPORTS = 20, 6  # of one guest in a minute


class Guests:
    """All guests. Tokens are kept as hashes only.

    Attributes:
        reserved: names that nobody may take here, beside those that nobody may take anywhere.
    """

    def __init__(self, tables: TableRegistry) -> None:
        self._tables = tables
        self._store = tables.store
        self.reserved = tables.settings.reserved
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()  # by the hash of their token, and since when
        self._changes = 0  # how often something of people has changed
        self._renamed, self._exported = RateLimit(_RENAMES), RateLimit(_EXPORTS)
        codes = tables.settings.codes
        self._guessed = RateLimit(codes, codes * _HOUSEHOLDS)

    async def add(self, name: str | None) -> tuple[Person, str]:
        """A new guest, and the token to be told once."""
        id, token = secrets.token_urlsafe(9), secrets.token_urlsafe(32)
        called = check_name(name, self.reserved) if name else f"{GUEST} {secrets.randbelow(9000) + 1000}"
        await self._store.add_person(id, _hash(token), called)
        person = await self._find(token)
        assert person
        metrics.GUESTS.inc()
        return person, token

    async def rename(self, token: str, person: Person, name: str) -> Person:
        """Give a guest another name, by which they are called at all their tables from now on."""
        if name == person.name:
            return person  # whatever it is, they have it
        name = check_name(name, self.reserved)
        self._renamed.count(person.id)
        await self._store.rename(person.id, name)
        await self.heard_of({person.id})
        return await self._find(token) or person

    # --- Devices ---

    async def devices(self, person: Person) -> list[wire.Device]:
        """What a guest may come with."""
        return [device_of(device.id, device.made_at, device.seen_at, person) for device in await self._store.devices(person.id)]

    async def new_code(self, person: Person) -> tuple[str, int]:
        """A code by which a guest takes another device into use, and until when it is good. An older one is void."""
        code = "".join(secrets.choice("0123456789") for _ in range(_CODE))
        try:
            return code, await self._store.add_code(person.id, _hash(code), _CODE_MS)
        except Conflict:  # somebody has the same one, or the guest is gone
            raise ProblemError("busy") from None

    async def use_code(self, asked: wire.AskDevice, person: Person | None, address: str) -> tuple[Person, str]:
        """Become who one is on another device; the guest, and the token to be told once.

        Raises ProblemError where the code is nobody's any more, somebody guesses too often, or `person` is a guest and would
        remain one.
        """
        if person and not asked.replace:
            raise ProblemError("guest-already")
        household, token = household_of(address), secrets.token_urlsafe(32)
        self._guessed.count(household)
        code = "".join(sign for sign in normalize("NFKC", asked.code) if sign not in _BETWEEN)
        if not await self._store.use_code(_hash(code), _hash(token)):
            raise ProblemError("no-such-code")
        self._guessed.forgive(household)
        found = await self._find(token)
        if not found:
            raise ProblemError("no-such-code")  # they have left meanwhile
        if person and person.id == found.id:
            await self._store.sign_out_device(person.id, person.device)  # the same device, by another token
        await self.heard_of({found.id})
        return found, token

    async def sign_out(self, person: Person) -> None:
        """Sign a guest out on all devices but this one, and make the code for another void."""
        await self._store.sign_out(person.id, person.device)
        await self.heard_of({person.id})

    async def sign_out_here(self, person: Person) -> None:
        """Sign a guest out on this device."""
        await self._store.sign_out_device(person.id, person.device)
        await self.heard_of({person.id})

    # --- What is kept ---

    async def export(self, person: Person) -> AsyncIterator[bytes]:
        """All that is kept about a guest, as JSON, part by part."""
        self._exported.count(person.id)
        return await export(self._store, person)

    async def forget(self, id: str) -> None:
        """Delete a guest. Done whole, even where whoever asked goes away; to delete twice is to delete once."""
        await self._tables.cache.tasks.do(self._forget(id))

    async def _forget(self, id: str) -> None:
        await self._store.forget_person(id)
        try:
            await self.heard_of({id})
        finally:
            await self._tables.let_go(id)

    async def heard_of(self, people: Set[str]) -> None:
        """People have taken another name, are signed out somewhere, or are known here no more."""
        self._changes += 1
        for hashed in [hashed for hashed, (person, _) in self._known.items() if person.id in people]:
            del self._known[hashed]
        await self._tables.heard_of(people)

    async def find(self, request: Asked) -> Person | None:
        """Who is asking; None for somebody without a token, or with a cookie that nobody has any more.

        Raises ProblemError where a token is given by hand and is nobody's, and for whoever is banned.
        """
        found = await self._find_any(request)
        banned = found and found.banned_until and found.banned_until > self._tables.clock()
        if found and banned and (request.method, request.url.path) not in _OWN:
            raise _banned(found.banned_until or 0, found.banned_why or "")
        return found

    async def _find_any(self, request: Asked) -> Person | None:
        given = request.headers.get("authorization")
        if given is None:
            cookie = request.cookies.get(COOKIE)
            return await self._find(cookie) if cookie else None
        scheme, _, token = given.partition(" ")
        person = await self._find(token.strip()) if scheme.lower() == "bearer" else None
        if person is None:
            raise ProblemError("bad-token")
        return person

    async def still(self, request: Asked, person: Person) -> bool:
        """Whether it is still this guest who asks: what was begun before they were signed out may come to its end after it."""
        found = await self._find(token_of(request))
        return found is not None and found.device == person.device

    def known(self, request: Asked) -> Person | None:
        """Who is asking, where that is known without a look into the log."""
        token = token_of(request)
        known = self._known.get(_hash(token)) if token else None
        return known[0] if known else None

    def key(self, request: Asked) -> str:
        """Under what a request is counted: its guest, or its address where there is no guest that is known already."""
        known = self.known(request)
        return known.id if known else household_of(address_of(request))

    async def _find(self, token: str) -> Person | None:
        hashed = _hash(token)
        person, since = self._known.get(hashed, (None, 0.0))
        if person and monotonic() - since < _LIFE:
            return person
        changes = -1
        while changes != self._changes:  # what has been read may have changed meanwhile
            changes = self._changes
            person = await self._store.person_by_token(hashed)
        if person:
            self._known[hashed] = person, monotonic()
            self._known.move_to_end(hashed)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
            await self._see(person)
        return person

    async def _see(self, person: Person) -> None:
        """Note with what a guest has come, once an hour."""
        if self._tables.clock() - person.seen_at > _SEEN_MS:
            with suppress(StoreError):  # on a full disk people play on
                await self._store.see_device(person.device)


def _banned(until: int, why: str) -> ProblemError:
    if until == FOR_EVER:
        return ProblemError("banned-for-good", why=why)
    return ProblemError("banned", until=f"{datetime.fromtimestamp(until / 1000, UTC):%Y-%m-%d %H:%M} UTC", why=why)


def address_of(request: Asked) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "nowhere"


def token_of(request: Asked) -> str:
    """The token that a request brings; empty if none."""
    given = request.headers.get("authorization", "")
    return given.partition(" ")[2].strip() if given else request.cookies.get(COOKIE, "")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
