"""The search of each game in a page without a server: a module of WebAssembly, beside the game's other files."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from mekuri import games
from mekuri.bots import webassembly
from mekuri.engine.webassembly import Instance
from mekuri.games.figures import figures_of

NAME = "search.wasm"
_GAMES = Path(games.__file__).parent
_MEKURI = _GAMES.parent
_MADE = Path(__file__).with_name("searches")  # in a wheel, modules of our games that `make` has made


def make(names: Iterable[str]) -> int:
    """Make the modules of games for a wheel, some ten seconds each. Returns how many bytes they have, compressed.

    Raises:
        ImportError: Numba is not installed.
    """
    _MADE.mkdir(exist_ok=True)
    size = 0
    for game in names:
        body = gzip.compress(_digest(game) + b"\n" + _packed(game), 9, mtime=0)
        size += (_MADE / f"{game}.gz").write_bytes(body)
    return size


def ours() -> list[str]:
    """Return the names of the games that are a part of Mekuri."""
    return sorted(path.name for path in _GAMES.iterdir() if (path / "rulebook.toml").is_file())


def made(game: str) -> bytes | None:
    """Return the module that the wheel brings, as `packed` does; None without one, or where it was made of other files."""
    file = _MADE / f"{game}.gz"
    if not file.is_file():
        return None
    digest, _, body = gzip.decompress(file.read_bytes()).partition(b"\n")
    return body if digest == _digest(game) else None


def _digest(game: str) -> bytes:
    """Return a digest of all files of which a module is made."""
    found = hashlib.sha256()
    folders = (_MEKURI / "cards", _MEKURI / "engine", _MEKURI / "bots", _GAMES)
    files = (file for folder in folders for file in folder.rglob("*") if file.suffix in (".py", ".bin"))
    for file in sorted(files):
        parts = file.relative_to(_MEKURI).parts
        if parts[0] != "games" or len(parts) == 2 or parts[1] == game:
            found.update("/".join(parts).encode() + b"\n" + file.read_bytes())
    return found.hexdigest().encode()


def packed(game: str) -> bytes:
    """Return the module of a game as it is carried, from the wheel or made now.

    Raises:
        ImportError: the wheel has none, and Numba is not installed.
    """
    return made(game) or _packed(game)


def _packed(game: str) -> bytes:
    """Return the module of a game as it is carried: without the tables that the game has in files of their own.

    The first line has the place and the file of each table, the rest is the module with zeros in these places.

    Raises:
        ImportError: Numba is not installed.
    """
    module, places = webassembly.module(games.find(game)), list[tuple[int, str]]()
    for file in sorted((_GAMES / game).glob("*.bin")):
        table = file.read_bytes()
        if (at := module.find(table)) >= 0:
            places.append((at, file.name))
            module = module[:at] + bytes(len(table)) + module[at + len(table) :]
    return json.dumps(places).encode() + b"\n" + module


def unpacked(folder: Path) -> bytes:
    """Return the module that is carried in the folder of a game."""
    places, _, body = (folder / NAME).read_bytes().partition(b"\n")
    module = bytearray(body)
    for at, name in json.loads(places):
        table = figures_of(folder / name)
        module[at : at + len(table)] = table
    return bytes(module)


def use() -> None:
    """Have bots think and puzzles and reviews be solved in WebAssembly, in each game that brings its module."""
    for game in games.names():
        if (_GAMES / game / NAME).is_file():
            webassembly.use(games.find(game), partial(_open, _GAMES / game))


def _open(folder: Path) -> Instance:
    return _Instance(unpacked(folder))


class _Instance:
    """An instance of a module in the worker, whose JavaScript Pyodide offers as the module `js`."""

    def __init__(self, module: bytes) -> None:
        import js  # type: ignore[import-not-found]

        self._bytes: Any = js.Uint8Array
        body = self._bytes.new(len(module))
        body.assign(module)
        self._exports: Any = js.WebAssembly.Instance.new(js.WebAssembly.Module.new(body)).exports

    def _view(self, at: int, size: int) -> Any:
        return self._bytes.new(self._exports.memory.buffer, at, size)

    @property
    def size(self) -> int:
        return int(self._exports.memory.buffer.byteLength)

    def grow(self, pages: int) -> None:
        self._exports.memory.grow(pages)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._view(at, size).to_bytes())

    def write(self, at: int, body: bytes) -> None:
        self._view(at, len(body)).assign(body)

    def clear(self, at: int, size: int) -> None:
        self._view(at, size).fill(0)

    def has(self, name: str) -> bool:
        return hasattr(self._exports, name)

    def call(self, name: str, at: int) -> None:
        getattr(self._exports, name)(at)


if __name__ == "__main__":
    print(f"{make(ours()) / 1e6:.1f} MB in {_MADE}")
