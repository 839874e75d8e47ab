"""Checks before every address: origin, authentication, limits and timeouts, and the headers for browsers."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from mekuri.server.guests.visitors import COOKIE
from mekuri.server.http.run import _names
from mekuri.server.storage.schema import metadata
from tests.helpers.server import databases
from tests.helpers.server.raw import Headers, Tap, body_of, hang_up, head_of, request, send, status
from tests.helpers.server.serving import Serving, Shared, serving, shared
from tests.helpers.server.stores import sql
from tests.helpers.tables import USUAL
from tests.helpers.time import moment

GAME = USUAL
SECURITY = {
    "content-security-policy": "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "",
}
TABLE = {"game": GAME}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """For all tests that only ask."""
    with shared(tmp_path_factory.mktemp("guard") / "mekuri.db") as running:
        yield running


@pytest.fixture
async def own_server(tmp_path: Path) -> AsyncIterator[Serving]:
    async with serving(tmp_path / "mekuri.db") as running:
        yield running


async def ask(server: Shared, method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """An answer. Names of headers are written with underscores."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return await send(server.address, request(method, path, body, sent))


async def arrive(server: Shared, name: str = "Aki") -> Headers:
    """A new guest, and the header that proves it."""
    heard = await ask(server, "POST", "/api/guests", {"name": name})
    assert status(heard) == 201, heard
    return {"authorization": f"Bearer {body_of(heard)['token']}"}


def error_of(heard: bytes) -> tuple[int, str]:
    return status(heard), body_of(heard)["error"]


# --- Where it comes from ---


class TestOrigin:
    @pytest.mark.parametrize(
        "headers",
        [
            {"origin": "https://elsewhere.example"},
            {"origin": "null"},
            {"origin": "http://localhost.elsewhere.example"},
            {"origin": "http://localhost:81"},
            {"origin": "localhost"},
            {"origin": "http://[localhost"},
            {"sec_fetch_site": "cross-site"},
            {"sec_fetch_site": "same-site"},
            {"origin": "http://localhost", "sec_fetch_site": "cross-site"},
        ],
    )
    async def test_request_of_another_origin_gets_403(self, server: Shared, headers: Headers) -> None:
        assert error_of(await ask(server, "POST", "/api/guests", {}, **headers)) == (403, "origin")
        guest = await arrive(server)
        assert error_of(await ask(server, "POST", "/api/tables", TABLE, **guest, **headers)) == (403, "origin")
        assert error_of(await ask(server, "DELETE", "/api/tables/x/seat", **guest, **headers)) == (403, "origin")

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"origin": "http://localhost"},
            {"origin": "http://localhost", "sec_fetch_site": "same-origin"},
            {"sec_fetch_site": "none"},
            {"host": "mekuri.example:8413", "origin": "http://mekuri.example:8413"},
        ],
    )
    async def test_own_page_and_programs_are_served(self, server: Shared, headers: Headers) -> None:
        assert status(await ask(server, "POST", "/api/guests", {}, **headers)) == 201

    async def test_public_url_is_an_allowed_origin(self, tmp_path: Path) -> None:
        """Behind a proxy the address that people see is not the one the server is asked under."""
        async with serving(tmp_path / "mekuri.db", public_url="https://mekuri.example") as server:
            assert status(await ask(server, "POST", "/api/guests", {}, origin="https://mekuri.example")) == 201
            assert error_of(await ask(server, "POST", "/api/guests", {}, origin="https://elsewhere.example")) == (403, "origin")

    async def test_insecure_origin_of_a_secure_site_gets_403(self, tmp_path: Path) -> None:
        """An insecure page, which may have been altered on the way, is not trusted on a site with a secure address."""
        async with serving(tmp_path / "mekuri.db", public_url="https://mekuri.example") as server:
            for host in ("mekuri.example", "localhost"):
                asked = await ask(server, "POST", "/api/guests", {}, host=host, origin="http://mekuri.example")
                assert error_of(asked) == (403, "origin")
            # The operator can still open the page by the machine's own name.
            assert status(await ask(server, "POST", "/api/guests", {}, origin="http://localhost")) == 201

    async def test_public_url_is_in_the_list_of_games(self, server: Shared, tmp_path: Path) -> None:
        assert body_of(await ask(server, "GET", "/api/games"))["public_url"] is None
        async with serving(tmp_path / "mekuri.db", public_url="https://mekuri.example") as other:
            assert body_of(await ask(other, "GET", "/api/games"))["public_url"] == "https://mekuri.example"

    async def test_cross_site_link_can_be_followed(self, server: Shared) -> None:
        """A visitor who follows a link from another page is served; browsers let the other page read nothing."""
        assert status(await ask(server, "GET", "/api/games", sec_fetch_site="cross-site")) == 200


NO_HOSTS = [f"name:{port}" for port in ("99999", "abc", "-1", "80:80", "８０".encode().decode("latin-1"))]
NO_HOSTS += ["[", "[::1", "[::1]:x", "a b", "a/b", "a@b", "a?b", "a#b", "a\\b", "http://a"]


class TestHost:
    @pytest.mark.parametrize("host", ["elsewhere.example", "elsewhere.example:8413", "", "localhost.elsewhere.example"])
    async def test_foreign_host_name_gets_403(self, tmp_path: Path, host: str) -> None:
        async with serving(tmp_path / "mekuri.db", hosts=_names("127.0.0.1", None)) as server:
            for method, path, body in (("GET", "/api/tables", None), ("POST", "/api/guests", {})):
                assert error_of(await ask(server, method, path, body, host=host)) == (403, "origin")

    @pytest.mark.parametrize("host", NO_HOSTS)
    @pytest.mark.parametrize("hosts", [(), ("name",)])
    async def test_invalid_host_gets_400(self, tmp_path: Path, hosts: tuple[str, ...], host: str) -> None:
        async with serving(tmp_path / "mekuri.db", hosts=hosts) as server:
            for method, path, body in (("GET", "/", None), ("GET", "/api/games", None), ("POST", "/api/guests", {})):
                assert error_of(await ask(server, method, path, body, host=host)) == (400, "malformed")

    @pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8413", "[::1]:8413", "mekuri.example"])
    async def test_own_host_name_is_served(self, tmp_path: Path, host: str) -> None:
        async with serving(tmp_path / "mekuri.db", hosts=_names("127.0.0.1", "https://mekuri.example")) as server:
            assert status(await ask(server, "GET", "/api/tables", host=host)) == 200

    def test_public_address_allows_any_host_name(self) -> None:
        assert _names("0.0.0.0", None) == ()
        assert _names("192.0.2.7", "https://mekuri.example") == ()


# --- Who it is ---


class TestToken:
    async def test_cookie_is_http_only_and_lax(self, server: Shared) -> None:
        parts = head_of(await ask(server, "POST", "/api/guests", {}))["set-cookie"].split("; ")
        assert parts[0].startswith(f"{COOKIE}=")
        assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(parts)
        assert "Secure" not in parts

    async def test_cookie_is_secure_behind_https(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", public_url="https://mekuri.example") as server:
            heard = await ask(server, "POST", "/api/guests", {})
            assert "Secure" in head_of(heard)["set-cookie"].split("; ")
            assert "max-age" in head_of(heard)["strict-transport-security"]

    async def test_each_visit_renews_the_cookie(self, server: Shared) -> None:
        """Otherwise everyone would be signed out a year after the first visit."""
        first = head_of(await ask(server, "POST", "/api/guests", {}))["set-cookie"]
        cookie = {"cookie": first.partition(";")[0]}
        for visit in (("GET", "/api/guests/me"), ("POST", "/api/guests", {}), ("POST", "/api/guests", {"name": "Chiyo"})):
            heard = await ask(server, *visit, **cookie)
            assert status(heard) == 200
            assert head_of(heard)["set-cookie"] == first

    async def test_bearer_token_takes_precedence_over_a_cookie(self, server: Shared) -> None:
        aki, ben = await arrive(server, "Aki"), await arrive(server, "Ben")
        cookie = {"cookie": f"{COOKIE}={ben['authorization'].removeprefix('Bearer ')}"}
        assert body_of(await ask(server, "GET", "/api/guests/me", **cookie))["name"] == "Ben"
        assert body_of(await ask(server, "GET", "/api/guests/me", **cookie, **aki))["name"] == "Aki"
        # A wrong one is not made up for by a cookie.
        assert error_of(await ask(server, "GET", "/api/guests/me", **cookie, authorization="Bearer x")) == (401, "bad-token")

    @pytest.mark.parametrize("given", ["Bearer nobody's", "Bearer", "Bearer ", "Basic QTpC", "", "鶴", "Bearer \udcff"])
    async def test_unknown_bearer_token_gets_401(self, server: Shared, given: str) -> None:
        heard = await ask(server, "GET", "/api/tables", authorization=given)
        assert error_of(heard) == (401, "bad-token")
        assert head_of(heard)["www-authenticate"] == "Bearer"

    async def test_unknown_cookie_counts_as_signed_out(self, server: Shared) -> None:
        assert status(await ask(server, "GET", "/api/tables", cookie=f"{COOKIE}=gone")) == 200
        heard = await ask(server, "GET", "/api/guests/me", cookie=f"{COOKIE}=gone")
        assert error_of(heard) == (401, "not-signed-in")
        assert head_of(heard)["www-authenticate"] == "Bearer"

    async def test_token_is_stored_hashed(self, own_server: Serving, tmp_path: Path) -> None:
        token = (await arrive(own_server))["authorization"].removeprefix("Bearer ").encode()
        if databases.running:
            kept = b"".join(str(sql(tmp_path / "mekuri.db", f"SELECT * FROM {table}")).encode() for table in metadata.tables)
        else:
            kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert b"Aki" in kept
        assert token not in kept

    async def test_token_is_sent_once(self, server: Shared) -> None:
        aki = await arrive(server)
        heard = await ask(server, "POST", "/api/guests", {"name": "Chiyo"}, **aki)
        assert (status(heard), body_of(heard)["name"], body_of(heard)["token"]) == (200, "Chiyo", None)
        assert "set-cookie" not in head_of(heard)
        assert body_of(await ask(server, "GET", "/api/guests/me", **aki)) == body_of(heard)

    async def test_guests_of_one_name_have_two_ids(self, server: Shared) -> None:
        both = [await arrive(server, "Aki"), await arrive(server, "Aki")]
        guests_found = [body_of(await ask(server, "GET", "/api/guests/me", **who)) for who in both]
        assert guests_found[0]["name"] == guests_found[1]["name"]
        assert guests_found[0]["id"] != guests_found[1]["id"]


class TestTexts:
    @pytest.mark.parametrize(
        "name", ["a\nb", "\x1b[2J", "Aki\u202e", "   ", "", "\u200b", "x" * 25, "a\u2028b", "\ud800", "\ue000", 5, ["Aki"]]
    )
    async def test_invalid_name_gets_400(self, server: Shared, name: Any) -> None:
        heard = await ask(server, "POST", "/api/guests", {"name": name})
        assert status(heard) == 400, heard
        assert body_of(heard)["error"] in ("name", "name-long", "name-sign", "malformed")
        aki = await arrive(server)
        assert status(await ask(server, "POST", "/api/guests", {"name": name}, **aki)) == 400
        assert body_of(await ask(server, "GET", "/api/guests/me", **aki))["name"] == "Aki"

    @pytest.mark.parametrize(("name", "kept"), [("鶴 🎴", "鶴 🎴"), ("  Aki   B ", "Aki B"), ("x" * 24, "x" * 24), ("<b>", "<b>")])
    async def test_valid_name_is_normalised(self, server: Shared, name: str, kept: str) -> None:
        assert body_of(await ask(server, "POST", "/api/guests", {"name": name}))["name"] == kept

    @pytest.mark.parametrize(("cut", "expected"), [("x" * 64, 200), ("鶴\n\x1b", 200), ("x" * 65, 400), ("\ud800", 400), (5, 400)])
    async def test_cut_is_accepted_up_to_its_length(self, server: Shared, cut: Any, expected: int) -> None:
        aki = await arrive(server)
        table = body_of(await ask(server, "POST", "/api/tables", TABLE, **aki))["id"]
        heard = await ask(server, "POST", f"/api/tables/{table}/seat", {"cut": cut}, **aki)
        assert status(heard) == expected, heard

    @pytest.mark.parametrize("id", ["x%0A%0Acurl%20evil.example%7Csh", "%1B[2J", "x" * 65, "%3Cb%3E", "%E9%B6%B4"])
    async def test_unknown_invitation_is_not_echoed(self, server: Shared, id: str) -> None:
        heard = await ask(server, "GET", f"/t/{id}")
        assert status(heard) == 404  # the page all the same
        assert unquote(id).encode() not in heard


# --- How much, and how long ---


class TestLimits:
    async def test_large_body_gets_413(self, server: Shared) -> None:
        assert error_of(await ask(server, "POST", "/api/guests", b" " * 20_000)) == (413, "too-large")

    async def test_large_chunked_body_gets_413(self, server: Shared) -> None:
        head = request("POST", "/api/guests", headers={"transfer-encoding": "chunked", "content-type": "application/json"})
        heard = await send(
            server.address, head + b"1000\r\n" + b" " * 4096 + b"\r\n" + (b"1000\r\n" + b" " * 4096 + b"\r\n") * 5 + b"0\r\n\r\n"
        )
        assert error_of(heard) == (413, "too-large")

    @pytest.mark.parametrize("body", [b'{"name": "\xe8"}', b'{"n\xe8": 1}', b"\xe8"])
    async def test_body_that_is_not_utf_8_gets_400(self, server: Shared, body: bytes) -> None:
        heard = await ask(server, "POST", "/api/guests", body)
        assert error_of(heard) == (400, "malformed")

    async def test_deeply_nested_body_gets_400(self, server: Shared) -> None:
        for body in (b"[" * 8000, b'{"a":' * 2000 + b"1" + b"}" * 2000):
            heard = await ask(server, "POST", "/api/guests", body)
            assert error_of(heard) == (400, "malformed")

    async def test_truncated_body_is_not_logged(self, own_server: Serving, caplog: pytest.LogCaptureFixture) -> None:
        """A client that disconnects in mid-request leaves no log line."""
        _, writer = await asyncio.open_connection("127.0.0.1", int(own_server.address.rpartition(":")[2]))
        writer.write(request("POST", "/api/guests", b'{"name"', {"content-length": "100"}))
        await writer.drain()
        await moment()
        await hang_up(writer)
        await moment()
        assert status(await ask(own_server, "GET", "/api/tables")) == 200
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []

    @pytest.mark.every_days(4)
    async def test_missing_body_gets_408(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db") as server:
            heard = await ask(server, "POST", "/api/guests", b'{"name"', content_length="100")
            assert error_of(heard) == (408, "too-slow")
            check_headers(heard)

    async def test_requests_of_a_guest_and_an_address_are_limited(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", requests=5) as server:
            aki, ben = await arrive(server), await arrive(server)
            for who in (aki, {}):
                heard = await asyncio.gather(*(ask(server, "GET", "/api/games", **who) for _ in range(40)))
                refused = [each for each in heard if status(each) != 200]
                assert refused
                for each in refused:
                    assert error_of(each) == (429, "too-many")
                    assert int(head_of(each)["retry-after"]) >= 1
                    check_headers(each)
            # A guest without budget does not keep others from asking.
            assert status(await ask(server, "GET", "/api/games", **ben)) == 200

    async def test_new_guests_of_one_address_are_limited(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", guests=3) as server:
            for _ in range(3):
                await arrive(server)
            heard = await ask(server, "POST", "/api/guests", {})
            assert error_of(heard) == (429, "too-many")
            assert int(head_of(heard)["retry-after"]) >= 1

    async def test_servers_of_one_process_share_nothing_but_their_routes(self, tmp_path: Path) -> None:
        """Their guests, counters, limits and settings are their own, while both serve and when one has stopped."""
        one = serving(tmp_path / "one.db", guests=1, requests=50, public_url="http://one.example")
        two = serving(tmp_path / "two.db", guests=2, requests=60, public_url="http://two.example")
        async with two as second:
            async with one as first:
                (app, other), servers = [each._server._app for each in (first, second)], (first, second)
                assert app.routes is other.routes
                for name in ("settings", "places", "limits", "desk", "visitors"):
                    assert app.state[name] is not other.state[name]
                mine = await arrive(first)
                assert [status(await ask(each, "GET", "/api/guests/me", **mine)) for each in servers] == [200, 401]
                assert [status(await ask(each, "POST", "/api/guests", {})) for each in servers] == [429, 201]
                names = [body_of(await ask(each, "GET", "/api/games"))["public_url"] for each in servers]
                assert names == ["http://one.example", "http://two.example"]
            assert [status(await ask(second, "POST", "/api/guests", {})) for _ in range(2)] == [201, 429]

    async def test_streams_of_one_guest_are_limited(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", streams=2) as server, AsyncExitStack() as stack:
            aki, ben = await arrive(server), await arrive(server)
            path = f"/api/stream?table={body_of(await ask(server, 'POST', '/api/tables', TABLE, **aki))['id']}"
            taps = [await Tap(server.address).open(path, aki) for _ in range(2)]
            heard = await ask(server, "GET", path, **aki)
            assert error_of(heard) == (429, "too-many-streams")
            assert "retry-after" not in head_of(heard), "to wait alone helps nothing"
            stack.push_async_callback((await Tap(server.address).open(path, ben)).close)
            await taps.pop().close()
            while len(server.desk.streams.open) > 2:
                await moment()
            taps.append(await Tap(server.address).open(path, aki))
            assert status(taps[-1].heard) == 200
            for tap in taps:
                stack.push_async_callback(tap.close)

    async def test_unfinished_tables_of_a_guest_are_limited(self, tmp_path: Path) -> None:
        """Unfinished tables count, with or without players."""
        async with serving(tmp_path / "mekuri.db", tables=2) as server:
            aki, ben = await arrive(server), await arrive(server)
            made = [body_of(await ask(server, "POST", "/api/tables", TABLE, **aki))["id"] for _ in range(2)]
            heard = await ask(server, "POST", "/api/tables", TABLE, **aki)
            assert error_of(heard) == (429, "too-many-tables")
            assert "retry-after" not in head_of(heard), "to wait alone helps nothing"
            assert status(await ask(server, "POST", "/api/tables", TABLE, **ben)) == 201
            for method in ("POST", "DELETE"):
                body: Any = {} if method == "POST" else None
                assert status(await ask(server, method, f"/api/tables/{made[0]}/seat", body, **aki)) == 200
            assert status(await ask(server, "POST", "/api/tables", TABLE, **aki)) == 201

    async def test_concurrent_tables_of_a_guest_are_limited(self, tmp_path: Path) -> None:
        async with serving(tmp_path / "mekuri.db", tables=2) as server:
            aki = await arrive(server)
            heard = await asyncio.gather(*(ask(server, "POST", "/api/tables", TABLE, **aki) for _ in range(20)))
            assert sorted(map(status, heard)) == [201] * 2 + [429] * 18


# --- What every answer carries ---


def check_headers(heard: bytes) -> None:
    head = head_of(heard)
    for name, part in SECURITY.items():
        assert part in head[name], heard
    for name in ("server", "x-powered-by", "access-control-allow-origin"):
        assert name not in head


async def test_every_answer_has_security_headers(server: Shared) -> None:
    aki = await arrive(server)
    table = body_of(await ask(server, "POST", "/api/tables", TABLE, **aki))["id"]
    games = await ask(server, "GET", "/api/games")
    answers = {
        200: games,
        201: await ask(server, "POST", "/api/guests", {}),
        304: await ask(server, "GET", "/api/games", if_none_match=head_of(games)["etag"]),
        400: await ask(server, "POST", "/api/guests", b"{"),
        401: await ask(server, "GET", "/api/guests/me"),
        403: await ask(server, "POST", "/api/guests", {}, origin="null"),
        404: await ask(server, "GET", "/nothing"),
        405: await ask(server, "PATCH", "/api/tables"),
        409: await ask(server, "GET", f"/api/tables/{table}/record"),
        413: await ask(server, "POST", "/api/guests", b" " * 20_000),
    }
    for expected, heard in answers.items():
        assert status(heard) == expected, heard
        check_headers(heard)
    for path in ("/", f"/t/{table}", "/api/schema/openapi.json", f"/api/tables/{table}", f"/api/games/{GAME}/texts/en"):
        heard = await ask(server, "GET", path)
        assert status(heard) == 200
        check_headers(heard)
    tap = await Tap(server.address).open(f"/api/stream?table={table}", {})
    check_headers(tap.heard)
    await tap.close()


async def test_failure_has_security_headers_and_no_details(own_server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer has no details of the failure."""

    async def fail(*_: object) -> None:
        raise RuntimeError("the pack is 7I 7K")

    monkeypatch.setattr(own_server.desk.lobby, "listed", fail)
    heard = await ask(own_server, "GET", "/api/tables")
    assert error_of(heard) == (500, "server")
    assert b"7I" not in heard
    assert b"RuntimeError" not in heard
    check_headers(heard)


async def test_answers_about_people_are_not_cached(server: Shared) -> None:
    aki = await arrive(server)
    table = body_of(await ask(server, "POST", "/api/tables", TABLE, **aki))["id"]
    for path in ("/api/guests/me", "/api/tables", f"/api/tables/{table}", f"/api/tables/{table}/events", "/api/nothing"):
        assert head_of(await ask(server, "GET", path, **aki))["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/games", f"/api/games/{GAME}", f"/api/games/{GAME}/texts/ja", f"/api/games/{GAME}/rules/en"])
async def test_static_answer_gets_304_by_etag(server: Shared, path: str) -> None:
    whole = await ask(server, "GET", path)
    tag = head_of(whole)["etag"]
    for tags in (tag, f"W/{tag}", f'"another", {tag}'):
        again = await ask(server, "GET", path, if_none_match=tags)
        assert status(again) == 304
        assert again.endswith(b"\r\n\r\n")
        assert head_of(again)["etag"] == tag
        assert "must-revalidate" in head_of(again)["cache-control"]
    assert status(await ask(server, "GET", path, if_none_match='"another"')) == 200


async def test_every_refusal_is_a_problem(server: Shared) -> None:
    for heard in (
        await ask(server, "GET", "/nothing"),
        await ask(server, "POST", "/api/guests", b"\xff"),
        await ask(server, "POST", "/api/guests", b"name=Aki", content_type="application/x-www-form-urlencoded"),
        await ask(server, "GET", "/api/stream"),
        await ask(server, "GET", "/api/tables/x/rounds/x"),
    ):
        problem = json.loads(json.dumps(body_of(heard)))
        assert problem.keys() == {"error", "message", "text", "clause"}
        assert head_of(heard)["content-type"] == "application/json"


async def test_silent_connection_blocks_nothing(own_server: Serving) -> None:
    """It costs a socket and nothing else, and the server still stops."""
    _, writer = await asyncio.open_connection("127.0.0.1", int(own_server.address.rpartition(":")[2]))
    assert status(await ask(own_server, "GET", "/api/games")) == 200
    await hang_up(writer)
