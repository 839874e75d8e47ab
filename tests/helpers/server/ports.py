"""Free ports on loopback."""

import socket


def free_port() -> int:
    """Return the number of a TCP port at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
