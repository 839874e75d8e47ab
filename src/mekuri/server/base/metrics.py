"""The Prometheus metrics of this process.

No label has the name of a person, a table or an address, or a value from a request. The number of series is therefore bounded.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, disable_created_metrics

from mekuri import __version__

REGISTRY = CollectorRegistry()
disable_created_metrics()  # type: ignore[no-untyped-call]  # the start of each series: unused, and half of the output
ProcessCollector(registry=REGISTRY)  # memory, open files and processor time, where the system provides them

_ANSWERING = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
_WRITING = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10)
_THINKING = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

Info("mekuri", "The version that runs.", registry=REGISTRY).info({"version": __version__})
STARTED = Gauge("mekuri_start_time_seconds", "When this process began to serve, in seconds since 1970.", registry=REGISTRY)

REQUESTS = Counter("mekuri_requests", "Requests that were answered.", ["method", "route", "status"], registry=REGISTRY)
ANSWERING = Histogram("mekuri_request_seconds", "Time until an answer began.", ["route"], buckets=_ANSWERING, registry=REGISTRY)
REFUSALS = Counter("mekuri_refusals", "Refusals, by what they are called.", ["error"], registry=REGISTRY)

STREAMS = Gauge("mekuri_streams", "Streams that are open.", registry=REGISTRY)
CONNECTIONS = Gauge("mekuri_connections", "Connections that are open.", registry=REGISTRY)
PEOPLE = Gauge("mekuri_people", "Guests who have a stream open.", registry=REGISTRY)
LEAP = Gauge(
    "mekuri_clock_leap_seconds", "By how much the clock has leapt ahead; negative: back. 0: it can be trusted.", registry=REGISTRY
)
TABLES = Gauge("mekuri_tables", "Tables in memory, by their state.", ["state"], registry=REGISTRY)

GUESTS = Counter("mekuri_guests", "New guests.", registry=REGISTRY)
MOVES = Counter("mekuri_moves", "Actions of people that were taken.", registry=REGISTRY)
HANDED_ON = Counter("mekuri_handed_on", "Requests that another process, the home of their table, has done.", registry=REGISTRY)
MESSAGES = Counter("mekuri_messages", "Messages that were put on streams, by their kind.", ["kind"], registry=REGISTRY)

THINKING = Histogram("mekuri_bot_turn_seconds", "Time that a bot's turn took to think.", buckets=_THINKING, registry=REGISTRY)
LAPSES = Counter("mekuri_bot_lapses", "Turns that a bot has lost to another.", registry=REGISTRY)

NOTICES = Counter("mekuri_notices", "Notices of turns, by their way and outcome.", ["way", "outcome"], registry=REGISTRY)

ROWS = Counter("mekuri_log_rows", "Rows that were written into the log, by their kind.", ["kind"], registry=REGISTRY)
WRITING = Histogram("mekuri_log_write_seconds", "Time of one transaction of the log.", buckets=_WRITING, registry=REGISTRY)
FAILURES = Counter("mekuri_log_failures", "Writes that the database has refused, by why.", ["why"], registry=REGISTRY)
