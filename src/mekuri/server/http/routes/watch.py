"""Routes for the operator: liveness, readiness and metrics.

`/health` and `/ready` answer everybody, without a rate limit. `/metrics` is served at an address of its own (`--metrics`); there
the first two answer even when visitors have taken all connections.
"""

from __future__ import annotations

from collections import Counter

from litestar import Litestar, MediaType, Response, route
from litestar.datastructures import State
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from mekuri.server.base import metrics
from mekuri.server.base.responses import Asked
from mekuri.server.guard.error_handlers import HANDLERS
from mekuri.server.guard.middleware import OPEN, headers
from mekuri.server.tables.server_desk import ServerDesk
from mekuri.table.log import STATES

_UNREAD = "unread"  # the state of a table that has not been read from the log yet


@route("/health", http_method=["GET", "HEAD"], include_in_schema=False, opt=OPEN)
async def show_health() -> Response[str]:
    """Answer 200: the process is alive."""
    return Response("alive\n", media_type=MediaType.TEXT)


@route("/ready", http_method=["GET", "HEAD"], include_in_schema=False, opt=OPEN)
async def show_ready(request: Asked) -> Response[str]:
    """Answer 200 where the database can be read and written, and the server is not about to stop; 503 otherwise."""
    await request.app.state.desk.check()
    return Response("ready\n", media_type=MediaType.TEXT)


@route("/metrics", http_method=["GET", "HEAD"], include_in_schema=False)
async def show_metrics(request: Asked) -> Response[bytes]:
    """Return the metrics in Prometheus' text format."""
    state = request.app.state
    _look_around(state.desk)
    metrics.CONNECTIONS.set(len(state.places))
    return Response(generate_latest(metrics.REGISTRY), media_type=CONTENT_TYPE_PLAIN_0_0_4)


def _look_around(desk: ServerDesk) -> None:
    """Set the gauges of streams, people and tables."""
    streams = desk.streams.open
    metrics.STREAMS.set(len(streams))
    metrics.PEOPLE.set(len({stream.person for stream in streams if stream.person}))
    found = Counter(live.table.state if live.table else _UNREAD for live in desk.tables.live_tables.values())
    for state in (*STATES, _UNREAD):
        metrics.TABLES.labels(state).set(found[state])


def keepers_app(state: State) -> Litestar:
    """Return the application at the address of `--metrics`, which shares the state of the one for visitors."""
    return Litestar(
        [show_health, show_ready, show_metrics],
        state=state,
        exception_handlers=HANDLERS,
        before_send=[headers(secure=False)],
        openapi_config=None,
        logging_config=None,
    )
