"""Visitors: the guests of requests, by the tokens in their headers and cookies."""

from __future__ import annotations

from contextlib import suppress

from litestar.datastructures import Cookie

from mekuri.desk.limits import Networks, networks_of
from mekuri.desk.route import Visitor
from mekuri.desk.stores import Person
from mekuri.server.base.responses import Asked, accepts_gzip
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.log import LogError

# The cookie of earlier releases, of which every server on a host had the same. Each database has one of its own now, whose name
# begins so. The earlier one is still read, and it is written where it is free or this database's own: processes of the release
# before, which know no other, may serve the same database.
COOKIE = "mekuri"
BANNED = "banned"  # the opt key of routes that banned guests may use: to export and to delete their own data
_SEATS = 200  # seats of one guest that are looked through
_YEAR = 365 * 86_400


class Visitors:
    """The guests of requests.

    Attributes:
        cookie: the name of the cookie with the token, from the id of the database: servers on one host have different ones.
    """

    def __init__(self, desk: ServerDesk) -> None:
        self._desk = desk
        self._guests = desk.guests
        self.cookie = COOKIE

    async def begin(self) -> None:
        """Read the id of the database."""
        self.cookie = f"{COOKIE}-{await self._desk.store.site_id()}"

    async def visitor(self, request: Asked) -> Visitor:
        """Return the visitor of a request. Raises as `find`."""
        person = await self.find(request)
        # A request that no guest has sent may have the cookie of a guest whom this server does not know any more.
        lost = person is None and not _by_hand(request) and self.cookie in request.cookies
        here = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
        return Visitor(person, lost, address_of(request), here, accepts_gzip(request))

    async def find(self, request: Asked) -> Person | None:
        """Return the guest of a request; None without a token, or with a cookie that is not valid any more.

        Raises:
            ProblemError: the bearer token is not valid, or the guest is banned.
        """
        scheme = request.headers.get("authorization", "bearer").partition(" ")[0]
        found = await self._first(self.tokens(request)) if scheme.lower() == "bearer" else None
        if found is None and _by_hand(request):
            raise ProblemError("bad-token")
        if found and not request.scope["route_handler"].opt.get(BANNED):
            self._guests.need_welcome(found)
        return found

    def tokens(self, request: Asked) -> list[str]:
        """Return the tokens of a request, the first one that is valid counts: that of its header, or those of its cookies."""
        if given := request.headers.get("authorization", ""):
            return [given.partition(" ")[2].strip()]
        return [token for name in (self.cookie, COOKIE) if (token := request.cookies.get(name))]

    async def _first(self, tokens: list[str]) -> Person | None:
        for token in tokens:
            if found := await self._guests.find(token):
                return found
        return None

    # --- Cookies ---

    async def signed_in(self, request: Asked, token: str) -> list[Cookie]:
        """Return the cookies with a new token."""
        return [_cookie(request, name, token) for name in await self.cookies(request)]

    async def renewed(self, request: Asked, person: Person) -> list[Cookie]:
        """Return the renewed cookies of a request that came with one; none for a request with a bearer token."""
        if _by_hand(request):
            return []
        for token in self.tokens(request):
            found = await self._guests.find(token)
            if found and found.device == person.device:
                return [_cookie(request, name, token) for name in await self.cookies(request)]
        return []

    async def deleted(self, request: Asked) -> list[Cookie]:
        """Return the deleted cookies of a request that is about to sign its device out; none for a request with a bearer token."""
        return [] if _by_hand(request) else [_cookie(request, name, "", 0) for name in await self.cookies(request)]

    async def cookies(self, request: Asked) -> list[str]:
        """Return the names of the cookies that this server may write: its own, and the earlier one where no other server has it."""
        earlier = request.cookies.get(COOKIE)
        return [self.cookie, COOKIE] if not earlier or await self._guests.find(earlier) else [self.cookie]

    # --- From the cache alone ---

    def known(self, request: Asked) -> Person | None:
        """Return the guest of a request from the cache alone, without a query; None where the guest is not cached."""
        return next(filter(None, map(self._guests.known, self.tokens(request))), None)

    async def plays(self, request: Asked, table: str) -> bool:
        """Whether the guest of a request sits at a running table; False where the guest is not cached.

        The database is read only for a table that is not in memory here.
        """
        known = self.known(request)
        if known is None:
            return False
        live = self._desk.tables.live_tables.get(table)
        if live and live.table:
            return live.table.state == "running" and seat_of(live.table, known.id) is not None
        with suppress(LogError):
            return table in await self._desk.store.of_person(known.id, ("running",), _SEATS)
        return False

    def counted(self, request: Asked) -> str | Networks:
        """Return under what a request is counted: its guest's id, or the networks of its address where no guest is cached."""
        known = self.known(request)
        return known.id if known else networks_of(address_of(request))


def address_of(request: Asked) -> str:
    """Return the IP address of a request's client; `nowhere` where there is none."""
    return request.client.host if request.client else "nowhere"


def _cookie(request: Asked, name: str, token: str, life: int = _YEAR) -> Cookie:
    secure = request.url.scheme == "https" or request.app.state.settings.secure
    return Cookie(name, value=token, httponly=True, samesite="lax", secure=secure, max_age=life, path="/")


def _by_hand(request: Asked) -> bool:
    """Whether a request is authenticated by a header and not by a cookie."""
    return "authorization" in request.headers
