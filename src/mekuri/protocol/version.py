"""The version of the messages between server and clients. `docs/versions.md` says which changes raise it."""

from __future__ import annotations

HEADER = "mekuri-api"  # the HTTP header with the version, in requests of Mekuri's own clients and in all answers
API = 2  # the version of this Mekuri, in which a request without the header is answered
TIME = "mekuri-time"  # the header of answers with the time by the server's clock, in milliseconds since 1970
OLDEST = 2  # the oldest version that a server accepts
