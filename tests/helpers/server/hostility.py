"""A hostile client: random requests, few of which a server would expect."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.helpers.server.raw import Headers, request

PATHS = (
    "/api/tables/{table}",
    "/api/tables/{table}/actions",
    "/api/tables/{table}/seat",
    "/api/tables/{table}/ready",
    "/api/tables/{table}/take-back",
    "/api/tables/{table}/cards",
    "/api/tables/{table}/events?since={number}",
    "/api/tables/{table}/rounds/{number}?seat={number}",
    "/api/tables/{table}/record",
    "/api/tables/{table}/nothing",
    "/api/tables",
    "/api/guests",
    "/api/guests/me",
    "/api/guests/code",
    "/api/guests/devices",
    "/api/guests/devices/here",
    "/api/guests/export",
    "/api/guests/matches",
    "/api/guests/matches?skip={number}",
    "/api/games/{word}/texts/{word}",
    "/api/games/{word}/puzzles/{word}",
    "/api/games",
    "/api/schema/openapi.json",
    "/{word}",
)
NUMBERS = (0, 1, 2, 3, 7, 15, 16, -1, 255, 1 << 31, 1 << 53, (1 << 53) - 1, 1 << 64, 10**400, 0.5, 1e308, -0.0)
WORDS = (
    "",
    "x",
    "en",
    "7I",
    "decline",
    "person",
    "greedy",
    "default",
    "__class__",
    "../../etc/passwd",
    "%00",
    "%2e%2e%2f",
    "%ff",
    "a" * 2000,
    "{0.__class__}",
    "'; DROP TABLE log; --",
    "鶴",
    "\u202e",
    "\x00",
    "-1",
    "NaN",
)
METHODS = ("GET", "GET", "POST", "POST", "POST", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW", "get")
NAMES = (
    "authorization",
    "cookie",
    "origin",
    "host",
    "last-event-id",
    "if-none-match",
    "range",
    "expect",
    "upgrade",
    "x-forwarded-for",
    "x",
)
BROKEN = (
    b"",
    b"{",
    b'{"version": 1, "act',
    b"\xff\xfe\x00",
    b'{"action": "\\ud800", "version": 0}',
    b'{"version": NaN, "action": "7I"}',
    b'{"version": 0, "version": 1, "action": "7I", "action": "G"}',
    b'{"round": ' + b"9" * 5000 + b"}",
    b"[" * 8000,
    b'{"a":' * 2000 + b"1" + b"}" * 2000,
    b'"' + b"x" * 17_000 + b'"',
    b"null",
    b"0",
    "﻿{}".encode(),
)
SENT_TYPES = (
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/msgpack",
    "x",
    "",
)


class Hostile:
    """A client that attacks the server. It knows the tables and has some guests of its own.

    Attributes:
        tables: ids of tables.
        headers: the headers of each of its guests, and of a client that is none.
        actions: actions that are legal somewhere.
        games: the games of the server.
    """

    def __init__(
        self, chance: Random, tables: Sequence[str], headers: Sequence[Headers], actions: Sequence[str], games: Sequence[str]
    ) -> None:
        self._chance = chance
        self.tables = list(tables)
        self.headers = list(headers)
        self.actions = list(actions)
        self.games = list(games)

    def call(self) -> bytes:
        """Return a request, well formed or not."""
        make = self._chance.choices((self._likely, self._strange, self._garbled, self._chunks), (50, 35, 10, 5))[0]
        return make()

    def stream(self) -> tuple[str, Headers]:
        """Return the address of a stream, and the headers to follow it with."""
        tables = [self._chance.choice([*self.tables, "x"]) for _ in range(self._chance.randrange(1, 11))]
        last = self._chance.choice(("", "0", "5", "999999", "x", "1,2", "9" * 200, "-1", "0,0,0"))
        return "/api/stream?" + "&".join(f"table={table}" for table in tables), self._who() | {"last-event-id": last}

    # --- Calls ---

    def _likely(self) -> bytes:
        """Return a request that a client might really send, at a time and a place where it may not fit."""
        table, number = self._chance.choice(self.tables), self._chance.randrange(20)
        tried: tuple[tuple[str, str, Any], ...] = (
            ("POST", f"/api/tables/{table}/actions", {"version": number, "action": self._chance.choice(self.actions)}),
            ("POST", f"/api/tables/{table}/seat", {"seat": self._chance.choice((None, 0, 1, 2)), "cut": self._word()[:60]}),
            ("POST", f"/api/tables/{table}/ready", {"round": self._chance.randrange(1, 4)}),
            ("POST", f"/api/tables/{table}/take-back", {"version": number}),
            ("DELETE", f"/api/tables/{table}/seat", None),
            ("GET", f"/api/tables/{table}/events?since={number}", None),
            ("GET", f"/api/tables/{table}/rounds/{self._chance.randrange(1, 4)}?seat={self._chance.randrange(3)}", None),
            ("GET", f"/api/tables/{table}", None),
            ("GET", f"/api/tables/{table}/cards", None),
            ("POST", "/api/tables", {"game": self._chance.choice(self.games), "public": True}),
        )
        method, path, body = self._chance.choice(tried)
        return request(method, path, body, self._who())

    def _strange(self) -> bytes:
        """Return a request of the right form with wrong contents."""
        headers = self._who()
        for _ in range(self._chance.randrange(3)):
            headers[self._chance.choice(NAMES)] = _one_line(self._word())
        body = self._chance.choice((None, self._value, lambda: self._chance.choice(BROKEN)))
        if body is None:
            return request(self._chance.choice(METHODS), self._path(), None, headers)
        headers["content-type"] = self._chance.choice(SENT_TYPES[:1] * 4 + SENT_TYPES[1:])
        sent = _written(body())
        return request(self._chance.choice(METHODS), self._path(), sent, headers)

    def _garbled(self) -> bytes:
        """Return a request with some bytes changed, cut off or doubled."""
        data = bytearray(self._strange())
        for _ in range(self._chance.randrange(1, 6)):
            at = self._chance.randrange(len(data))
            change: Callable[[], Any] = self._chance.choice(
                (lambda: data.__setitem__(at, self._chance.randrange(256)), lambda: data.pop(at), lambda: data.insert(at, 10))  # noqa: B023
            )
            change()
            if not data:
                break
        return bytes(data[: self._chance.choice((len(data), len(data) // 2))])

    def _chunks(self) -> bytes:
        """Return a request with a chunked body, in which some chunk sizes are wrong."""
        head = request(
            "POST", self._path(), None, self._who() | {"transfer-encoding": "chunked", "content-type": "application/json"}
        )
        sizes = [self._chance.choice((b"1", b"5", b"ffff", b"0", b"-1", b"zz", b"")) for _ in range(3)]
        return head + b"".join(size + b"\r\n" + b"{" * self._chance.choice((0, 1, 5)) + b"\r\n" for size in sizes) + b"0\r\n\r\n"

    # --- What they are made of ---

    def _who(self) -> Headers:
        return dict(self._chance.choice(self.headers))

    def _word(self) -> str:
        return self._chance.choice(WORDS)

    def _path(self) -> str:
        path = self._chance.choice(PATHS)
        for name, choose in (
            ("{table}", self._table),
            ("{number}", lambda: str(self._chance.choice(NUMBERS))),
            ("{word}", self._word),
        ):
            while name in path:
                path = path.replace(name, choose(), 1)
        return _one_line(path).replace(" ", "%20")

    def _table(self) -> str:
        return self._chance.choice([*self.tables * 3, *WORDS])

    def _value(self, depth: int = 0) -> Any:
        """Return random JSON, with names of fields that the server knows."""
        kind = self._chance.randrange(6 if depth < 3 else 3)
        if kind == 0:
            return self._chance.choice(NUMBERS)
        if kind == 1:
            return self._chance.choice((None, True, False))
        if kind == 2:
            return self._word()
        if kind == 3:
            return [self._value(depth + 1) for _ in range(self._chance.randrange(4))]
        fields = (
            "version",
            "action",
            "seat",
            "cut",
            "round",
            "name",
            "game",
            "preset",
            "options",
            "match_options",
            "seats",
            "public",
            "x",
        )
        chosen = self._chance.sample(fields, self._chance.randrange(1, 5))
        return {name: self._value(depth + 1) for name in chosen}


def _one_line(text: str) -> str:
    return text.replace("\r", "").replace("\n", "")


def _written(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()
