"""The configurations of nginx and Caddy under `deploy/`, run by the real programs on ports of this test before a real server."""

import asyncio
import os
import shutil
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.patience import PATIENCE
from tests.helpers.server.child import Child
from tests.helpers.server.gathering import hearing
from tests.helpers.server.ports import free_port
from tests.helpers.server.serving import Guest, play_out
from tests.helpers.tables import USUAL

PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/bin"
NGINX, CADDY, OPENSSL = (shutil.which(name, path=PLACES) for name in ("nginx", "caddy", "openssl"))
NAME = "mekuri.example"
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
    """Where a proxy listens, and whom it asks."""

    port: int
    plain: int
    behind: int


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
    inside = replaced(
        (CHECKOUT / "deploy" / "nginx.conf").read_text(encoding="utf-8"),
        ("127.0.0.1:8413", f"127.0.0.1:{ports.behind}"),
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
    inside = replaced(
        (CHECKOUT / "deploy" / "Caddyfile").read_text(encoding="utf-8"),
        ("\tgrace_period 10s", "\tgrace_period 1s\n\tadmin off\n\tauto_https disable_redirects"),  # nothing is fetched
        ("reverse_proxy 127.0.0.1:8413 {", f"reverse_proxy 127.0.0.1:{ports.behind} {{"),
        (f"\n{NAME} {{", f"\nhttps://127.0.0.1:{ports.port} {{\n\ttls {folder / 'cert.pem'} {folder / 'key.pem'}"),
    )
    (folder / "Caddyfile").write_text(inside, encoding="utf-8")
    return [str(CADDY), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@dataclass
class Proxied:
    """A proxy before a server."""

    address: str
    trusted: ssl.SSLContext
    child: Child


@pytest.fixture(
    params=[pytest.param(nginx, marks=needs(NGINX, "nginx")), pytest.param(caddy, marks=[needs(CADDY, "caddy"), pytest.mark.slow])]
)
async def proxied(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Proxied]:
    port, plain, folder = free_port(), free_port(), tmp_path / "proxy"
    folder.mkdir()
    certificate, key = folder / "cert.pem", folder / "key.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    named = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([str(OPENSSL), *made, *named], check=True, capture_output=True)
    child = Child(tmp_path / "mekuri.db", more=["--public-url", f"https://127.0.0.1:{port}", "--log-level", "addresses"])
    command = request.param(folder, Ports(port, plain, child.port))
    await child.start()
    # Whatever a proxy keeps, it keeps here.
    around = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    running = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE, env=around)
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                assert running.returncode is None, (await running.communicate())[1]
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except ConnectionRefusedError:
                    await asyncio.sleep(0.01)
                else:
                    writer.close()
                    break
        yield Proxied(f"https://127.0.0.1:{port}", ssl.create_default_context(cafile=certificate), child)
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
            await running.communicate()
        await child.kill()


async def test_a_match_is_played_and_followed_through_it(proxied: Proxied) -> None:
    people = [await Guest(proxied.address, verify=proxied.trusted).arrive(name) for name in ("Aki", "Ben")]
    table = await people[0].make(USUAL, seats=["person", "person"], match_options={"rounds": "1"})
    async with hearing(people[0], table) as heard:
        await heard.some("table")
        for guest in people:
            await guest.sit(table)
        # A stream that is held back would never tell this.
        await heard.some("event", lambda told: told["kind"] == "round")
        whole = await play_out(table, people)
        await heard.some("event", lambda told: told["kind"] == "end")
    assert whole["head"]["why"] == "played"
    for guest in people:
        await guest.close()


async def test_visitors_are_taken_for_who_they_are(proxied: Proxied) -> None:
    """Their cookies are for secure lines, what they send has a size, and where they are from is not what they say."""
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
    told = [line for line in proxied.child.err.splitlines() if " REQUEST " in line]
    assert len(told) >= 5
    assert all(line.endswith(" 127.0.0.1") for line in told)
