"""Games that are not whole: the example of another distribution, with something taken out of it, or a module of a few lines."""

import copy
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mekuri import games
from mekuri.engine import validation
from mekuri.engine.contract import Contract
from mekuri.protocol import library
from mekuri.server.routes import games as routes
from tests.helpers.folders import EXAMPLES

GAME = "kingo"
LACKING = "[summary] lacks ja"  # what is told of `unfinished_example`


def announce(site: Path, name: str, place: str) -> None:
    """Write what an installer leaves of a distribution that brings a game."""
    folder = site / f"{place.partition(':')[0]}-1.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.stem}\nVersion: 1\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(f"[mekuri.games]\n{name} = {place}\n", encoding="utf-8")


def unfinished_example(site: Path) -> Path:
    """The example, installed with its line for the menu in one language alone. Returns its rule book."""
    package = site / "mekuri_kingo"
    shutil.copytree(EXAMPLES / "kingo/src/mekuri_kingo", package, ignore=shutil.ignore_patterns("__pycache__"))
    announce(site, GAME, "mekuri_kingo:contract")
    book = package / "rulebook.toml"
    text = book.read_text(encoding="utf-8")
    book.write_text(re.sub(r"^(summary = \{ en = .*), ja = .*\}", r"\1 }", text, flags=re.MULTILINE), encoding="utf-8")
    return book


def moved(contract: Contract, folder: Path) -> Contract:
    """A game with its text files in a folder where they may be changed. The game itself stays as it is."""
    for file in ("rulebook.toml", "sources.toml"):
        shutil.copy(contract.folder / file, folder)
    other = copy.copy(contract)
    object.__setattr__(other, "folder", folder)
    return other


@contextmanager
def looked_through_anew() -> Iterator[None]:
    """What has been found out about the games does not count here, nor what is found out here later."""
    kept = (games._places, games._look_through, library.all_games, routes.cached)
    for found in kept:
        found.cache_clear()
    yield
    for found in kept:
        found.cache_clear()


@contextmanager
def left_out(name: str, fault: str) -> Iterator[None]:
    """One of the games is not whole here."""
    with pytest.MonkeyPatch.context() as patch, looked_through_anew():
        real = validation.faults
        patch.setattr(validation, "faults", lambda contract: [fault] if contract.id == name else real(contract))
        yield
