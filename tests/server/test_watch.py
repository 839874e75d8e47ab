"""Health, readiness and metrics for the operator, and their abuse by others."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import OperationalError

from mekuri import __version__
from mekuri.engine.errors import OptionError
from mekuri.server.base.settings import Settings
from mekuri.server.http.run import ServeError, listen, listen_for_keepers
from mekuri.table import commands
from mekuri.table.commands import Turn
from tests.helpers.server.gathering import begun, guests, hearing
from tests.helpers.server.hostility import METHODS, PATHS, WORDS
from tests.helpers.server.raw import Tap, body_of, head_of, request, send, status
from tests.helpers.server.serving import Guest, Refusal, Serving, play_out, serving
from tests.helpers.server.stores import write
from tests.helpers.tables import USUAL
from tests.helpers.time import until

BOTH = ("/health", "/ready")
HERE = "127.0.0.1:0"
SETTINGS = {"metrics": HERE}


@pytest.mark.parametrize(("where", "warned"), [("0.0.0.0:0", True), ("127.0.0.1:0", False)])
def test_public_metrics_address_is_warned_about(where: str, warned: bool, caplog: pytest.LogCaptureFixture) -> None:
    listening = listen_for_keepers(Settings(metrics=where))
    assert listening
    listening.close()
    assert ("--metrics 127.0.0.1" in caplog.text) is warned


async def ask(address: str, path: str, method: str = "GET", **headers: str) -> bytes:
    return await send(address, request(method, path, headers=headers))


async def metrics_text(server: Serving) -> str:
    """Return the metrics."""
    heard = await ask(server.keepers, "/metrics")
    assert status(heard) == 200
    assert head_of(heard)["content-type"].startswith("text/plain; version=0.0.4")
    return heard.partition(b"\r\n\r\n")[2].decode()


async def numbers(server: Serving) -> dict[str, float]:
    """Every series by its name, with the values of its labels, but for those of time."""
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(await metrics_text(server))
        for sample in family.samples
        if "le" not in sample.labels
    }


async def grown(server: Serving, before: dict[str, float], *names: str) -> list[float]:
    """By how much each has grown: other tests have counted too."""
    now = await numbers(server)
    return [now[name] - before.get(name, 0) for name in names]


class TestHealth:
    @pytest.mark.parametrize("path", BOTH)
    async def test_health_answers_without_sign_in(self, server: Serving, path: str) -> None:
        for address in (server.address, server.keepers):
            heard = await ask(address, path)
            assert status(heard) == 200
            assert head_of(heard)["cache-control"] == "no-store"
            heard = await ask(address, path, "HEAD")
            assert (status(heard), heard.partition(b"\r\n\r\n")[2]) == (200, b"")
            assert status(await ask(address, path, "POST")) == 405

    @pytest.mark.parametrize("path", BOTH)
    async def test_health_is_not_rate_limited(self, tmp_path: Path, path: str) -> None:
        """Not among the requests of an address, and under whatever name a monitor knows the server."""
        async with serving(tmp_path / "mekuri.db", requests=1, hosts=("mekuri.example",)) as server:
            for _ in range(3):
                assert status(await ask(server.address, path, host="10.0.0.1")) == 200
            assert status(await ask(server.address, "/api/games", host="mekuri.example")) == 200

    async def test_health_answers_when_connections_are_full(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", connections=4, metrics=HERE) as server, AsyncExitStack() as stack:
            aki = await Guest(server.address).arrive()
            table = await aki.make(USUAL)
            await aki.sit(table)
            await aki.close()
            seated = {"authorization": aki.http.headers["authorization"]}
            await until(lambda: not len(server.places))

            async def follow() -> None:
                tap = await Tap(server.address).open(f"/api/stream?table={table}", seated)
                stack.push_async_callback(tap.close)

            for _ in range(3):
                await follow()
            assert status(await ask(server.address, "/api/games")) == 503
            assert [status(await ask(server.address, path)) for path in BOTH] == [200, 200]
            await follow()
            # Not even a connection is left, except on the operator's address.
            assert status(await ask(server.address, "/health")) == 503
            assert [status(await ask(server.keepers, path)) for path in BOTH] == [200, 200]
            assert (await numbers(server))["mekuri_connections"] == 4


class TestReady:
    async def refusal(self, server: Serving) -> tuple[int, str]:
        heard = await ask(server.keepers, "/ready")
        assert status(await ask(server.address, "/health")) == 200
        return status(heard), body_of(heard)["error"]

    async def test_ready_gets_503_before_a_stop(self, server: Serving) -> None:
        server.desk.hang_up()
        assert await self.refusal(server) == (503, "busy")

    async def test_ready_gets_503_if_writes_fail(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        full = sqlite3.OperationalError("database or disk is full")
        monkeypatch.setattr(full, "sqlite_errorname", "SQLITE_FULL", raising=False)

        async def fail(write: object) -> None:
            raise OperationalError("", {}, full)

        before = await numbers(server)
        with monkeypatch.context() as patch:
            patch.setattr(server.desk.store._writer, "write", fail)
            with pytest.raises(Refusal):
                await Guest(server.address).arrive()
            assert await self.refusal(server) == (503, "disk-full")
            (failures,) = await grown(server, before, "mekuri_log_failures_total disk-full")
            assert failures >= 1
        await Guest(server.address).arrive()
        assert status(await ask(server.address, "/ready")) == 200

    async def test_ready_gets_503_if_reads_fail(self, server: Serving, tmp_path: Path) -> None:
        await write(tmp_path / "mekuri.db", "ALTER TABLE log RENAME TO elsewhere")
        assert await self.refusal(server) == (503, "busy")

    async def test_ready_gets_503_if_reads_are_slow(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        released = asyncio.Event()
        monkeypatch.setattr(server.desk.store, "place", released.wait)
        assert await self.refusal(server) == (503, "busy")
        released.set()
        assert status(await ask(server.address, "/ready")) == 200

    async def test_concurrent_ready_requests_read_once(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        looks, released = [], asyncio.Event()

        async def place() -> int:
            looks.append(1)
            await released.wait()
            return 0

        monkeypatch.setattr(server.desk.store, "place", place)
        asked = [asyncio.create_task(ask(server.address, "/ready")) for _ in range(30)]
        await until(lambda: len(server.places) == 30 and looks)
        released.set()
        assert {status(heard) for heard in await asyncio.gather(*asked)} == {200}
        assert len(looks) == 1


class TestMetrics:
    async def test_metrics_are_served_at_their_address_only(self, server: Serving) -> None:
        before = await numbers(server)
        assert before[f"mekuri_info {__version__}"] == 1
        assert before["mekuri_start_time_seconds"] > 1.7e9
        for headers in ({}, {"x-forwarded-for": "127.0.0.1"}, {"host": server.keepers.removeprefix("http://")}):
            assert status(await ask(server.address, "/metrics", **headers)) == 404
        for path in ("/", "/api/games", "/api/guests", "/metrics/x", "/api/stream?table=x"):
            assert status(await ask(server.keepers, path)) == 404
        assert status(await ask(server.keepers, "/metrics", "POST")) == 405

    def test_metrics_are_off_by_default(self) -> None:
        assert Settings().metrics is None

    @pytest.mark.parametrize(
        "address", ["9413", "localhost:9413", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:65536", "::1:1", "[::1]", ""]
    )
    def test_invalid_metrics_address_is_refused(self, address: str) -> None:
        with pytest.raises(OptionError, match="an address and a port, such as"):
            Settings(metrics=address)

    async def test_metrics_address_in_use_is_refused(self, tmp_path: Path) -> None:
        with listen("127.0.0.1", 0) as taken:
            where = f"127.0.0.1:{taken.getsockname()[1]}"
            with pytest.raises(ServeError, match="--metrics"):
                async with serving(tmp_path / "mekuri.db", metrics=where):
                    pass

    async def test_requests_create_few_series(self, server: Serving) -> None:
        chance = Random(0)
        await ask(server.address, "/nothing", "GET")
        for method in dict.fromkeys(METHODS):  # whatever there is of routes, methods and refusals
            for path in PATHS:
                await ask(server.address, path.replace("{table}", "x").replace("{number}", "1").replace("{word}", "x"), method)
        before = set(await numbers(server))
        for n in range(150):
            path = chance.choice(PATHS)
            for part in ("{table}", "{number}", "{word}"):
                path = path.replace(part, f"{n}{chance.choice(WORDS[:6])}")
            await ask(server.address, path, chance.choice(METHODS), origin=f"http://{n}.example", host=f"{n}.example")
        new = set(await numbers(server)) - before
        # A new series has known words only, not words of the requests.
        assert len(new) < 10, new
        assert not [name for name in new if any(sign.isdecimal() for sign in name.rpartition(" ")[0])], new

    async def test_metrics_name_no_person(self, server: Serving) -> None:
        async with guests(server, "Akiko-the-First", "Ben") as people:
            table = await begun(people, USUAL, rounds=1)
            await play_out(table, people)
            said = await metrics_text(server)
            for secret in (table, "Akiko", *(guest.id for guest in people), "127.0.0.1"):
                assert secret not in said

    async def test_metrics_count_requests_and_tables(self, server: Serving) -> None:
        before = await numbers(server)
        async with guests(server, "Aki", "Ben") as people, AsyncExitStack() as stack:
            aki, _ = people
            table = await aki.make(USUAL, seats=["person", "person"], match_options={"rounds": "1"})
            for guest in people:
                heard = await stack.enter_async_context(hearing(guest, table))
                await heard.some("table")
            for guest in people:
                await guest.sit(table)
            now = await numbers(server)
            assert (now["mekuri_streams"], now["mekuri_people"], now["mekuri_tables running"]) == (2, 2, 1)
            await play_out(table, people)
            assert (await numbers(server))["mekuri_tables over"] == 1
            route = "/api/tables/{id}/actions"
            counted = await grown(
                server,
                before,
                "mekuri_guests_total",
                "mekuri_moves_total",
                f"mekuri_requests_total POST {route} 200",
                f"mekuri_request_seconds_count {route}",
                "mekuri_log_rows_total play",
                "mekuri_messages_total event",
                "mekuri_log_write_seconds_count",
            )
            arrived, moves, requests, answers, rows, messages, writes = counted
            assert arrived == 2
            assert moves == requests == answers > 5
            assert rows >= moves
            assert messages >= 2 * moves
            assert writes >= moves
        with pytest.raises(Refusal):
            await Guest(server.address).look("nothing")
        assert await grown(server, before, "mekuri_refusals_total no-such-table") == [1]

    async def test_metrics_count_bot_turns(self, server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
        quick, failed = commands.think, list[Turn]()

        def think(turn: Turn) -> int:
            if failed:
                return quick(turn)
            failed.append(turn)
            return -1

        monkeypatch.setattr(commands, "think", think)
        before = await numbers(server)
        async with guests(server, "Aki") as (aki,):
            table = await begun([aki], USUAL, rounds=1, bots=["greedy"])
            await play_out(table, [aki])
        turns, lapses = await grown(server, before, "mekuri_bot_turn_seconds_count", "mekuri_bot_lapses_total")
        assert turns > 2
        assert lapses == 1

    async def test_refusals_before_a_request_is_whole_are_counted(self, server: Serving) -> None:
        before = await numbers(server)
        await send(server.address, b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n")
        assert await grown(server, before, "mekuri_refusals_total long-address") == [1]

    async def test_stalled_metrics_connections_block_no_other_port(self, server: Serving) -> None:
        """Half a head on each of more connections than it has."""
        host, port = server.keepers.removeprefix("http://").split(":")
        held = [await asyncio.open_connection(host, int(port)) for _ in range(40)]
        for _, writer in held:
            writer.write(b"GET /metrics HTTP/1.1\r\n")
        assert status(await ask(server.keepers, "/metrics")) == 200
        assert status(await ask(server.address, "/api/games")) == 200
        assert len(server.places) == 0
        for _, writer in held:
            writer.close()
