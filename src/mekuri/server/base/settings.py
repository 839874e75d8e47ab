"""The settings of a server."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, fields
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from mekuri.desk.options import Options
from mekuri.engine.errors import OptionError

LogFormat = Literal["text", "json"]
WebhookLang = Literal["en", "ja"]
LogLevel = Literal["error", "warning", "info", "requests", "addresses"]

_MOST = 1 << 31
_USUAL_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\]")


@dataclass(frozen=True)
class Settings:
    """The settings of a server. Times are in seconds unless said otherwise.

    Attributes:
        database: the path of the database, or its URL; None for a file in the user's data folder.
        public_url: the URL that people see, such as `https://mekuri.example`, where it is not the address the server listens at.
        hosts: the Host names that are accepted; all if empty. Other names are refused, against DNS rebinding.
        metrics: the address and port at which metrics are served to the operator, such as 127.0.0.1:9413.
        peers: the address and port at which other processes with the same database are answered, which only they may reach; with
            port 0 any free one.
        lease: how long other processes wait for one that is lost until they take its tables; 0 for what the database allows.
        log_format: the format of the server's log: `text` or `json`.
        log_level: the lowest level that is logged: `error`, `warning`, `info`, each of `requests`, or those with their `addresses`.
        proxies: addresses or networks of proxies whose X-Forwarded-For is trusted.
        reserved: names that no guest may take, besides the names of bots and the names that are always reserved.
        push_hosts: names of further push services beside those of the usual browsers; a leading dot stands for all names below.
        webhook: the URL of a club's own chat, to which it is posted whose turn it is at tables whose makers want that; a secret.
        webhook_lang: the language of what is posted there, `en` or `ja`.
        offline: whether browsers keep the page for offline; else they delete what they have kept, and end their notices of turns.
        grace: how long a seat waits for an absent person before a bot plays it.
        stalled: how long a connected player may take to act until the waiting players may have a bot play; 0 for no limit.
        window: how long a table waits where silence is an answer; a table keeps the value it was made with.
        pace: how long each event is shown; a bot's answer is sent no sooner than that after its turn has begun.
        thinking: how long a bot of another distribution may think about one turn.
        idle: after how long without requests a table is evicted from memory; it is read from the log when it is requested again.
        unused: after how long a table that never filled is closed.
        unfilled: the same for a table that is to be played turn by turn, listed or not.
        unattended: after how long a listed table at which nobody waits is closed.
        forgotten: after how long a match in which nothing happens is closed.
        alone: the same for a match of one person against bots.
        retention: for how many days a finished match is kept; 0 for ever.
        patience: how long a request may take until its response begins.
        streams: how many streams one guest may have open.
        strangers: how many streams requests without a guest may have open from one address.
        tables: how many unfinished tables one guest may have made.
        lobby: how many open tables of one guest are listed at a time; twice as many of one address.
        requests: how many requests a second one guest, or one address without a guest, may send; 0 for no limit.
        budget: how many milliseconds of processor time a second one guest, or one address without a guest, may use; 0 for no limit.
        budget_each: how many milliseconds of processor time a second all at one address may use together; 0 for no limit.
        remembered: the size of the cache of events and responses, in MiB.
        guests: how many guests a minute may be created from one address; 0 for no limit.
        codes: how many wrong codes for a device a minute may be tried from one address.
        head: how long the head of a request may take, from the start of a connection, or from its first byte after a response.
        head_size: how many bytes the head of a request may have.
        headers: how many headers a request may have.
        line: how many bytes one header, or the URL, may have.
        connections: how many connections there may be; a quarter of them is kept for people at tables.
        connections_each: how many connections, or concurrent requests, one address may have.
    """

    database: str | Path | None = None
    public_url: str | None = Options.public_url
    hosts: tuple[str, ...] = ()
    metrics: str | None = None
    peers: str = "127.0.0.1:0"
    lease: float = 0
    log_format: LogFormat = "text"
    log_level: LogLevel = "warning"
    proxies: tuple[str, ...] = ()
    reserved: tuple[str, ...] = Options.reserved
    push_hosts: tuple[str, ...] = ()
    webhook: str | None = None
    webhook_lang: WebhookLang = "en"
    offline: bool = True
    grace: float = Options.grace
    stalled: float = Options.stalled
    window: float = Options.window
    pace: float = Options.pace
    thinking: float = Options.thinking
    idle: float = 600
    unused: float = 86_400
    unfilled: float = 14 * 86_400
    unattended: float = 3_600
    forgotten: float = 90 * 86_400
    alone: float = 30 * 86_400
    retention: float = 0
    patience: float = 10
    streams: int = Options.streams
    strangers: int = Options.strangers
    tables: int = Options.tables
    lobby: int = Options.lobby
    requests: int = 100
    budget: int = 100
    budget_each: int = 500
    remembered: int = Options.remembered
    guests: int = Options.guests
    codes: int = Options.codes
    head: float = 10
    head_size: int = 16_384
    headers: int = 100
    line: int = 8_192
    connections: int = 4_096
    connections_each: int = 256

    def __post_init__(self) -> None:
        """Check the values. Raises OptionError for a number out of range or an address that is not valid."""
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

        if self.webhook is not None and not _is_url(self.webhook):
            raise OptionError("a webhook is an https or http URL, such as the chat gives it")  # it is a secret, and not repeated
        if self.metrics is not None:
            place_of(self.metrics, "metrics are served")
        if ip_address(place_of(self.peers, "other processes are answered")[0]).is_unspecified:
            raise OptionError(f"other processes must find this one: peers is an address of this machine, not {self.peers}")
        if self.public_url is not None:
            object.__setattr__(self, "public_url", origin_of(self.public_url))

    @property
    def secure(self) -> bool:
        """Whether people come over HTTPS."""
        return (self.public_url or "").startswith("https:")


def desk_options(settings: Settings) -> Options:
    """Return the settings of a server's desk."""
    return Options(**{field.name: getattr(settings, field.name) for field in fields(Options)})


def _is_url(url: str) -> bool:
    with suppress(ValueError):
        parts = urlsplit(url)
        return parts.scheme in _USUAL_PORTS and bool(parts.hostname) and url.isprintable() and " " not in url
    return False


def place_of(place: str, what: str) -> tuple[str, int]:
    """Return the IP address and port of a text such as 127.0.0.1:9413 or [::1]:9413.

    Raises:
        OptionError: it is not valid. `what` says what it is for, such as "metrics are served".
    """
    address, _, port = place.rpartition(":")
    try:
        host = str(ip_address(address[1:-1] if address.startswith("[") and address.endswith("]") else address))
        if (":" in host) == address.startswith("[") and port.isascii() and port.isdecimal() and int(port) < 1 << 16:
            return host, int(port)
    except ValueError:
        pass
    raise OptionError(f"{what} at an address and a port, such as 127.0.0.1:9413, not at {place!r}")


def origin_of(url: str) -> str:
    """Return a URL as the origin that browsers send: scheme, name in lower case, and the port unless it is the scheme's default.

    Raises:
        OptionError: it is not an http or https URL, or has a path, query, fragment or user.
    """
    with suppress(ValueError):
        parts = urlsplit(url)
        name = (parts.hostname or "").encode("idna").decode()
        port = "" if parts.port in (None, _USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
        host = f"[{ip_address(name)}]" if ":" in name else name
        found = f"{parts.scheme}://{host}{port}"
        bare = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
        if parts.scheme in _USUAL_PORTS and bare and _NAME.fullmatch(host) and url.isprintable() and url == url.strip():
            return found
    raise OptionError(f"a public URL is what people see before the path, such as https://mekuri.example, not {url!r}")
