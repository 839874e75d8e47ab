"""The configurations of nginx and Caddy under `deploy/`, and the one in the guide that shares out among several processes.

They are run by the real programs, on ports of this test, before real servers.
"""

import asyncio
import json
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from litestar.routes import HTTPRoute

from mekuri.desk.routes.guests import LARGEST_MATCH
from mekuri.match.verify import verify
from mekuri.protocol import version
from mekuri.server.base.settings import Settings
from mekuri.server.http.app import LARGEST_REQUEST, create_app
from tests.helpers.folders import CHECKOUT, DOCS
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import hearing
from tests.helpers.server.killing import Person
from tests.helpers.server.killing import Table as Sat
from tests.helpers.server.ports import free_port
from tests.helpers.server.serving import Guest, play_out
from tests.helpers.tables import USUAL

PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/bin"
NGINX, CADDY, OPENSSL = (shutil.which(name, path=PLACES) for name in ("nginx", "caddy", "openssl"))
NAME = "mekuri.example"
NGINX_CONF = (CHECKOUT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
AROUND = """\
daemon off;
pid nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp; uwsgi_temp_path temp; scgi_temp_path temp;
    {inside}
}}
"""


@dataclass
class Ports:
    """The address of a proxy, and its upstream."""

    port: int
    plain: int
    behind: Sequence[int]


def needs(program: str | None, name: str) -> pytest.MarkDecorator:
    reason = f"{name.upper()} IS NOT TESTED. Debian, Ubuntu: apt install {name} openssl"
    return pytest.mark.skipif(not (program and OPENSSL), reason=reason)


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def nginx(folder: Path, ports: Ports) -> list[str]:
    """The command that runs it."""
    (behind,) = ports.behind
    return nginx_of(folder, ports, ("127.0.0.1:8413", f"127.0.0.1:{behind}"))


def nginx_sharing_out(folder: Path, ports: Ports) -> list[str]:
    """The command that runs it before several servers."""
    (block,) = re.findall(r"```nginx\n(.*?)```", (DOCS / "operate.md").read_text(encoding="utf-8"), re.DOTALL)
    servers = "".join(f"server 127.0.0.1:{port};" for port in ports.behind)
    block, count = re.subn(r"(?:\s*server 10\.0\.0\.\d:8413;)+", servers, block)
    assert count == 1
    (upstream,) = re.findall(r"^upstream mekuri \{.*?^\}", NGINX_CONF, re.DOTALL | re.MULTILINE)
    return nginx_of(folder, ports, (upstream, block))


def nginx_of(folder: Path, ports: Ports, *more: tuple[str, str]) -> list[str]:
    inside = replaced(
        NGINX_CONF,
        *more,
        ("listen 80;", f"listen 127.0.0.1:{ports.plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{ports.port} ssl"),
        ("$host$request_uri", f"$host:{ports.port}$request_uri"),
        ("proxy_set_header Host $host;", "proxy_set_header Host $http_host;"),  # with the port, which is not the usual one
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(folder / "cert.pem")),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(folder / "key.pem")),
    )
    (folder / "nginx.conf").write_text(AROUND.format(inside=inside), encoding="utf-8")
    return [str(NGINX), "-p", str(folder), "-c", "nginx.conf"]


def caddy(folder: Path, ports: Ports) -> list[str]:
    """The command that runs it."""
    (behind,) = ports.behind
    inside = replaced(
        (CHECKOUT / "deploy" / "Caddyfile").read_text(encoding="utf-8"),
        ("\tgrace_period 10s", "\tgrace_period 1s\n\tadmin off\n\tauto_https disable_redirects"),  # nothing is fetched
        ("reverse_proxy 127.0.0.1:8413 {", f"reverse_proxy 127.0.0.1:{behind} {{"),
        (f"\n{NAME} {{", f"\nhttps://127.0.0.1:{ports.port} {{\n\ttls {folder / 'cert.pem'} {folder / 'key.pem'}"),
    )
    (folder / "Caddyfile").write_text(inside, encoding="utf-8")
    return [str(CADDY), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@dataclass
class Proxied:
    """A proxy before servers of one database."""

    address: str
    trusted: ssl.SSLContext
    children: list[Child]
    metrics: list[str]

    @property
    def child(self) -> Child:
        """The only server."""
        (child,) = self.children
        return child

    def guest(self) -> Guest:
        return Guest(self.address, verify=self.trusted)

    async def handed_on(self) -> float:
        """How many requests a server has handed on to another."""
        async with httpx.AsyncClient() as client:
            metrics = [(await client.get(f"http://{address}/metrics")).text for address in self.metrics]
        return sum(float(count) for each in metrics for count in re.findall(r"^mekuri_handed_on_total (\S+)", each, re.MULTILINE))


@asynccontextmanager
async def before(folder: Path, proxy: Callable[[Path, Ports], list[str]], servers: int) -> AsyncIterator[Proxied]:
    """A proxy before so many servers, each at its start."""
    port, plain, at_proxy = free_port(), free_port(), folder / "proxy"
    at_proxy.mkdir()
    certificate, key = at_proxy / "cert.pem", at_proxy / "key.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    named = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([str(OPENSSL), *made, *named], check=True, capture_output=True)
    metrics = [f"127.0.0.1:{free_port()}" for _ in range(servers)]
    words = ["--public-url", f"https://127.0.0.1:{port}", "--log-level", "addresses"]
    children = [Child(folder / "mekuri.db", more=[*words, "--metrics", address]) for address in metrics]
    command = proxy(at_proxy, Ports(port, plain, [child.port for child in children]))
    for child in children:
        await child.start()
    # Whatever a proxy keeps, it keeps here.
    around = os.environ | {"HOME": str(at_proxy), "XDG_DATA_HOME": str(at_proxy), "XDG_CONFIG_HOME": str(at_proxy)}
    running = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE, env=around)
    try:
        while True:
            assert running.returncode is None, (await running.communicate())[1]
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.01)
            else:
                writer.close()
                break
        yield Proxied(f"https://127.0.0.1:{port}", ssl.create_default_context(cafile=certificate), children, metrics)
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
            await running.communicate()
        for child in children:
            await child.kill()


@pytest.mark.parametrize(
    "proxy",
    [pytest.param(nginx, marks=needs(NGINX, "nginx")), pytest.param(caddy, marks=[needs(CADDY, "caddy"), pytest.mark.slow])],
)
async def test_match_through_a_proxy_keeps_visitor_addresses(tmp_path: Path, proxy: Callable[[Path, Ports], list[str]]) -> None:
    async with before(tmp_path, proxy, 1) as proxied:
        await a_match_is_played_and_followed(proxied)
        await the_largest_requests_come_through(proxied)
        await visitors_are_taken_for_who_they_are(proxied)


async def a_match_is_played_and_followed(proxied: Proxied) -> None:
    people = [await proxied.guest().arrive(name) for name in ("Aki", "Ben")]
    table = await people[0].make(USUAL, seats=["person", "person"], match_options={"rounds": "1"})
    async with hearing(people[0], table) as heard:
        await heard.some("table")
        for guest in people:
            await guest.sit(table)
        # A stream that is held back would never tell this.
        await heard.some("event", lambda event: event["kind"] == "round")
        whole = await play_out(table, people)
        await heard.some("event", lambda event: event["kind"] == "end")
    assert whole["head"]["why"] == "played"
    for guest in people:
        await guest.close()


async def the_largest_requests_come_through(proxied: Proxied) -> None:
    """The server answers every route, and it refuses what is refused."""
    usual = Settings()
    async with httpx.AsyncClient(base_url=proxied.address, verify=proxied.trusted) as client:
        for method, path, most in bodies():
            for size, too_large in ((most, False), (most + 1, True)):
                answer = await client.request(method, path, content=b'{"a":"%b"}' % (b"a" * (size - 8)))
                assert (answer.status_code == 413) is too_large, (method, path, size)
                assert too_large or version.HEADER in answer.headers, (method, path, answer.status_code)
        for headers, line in ({}, usual.line), ({f"x-{n}": "a" * 4_000 for n in range(3)}, 100):
            answer = await client.get("/nothing?" + "a" * (line - len("/nothing?")), headers=headers)
            assert (answer.status_code, version.HEADER in answer.headers) == (404, True)


def bodies() -> list[tuple[str, str, int]]:
    """Every route that takes a body: the method, a path, and the bytes of the largest body."""
    found = []
    for route in create_app(Settings()).routes:
        assert isinstance(route, HTTPRoute)
        for handler in route.route_handlers:
            size = handler.resolve_request_max_body_size()
            if handler.parsed_data_field and isinstance(size, int):
                path = re.sub(r"\{\w+:(\w+)\}", lambda kind: {"int": "1"}.get(kind[1], "abc"), route.path)
                found += [(str(method), path, size) for method in handler.http_methods if method != "OPTIONS"]
    assert {size for _, _, size in found} == {LARGEST_REQUEST, LARGEST_MATCH}
    return found


async def visitors_are_taken_for_who_they_are(proxied: Proxied) -> None:
    """Their cookies are for secure lines, what they send has a size, and where they are from is not what they say.

    The server is ended for it: its log says so.
    """
    async with httpx.AsyncClient(base_url=proxied.address, verify=proxied.trusted) as client:
        answer = await client.post("/api/guests", json={}, headers={"x-forwarded-for": "192.0.2.1", "origin": proxied.address})
        assert answer.status_code == 201
        assert "secure" in answer.headers["set-cookie"].lower()
        assert (await client.post("/api/guests", content=b"x" * 20_000)).status_code == 413
        assert (await client.post("/api/guests", json={}, headers={"origin": "https://elsewhere.example"})).status_code == 403
        assert (await client.get("/")).status_code == 200
        assert (await client.get("/ready")).status_code == 200
        assert (await client.get("/metrics")).status_code == 404
    proxied.child.send(signal.SIGINT)
    await proxied.child.ended()
    requests = [line for line in proxied.child.err.splitlines() if " REQUEST " in line]
    assert len(requests) >= 5
    assert all(line.endswith(" 127.0.0.1") for line in requests)


@pytest.mark.every_days(4)
@needs(NGINX, "nginx")
async def test_proxy_shares_tables_among_processes(tmp_path: Path) -> None:
    async with before(tmp_path, nginx_sharing_out, 2) as proxied:
        await everything_of_a_table_goes_to_one_of_them(proxied)
        await tables_play_on_where_one_of_them_is_killed(proxied)


async def everything_of_a_table_goes_to_one_of_them(proxied: Proxied) -> None:
    people = [await proxied.guest().arrive(name) for name in ("Aki", "Ben")]
    for _ in range(4):  # tables, whose homes are here or there
        table = await people[0].make(USUAL, seats=["person", "person"], match_options={"rounds": "1"})
        async with hearing(people[0], table) as heard:
            await heard.some("table")  # it has moved to where it is followed
            handed = await proxied.handed_on()
            for guest in people:
                await guest.sit(table)
            await play_out(table, people)
            await heard.some("event", lambda event: event["kind"] == "end")
            assert await proxied.handed_on() == handed
    for guest in people:
        await guest.close()


async def tables_play_on_where_one_of_them_is_killed(proxied: Proxied) -> None:
    """A client that gets no answer, or an error of the proxy, asks again, as the page does."""
    chance, rounds = random.Random(1), 2
    people = [Person(await proxied.guest().arrive(name), chance) for name in ("Aki", "Ben")]
    tables = [await Sat.made(USUAL, people, [], rounds=rounds) for _ in range(4)]
    async with asyncio.TaskGroup() as playing:
        for table in tables:
            playing.create_task(table.play())
        for child in proxied.children:  # one after the other: whichever is the home of a table is killed once
            done = {table.id: len(people[0].did[table.id]) for table in tables}
            while any(not table.over and len(people[0].did[table.id]) < done[table.id] + 3 for table in tables):
                await asyncio.sleep(0.005)
            await child.kill()
            await child.start()
    for table in tables:
        record = await table.record()
        assert verify(record, commitment=table.commitment).verified == rounds
        actions = [action for round in json.loads(record)["rounds"] for action in round["actions"].split()]
        for seat, person in enumerate(people):  # nothing lost, nothing twice
            assert [action for action in actions if action.startswith(f"{seat}:")] == [
                f"{seat}:{action}" for action in person.did[table.id]
            ]
    for person in people:
        await person.guest.close()
