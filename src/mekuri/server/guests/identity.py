"""Guests: people without an account, authenticated by a token, with one device or several."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence, Set
from contextlib import suppress
from datetime import UTC, datetime
from unicodedata import normalize

from mekuri.protocol import guests as wire
from mekuri.server.base import metrics
from mekuri.server.base.asked import Asked
from mekuri.server.base.limits import Limits, Networks, RateLimit, networks_of
from mekuri.server.guests.export import device_of, export
from mekuri.server.storage.moderation import FOR_EVER
from mekuri.server.tables.table_registry import TableRegistry
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, LogError
from mekuri.table.names import GUEST, check_name
from mekuri.table.stores import Person

# The cookie of earlier releases, of which every server on a host had the same. Each database has one of its own now, whose name
# begins so. The earlier one is still read, and it is written where it is free or this database's own: processes of the release
# before, which know no other, may serve the same database.
COOKIE = "mekuri"
# Requests that a banned guest may still send: to export and to delete their own data.
_OWN = (("GET", "/api/guests/export"), ("DELETE", "/api/guests/me"))
_KEPT = 10_000  # guests in the cache
_LIFE = 60.0  # seconds after which a cached guest is read again, in case a change was missed
_SEEN_MS = 3_600_000  # between two updates of a device's last use
_CODE = 18  # digits, which every keyboard has: nobody finds one by guessing, from however many addresses
_CODE_MS = 300_000  # until a code expires
_SEATS = 200  # seats of one guest that are looked through
_BETWEEN = " -\u2010\u2013\u2212\u30fc"  # characters that people type between the digits
_RENAMES, _SIGN_OUTS, _EXPORTS = 20, 6, 6  # of one guest in a minute


class Guests:
    """All guests. Only hashes of tokens are stored.

    Attributes:
        reserved: names that nobody may take at this server, beside those that are reserved everywhere.
        cookie: the name of the cookie with the token, from the id of the database: servers on one host have different ones.
    """

    def __init__(self, tables: TableRegistry, limits: Limits) -> None:
        self._tables = tables
        self._store = tables.store
        self.reserved = tables.settings.reserved
        self.cookie = COOKIE
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()  # by token hash, with the time of reading
        self._changes = 0  # counts calls of heard_of
        self._renamed, self._signed_out, self._exported = (
            RateLimit(each, tables.time) for each in (_RENAMES, _SIGN_OUTS, _EXPORTS)
        )
        self._added, self._guessed = limits.guests, limits.codes

    async def begin(self) -> None:
        """Read the id of the database."""
        self.cookie = f"{COOKIE}-{await self._store.site_id()}"

    async def add(self, name: str | None, address: str) -> tuple[Person, str]:
        """Create a guest.

        Args:
            name: the guest's name; None for a random one.
            address: the IP address of the client, whose new guests are counted.

        Returns:
            The guest, and the token, which is stored nowhere and cannot be read again.

        Raises:
            ProblemError: the name is not allowed, or the address brings too many guests.
        """
        id, token = secrets.token_urlsafe(9), secrets.token_urlsafe(32)
        called = check_name(name, self.reserved) if name is not None else f"{GUEST} {secrets.randbelow(9000) + 1000}"
        self._added.count(networks_of(address))
        await self._store.add_person(id, _hash(token), called)
        person = await self._find(token)
        assert person
        metrics.GUESTS.inc()
        return person, token

    async def rename(self, request: Asked, person: Person, name: str) -> Person:
        """Rename a guest, at all tables. Returns the guest with the new name.

        Raises:
            ProblemError: the name is not allowed, or the guest was renamed too often within a minute.
        """
        if name == person.name:
            return person  # an unchanged name is not checked again
        name = check_name(name, self.reserved)
        self._renamed.count(person.id)
        await self._store.rename(person.id, name)
        await self.heard_of({person.id})
        return await self._find_any(request) or person

    # --- Devices ---

    async def devices(self, person: Person) -> list[wire.Device]:
        """Return the devices on which a guest is signed in, oldest first."""
        return [device_of(device.id, device.made_at, device.seen_at, person) for device in await self._store.devices(person.id)]

    async def new_code(self, person: Person) -> tuple[str, int]:
        """Create a code of 18 digits with which the guest can sign in on another device. It replaces an older one.

        Returns:
            The code, and when it expires, in milliseconds since the epoch.
        """
        code = "".join(secrets.choice("0123456789") for _ in range(_CODE))
        try:
            return code, await self._store.add_code(person.id, _hash(code), _CODE_MS)
        except Conflict:  # another guest has the same code
            raise ProblemError("busy") from None

    async def use_code(self, asked: wire.AskDevice, person: Person | None, address: str) -> tuple[Person, str]:
        """Sign in on this device with the code of another.

        Args:
            asked: the code; `replace` allows a device that is another guest's to change over.
            person: the guest that this device has been until now; None if none.
            address: the IP address of the client, whose wrong codes are counted.

        Returns:
            The guest, and a new token for this device.

        Raises:
            ProblemError: the code is not valid, too many wrong codes were tried, or `person` is a guest and `replace` is not set.
        """
        if person and not asked.replace:
            raise ProblemError("guest-already")
        networks, token = networks_of(address), secrets.token_urlsafe(32)
        self._guessed.count(networks)
        code = "".join(sign for sign in normalize("NFKC", asked.code) if sign not in _BETWEEN)
        if not await self._store.use_code(_hash(code), _hash(token)):
            raise ProblemError("no-such-code")
        self._guessed.forgive(networks)
        found = await self._find(token)
        if not found:
            raise ProblemError("no-such-code")  # the guest was deleted meanwhile
        if person:
            await self._store.unsubscribe(person.device)  # this device is told nothing more of who it was
        if person and person.id == found.id:
            await self._store.sign_out_device(person.id, person.device)  # the device has a new token
        await self.heard_of({found.id})
        return found, token

    async def sign_out(self, person: Person) -> None:
        """Sign a guest out on all other devices, and invalidate the code for a new one. Raises ProblemError for too often."""
        self._signed_out.count(person.id)
        await self._store.sign_out(person.id, person.device)
        await self.heard_of({person.id})

    async def sign_out_here(self, person: Person) -> None:
        """Sign a guest out on this device."""
        await self._store.sign_out_device(person.id, person.device)
        await self.heard_of({person.id})

    # --- Export, deletion and sign-in ---

    async def export(self, person: Person) -> AsyncIterator[bytes]:
        """Return everything stored about a guest, as chunks of JSON. Raises ProblemError where that is requested too often."""
        self._exported.count(person.id)
        return await export(self._store, person)

    async def forget(self, id: str) -> None:
        """Delete a guest. It is completed even if the request is cancelled, and may be repeated."""
        await self._tables.cache.tasks.do(self._forget(id))

    async def _forget(self, id: str) -> None:
        await self._store.forget_person(id)
        try:
            await self.heard_of({id})
        finally:
            await self._tables.let_go(id)

    async def heard_of(self, people: Set[str]) -> None:
        """Drop cached guests that were renamed, signed out on a device, banned or deleted, and update their tables and streams."""
        self._changes += 1
        for hashed in [hashed for hashed, (person, _) in self._known.items() if person.id in people]:
            del self._known[hashed]
        await self._tables.heard_of(people)

    async def find(self, request: Asked) -> Person | None:
        """Return the guest of a request; None without a token, or with a cookie that is not valid any more.

        Raises:
            ProblemError: the bearer token is not valid, or the guest is banned. A banned guest may still export or delete their
                data.
        """
        found = await self._find_any(request)
        banned = found and found.banned_until and found.banned_until > self._tables.time.now()
        if found and banned and (request.method, request.url.path) not in _OWN:
            raise _banned(found.banned_until or 0, found.banned_why or "")
        return found

    async def _find_any(self, request: Asked) -> Person | None:
        given = request.headers.get("authorization")
        if given is None:
            return await self._find_first(self.tokens(request))
        scheme, _, token = given.partition(" ")
        person = await self._find(token.strip()) if scheme.lower() == "bearer" else None
        if person is None:
            raise ProblemError("bad-token")
        return person

    async def still(self, request: Asked, person: Person) -> bool:
        """Whether the guest has not been signed out since the request began."""
        return bool(await self.token(request, person))

    def lost(self, request: Asked) -> bool:
        """Whether a request has the cookie of this database. It is asked of one that no guest has sent."""
        return "authorization" not in request.headers and self.cookie in request.cookies

    def tokens(self, request: Asked) -> list[str]:
        """Return the tokens of a request, the first one that is valid counts: that of its header, or those of its cookies."""
        if given := request.headers.get("authorization", ""):
            return [given.partition(" ")[2].strip()]
        return [token for name in (self.cookie, COOKIE) if (token := request.cookies.get(name))]

    async def token(self, request: Asked, person: Person) -> str:
        """Return the token with which a request is sent by a guest's device; empty if it has none."""
        for token in self.tokens(request):
            found = await self._find(token)
            if found and found.device == person.device:
                return token
        return ""

    async def cookies(self, request: Asked) -> list[str]:
        """Return the names of the cookies that this server may write: its own, and the earlier one where no other server has it."""
        earlier = request.cookies.get(COOKIE)
        return [self.cookie, COOKIE] if not earlier or await self._find(earlier) else [self.cookie]

    def known(self, request: Asked) -> Person | None:
        """Return the guest of a request from the cache alone, without a query; None where it is not cached."""
        known = (self._known.get(_hash(token)) for token in self.tokens(request))
        return next((found[0] for found in known if found), None)

    async def plays(self, request: Asked, table: str) -> bool:
        """Whether the guest of a request sits at a running table; False where the guest is not cached.

        The database is read only for a table that is not in memory here.
        """
        known = self.known(request)
        if known is None:
            return False
        live = self._tables.cache.live_tables.get(table)
        if live and live.table:
            return live.table.state == "running" and seat_of(live.table, known.id) is not None
        with suppress(LogError):
            return table in await self._store.of_person(known.id, ("running",), _SEATS)
        return False

    def counted(self, request: Asked) -> str | Networks:
        """Return under what a request is counted: its guest's id, or the networks of its address where no guest is cached."""
        known = self.known(request)
        return known.id if known else networks_of(address_of(request))

    async def _find_first(self, tokens: Sequence[str]) -> Person | None:
        for token in tokens:
            if found := await self._find(token):
                return found
        return None

    async def _find(self, token: str) -> Person | None:
        hashed = _hash(token)
        person, since = self._known.get(hashed, (None, 0.0))
        if person and self._tables.time.monotonic() - since < _LIFE:
            return person
        changes = -1
        while changes != self._changes:  # the row may have changed while it was read
            changes = self._changes
            person = await self._store.person_by_token(hashed)
        if person:
            self._known[hashed] = person, self._tables.time.monotonic()
            self._known.move_to_end(hashed)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
            await self._see(person)
        return person

    async def _see(self, person: Person) -> None:
        """Update the time at which a device was last used, at most once an hour."""
        if self._tables.time.now() - person.seen_at > _SEEN_MS:
            with suppress(LogError):  # a full disk must not stop people from playing
                await self._store.see_device(person.device)


def _banned(until: int, why: str) -> ProblemError:
    if until == FOR_EVER:
        return ProblemError("banned-for-good", why=why)
    return ProblemError("banned", until=f"{datetime.fromtimestamp(until / 1000, UTC):%Y-%m-%d %H:%M} UTC", why=why)


def address_of(request: Asked) -> str:
    """Return the IP address of a request's client; `nowhere` where there is none."""
    return request.client.host if request.client else "nowhere"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
