"""The files of a site without a server."""

import ast
import base64
import gzip
import hashlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
import zipfile
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from mekuri import games
from mekuri.bots import webassembly
from mekuri.pocket import search
from mekuri.pocket import site as built
from tests.helpers.commands import run_command
from tests.helpers.folders import CHECKOUT, EXAMPLES
from tests.helpers.pocket.worker import make_site
from tests.helpers.tables import USUAL
from tools.build_page import is_used

MOST = 7_000_000  # bytes of a first visit to a site with one game
GAME = 200_000  # bytes of each further game
SEARCH = 20_000  # of which its search has so many
WHEEL = 12_000_000  # bytes of the searches of all games in a wheel

SAID = """
from hashlib import sha256
import mekuri
from mekuri import games
from mekuri.engine.rulebook import rulebook
from mekuri.games.figures import figures_of

print(mekuri.__file__)
for name in games.names():
    book, folder = rulebook(games.find(name)), games.find(name).folder
    retold = [sorted((row | {"sha256": ""}).items()) for row in book.source_tables.get("rows", ())]
    for said in (repr((book.works, retold)).encode(), figures_of(folder / "prospect.bin")):
        print(sha256(said).hexdigest())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("host") / "site")


def unpacked(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(file.read_bytes()))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_no_address_begins_at_the_root_of_the_host(site: Path) -> None:
    index = (site / "index.html").read_text()
    addresses = re.findall(r'(?:href|src)="([^"]+)"', index)
    assert addresses
    assert all(address.startswith("./") and (site / address).is_file() for address in addresses)
    manifest = json.loads((site / "manifest.webmanifest").read_text())
    shortcuts = manifest["shortcuts"]
    pictures = [*manifest["icons"], *manifest["screenshots"], *(icon for each in shortcuts for icon in each["icons"])]
    assert all(picture["src"].startswith("./") and (site / picture["src"]).is_file() for picture in pictures)
    assert manifest["start_url"] == "./"
    assert all(each["url"].startswith("./?/") for each in shortcuts)
    assert "id" not in manifest


def test_policy_allows_webassembly_and_no_other_host(site: Path) -> None:
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', (site / "index.html").read_text())
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    assert "unsafe-inline" not in policy
    assert "://" not in policy


def test_bundle_has_what_a_page_runs_and_no_more(site: Path) -> None:
    names = {name.split("/")[1] for name in unpacked(site / "pocket" / "mekuri.zip.bin")}
    assert {"cards", "engine", "games", "bots", "desk", "pocket"} <= names
    assert not {"server", "terminal", "cli", "lab", "testing", "__pycache__"} & names


def test_installed_games_are_carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES / "kingo" / "src"))
    points = EntryPoints([EntryPoint("kingo", "mekuri_kingo:contract", "mekuri.games")])
    monkeypatch.setattr(built, "entry_points", lambda group: points)
    with zipfile.ZipFile(io.BytesIO(built.bundle(()))) as archive:
        archive.extractall(tmp_path)
    code = "import mekuri; from mekuri import games; print(mekuri.__file__, games.find('kingo').id)"
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == [str(tmp_path / "mekuri" / "__init__.py"), "kingo"]


def test_answers_about_games_are_files(site: Path) -> None:
    there = {file.relative_to(site / "pocket").as_posix() for file in (site / "pocket" / "api").rglob("*.bin")}
    listed = json.loads(gzip.decompress((site / "pocket" / "api" / "games.bin").read_bytes()))
    assert {each["id"] for each in listed["games"]} == set(games.names())
    for name in (*games.names(), *games.entries()):
        assert {f"api/games/{name}{part}.bin" for part in ("", "/rules/en", "/rules/ja", "/texts/en", "/texts/ja")} <= there
        info = json.loads(gzip.decompress((site / "pocket" / "api" / "games" / f"{name}.bin").read_bytes()))
        assert (f"api/games/{name}/lesson.bin" in there) is info["lesson"]
        assert all(pack["sprite"].startswith("cards/") for pack in info["packs"])


def test_imported_modules_are_carried(site: Path) -> None:
    """Only modules of Python's library that nothing here imports are left out. No module needs Numba."""
    files = unpacked(site / "pocket" / "mekuri.zip.bin") | unpacked(site / "pocket" / "libraries.zip.bin")
    for name, body in files.items():
        if not name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(body)):
            found = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            assert not {module.partition(".")[0] for module in found} & {"llvmlite", "numba"}, name
            for module in found:
                assert is_used(f"{module.replace('.', '/')}.py"), f"{name} imports {module}"


def test_game_brings_its_search(site: Path, tmp_path: Path) -> None:
    """The tables that the rules read from a file are not carried twice."""
    files = unpacked(site / "pocket" / "mekuri.zip.bin")
    own = f"mekuri/games/{USUAL}/"
    assert [name for name in files if name.endswith(search.NAME)] == [own + search.NAME]
    assert len(gzip.compress(files[own + search.NAME])) < SEARCH
    for name in files:
        if name.startswith(own) and name.endswith((".bin.xz", ".wasm")):
            (tmp_path / name.removeprefix(own)).write_bytes(files[name])
    assert len([*tmp_path.iterdir()]) == 2
    assert search.unpacked(tmp_path) == webassembly.module(games.find(USUAL))
    assert "<html data-pocket " in (site / "index.html").read_text()


def test_site_that_is_made_without_numba_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "available", lambda: False)
    monkeypatch.setattr(search, "_MADE", tmp_path)
    plain = make_site(tmp_path / "site")
    assert not [name for name in unpacked(plain / "pocket" / "mekuri.zip.bin") if name.endswith(search.NAME)]
    assert '<html data-pocket="plain" ' in (plain / "index.html").read_text()


def test_wheel_brings_the_searches_of_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site needs no Numba then, until a file of which they were made changes."""
    monkeypatch.setattr(search, "_MADE", tmp_path / "made")
    assert search.make([USUAL]) < SEARCH
    fresh = search.packed(USUAL)
    monkeypatch.setattr(built, "available", lambda: False)
    monkeypatch.setattr(webassembly, "module", None)
    site = make_site(tmp_path / "site")
    assert unpacked(site / "pocket" / "mekuri.zip.bin")[f"mekuri/games/{USUAL}/{search.NAME}"] == fresh
    assert "<html data-pocket " in (site / "index.html").read_text()
    monkeypatch.setattr(search, "_digest", lambda game: b"0")
    assert search.made(USUAL) is None


@pytest.mark.slow
@pytest.mark.parametrize("game", search.ours())
def test_search_of_a_wheel_is_small(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_MADE", tmp_path)
    assert search.make([game]) < WHEEL / len(search.ours())
    assert [file.stem for file in tmp_path.iterdir()] == [game]


def test_all_files_are_kept_for_offline_except_licences_and_texts_of_games(site: Path) -> None:
    script = (site / "sw.js").read_text().partition(";\n")[0]
    kept = json.loads(script.partition(" = ")[2])
    there = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    left_out = {name for name in there if re.match(r"sw\.js|index\.html|pocket/licences/|pocket/api/games/|screens/", name)}
    assert set(kept["now"]) == there - left_out | {""}  # the page is kept at the address of its folder
    assert set(kept["later"]) == {name for name in left_out if name.startswith("pocket/api/")}
    for name, tag in (kept["now"] | kept["later"]).items():
        assert base64.b64decode(tag) == hashlib.sha256((site / (name or "index.html")).read_bytes()).digest()[:9]
    assert f'data-version="{kept["version"]}"' in (site / "index.html").read_text()


def test_worker_can_start_before_the_page(site: Path) -> None:
    first = re.search(r'<script type="module" src="([^"]+)" async></script>\s+<script', (site / "index.html").read_text())
    assert first
    assert b"pocket/worker.js" in (site / first[1]).read_bytes()


def test_worker_knows_the_version_of_its_site(site: Path) -> None:
    version = json.loads((site / "sw.js").read_text().partition(";\n")[0].partition(" = ")[2])["version"]
    assert (site / "pocket" / "worker.js").read_text().startswith(f'self.BUILD = "{version}";\n')


def test_licences_lie_beside_what_they_are_of(site: Path) -> None:
    names = {file.name for file in (site / "pocket" / "licences").iterdir()}
    assert {"carried.txt", "msgspec.txt", "fsrs.txt", "tomli.txt", "typing_extensions.txt"} <= names
    assert {"LICENSE.txt", "CC-BY-4.0.txt", "MPL-2.0.txt", "Python-2.0.txt"} <= names


def test_size_of_a_first_visit(site: Path) -> None:
    """It is less than 7 MB with one game, and at most 0.2 MB more with each further game."""
    visited = [site / "index.html", *(site / "pocket").glob("*.*"), *(site / "pocket" / "api").glob("*.bin")]
    visited += (site / "assets").iterdir()  # a first visit loads a third of it
    visited += [max((site / "cards").iterdir(), key=lambda file: file.stat().st_size)]
    files, sizes = unpacked(site / "pocket" / "mekuri.zip.bin"), {}
    for game in games.names():
        own = {name: body for name, body in files.items() if name.startswith(f"mekuri/games/{game}/")}
        sizes[game] = len(gzip.compress(b"".join(own.values()), 9))
        assert sizes[game] + (0 if f"mekuri/games/{game}/{search.NAME}" in own else SEARCH) <= GAME, game
    others = sum(sizes.values()) - max(sizes.values())
    assert sum(file.stat().st_size for file in visited) - others <= MOST


def test_files_that_the_bundle_has_smaller_say_the_same(tmp_path: Path) -> None:
    """The worker has the same sources of the rules, and the same figures by which bots judge."""
    with zipfile.ZipFile(io.BytesIO(built.bundle(()))) as archive:
        archive.extractall(tmp_path)
        assert f"mekuri/games/{USUAL}/prospect.bin.xz" in archive.namelist()
    command = [sys.executable, "-c", SAID]
    bundled, here = (
        subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.split()
        for env in ({"PYTHONPATH": str(tmp_path)}, {"PYTHONPATH": str(CHECKOUT / "src")})
    )
    assert bundled == [str(tmp_path / "mekuri" / "__init__.py"), *here[1:]]
    assert len(here) == 1 + 2 * len(games.names())


def test_files_of_another_folder_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="not empty"):
        built.write_site(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_page_that_was_not_built_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "FILES", tmp_path)
    with pytest.raises(built.NoSite, match="build_page"):
        built.write_site(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_preview(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mekuri", "site", str(tmp_path / "site"), "--preview", "--port", "0"]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # else the searches of all games are compiled
    with subprocess.Popen(command, env=plain, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        assert process.stdout.readline().endswith(" MB\n")
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == (tmp_path / "site" / "index.html").read_bytes()
        process.kill()


def test_preview_that_cannot_listen_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (taken.getsockname()[1], 99999):
            status, _, err = run_command(capsys, "site", tmp_path / "site", "--preview", "--port", port)
            assert (status, f"port {port}" in err, (tmp_path / "site").exists()) == (2, True, False)
