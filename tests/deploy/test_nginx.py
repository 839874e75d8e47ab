"""The configuration of nginx under `deploy/`, run by a real nginx on ports of this test before a real server."""

import asyncio
import shutil
import signal
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.helpers.folders import CHECKOUT
from tests.helpers.patience import PATIENCE
from tests.helpers.server.child import Child, free_port
from tests.helpers.server.gathering import hearing
from tests.helpers.server.serving import Guest, play_out
from tests.helpers.tables import USUAL

NGINX, OPENSSL = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/bin"), shutil.which("openssl")
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

pytestmark = pytest.mark.skipif(not (NGINX and OPENSSL), reason="NGINX IS NOT TESTED. Debian, Ubuntu: apt install nginx openssl")


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.fixture
async def proxied(tmp_path: Path) -> AsyncIterator[tuple[str, Path]]:
    """The address of nginx before a server, and the certificate to be believed."""
    port, plain, folder = free_port(), free_port(), tmp_path / "nginx"
    folder.mkdir()
    certificate, key = folder / "cert.pem", folder / "key.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    named = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([str(OPENSSL), *made, *named], check=True, capture_output=True)
    child = Child(tmp_path / "mekuri.db", more=["--public-url", f"https://127.0.0.1:{port}"])
    inside = replaced(
        (CHECKOUT / "deploy" / "nginx.conf").read_text(encoding="utf-8"),
        ("127.0.0.1:8413", f"127.0.0.1:{child.port}"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("$host$request_uri", f"$host:{port}$request_uri"),
        ("proxy_set_header Host $host;", "proxy_set_header Host $http_host;"),  # with the port, which is not the usual one
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate)),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(key)),
    )
    (folder / "nginx.conf").write_text(AROUND.format(inside=inside), encoding="utf-8")
    await child.start()
    running = await asyncio.create_subprocess_exec(str(NGINX), "-p", str(folder), "-c", "nginx.conf", stderr=subprocess.DEVNULL)
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                assert running.returncode is None
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except ConnectionRefusedError:
                    await asyncio.sleep(0.01)
                else:
                    writer.close()
                    break
        yield f"https://127.0.0.1:{port}", certificate
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
            await running.wait()
        await child.kill()


async def test_a_match_is_played_and_followed_through_it(proxied: tuple[str, Path]) -> None:
    address, certificate = proxied
    trusted = ssl.create_default_context(cafile=certificate)
    people = [await Guest(address, verify=trusted).arrive(name) for name in ("Aki", "Ben")]
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


async def test_cookies_are_for_secure_lines_and_sizes_are_limited(proxied: tuple[str, Path]) -> None:
    address, certificate = proxied
    async with httpx.AsyncClient(base_url=address, verify=ssl.create_default_context(cafile=certificate)) as client:
        answer = await client.post("/api/guests", json={}, headers={"x-forwarded-for": "192.0.2.1"})
        assert answer.status_code == 201
        assert "secure" in answer.headers["set-cookie"].lower()
        assert (await client.post("/api/guests", content=b"x" * 20_000)).status_code == 413
        assert (await client.get("/")).status_code == 200
