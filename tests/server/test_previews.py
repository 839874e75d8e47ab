"""Previews of links to the page: title, one line and picture, in the HTML for robots."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest
import segno

from mekuri import games
from mekuri.cards.art.scene import SIZE
from mekuri.desk.sized_cache import SizedCache
from mekuri.desk.work import PURSE
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.server.base.budget import Bank
from mekuri.server.http.previews import cards_of_game
from mekuri.server.storage.store import StoreError
from mekuri.server.tables import pictures
from tests.helpers.server.gathering import begun, guests
from tests.helpers.server.raw import head_of, request, send, status
from tests.helpers.server.serving import Guest, Serving, play_out, serving
from tests.helpers.tables import GAMES, USUAL
from tests.server.test_page import with_page

NAME = '<b>"Aki"</b> & \\1'


async def ask(server: Serving, path: str, **headers: str) -> bytes:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return await send(server.address, request("GET", path, headers={"accept": "text/html", **sent}))


def said(heard: bytes) -> dict[str, str]:
    """Return the tags that a robot reads."""
    text = heard.partition(b"\r\n\r\n")[2].decode()
    tags = re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)" />', text)
    (title,) = re.findall(r"<title>(.*?)</title>", text)
    return {name: unescape(content) for name, content in tags} | {"title": unescape(title)}


@pytest.fixture
async def built(tmp_path: Path) -> AsyncIterator[Serving]:
    with with_page(tmp_path) as database:
        async with serving(database, public_url="https://mekuri.example") as server:
            yield server


async def test_preview_of_a_game_has_its_name_and_picture(built: Serving) -> None:
    for name, path, lang in ((name, path, lang) for name in GAMES for path in ("rules", "new") for lang in LANGUAGES):
        texts = rulebook(games.find(name)).tables
        heard = await ask(built, f"/{path}/{name}", accept_language=f"fr, {lang};q=0.9, en;q=0.1")
        assert status(heard) == 200
        tags = said(heard)
        assert texts["name"][lang] in tags["title"] == tags["og:title"]
        assert tags["description"] == tags["og:description"] == texts["summary"][lang]
        assert tags["og:url"] == f"https://mekuri.example/{path}/{name}"
        assert tags["og:image"] == f"https://mekuri.example/pictures/{name}"
        assert "robots" not in tags


async def test_preview_of_other_pages_has_own_texts(built: Serving) -> None:
    tags = {path: said(await ask(built, path)) for path in ("/", "/rules", "/daily", "/practice", "/settings")}
    assert len({tags[path]["title"] for path in ("/", "/rules", "/daily", "/practice")}) == 4
    assert {path: "pictures" in each["og:image"] for path, each in tags.items()} == {path: path != "/settings" for path in tags}
    assert {path for path, each in tags.items() if "robots" in each} == {"/practice", "/settings"}


async def test_lang_parameter_takes_precedence_over_the_browser(built: Serving) -> None:
    name = rulebook(games.find(USUAL)).tables["name"]
    for asked, lang in (("?lang=ja", "ja"), ("?lang=xx", "en"), ("?lang=%22%3E", "en")):
        assert name[lang] in said(await ask(built, f"/rules/{USUAL}{asked}", accept_language="en"))["title"]
    for weights, lang in (("ja;q=0, en;q=0.1", "en"), ("en;q=0.3, ja;q=0.4", "ja"), ("ja-JP", "ja"), (";;,q=,", "en"), ("", "en")):
        assert name[lang] in said(await ask(built, f"/rules/{USUAL}", accept_language=weights))["title"]


async def test_preview_of_unknown_address_gets_404(built: Serving) -> None:
    guest = await Guest(built.address).arrive()
    table = await guest.make(USUAL, seats=["person", "person"])
    rounds = [f"/t/{table}/rounds/{number}" for number in ("0", "1", "x", "9" * 99)]
    for path in ("/t/x", "/t/x/rounds/1", *rounds, "/rules/x", "/new/x", "/nothing", "/rules/" + "x" * 500):
        heard = await ask(built, path)
        assert status(heard) == 404, path
        assert said(heard)["robots"] == "noindex"
        assert said(heard)["og:url"] == "https://mekuri.example/"
        assert b"<div id=app>" in heard
    for path in ("/pictures/x", f"/t/{table}/rounds/1/picture", "/t/x/rounds/1/picture", f"/t/{table}/rounds/x/picture"):
        assert status(await send(built.address, request("GET", path))) == 404, path


async def test_preview_of_a_table_names_its_players(built: Serving) -> None:
    guest = await Guest(built.address).arrive(NAME)
    table = await guest.make(USUAL, seats=["person", "person"])
    name = rulebook(games.find(USUAL)).tables["name"]
    tags = said(await ask(built, f"/t/{table}"))
    assert tags["title"] == f"Come and play {name['en']}"
    assert tags["og:description"].startswith("Free seats: 2.")
    assert tags["robots"] == "noindex", "anyone with the link may sit down"
    await guest.sit(table)
    heard = await ask(built, f"/t/{table}?lang=ja")
    assert b"<b>" not in heard
    assert NAME in said(heard)["og:description"]
    assert "空席1" in said(heard)["og:description"]


async def test_preview_of_a_match_shows_its_result(built: Serving) -> None:
    async with guests(built, "Aki", "Beni") as people:
        table = await begun(people, USUAL, 1)
        assert "round 1" in said(await ask(built, f"/t/{table}"))["title"]
        running = said(await ask(built, f"/t/{table}/rounds/1"))
        assert running["title"] == said(await ask(built, f"/t/{table}"))["title"]
        assert status(await send(built.address, request("GET", f"/t/{table}/rounds/1/picture"))) == 409
        await play_out(table, people)
        tags = said(await ask(built, f"/t/{table}"))
        first = (await people[0].look(table))["head"]
        assert tags["title"].endswith(", ".join(first["seats"][seat]["name"] for seat in first["winners"]))
        tags = said(await ask(built, f"/t/{table}/rounds/1"))
        assert tags["og:image"] == f"https://mekuri.example/t/{table}/rounds/1/picture"
        book, view = rulebook(games.find(USUAL)), (await people[0].look(table))["view"]
        seat = view["result"]["args"].get("seat")
        assert seat is None or first["seats"][seat]["name"] in tags["title"]
        assert book.tables["name"]["en"] in tags["title"]
        # A preview of a review names the player and gives no verdict: the reader is asked first.
        for asked, seat in (("", 0), ("?seat=1", 1)):
            review = said(await ask(built, f"/t/{table}/rounds/1/review{asked}"))
            assert first["seats"][seat]["name"] in review["title"]
            assert review["og:url"] == f"https://mekuri.example/t/{table}/rounds/1/review?seat={seat}"
            assert review["og:image"] == tags["og:image"]
        for asked in ("?seat=7", "?seat=-1", "?seat=x", "?seat=" + "9" * 200):
            assert said(await ask(built, f"/t/{table}/rounds/1/review{asked}"))["title"] == tags["title"]
        assert status(await ask(built, f"/t/{table}/rounds/2/review")) == 404


async def test_pictures_are_drawn_once_and_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(svg: str) -> bytes:
        drawn.append(svg)
        return svg.encode()

    monkeypatch.setattr(pictures, "_draw", draw)
    async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki", "Beni") as people:
        table = await begun(people, USUAL, 1)
        await play_out(table, people)
        for path in (f"/pictures/{USUAL}", f"/t/{table}/rounds/1/picture"):
            one, two = [await send(server.address, request("GET", path)) for _ in range(2)]
            assert one == two
            assert head_of(one)["content-type"] == "image/png"
            again = await send(server.address, request("GET", path, headers={"if-none-match": head_of(one)["etag"]}))
            assert status(again) == 304
        assert len(drawn) == len(set(drawn)) == 2


async def test_picture_is_a_png_charged_to_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is drawn elsewhere, and its processor time is charged here."""
    bank = Bank(100, 500, lambda: 0.0)
    PURSE.set(bank.purse("somebody", "here"))
    there = pictures.Pictures(SizedCache(1 << 20))
    pack, cards = cards_of_game(games.find(USUAL))
    assert len(cards) == 5
    kept = await there.draw(pack, cards)
    there.close()
    assert kept
    assert kept.body.startswith(b"\x89PNG")
    assert (int.from_bytes(kept.body[16:20], "big"), int.from_bytes(kept.body[20:24], "big")) == SIZE
    while not bank.spent:
        await asyncio.sleep(0)
    assert bank.spent > 0.01


async def test_failed_drawing_gets_503(built: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "python")

    monkeypatch.setattr(subprocess, "run", fail)
    assert status(await send(built.address, request("GET", f"/pictures/{USUAL}"))) == 503
    assert "og:image" in said(await ask(built, f"/rules/{USUAL}"))


async def test_preview_falls_back_if_the_log_is_unreadable(built: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page itself reports the fault."""

    async def broken(*_: object, **__: object) -> None:
        raise StoreError("gone")

    monkeypatch.setattr(built.desk.tables, "read", broken)
    heard = await ask(built, "/t/x")
    assert status(heard) == 200
    assert said(heard)["og:image"].endswith("/icon-512.png")


# --- The invitation as a QR code ---


def dark(svg: str) -> set[tuple[int, int]]:
    """The dark squares of a drawn code, by row and column, without its margin of four."""
    ((path,),) = [re.findall(r' stroke="#000"[^>]* d="([^"]*)"', svg) or re.findall(r' d="(M4 4\.5[^"]*)"', svg)]
    x = y = 0.0
    found = set()
    for command, one, other in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path):
        if command == "h":
            found |= {(int(y - 4.5), int(x - 4) + n) for n in range(int(one))}
            x += float(one)
        else:
            start = (0.0, 0.0) if command == "M" else (x, y)
            x, y = start[0] + float(one), start[1] + float(other)
    return found


async def test_qr_code_of_a_table_is_its_link(built: Serving) -> None:
    guest = await Guest(built.address).arrive()
    table = await guest.make(USUAL, seats=["person", "person"])
    heard = await send(built.address, request("GET", f"/t/{table}/qr"))
    assert head_of(heard)["content-type"] == "image/svg+xml"
    matrix = segno.make_qr(f"https://mekuri.example/t/{table}", error="m").matrix
    meant = {(down, across) for down, row in enumerate(matrix) for across, cell in enumerate(row) if cell}
    assert dark(heard.partition(b"\r\n\r\n")[2].decode()) == meant
    assert status(await send(built.address, request("GET", "/t/x/qr"))) == 404
