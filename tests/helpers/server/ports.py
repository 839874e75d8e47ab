"""Free ports on loopback."""

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle

# Systems give ports from 32768 on to connections that go out. One of these might take a port before the server listens at it.
_FIRST, _LAST = 12_000, 32_000
_APART = 331  # ports between two processes that were started one after the other
_start = _FIRST + os.getpid() * _APART % (_LAST - _FIRST)
_ports: Iterator[int] = cycle([*range(_start, _LAST), *range(_FIRST, _start)])


def free_port() -> int:
    """Return the number of a TCP port at which nothing listens, and which nothing else takes meanwhile."""
    for port in _ports:
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("the ports go round for ever")
