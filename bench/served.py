"""A server under load in a process of its own. The other benches start it and ask it for its usage.

python bench/served.py tables FOLDER              a table server with a database of its own, without limits
python bench/served.py tables URL                 the same with a database in PostgreSQL, which others may share
python bench/served.py lasting FOLDER IDLE        the same with its usual pace; it also reports how many tables are in memory
python bench/served.py guarded FOLDER [GUESTS]    the same with its limits for one guest and one address, which a proxy at 127.0.0.1
                                                  may name; GUESTS a minute may be created from one address
python bench/served.py echo ANSWERED DELIVERED    a bare Litestar application that answers and streams this many bytes
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cyclopts
import uvicorn
from lines import open_many_files
from litestar import Litestar, Request, Response, get, post
from litestar import response as answer

from mekuri.server.base import metrics
from mekuri.server.base.settings import Settings
from mekuri.server.http.run import Server, listen

app = cyclopts.App(help=__doc__)


def answer_to_bench(port: int, tables: Callable[[], int] = int) -> None:
    """Print the port; then, for each line of input, print the usage, until the input ends.

    The usage is processor time in seconds, memory in bytes, tables in memory, bot turns of at most a second, and all bot turns.
    """

    def listen_to_it() -> None:
        for _ in sys.stdin:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            turns = [metrics.REGISTRY.get_sample_value("mekuri_bot_turn_seconds_bucket", {"le": most}) for most in ("1.0", "+Inf")]
            print(time.process_time(), pages * resource.getpagesize(), tables(), *turns, flush=True)
        os.kill(os.getpid(), signal.SIGINT)

    open_many_files()
    print(port, flush=True)
    threading.Thread(target=listen_to_it, daemon=True).start()


@app.command
def tables(where: str) -> None:
    """Run a table server with a database in a folder or at a URL, without limits for guests and addresses."""
    with listen("127.0.0.1", 0) as listening:
        many = 10**6
        database = where if "://" in where else Path(where) / "mekuri.db"
        free = Settings(database, pace=0, requests=0, guests=0, budget=0, budget_each=0)
        settings = replace(free, tables=many, streams=many, strangers=many, connections=20_000, connections_each=many)
        server = Server(settings, listening)
        answer_to_bench(listening.getsockname()[1], lambda: len(server._app.state.desk.tables.live_tables))
        server.serve_here()


@app.command
def guarded(folder: Path, guests: int = Settings.guests) -> None:
    """Run a table server with a database of its own, like `mekuri serve`."""
    with listen("127.0.0.1", 0) as listening:
        answer_to_bench(listening.getsockname()[1])
        settings = Settings(folder / "mekuri.db", pace=0, proxies=("127.0.0.1",), guests=guests)
        Server(settings, listening).serve_here()


@app.command
def lasting(folder: Path, idle: float) -> None:
    """Run a table server with its usual pace. A table without viewers leaves memory after `idle` seconds."""
    with listen("127.0.0.1", 0) as listening:
        settings = Settings(folder / "mekuri.db", requests=0, guests=0, budget=0, budget_each=0, idle=idle)
        server = Server(settings, listening)
        answer_to_bench(listening.getsockname()[1], lambda: len(server._app.state.desk.tables.live_tables))
        server.serve_here()


@app.command
def echo(answered: int, delivered: int) -> None:
    """Run a bare Litestar application: a POST at a table is answered with bytes, and bytes go to all that follow the table."""
    followers: dict[int, list[asyncio.Queue[bytes]]] = {}
    event = b"data: " + b"x" * (delivered - 8) + b"\n\n"

    @post("/tables/{table:int}", status_code=200)
    async def move(table: int, request: Request[Any, Any, Any]) -> Response[bytes]:
        await request.body()
        for queue in followers[table]:
            queue.put_nowait(event)
        return Response(b"x" * answered, media_type="application/json")

    @get("/stream/{table:int}")
    async def follow(table: int) -> answer.Stream:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        followers.setdefault(table, []).append(queue)
        queue.put_nowait(b"data: welcome\n\n")

        async def messages() -> Any:
            while True:
                yield await queue.get()

        return answer.Stream(messages(), media_type="text/event-stream")

    with listen("127.0.0.1", 0) as listening:
        answer_to_bench(listening.getsockname()[1])
        bare = Litestar([move, follow], logging_config=None, openapi_config=None)
        config = uvicorn.Config(bare, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=1)
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    app()
