"""The command that begins a game of one's own: `mekuri new`."""

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

_SKELETON = Path(__file__).with_name("skeleton")
_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "__init__.py": "src/mekuri_{name}/__init__.py",
    "rules.py": "src/mekuri_{name}/rules.py",
    "test.py": "tests/test_{name}.py",
}


class NameRefused(MekuriError):
    """A name that a new game cannot have, or a folder that it cannot be written to."""


@app.command
def new(
    name: str,
    /,
    *,
    at: Annotated[Path | None, Parameter(help="The folder to write; if left out, mekuri-NAME, here.")] = None,
) -> None:
    """Write a small game that can be played at once, as a distribution of its own, to make another of it."""
    folder = write_game(name, at or Path(f"mekuri-{name}"))
    print(f"{folder} holds a game that can be played. Next: pip install -e {folder}; mekuri play {name}; mekuri check {name}")


def write_game(name: str, folder: Path) -> Path:
    """Write a new game to a folder, which is returned.

    Raises NameRefused where no game can be called so, one is, or the folder is there already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or iskeyword(name):
        raise NameRefused(f"a game is called by small letters of English, digits and _, a letter first, not {name!r}: try another")
    if name in {*games.names(), *(error.game for error in games.left_out())}:
        raise NameRefused(f"there is a game {name} already: call yours otherwise")
    if folder.exists():
        raise NameRefused(f"{folder} is there already: name another folder with --at, or move it away")
    words = {"name": name, "title": name.replace("_", " ").capitalize(), "kind": name.title().replace("_", "")}
    for file, place in _FILES.items():
        path = folder / place.format(name=name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template((_SKELETON / f"{file}.txt").read_text(encoding="utf-8")).substitute(words), encoding="utf-8")
    return folder
