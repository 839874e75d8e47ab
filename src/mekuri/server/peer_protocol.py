"""What the processes that serve one log send each other: frames over TCP, after a proof that the caller may read the database.

Each frame is a length in four bytes and a message in msgpack. A call has a number, which its answers bear: one answer, or for a
followed table any number of messages until its end. The connection is not encrypted: it belongs in a network that only these
processes and their database share.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec

_LENGTH = 4  # bytes that say how long a message is
_LONGEST = 64 << 20  # bytes of one message
_UNSENT = 64 << 20  # bytes that may wait to be sent until the connection is given up
_AT_ONCE = 1 << 18  # bytes that are read at a time
_NONCE = 32  # bytes


class Call(msgspec.Struct, array_like=True, frozen=True):
    """What the caller sends.

    Attributes:
        number: the number of the call; of the call that is to end, for `drop`.
        kind: `do` a method, `follow` a table, or `drop` what follows.
        name: the method; empty otherwise.
        payer: the guest or address key that is charged; empty where nobody is.
        body: the arguments of the method, or the Follow, in msgpack.
    """

    number: int
    kind: str
    name: str = ""
    payer: str = ""
    body: bytes = b""


class Follow(msgspec.Struct, array_like=True, frozen=True):
    """A request for what happens at a table.

    Attributes:
        table: the table.
        person: the guest; None for a spectator.
        address: the IP address of the client.
        device: the id of the guest's device; None without a guest.
        after: the version that the client knows; None for none.
        room: how many events the client's queue has room for.
    """

    table: str
    person: str | None
    address: str
    device: int | None
    after: int | None
    room: int


class Reply(msgspec.Struct, array_like=True, frozen=True):
    """What the process that is called sends.

    Attributes:
        number: the number of the call.
        kind: `done`; `refused`, with a Problem; `elsewhere`, where it is not the home; or of a followed table `message` and `end`.
        body: the result or the Problem in msgpack, or the data of the message.
        name: the kind of the message.
        version: the viewer's version after the message; None where it leaves the version as it is.
        seconds: the processor time that a call has taken.
    """

    number: int
    kind: str
    body: bytes = b""
    name: str = ""
    version: int | None = None
    seconds: float = 0


class Lost(ConnectionError):
    """The connection to another process has ended, or could not be made."""


class Line:
    """A connection that sends and receives messages."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._encoder = msgspec.msgpack.Encoder()
        self._waiting: list[bytes] = []

    def send(self, message: Call | Reply) -> None:
        """Send a message, together with all others of this turn of the event loop."""
        body = self._encoder.encode(message)
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting += (len(body).to_bytes(_LENGTH, "big"), body)

    def _flush(self) -> None:
        sent, self._waiting = b"".join(self._waiting), []
        self._writer.write(sent)
        if self._writer.transport.get_write_buffer_size() > _UNSENT:
            self._writer.transport.abort()

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield the messages that come, until the connection ends."""
        kept = bytearray()
        while True:
            with suppress(ConnectionError):
                if got := await self._reader.read(_AT_ONCE):
                    kept += got
                    done = 0
                    while len(kept) - done >= _LENGTH:
                        end = done + _LENGTH + (length := int.from_bytes(kept[done : done + _LENGTH], "big"))
                        if length > _LONGEST:
                            return
                        if len(kept) < end:
                            break
                        yield bytes(kept[done + _LENGTH : end])
                        done = end
                    del kept[:done]
                    continue
            return

    def close(self) -> None:
        """End the connection."""
        self._writer.close()

    # --- The proof ---

    async def prove(self, secret: str, id: str) -> None:
        """Show the process that is called that one knows its secret. Raises Lost where it is not the process of this id."""
        try:
            nonce = await self._reader.readexactly(_NONCE)
            self._writer.write(_proof(secret, nonce))
            answer = await self._reader.readexactly(_NONCE)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Lost("the connection ended") from error
        if not hmac.compare_digest(answer, _proof(secret, id.encode())):
            raise Lost("another process answers there")

    async def check(self, secret: str, id: str) -> bool:
        """Return whether the caller knows the secret of this process, after telling it who this is."""
        nonce = secrets.token_bytes(_NONCE)
        self._writer.write(nonce)
        try:
            answer = await self._reader.readexactly(_NONCE)
        except (asyncio.IncompleteReadError, ConnectionError):
            return False
        if not hmac.compare_digest(answer, _proof(secret, nonce)):
            return False
        self._writer.write(_proof(secret, id.encode()))
        return True


def _proof(secret: str, nonce: bytes) -> bytes:
    return hmac.digest(secret.encode(), nonce, "sha256")
