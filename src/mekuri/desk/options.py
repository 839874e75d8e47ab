"""How a desk is set up: the values that it shares with the settings of a server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How a desk is set up. Times are in seconds. `mekuri.server.base.settings.Settings` describes each value."""

    public_url: str | None = None
    reserved: tuple[str, ...] = ()
    grace: float = 90
    stalled: float = 300
    window: float = 8
    pace: float = 0.9
    thinking: float = 5
    streams: int = 16
    strangers: int = 64
    tables: int = 50
    lobby: int = 3
    remembered: int = 64
    guests: int = 30
    codes: int = 10
