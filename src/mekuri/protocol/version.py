"""The version of what travels between server and clients. `docs/versions.md` says what raises it."""

from __future__ import annotations

HEADER = "mekuri-api"  # of every request of ours, and of every answer
API = 2  # what this Mekuri speaks; whoever names no version is answered in it
OLDEST = 2  # what a server still understands
