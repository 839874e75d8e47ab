"""How a server is set up."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, fields
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from mekuri.engine.errors import OptionError

LogFormat = Literal["text", "json"]
LogLevel = Literal["error", "warning", "info", "requests", "addresses"]

_MOST = 1 << 31
_USUAL_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\]")


@dataclass(frozen=True)
class Settings:
    """What may be different from server to server. Times are in seconds.

    Attributes:
        database: the file of the log, or its URL; the user's data folder if left out.
        public_url: the address that people see, such as `https://mekuri.example`, where that is not the address it listens at.
        hosts: the names under which requests may come; all if empty. Names that others can point here are thus refused.
        metrics: the address and port at which whoever keeps the server is told what it counts, such as 127.0.0.1:9413.
        log_format: how the log is written, `text` or `json`.
        log_level: what it tells: `error`, `warning`, `info`, each of `requests`, or those with their `addresses`.
        proxies: the addresses or networks of proxies that are believed about where a request comes from.
        reserved: names that nobody may take, beside those of bots and of the house.
        grace: how long a seat waits for its absent person before a bot plays it.
        window: how long a table waits where silence is an answer; a table keeps what it began with.
        pace: how long one thing is looked at that happens; a bot answers so long after its turn began.
        thinking: how long a bot of another distribution may think about one turn.
        idle: after how long a table at which nobody is goes out of memory; it comes back from the log when it is asked for.
        unused: after how long a table that never filled is closed.
        unattended: after how long a listed table is closed at which nobody waits.
        forgotten: after how long a match in which nothing happens is closed.
        alone: the same for a match of one person against bots.
        retention: for how many days a match that is over is kept; 0 for ever.
        patience: how long one request may take.
        streams: how many streams one guest may have open.
        strangers: how many streams may be open from one address for those who have no guest's place.
        tables: how many unfinished tables one guest may have made.
        lobby: how many open tables of one guest are listed at a time; twice as many of one household.
        requests: how many requests a second one guest, or one address without a guest, may send; 0 for any number.
        budget: how many milliseconds of processor time a second one guest, or one address without a guest, may use; 0 for any
            number.
        budget_each: how many all at one address may use together; 0 for any number.
        remembered: how many MiB of what was told are kept, to be told again.
        guests: how many guests a minute one address may bring; 0 for any number.
        codes: how many wrong codes for a device a minute one address may try; all together ten times as many.
        head: how long the head of a request may take, from the first moment of a connection or its own first byte.
        head_size: how many bytes it may have.
        headers: how many headers it may have.
        line: how many bytes one header, or the address, may have.
        connections: how many connections there may be; a quarter of them are for those at tables.
        connections_each: how many of them one address may have, or requests under way where it comes through a proxy.
    """

    database: str | Path | None = None
    public_url: str | None = None
    hosts: tuple[str, ...] = ()
    metrics: str | None = None
    log_format: LogFormat = "text"
    log_level: LogLevel = "warning"
    proxies: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    grace: float = 90
    window: float = 8
    pace: float = 0.9
    thinking: float = 5
    idle: float = 600
    unused: float = 86_400
    unattended: float = 3_600
    forgotten: float = 90 * 86_400
    alone: float = 30 * 86_400
    retention: float = 0
    patience: float = 10
    streams: int = 16
    strangers: int = 64
    tables: int = 50
    lobby: int = 3
    requests: int = 100
    budget: int = 100
    budget_each: int = 500
    remembered: int = 64
    guests: int = 30
    codes: int = 10
    head: float = 10
    head_size: int = 16_384
    headers: int = 100
    line: int = 8_192
    connections: int = 4_096
    connections_each: int = 256

    def __post_init__(self) -> None:
        """Raises OptionError for a number that is none of these, or what is no address where one is wanted."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and not 0 <= value <= _MOST:
                raise OptionError(f"{field.name} is a number from 0 to {_MOST}, not {value}")
        for proxy in self.proxies:
            try:
                ip_network(proxy)
            except ValueError:
                raise OptionError(
                    f"a proxy is an address such as 127.0.0.1 or a network such as 10.0.0.0/8, not {proxy!r}"
                ) from None

        if self.metrics is not None:
            place_of(self.metrics)
        if self.public_url is not None:
            object.__setattr__(self, "public_url", origin_of(self.public_url))

    @property
    def secure(self) -> bool:
        """Whether people come over secure lines."""
        return (self.public_url or "").startswith("https:")


def place_of(told: str) -> tuple[str, int]:
    """The address and port of a text such as 127.0.0.1:9413 or [::1]:9413. Raises OptionError where it is none."""
    address, _, port = told.rpartition(":")
    try:
        host = str(ip_address(address[1:-1] if address.startswith("[") and address.endswith("]") else address))
        if (":" in host) == address.startswith("[") and port.isascii() and port.isdecimal() and int(port) < 1 << 16:
            return host, int(port)
    except ValueError:
        pass
    raise OptionError(f"metrics are told at an address and a port, such as 127.0.0.1:9413, not at {told!r}")


def origin_of(told: str) -> str:
    """The address that people see, as browsers write it: scheme, name in small letters, and a port that is not the usual one.

    Raises OptionError where it is none, or has more than these.
    """
    with suppress(ValueError):
        parts = urlsplit(told)
        name = (parts.hostname or "").encode("idna").decode()
        port = "" if parts.port in (None, _USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
        host = f"[{ip_address(name)}]" if ":" in name else name
        found = f"{parts.scheme}://{host}{port}"
        bare = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
        if parts.scheme in _USUAL_PORTS and bare and _NAME.fullmatch(host) and told.isprintable() and told == told.strip():
            return found
    raise OptionError(f"a public URL is what people see before the path, such as https://mekuri.example, not {told!r}")
