"""Guests: people without an account, authenticated by a token, with one device or several."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Set
from contextlib import suppress
from datetime import UTC, datetime
from unicodedata import normalize

from msgspec.structs import replace

from mekuri.desk.counts import Counts
from mekuri.desk.export import device_of, export
from mekuri.desk.limits import Limits, RateLimit, networks_of
from mekuri.desk.news import News
from mekuri.desk.options import Options
from mekuri.desk.stores import FOR_EVER, Person, Stores
from mekuri.protocol import guests as wire
from mekuri.table.errors import ProblemError
from mekuri.table.log import Conflict, LogError
from mekuri.table.names import GUEST, check_name

_KEPT = 10_000  # guests in the cache
_LIFE = 60.0  # seconds after which a cached guest is read again, in case a change was missed
_SEEN_MS = 3_600_000  # between two updates of a device's last use
_CODE = 18  # digits, which every keyboard has: nobody finds one by guessing, from however many addresses
_CODE_MS = 300_000  # until a code expires
_BETWEEN = " -\u2010\u2013\u2212\u30fc"  # characters that people type between the digits
_RENAMES, _SIGN_OUTS, _EXPORTS = 20, 6, 6  # of one guest in a minute


class Guests:
    """All guests. Only hashes of tokens are stored.

    Args:
        store: the database.
        options: how the desk is set up.
        limits: counts new guests and wrong codes by address.
        counts: counts new guests for the operator.
        news: the subscriptions of devices.
        changed: called with guests who were renamed, signed out on a device or deleted.

    Attributes:
        reserved: names that no guest may take here, besides the names that are reserved everywhere.
    """

    def __init__(
        self,
        store: Stores,
        options: Options,
        limits: Limits,
        counts: Counts,
        news: News,
        changed: Callable[[Set[str]], Awaitable[None]],
    ) -> None:
        self._store = store
        self._time = store.time
        self._counts = counts
        self._news = news
        self._changed = changed
        self.reserved = options.reserved
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()  # by token hash, with the time of reading
        self._changes = 0  # counts calls of `drop_cached`
        self._renamed, self._signed_out, self._exported = (RateLimit(each, store.time) for each in (_RENAMES, _SIGN_OUTS, _EXPORTS))
        self._added, self._guessed = limits.guests, limits.codes

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
        person = await self.find(token)
        assert person
        self._counts.guest()
        return person, token

    async def rename(self, person: Person, name: str) -> Person:
        """Rename a guest, at all tables. Returns the guest with the new name.

        Raises:
            ProblemError: the name is not allowed, or the guest was renamed too often within a minute.
        """
        if name == person.name:
            return person  # an unchanged name is not checked again
        name = check_name(name, self.reserved)
        self._renamed.count(person.id)
        await self._store.rename(person.id, name)
        await self._changed({person.id})
        return replace(person, name=name)

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
        found = await self.find(token)
        if not found:
            raise ProblemError("no-such-code")  # the guest was deleted meanwhile
        if person:
            await self._news.unsubscribe(person.device)  # the former guest is not notified here any more
        if person and person.id == found.id:
            await self._store.sign_out_device(person.id, person.device)  # the device has a new token
        await self._changed({found.id})
        return found, token

    async def sign_out(self, person: Person) -> None:
        """Sign a guest out on all other devices, and invalidate the code for a new one. Raises ProblemError for too often."""
        self._signed_out.count(person.id)
        await self._store.sign_out(person.id, person.device)
        await self._changed({person.id})

    async def sign_out_here(self, person: Person) -> None:
        """Sign a guest out on this device."""
        await self._store.sign_out_device(person.id, person.device)
        await self._changed({person.id})

    # --- Export and sign-in ---

    async def export(self, person: Person) -> AsyncIterator[bytes]:
        """Return everything stored about a guest, as chunks of JSON. Raises ProblemError where that is requested too often."""
        self._exported.count(person.id)
        return await export(self._store, person, await self._news.subscriptions(person.id))

    def drop_cached(self, people: Set[str]) -> None:
        """Read guests again who were renamed, signed out on a device, banned or deleted."""
        self._changes += 1
        for hashed in [hashed for hashed, (person, _) in self._known.items() if person.id in people]:
            del self._known[hashed]

    def need_welcome(self, person: Person) -> None:
        """Raise ProblemError for a guest who is banned."""
        if person.banned_until and person.banned_until > self._time.now():
            raise _banned(person.banned_until, person.banned_why or "")

    def known(self, token: str) -> Person | None:
        """Return the guest of a token from the cache alone, without a query; None where the guest is not cached."""
        found = self._known.get(_hash(token))
        return found[0] if found else None

    async def find(self, token: str) -> Person | None:
        """Return the guest of a token; None for one that is not valid."""
        hashed = _hash(token)
        person, since = self._known.get(hashed, (None, 0.0))
        if person and self._time.monotonic() - since < _LIFE:
            return person
        changes = -1
        while changes != self._changes:  # the row may have changed while it was read
            changes = self._changes
            person = await self._store.person_by_token(hashed)
        if person:
            self._known[hashed] = person, self._time.monotonic()
            self._known.move_to_end(hashed)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
            await self._see(person)
        return person

    async def _see(self, person: Person) -> None:
        """Update the time at which a device was last used, at most once an hour."""
        if self._time.now() - person.seen_at > _SEEN_MS:
            with suppress(LogError):  # a full disk must not stop people from playing
                await self._store.see_device(person.device)


def _banned(until: int, why: str) -> ProblemError:
    if until == FOR_EVER:
        return ProblemError("banned-for-good", why=why)
    return ProblemError("banned", until=f"{datetime.fromtimestamp(until / 1000, UTC):%Y-%m-%d %H:%M} UTC", why=why)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()
