"""The files of Mekuri as a site without a server: the page, its worker, Pyodide, and Mekuri's own code and rule books."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gzip
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Collection, Iterator
from importlib.metadata import EntryPoints, entry_points
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import mekuri
from mekuri import __version__, games
from mekuri.cards.art import find_pack, pack_names, sprite
from mekuri.desk.desk import Desk
from mekuri.desk.front import Front
from mekuri.desk.memory_store import MemoryStore
from mekuri.desk.routes.games import ROUTES
from mekuri.engine.compiled import available
from mekuri.engine.errors import CannotCompile, MekuriError
from mekuri.engine.rulebook import LANGUAGES
from mekuri.pocket import search
from mekuri.pocket.pocket import beside_the_page
from mekuri.table.time import REAL

_MEKURI = Path(mekuri.__file__).parent
_PAGE = _MEKURI / "server" / "page"
_FILES = _MEKURI / "pocket" / "files"
_LEFT_OUT = {"cli", "lab", "server", "terminal", "testing"}  # the packages that a page does not run
_AS_FILES = {("pocket", "files"), ("pocket", "searches")}  # which the site has outside Mekuri's own code
_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'self'"
_CARRIED = """\
This site is Mekuri {version}. It carries unchanged copies of

    Pyodide (Mozilla Public License 2.0), which is CPython (Python Software Foundation License) for browsers
    msgspec (BSD 3-Clause), fsrs (MIT), tomli (MIT), typing_extensions (Python Software Foundation License)
    Svelte, in the scripts of the page (MIT)

Their source code is where these projects publish it, under the versions that the files name. The licences are beside this file.
"""


class NoSite(MekuriError):
    """The files of a site are not here, because the page was not built."""


def write_site(folder: Path, compiled: Collection[str] | None = None) -> int:
    """Write a site for any host of files, at any path.

    Args:
        folder: a folder that is empty or does not exist.
        compiled: the games in which bots search as WebAssembly; all if left out. Without Numba these are those of the wheel alone.

    Returns:
        How many bytes all files have.

    Raises:
        NoSite: the page was not built.
        FileExistsError: the folder is not empty.
    """
    if not (_PAGE / "index.html").is_file() or not (_FILES / "worker.js").is_file():
        raise NoSite("this copy of Mekuri has no page; where its sources are, `python tools/build_page.py` builds it")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "is not empty: name another folder", str(folder))
    wanted = games.names() if compiled is None else compiled
    files = dict(_contents([game for game in wanted if available() or search.made(game)]))
    offline = files.pop("pocket/offline.js")
    digest = hashlib.sha256(b"".join(name.encode() + body for name, body in files.items())).hexdigest()[:16]
    later = ("pocket/licences/", "pocket/api/games/")
    kept = {"digest": digest, "files": [name for name in files if not name.startswith(later)]}
    files["pocket/worker.js"] = f"self.BUILD = {json.dumps(digest)};\n".encode() + files["pocket/worker.js"]
    files["sw.js"] = f"self.SITE = {json.dumps(kept)};\n".encode() + offline
    size = 0
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(body)
    return size


def _contents(compiled: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and the contents of all files."""
    for file in sorted(_PAGE.rglob("*")):
        name = file.relative_to(_PAGE).as_posix()
        if file.is_file() and name not in ("index.html", "manifest.webmanifest", "sw.js"):
            yield name, file.read_bytes()
    yield "index.html", _index((_PAGE / "index.html").read_text(encoding="utf-8"), plain=not compiled).encode()
    yield "manifest.webmanifest", _manifest((_PAGE / "manifest.webmanifest").read_bytes())
    for pack in pack_names():
        yield f"cards/{pack}.svg", sprite(find_pack(pack)).encode()
    for file in sorted(_FILES.rglob("*")):
        if file.is_file():
            yield f"pocket/{file.relative_to(_FILES).as_posix()}", file.read_bytes()
    yield "pocket/mekuri.zip.bin", gzip.compress(bundle(compiled), 9, mtime=0)
    for path, body in asyncio.run(answers()).items():
        yield f"pocket{path}.bin", gzip.compress(body, 9, mtime=0)
    yield "pocket/licences/carried.txt", _CARRIED.format(version=__version__).encode()


async def answers() -> dict[str, bytes]:
    """Return the answers to requests about games by their paths: the page shows them before its worker is up."""
    front, found = Front(Desk(MemoryStore(REAL))), {}
    named = product(ROUTES, (*games.names(), *games.entries()), LANGUAGES)
    paths = dict.fromkeys(route.path.format(game=game, lang=lang) for route, game, lang in named)
    for path in (*paths, "/api/games?brief=true"):
        reply = await front.ask("GET", path)
        if reply.status == 200 and isinstance(reply.body, bytes):
            found[path.partition("?")[0]] = beside_the_page(reply.body)
    return found


def _index(page: str, plain: bool) -> str:
    """Return the page's first file for a site: its addresses are relative, and a policy stands in it, for a host sends none."""
    page = page.replace("<html ", '<html data-pocket="plain" ' if plain else "<html data-pocket ", 1)
    page = re.sub(r' *<link rel="preload" href="/api/[^>]*>\n', "", page)
    page = re.sub(r'(href|src)="/', r'\1="./', page)
    return page.replace("<head>", f'<head>\n    <meta http-equiv="Content-Security-Policy" content="{_POLICY}" />', 1)


def _manifest(body: bytes) -> bytes:
    manifest = json.loads(body)
    manifest["start_url"] = "./"
    for icon in manifest["icons"]:
        icon["src"] = f".{icon['src']}"
    return json.dumps(manifest, indent=4).encode()


def bundle(compiled: Collection[str]) -> bytes:
    """Return what the worker runs of Mekuri, as a ZIP archive that is compressed as a whole later."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(_MEKURI.rglob("*")):
            parts = path.relative_to(_MEKURI).parts
            if path.is_file() and parts[0] not in _LEFT_OUT and "__pycache__" not in parts and parts[:2] not in _AS_FILES:
                archive.writestr(zipfile.ZipInfo("/".join(("mekuri", *parts))), path.read_bytes())
        for game in compiled:
            with contextlib.suppress(CannotCompile):  # rules of another distribution, which then run plain
                archive.writestr(zipfile.ZipInfo(f"mekuri/games/{game}/{search.NAME}"), search.packed(game))
        for name, body in _others(entry_points(group="mekuri.games")):
            archive.writestr(zipfile.ZipInfo(name), body)
    return made.getvalue()


def _others(points: EntryPoints) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the files of games that other distributions have installed."""
    if not points:
        return
    for name in sorted({re.split(r"\W", point.value)[0] for point in points}):
        spec = find_spec(name)
        assert spec
        assert spec.origin
        folder = Path(spec.origin).parent if spec.submodule_search_locations else None
        for file in sorted(folder.rglob("*")) if folder else [Path(spec.origin)]:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to((folder or file).parent).as_posix(), file.read_bytes()
    yield "others.dist-info/METADATA", b"Metadata-Version: 2.1\nName: others\nVersion: 0\n"
    lines = ["[mekuri.games]", *(f"{point.name} = {point.value}" for point in points)]
    yield "others.dist-info/entry_points.txt", "\n".join(lines).encode()
