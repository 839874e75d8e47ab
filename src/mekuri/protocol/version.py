"""The version of what travels between server and clients. `docs/versions.md` says what raises it."""

from __future__ import annotations

HEADER = "mekuri-api"  # of every request of ours, and of every answer
API = 1  # what this Mekuri speaks
OLDEST = 1  # what a server still understands; whoever names no version speaks the first
