"""The command that writes the package of a new game: `mekuri new`."""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Annotated

from cyclopts import Parameter

from mekuri import games
from mekuri.cli.arguments import app
from mekuri.engine.errors import MekuriError
from mekuri.files import expanded, write_file

_SKELETON = Path(__file__).with_name("skeleton")
_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "__init__.py": "src/mekuri_{name}/__init__.py",
    "rules.py": "src/mekuri_{name}/rules.py",
    "test.py": "tests/test_{name}.py",
}


class NameRefused(MekuriError):
    """The name of a new game is malformed or taken, or its folder is there already."""


@app.command
def new(
    name: str,
    /,
    *,
    at: Annotated[Path | None, Parameter(help="The folder to write; if left out, mekuri-NAME, here.")] = None,
) -> None:
    """Write a small playable game as a package of its own, to be turned into another game."""
    folder = write_game(name, at or Path(f"mekuri-{name}"))
    print(f"{folder} holds a game that can be played. Next: pip install -e {folder}; mekuri play {name}; mekuri check {name}")


def write_game(name: str, folder: Path) -> Path:
    """Write the package of a new game into a folder, and return the folder.

    Args:
        name: the game's name: lower-case letters, digits and underscores, beginning with a letter.
        folder: the folder, which must not exist.

    Raises:
        NameRefused: the name is malformed or taken, or the folder exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or iskeyword(name):
        raise NameRefused(f"a game is called by small letters of English, digits and _, a letter first, not {name!r}: try another")
    if name in {*games.names(), *(error.game for error in games.left_out())}:
        raise NameRefused(f"there is a game {name} already: call yours otherwise")
    folder = expanded(folder)
    if folder.exists():
        raise NameRefused(f"{folder} is there already: name another folder with --at, or move it away")
    words = {"name": name, "title": name.replace("_", " ").capitalize(), "kind": name.title().replace("_", "")}
    for file, place in _FILES.items():
        path = folder / place.format(name=name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, Template((_SKELETON / f"{file}.txt").read_text(encoding="utf-8")).substitute(words))
    return folder
