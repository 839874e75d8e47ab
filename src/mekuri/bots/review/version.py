"""Which judge has judged: a digest of all that its verdicts depend on."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

import mekuri
from mekuri.engine.contract import Contract

_FOLDERS = ("bots", "cards", "engine", "match")  # what searches and tells the game, whatever is played
_DIGITS = 12


@cache
def version_of(contract: Contract) -> str:
    """The version of who judges a game: 12 hexadecimal digits, others where any line of the search or of the rules is another."""
    root = Path(mekuri.__file__).parent
    files = [file for folder in _FOLDERS for file in (root / folder).rglob("*.py") if "art" not in file.parts]
    files += [*(root / "games").glob("*.py")]
    digest = sha256(f"{contract.id} {contract.version}".encode())
    for name, file in sorted((file.relative_to(root).as_posix(), file) for file in files):
        digest.update(name.encode() + file.read_bytes())
    for file in sorted([*contract.folder.glob("*.py"), *contract.folder.glob("*.bin")]):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:_DIGITS]
