"""The files of Mekuri as a site without a server: the page, its worker, Pyodide, and Mekuri's own code and rule books."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gzip
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
from mekuri.games.figures import PACKED
from mekuri.pocket import search
from mekuri.pocket.kept import FILES, SCRIPT, service_worker, version_of
from mekuri.pocket.pocket import beside_the_page
from mekuri.table.time import REAL

_MEKURI = Path(mekuri.__file__).parent
_PAGE = _MEKURI / "server" / "page"
_LEFT_OUT = {"adapters", "cli", "lab", "server", "terminal", "testing"}  # the packages that a page does not run
_COMPILERS = (
    "cuda_backend",
    "linking",
    "numba_backend",
    "numba_calls",
    "numba_crew",
    "numba_rows",
    "numba_words",
    "wasm_backend",
)  # which need Numba
# What the worker's archive lacks: the site has some of it outside Mekuri's own code.
_NOT_THERE = {("pocket", "files"), ("pocket", "searches"), *(("engine", f"{name}.py") for name in _COMPILERS)}
_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'self'"
_META = f'\n    <meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
_EARLY = '<script type="module" src="./pocket/early.js" async></script>'  # starts the worker beside the page
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
    if not is_built():
        raise NoSite("this copy of Mekuri has no page; where its sources are, `python tools/build_page.py` builds it")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "is not empty: name another folder", str(folder))
    wanted = games.names() if compiled is None else compiled
    size = 0
    for name, body in contents([game for game in wanted if available() or search.made(game)]).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(body)
    return size


def is_built() -> bool:
    """Whether the files of a site are here."""
    return (_PAGE / "index.html").is_file() and (FILES / "worker.js").is_file()


def contents(compiled: Collection[str], copy: bool = False) -> dict[str, bytes]:
    """Return the files of a site by their paths.

    Args:
        compiled: the games in which bots search as WebAssembly.
        copy: whether it is the copy that a server offers, which sends the policy itself.
    """
    files = dict(_contents(compiled))
    if copy:
        files["index.html"] = files["index.html"].replace(_META.encode(), b"").replace(b"<html ", b"<html data-home ", 1)
    version = version_of(files)
    files["pocket/worker.js"] = b'self.BUILD = "%s";\n' % version.encode() + files["pocket/worker.js"]
    files["index.html"] = files["index.html"].replace(b" lang=", b' data-version="%s" lang=' % version.encode(), 1)
    used = {name: body for name, body in files.items() if name.startswith("pocket/api/games/")}
    left_out = ("index.html", "pocket/licences/", "pocket/api/games/", "screens/")
    now = {"": files["index.html"]} | {name: body for name, body in files.items() if not name.startswith(left_out)}
    return files | {"sw.js": service_worker(version, now, used)}


def _contents(compiled: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and the contents of all files but the service worker."""
    for file in sorted(_PAGE.rglob("*")):
        name = file.relative_to(_PAGE).as_posix()
        if file.is_file() and name not in ("index.html", "manifest.webmanifest"):
            yield name, file.read_bytes()
    yield "index.html", _index((_PAGE / "index.html").read_text(encoding="utf-8"), plain=not compiled).encode()
    yield "manifest.webmanifest", _manifest((_PAGE / "manifest.webmanifest").read_bytes())
    for pack in pack_names():
        yield f"cards/{pack}.svg", sprite(find_pack(pack)).encode()
    for file in sorted(FILES.rglob("*")):
        if file.is_file() and file.name != SCRIPT:
            yield f"pocket/{file.relative_to(FILES).as_posix()}", file.read_bytes()
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
    return page.replace("<head>", f"<head>{_META}", 1).replace("    <script", f"    {_EARLY}\n    <script", 1)


def _manifest(body: bytes) -> bytes:
    manifest = json.loads(body)
    del manifest["id"]  # it would be the same for all sites of a host; without it the address of the site is the id
    manifest["start_url"] = "./"
    for picture in (*manifest["icons"], *manifest["screenshots"], *(each["icons"][0] for each in manifest["shortcuts"])):
        picture["src"] = f".{picture['src']}"
    for shortcut in manifest["shortcuts"]:
        shortcut["url"] = f"./?{shortcut['url']}"
    return json.dumps(manifest, indent=4).encode()


def bundle(compiled: Collection[str]) -> bytes:
    """Return what the worker runs of Mekuri, as a ZIP archive that is compressed as a whole later."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(_MEKURI.rglob("*")):
            parts = path.relative_to(_MEKURI).parts
            if path.is_file() and parts[0] not in _LEFT_OUT and "__pycache__" not in parts and parts[:2] not in _NOT_THERE:
                name, body = _carried("/".join(("mekuri", *parts)), path.read_bytes())
                archive.writestr(zipfile.ZipInfo(name), body)
        for game in compiled:
            with contextlib.suppress(CannotCompile):  # rules of another distribution, which then run plain
                archive.writestr(zipfile.ZipInfo(f"mekuri/games/{game}/{search.NAME}"), search.packed(game))
        for name, body in _others(entry_points(group="mekuri.games")):
            archive.writestr(zipfile.ZipInfo(name), body)
    return made.getvalue()


def _carried(name: str, body: bytes) -> tuple[str, bytes]:
    """Return the name and the content that a file of Mekuri has in the worker."""
    if name.endswith("/prospect.bin"):
        import lzma  # which some builds of Python lack: their servers offer no copy of the page

        return name + PACKED, lzma.compress(body, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}])
    if name.endswith("/sources.toml"):
        return name, re.sub(rb"(?m)^sha256 = .*\n", b"", body)  # only tests compare them with the texts of the sources
    return name, body


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
