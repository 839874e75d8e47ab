"""The page for browsers: its addresses, the caching of its files and packs, and compression."""

import gzip
import hashlib
import json
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest

from mekuri import games
from mekuri.cards.art import find_pack, pack_names, sprite, sprite_digest
from mekuri.desk.cached_response import CachedResponse
from mekuri.desk.routes.games import prepare
from mekuri.engine.rulebook import LANGUAGES
from mekuri.pocket.site import is_built
from mekuri.protocol import library
from mekuri.server.http import app
from mekuri.server.http.routes.page import FOLDER
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import NO_PAGE
from tests.helpers.server.raw import Tap, body_of, head_of, request, send, status
from tests.helpers.server.serving import Serving, Shared, serving, shared
from tests.helpers.tables import GAMES, USUAL
from tests.helpers.time import moment

INDEX = "<!doctype html><title>Mekuri</title><div id=app></div>" + "<p>pine willow cherry</p>" * 40
SCRIPT = "export const pine = 1;" * 100
FILES = {
    "index.html": INDEX,
    "icon.svg": "<svg/>",
    "icon-192.png": "icon",
    "assets/index-b1x.js": SCRIPT,
    "assets/index-b1x.css": "p{}",
}
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PAGES = ("/", f"/new/{USUAL}", "/rules", f"/rules/{USUAL}", "/settings", "/you")
BODY = INDEX.partition("</title>")[2].encode()  # what is said of a page stands before it: tests/server/test_previews.py
LEAST, MOST = 7_500_000, 9_000_000  # bytes of the copy
LASTING = "public, max-age=31536000, immutable"
CHECKED = "public, max-age=0, must-revalidate"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Return a server with a page, for all tests that only read. A private file is beside its folder."""
    with with_page(tmp_path_factory.mktemp("built")) as database, shared(database) as server:
        yield server


@pytest.fixture(scope="module")
def unbuilt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    folder = tmp_path_factory.mktemp("unbuilt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "FOLDER", folder / "page")
        with shared(folder / "mekuri.db") as server:
            yield server


@contextmanager
def with_page(place: Path) -> Iterator[Path]:
    """Set up a page in a folder for a new server, and return the path of its database."""
    folder = place / "page"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (place / "secret.js").write_text("secret")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "FOLDER", folder)
        yield place / "mekuri.db"


async def ask(server: Shared, path: str, method: str = "GET", **headers: str) -> bytes:
    return await send(
        server.address, request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    )


def content(heard: bytes) -> bytes:
    return heard.partition(b"\r\n\r\n")[2]


def test_tag_depends_on_the_contents() -> None:
    assert (
        CachedResponse(b"pine", "text/plain").tag
        == CachedResponse(b"pine", "text/plain").tag
        != CachedResponse(b"plum", "text/plain").tag
    )


# --- Where it is shown ---


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_is_the_page(built: Shared, path: str) -> None:
    for named in (BROWSER, {}):
        heard = await ask(built, path, **named)
        assert status(heard) == 200
        assert content(heard).endswith(BODY)
        assert head_of(heard)["content-type"] == "text/html; charset=utf-8"
        assert head_of(heard)["cache-control"] == CHECKED


@pytest.mark.parametrize(
    "path", ["/nothing", "/t", "/t/x", "/t/x/y", "/rules/x", "/rules/x/y", "/new/x", "/t/x/rounds/3/", "/new/", "/%E9%B6%B4"]
)
async def test_unknown_page_gets_the_page_with_404(built: Shared, path: str) -> None:
    heard = await ask(built, path, **BROWSER)
    assert status(heard) == 404
    assert content(heard).endswith(BODY)


@pytest.mark.parametrize(
    ("path", "led"),
    [
        ("/learn/mutsu-ichi", "/learn/mutsuichi"),
        ("/rules/Mutsu-Ichi/presets?x=1", "/rules/mutsuichi/presets?x=1"),
        ("/new/Tensho", "/new/tensho"),
        (f"/puzzles/{quote('むし')}", "/puzzles/mushi"),
        (f"/new/{quote('花札')}", "/new/koikoi"),
        (f"/learn/{quote('エチョボ')}", "/learn/echobo"),
    ],
)
async def test_printed_name_of_a_game_redirects(built: Shared, path: str, led: str) -> None:
    heard = await ask(built, path, **BROWSER)
    assert (status(heard), head_of(heard)["location"]) == (301, led)
    assert status(await ask(built, path.replace(path.split("/")[2], f"{path.split('/')[2]}{'-' * 100}"), **BROWSER)) == 404


@pytest.mark.parametrize(
    "path", ["/nothing", "/nothing.js", "/assets/nothing-b1x.js", "/api/nothing", "/cards/nothing.svg", "/assets/"]
)
async def test_programs_get_404_as_a_problem(built: Shared, path: str) -> None:
    for named in ({}, {"accept": "application/json"}) if path == "/nothing" else ({}, BROWSER):
        heard = await ask(built, path, **named)
        assert (status(heard), body_of(heard)["error"]) == (404, "no-such-page")
        assert head_of(heard)["cache-control"] == "no-store"


async def test_page_accepts_get_only(built: Shared) -> None:
    for path in ("/", "/assets/index-b1x.js", f"/cards/{pack_names()[0]}.svg"):
        heard = await ask(built, path, "POST")
        assert status(heard) in (403, 405), heard
    assert status(await ask(built, "/nothing", "POST", **BROWSER)) == 404


@pytest.mark.parametrize("path", ["/", f"/rules/{USUAL}", "/assets/index-b1x.js", "/icon.svg", f"/cards/{pack_names()[0]}.svg"])
async def test_head_request_gets_headers_only(built: Shared, path: str) -> None:
    whole, head = await ask(built, path), await ask(built, path, "HEAD")
    assert status(head) == 200
    assert head_of(head) == head_of(whole)
    assert not content(head)


@pytest.mark.parametrize("path", PAGES)
async def test_missing_page_says_how_to_build_it(unbuilt: Shared, path: str) -> None:
    heard = await ask(unbuilt, path, **BROWSER)
    assert status(heard) == 200
    assert head_of(heard)["content-type"].startswith("text/plain")
    assert b"npm run build" in heard
    assert b"mekuri play GAME --server http://localhost" in heard
    assert status(await ask(unbuilt, "/nothing", **BROWSER)) == 404
    assert status(await ask(unbuilt, "/index.html", **BROWSER)) == 404


async def test_default_icon_is_served(built: Shared) -> None:
    heard = await ask(built, "/favicon.ico")
    assert status(heard) == 200
    assert head_of(heard)["content-type"] == "image/png"
    assert content(heard) == content(await ask(built, "/icon-192.png"))


async def test_rebuilt_page_is_served_after_a_restart(tmp_path: Path) -> None:
    """Half of the old page and half of the new one would be neither."""
    with with_page(tmp_path) as database:
        async with serving(database) as server:
            (tmp_path / "page" / "index.html").write_text("new")
            (tmp_path / "page" / "assets" / "index-b1x.js").unlink()
            assert content(await ask(server, "/")).endswith(BODY)
            assert content(await ask(server, "/assets/index-b1x.js")) == SCRIPT.encode()


def test_build_writes_where_the_server_reads() -> None:
    config = (CHECKOUT / "web" / "vite.config.ts").read_text(encoding="utf-8")
    assert f'outDir: "../{FOLDER.relative_to(CHECKOUT).as_posix()}"' in config


def test_pictures_have_the_sizes_of_the_manifest() -> None:
    """Icons exist as pictures too, one of them with room for a mask of any outline. Screenshots are pictures of the documents."""
    public = CHECKOUT / "web" / "public"
    manifest = json.loads((public / "manifest.webmanifest").read_text(encoding="utf-8"))
    icons = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for folder, picture in (*((public, icon) for icon in icons), *((CHECKOUT / "docs", each) for each in manifest["screenshots"])):
        head = (folder / picture["src"].strip("/")).read_bytes()[:30]
        if picture["type"] == "image/png":
            assert head.startswith(b"\x89PNG")
            width, height = (int.from_bytes(head[at : at + 4], "big") for at in (16, 20))
        else:
            assert head[8:16] == b"WEBPVP8X"
            width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
        assert f"{width}x{height}" == picture["sizes"]
    assert {each["form_factor"] for each in manifest["screenshots"]} == {"narrow", "wide"}


async def test_installed_app_starts_at_pages_that_exist(built: Shared) -> None:
    manifest = json.loads((CHECKOUT / "web" / "public" / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["id"] == manifest["start_url"] == "/"
    for path in (manifest["start_url"], *(each["url"] for each in manifest["shortcuts"])):
        assert status(await ask(built, path, **BROWSER)) == 200


# --- Files ---


async def test_assets_are_cached_for_long(built: Shared) -> None:
    for path, text in FILES.items():
        heard = await ask(built, f"/{path}")
        assert status(heard) == 200
        assert content(heard) == text.encode()
        assert head_of(heard)["cache-control"] == (LASTING if path.startswith("assets/") else CHECKED)


@pytest.mark.parametrize(("path", "media"), [("index-b1x.js", "text/javascript"), ("index-b1x.css", "text/css")])
async def test_files_have_their_media_types(built: Shared, path: str, media: str) -> None:
    assert head_of(await ask(built, f"/assets/{path}"))["content-type"].startswith(media)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../secret.js",
        "/assets/../../secret.js",
        "/assets/..%2f..%2fsecret.js",
        "/assets/%2e%2e/%2e%2e/secret.js",
        "/assets//../../secret.js",
        "/assets/..\\..\\secret.js",
        "/../secret.js",
        "//secret.js",
        "/assets/index-b1x.js%00",
        "/cards/../secret.js",
        "/cards/..%2fsecret.svg",
        "/index.html/../../secret.js",
    ],
)
async def test_files_outside_the_page_get_404(built: Shared, path: str) -> None:
    for named in ({}, BROWSER):
        heard = await ask(built, path, **named)
        assert status(heard) in (400, 404)
        assert b"secret" not in content(heard)


async def test_page_files_are_not_rate_limited(tmp_path: Path) -> None:
    """They share one address, which may ask 20 times a second for anything else."""
    with with_page(tmp_path) as database:
        async with serving(database, requests=20) as server:
            for path in ("/", "/assets/index-b1x.js", f"/cards/{pack_names()[0]}.svg"):
                assert {status(await ask(server, path)) for _ in range(25)} == {200}
            assert 429 in {status(await ask(server, "/api/games")) for _ in range(45)}


async def test_content_policy_allows_own_files_only(built: Shared) -> None:
    policy = head_of(await ask(built, "/"))["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "data:" not in policy


# --- What browsers keep ---


async def test_service_worker_is_checked_each_time_and_lists_files_by_digest(built: Shared) -> None:
    heard = await ask(built, "/sw.js")
    assert head_of(heard)["cache-control"] == "no-cache"
    assert head_of(heard)["content-type"].startswith("text/javascript")
    kept = listed(heard)
    assert kept["server"]
    assert set(kept["now"]) | set(kept["later"]) == {"index.html", "assets/index-b1x.js", "assets/index-b1x.css"}
    assert kept["later"]["assets/index-b1x.js"] == b64encode(hashlib.sha256(SCRIPT.encode()).digest()[:9]).decode()


async def test_other_version_of_the_page_has_another_service_worker(built: Shared, tmp_path: Path) -> None:
    with with_page(tmp_path) as database:
        (tmp_path / "page" / "icon.svg").write_text("<svg>another</svg>")
        async with serving(database) as server:
            assert listed(await ask(server, "/sw.js"))["version"] != listed(await ask(built, "/sw.js"))["version"]


async def test_without_offline_both_service_workers_end(tmp_path: Path) -> None:
    with with_page(tmp_path) as database:
        async with serving(database, offline=False) as server:
            for path in ("/sw.js", "/offline/sw.js"):
                assert listed(await ask(server, path)) is None
            assert status(await ask(server, "/offline/pocket/worker.js")) == 404
            assert b"data-version" not in await ask(server, "/")


def listed(heard: bytes) -> Any:
    """Return the list before the script of a service worker."""
    return json.loads(content(heard).partition(b";\n")[0].removeprefix(b"self.KEPT = "))


async def test_webassembly_is_allowed_to_the_worker_of_the_copy_alone() -> None:
    if not is_built():
        pytest.skip(NO_PAGE)
    with TemporaryDirectory() as folder:
        async with serving(Path(folder) / "mekuri.db") as server:
            assert head_of(await ask(server, "/offline"))["location"] == "/offline/"
            kept = listed(await ask(server, "/offline/sw.js"))
            assert not kept["server"]
            assert LEAST < kept["size"] < MOST  # the page says "about 8 MB"
            for path in ("", "sw.js", *kept["now"], *kept["later"]):
                heard = await ask(server, f"/offline/{path}")
                policy = head_of(heard)["content-security-policy"]
                assert status(heard) == 200
                assert ("wasm-unsafe-eval" in policy) == (path == "pocket/worker.js")
                assert head_of(heard)["cache-control"] == "no-cache"
                assert head_of(heard)["x-robots-tag"] == "noindex"
            assert b"http-equiv" not in await ask(server, "/offline/")
            for path in ("/offline/nothing", "/offline/../secret", "/offline/pocket/../../secret", "/offline/pocket"):
                assert status(await ask(server, path)) in (400, 404)


# --- Drawn packs ---


@pytest.mark.parametrize("pack", pack_names())
async def test_sprites_are_served_and_cached_by_version(built: Shared, pack: str) -> None:
    path = f"/cards/{pack}.svg"
    heard = await ask(built, path)
    assert content(heard) == sprite(find_pack(pack)).encode()
    assert head_of(heard)["content-type"] == "image/svg+xml"
    assert head_of(heard)["cache-control"] == CHECKED
    assert head_of(await ask(built, f"{path}?v={sprite_digest(find_pack(pack))}"))["cache-control"] == LASTING
    # An address of older drawings shows the present ones, but not for ever.
    assert head_of(await ask(built, f"{path}?v=0123456789abcdef"))["cache-control"] == CHECKED


async def test_sprite_addresses_are_in_the_list_of_games(built: Shared) -> None:
    for game in body_of(await ask(built, "/api/games"))["games"]:
        for pack in game["packs"]:
            assert head_of(await ask(built, pack["sprite"]))["cache-control"] == LASTING


# --- Compression ---


@pytest.mark.parametrize(
    "path", ["/", "/assets/index-b1x.js", f"/cards/{pack_names()[0]}.svg", "/api/games", f"/api/games/{USUAL}/texts/ja"]
)
async def test_public_answers_are_compressed(built: Shared, path: str) -> None:
    plain = await ask(built, path)
    assert "content-encoding" not in head_of(plain)
    varies = "Accept-Encoding, Accept-Language" if path == "/" else "Accept-Encoding"
    assert head_of(plain)["vary"] == varies
    for encoding in ("gzip", "br, gzip;q=0.8", "deflate, GZIP", "gzip;q=0.001"):
        packed = await ask(built, path, accept_encoding=encoding)
        assert head_of(packed)["content-encoding"] == "gzip"
        assert head_of(packed)["vary"] == varies
        assert gzip.decompress(content(packed)) == content(plain)
        again = await ask(built, path, accept_encoding=encoding, if_none_match=head_of(packed)["etag"])
        assert (status(again), content(again)) == (304, b"")
    for encoding in ("identity", "gzip;q=0", "gzip; q=0.000, br", "xgzip", "x-of-gzip", "*;q=0"):
        assert content(await ask(built, path, accept_encoding=encoding)) == content(plain)


async def test_small_files_are_not_compressed(built: Shared) -> None:
    heard = await ask(built, "/assets/index-b1x.css", accept_encoding="gzip")
    assert content(heard) == b"p{}"
    assert "content-encoding" not in head_of(heard)


async def test_private_answers_and_streams_are_not_compressed(server: Serving) -> None:
    """A stream must flow, and tables must answer quickly."""
    guest = body_of(await send(server.address, request("POST", "/api/guests", {})))
    who = {"authorization": f"Bearer {guest['token']}", "accept-encoding": "gzip"}
    table = body_of(await send(server.address, request("POST", "/api/tables", {"game": USUAL}, who)))["id"]
    for path in (f"/api/tables/{table}", "/api/tables"):
        heard = await send(server.address, request("GET", path, headers=who))
        assert status(heard) == 200
        assert "content-encoding" not in head_of(heard)
    tap = await Tap(server.address).open(f"/api/stream?table={table}", who)
    assert status(tap.heard) == 200
    assert "content-encoding" not in head_of(tap.heard)
    await tap.close()


async def test_lists_of_events_are_compressed(server: Serving) -> None:
    """They are nearly the same again and again."""
    guest = body_of(await send(server.address, request("POST", "/api/guests", {})))
    who = {"authorization": f"Bearer {guest['token']}"}
    table = body_of(await send(server.address, request("POST", "/api/tables", {"game": USUAL}, who)))["id"]
    await send(server.address, request("POST", f"/api/tables/{table}/seat", {"cut": "tsuru"}, who))
    path = f"/api/tables/{table}/events?since=0"
    plain = await send(server.address, request("GET", path, headers=who))
    packed = await send(server.address, request("GET", path, headers=who | {"accept-encoding": "gzip"}))
    assert head_of(packed)["content-encoding"] == "gzip"
    events = body_of(plain)["events"]
    # Meanwhile the bot may have played.
    assert json.loads(gzip.decompress(content(packed)))["events"][: len(events)] == events
    assert len(content(packed)) < len(content(plain)) / 4
    for heard in (plain, packed):
        assert head_of(heard)["vary"] == "Accept-Encoding"
        assert head_of(heard)["cache-control"] == "no-store"
        assert "etag" not in head_of(heard)


# --- Made ahead ---


async def test_shared_answers_are_prepared_in_a_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first to open a rule book would otherwise hold every table up."""
    threads: list[str] = []
    for name in ("draw_all", "prepare"):
        monkeypatch.setattr(f"mekuri.server.http.app.{name}", lambda *_: threads.append(threading.current_thread().name))
    async with serving(tmp_path / "mekuri.db"):
        while len(threads) < 2:
            await moment()
    assert threading.current_thread().name not in threads


def test_texts_of_every_game_are_prepared_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[object, ...]] = []

    def keep(tell: object, *given: object) -> CachedResponse:
        made.append((tell, *given))
        return CachedResponse(b"", "text/plain")

    monkeypatch.setattr("mekuri.desk.routes.games.cached", keep)
    prepare()
    for game in map(games.find, GAMES):
        assert (library.game_info, game) in made
        for lang in LANGUAGES:
            assert (library.catalogue, game, lang) in made
            assert (library.rule_book, game, lang) in made
