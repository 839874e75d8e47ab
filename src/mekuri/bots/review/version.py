"""The judge of reviews and puzzles: its number, and a digest of all code on which its verdicts depend."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from mekuri.engine.contract import Contract

# The version of the judge that reviews and puzzles name. It is raised whenever figures of the judge move (tests/bots/test_judge.py
# notices), and not when code is only moved or renamed.
JUDGE = "4"
_FOLDERS = ("bots", "cards", "engine", "match")  # the packages on which verdicts about every game depend
_DIGITS = 12


@cache
def version_of(contract: Contract) -> str:
    """Return a digest of the code of a game's judge: 12 hexadecimal digits, which change with any line of it."""
    root = Path(__file__).parents[2]
    files = [file for folder in _FOLDERS for file in (root / folder).rglob("*.py") if "art" not in file.parts]
    files += [*(root / "games").glob("*.py")]
    digest = sha256(f"{contract.id} {contract.version}".encode())
    for name, file in sorted((file.relative_to(root).as_posix(), file) for file in files):
        digest.update(name.encode() + file.read_bytes())
    for file in sorted([*contract.folder.glob("*.py"), *contract.folder.glob("*.bin")]):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:_DIGITS]
