"""Games that are not complete: the example of another distribution with something removed, or games with a fault put in."""

import copy
import re
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from mekuri import games
from mekuri.desk.routes import games as routes
from mekuri.engine import validation
from mekuri.engine.contract import Contract
from mekuri.protocol import library
from tests.helpers.folders import EXAMPLES
from tests.helpers.foreign import cleared, write_metadata

GAME = "kingo"
LACKING = "[summary] lacks ja"  # the fault of `unfinished_example`


def announce(site: Path, name: str, place: str) -> None:
    """Write the metadata of an installed distribution that has a game."""
    write_metadata(site / f"{place.partition(':')[0]}-1.dist-info", f"[mekuri.games]\n{name} = {place}\n")


def unfinished_example(site: Path) -> Path:
    """Install the example game with its summary in one language only. Returns its rule book."""
    package = site / "mekuri_kingo"
    shutil.copytree(EXAMPLES / "kingo/src/mekuri_kingo", package, ignore=shutil.ignore_patterns("__pycache__"))
    announce(site, GAME, "mekuri_kingo:contract")
    book = package / "rulebook.toml"
    text = book.read_text(encoding="utf-8")
    book.write_text(re.sub(r"^(summary = \{ en = .*), ja = .*\}", r"\1 }", text, flags=re.MULTILINE), encoding="utf-8")
    return book


def moved(contract: Contract, folder: Path) -> Contract:
    """Return a copy of a game with its text files copied into a folder, where they may be changed."""
    for file in ("rulebook.toml", "sources.toml"):
        shutil.copy(contract.folder / file, folder)
    other = copy.copy(contract)
    object.__setattr__(other, "folder", folder)
    return other


def changed(name: str, folder: Path, file: str, old: str, new: str) -> Contract:
    """Return a copy of a game with its text files in a folder, and with a text in one of them replaced where it stands first."""
    contract = moved(games.find(name), folder)
    text = (games.find(name).folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return contract


def looked_through_anew() -> AbstractContextManager[None]:
    """Clear the caches of games, at the beginning and at the end."""
    return cleared(
        games._places,
        games._namesakes,
        games._look_through,
        games.entries,
        games._names,
        games._called,
        library.all_games,
        routes.cached,
    )


@contextmanager
def left_out(name: str, fault: str) -> Iterator[None]:
    """Make one of the games incomplete, with a fault."""
    with pytest.MonkeyPatch.context() as patch, looked_through_anew():
        real = validation.faults
        patch.setattr(validation, "faults", lambda contract: [fault] if contract.id == name else real(contract))
        yield
