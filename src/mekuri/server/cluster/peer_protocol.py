"""What the processes that serve one log send each other: frames over TCP, after a proof that the caller may read the database.

Each frame is a length in four bytes and a message in msgpack. A call has a number, which its answers bear: one answer, or for a
followed table any number of messages until its end. The connection is not encrypted: it belongs in a network that only these
processes and their database share.

Each side learns the protocol version of the other from the proof. A process sends one call only to a process of another version:
`follow`, by which it asks the home of a table to give the table up. The answer is `elsewhere`, or `refused` while the home keeps
the table. So the proof, the frames, the fields of Call, Follow and Reply, and these words never change: a field can only be added
at the end, with a default.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import socket
from collections.abc import Callable
from typing import cast

import msgspec

# The version of this protocol. Raise it once in a release in which a function marked `at_home`, its arguments or its result, a
# message or its meaning, or a kind of row of the log is new or different. Until that release is out, no second change raises it.
VERSION = 1
# By an older version, the kinds of rows that its processes do not know: they do not get a table with such a row. Version 0 ends the
# match there as void.
NEW_KINDS: dict[int, frozenset[str]] = {0: frozenset({"clock", "stall", "wish"})}
UNFOLLOWED = "unfollowed"  # the name of a call by which another version asks for a table only if nobody follows it
_LENGTH = 4  # bytes that say how long a message is
_LONGEST = 64 << 20  # bytes of one message
_UNSENT = 64 << 20  # bytes that may wait to be sent until the connection is given up
_NONCE = 32  # bytes, of which the first tell the version
_MARK = b"mekuri"  # what a nonce begins with, before the version in two bytes. Processes of version 0 send a nonce without it.
_KEPT_ALIVE = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 5_000, "TCP_NODELAY": 1}
_EARLY = 4096  # bytes that a peer may send before it has shown who it is
_GATHERING = 4  # turns of the event loop that a message waits for others, such as the answer to the call that brought it about


class Call(msgspec.Struct, array_like=True, frozen=True):
    """What the caller sends.

    Attributes:
        number: the number of the call; of the call that is to end, for `drop`.
        kind: `do` a function, `follow` a table, or `drop` what follows.
        name: the name of the function; UNFOLLOWED, or empty.
        payer: the guest or address key that is charged; empty where nobody is.
        body: the arguments of the function, or the Follow, in msgpack.
        neighbourhood: of the payer.
    """

    number: int
    kind: str
    name: str = ""
    payer: str = ""
    body: bytes = b""
    neighbourhood: str = ""


class Follow(msgspec.Struct, array_like=True, frozen=True):
    """A request for what happens at a table.

    Attributes:
        table: the table.
        person: the guest; None for a spectator.
        address: the IP address of the client.
        device: the id of the guest's device; None without a guest.
        after: the version that the client knows; None for none.
        room: how many events the client's queue has room for.
        process: the id of the process that asks.
    """

    table: str
    person: str | None
    address: str
    device: int | None
    after: int | None
    room: int
    process: str


class Reply(msgspec.Struct, array_like=True, frozen=True):
    """What the process that is called sends.

    Attributes:
        number: the number of the call.
        kind: `done`; `refused`, with a Problem; `elsewhere`, where it is not the home; or of a followed table `message` and `end`.
        body: the result or the Problem in msgpack, or the data of the message.
        name: the kind of the message.
        version: the viewer's version after the message; None where it leaves the version as it is.
        seconds: the processor time that a call has taken.
        playing: how much of it was work at a table, which does not make its payer heavy.
    """

    number: int
    kind: str
    body: bytes = b""
    name: str = ""
    version: int | None = None
    seconds: float = 0
    playing: float = 0


class Lost(ConnectionError):
    """The connection to another process has ended, or could not be made."""


def notice_loss(connected: socket.socket) -> None:
    """Let a connection end within seconds where the other machine, or the way to it, is lost."""
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEPT_ALIVE.items():
        if (option := getattr(socket, name, None)) is not None:  # not every system has each of them
            connected.setsockopt(socket.IPPROTO_TCP, option, value)


class Line(asyncio.Protocol):
    """A connection that sends and receives messages.

    Args:
        made: called with it when it is connected.
    """

    def __init__(self, made: Callable[[Line], None] = lambda _: None) -> None:
        self._made = made
        self._transport: asyncio.Transport
        self._encoder = msgspec.msgpack.Encoder()
        self._unsent: list[bytes] = []
        self._got = bytearray()
        self._waiting: asyncio.Future[bytes] | None = None  # for what comes before the first message
        self._heard: Callable[[bytes], None] | None = None
        self._lost: Callable[[], None] | None = None
        self._open = True

    def begin(self, heard: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        """Begin to receive messages.

        Args:
            heard: called with each message.
            lost: called once when the connection has ended.
        """
        self._heard, self._lost = heard, lost
        if self._open:
            self._hear()
        else:
            lost()

    def send(self, message: Call | Reply) -> None:
        """Send a message, together with all others of a few turns of the event loop: each write wakes the other process up."""
        body = self._encoder.encode(message)
        if not self._unsent:
            self._flush_after(_GATHERING)
        self._unsent += (len(body).to_bytes(_LENGTH, "big"), body)

    def close(self) -> None:
        """End the connection."""
        self._transport.close()

    def _flush_after(self, turns: int) -> None:
        if turns:
            asyncio.get_running_loop().call_soon(self._flush_after, turns - 1)
        else:
            self._flush()

    def _flush(self) -> None:
        sent, self._unsent = b"".join(self._unsent), []
        if self._open:
            self._transport.write(sent)
            if self._transport.get_write_buffer_size() > _UNSENT:
                self._transport.abort()

    # --- What asyncio calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note that it is connected."""
        self._transport = cast(asyncio.Transport, transport)
        notice_loss(self._transport.get_extra_info("socket"))
        self._made(self)

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        self._got += data
        if self._heard:
            self._hear()
        elif self._waiting and not self._waiting.done() and len(self._got) >= _NONCE:
            self._waiting.set_result(self._taken())
        elif len(self._got) > _EARLY:
            self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        """Note that it has ended."""
        self._open = False
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(Lost("the connection ended"))
        if self._lost:
            self._lost()

    def _hear(self) -> None:
        assert self._heard
        done, got = 0, self._got
        while len(got) - done >= _LENGTH:
            length = int.from_bytes(got[done : done + _LENGTH], "big")
            if length > _LONGEST:
                self._transport.abort()
                break
            end = done + _LENGTH + length
            if len(got) < end:
                break
            self._heard(bytes(got[done + _LENGTH : end]))
            done = end
        del got[:done]

    # --- The proof ---

    async def prove(self, secret: str, id: str, version: int) -> int:
        """Show the process that is called that one knows its secret, and one's own version. Returns its version.

        Raises Lost where it is not the process of this id.
        """
        nonce, own = await self._next(), _new_nonce(version)
        self._transport.write(_proof(secret, nonce) + own)
        if not hmac.compare_digest(await self._next(), _proof(secret, own + id.encode())):
            raise Lost("another process answers there")
        return _version(nonce)

    async def check(self, secret: str, id: str, version: int) -> int | None:
        """Return the version of the caller, after telling it who this is; None if it does not know the secret. Raises Lost."""
        nonce = _new_nonce(version)
        self._transport.write(nonce)
        if not hmac.compare_digest(await self._next(), _proof(secret, nonce)):
            return None
        nonce = await self._next()
        self._transport.write(_proof(secret, nonce + id.encode()))
        return _version(nonce)

    async def _next(self) -> bytes:
        if not self._open:
            raise Lost("the connection ended")
        if len(self._got) >= _NONCE:
            return self._taken()
        self._waiting = asyncio.get_running_loop().create_future()
        return await self._waiting

    def _taken(self) -> bytes:
        taken = bytes(self._got[:_NONCE])
        del self._got[:_NONCE]
        return taken


def _new_nonce(version: int) -> bytes:
    head = _MARK + version.to_bytes(2, "big")
    return head + secrets.token_bytes(_NONCE - len(head))


def _version(nonce: bytes) -> int:
    """Return the version of the process that has sent a nonce."""
    return int.from_bytes(nonce[len(_MARK) : len(_MARK) + 2], "big") if nonce.startswith(_MARK) else 0


def _proof(secret: str, nonce: bytes) -> bytes:
    return hmac.digest(secret.encode(), nonce, "sha256")
