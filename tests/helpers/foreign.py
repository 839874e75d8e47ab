"""Bots of other distributions for the tests: some that work, and some that hang, crash or cheat."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mekuri.bots import registry
from mekuri.desk.routes import games as routes
from mekuri.protocol import library

# The code that a bot runs in its turn, by its name. All of them play every game, with random actions unless the code returns one.
DEEDS = {
    "honest": "",
    "hangs": "while True: pass",
    "sleeps": "time.sleep(1e6)",
    "dies": "os._exit(1)",
    "leaves": "sys.exit(0)",
    "raises": "raise ZeroDivisionError(repr(seen.hidden))",
    "illegal": "return 62 if not choices >> 62 & 1 else 61",
    "negative": "return -1",
    "huge": "return 1 << 70",
    "nonsense": "return 'all of them'",
    "prints": "print('{\"actions\": [1]}', flush=True); os.write(1, b'{}\\n'); input('?') if False else sys.stdin.read(1)",
}
_MODULE = """
import os, sys, time
from mekuri.bots.seam import Bot, count, legal, pick, undoing
{before}
def choose(seen, chance, budget):
    choices = legal(seen.hidden, seen.seat) & ~undoing(seen.hidden, seen.seat)
    {deed}
    return pick(choices, count(choices), chance)

texts = {{"name": {{"en": "{name}", "ja": "{name}"}}, "help": {{"en": "For tests.", "ja": "試し。"}}}}
bot = Bot(id="{name}", choose=choose, **texts, **{more})
"""


def announce(site: Path, name: str, place: str, distribution: str = "") -> None:
    """Write the metadata of an installed distribution that has a bot."""
    write_metadata(site / f"bots_{distribution or name.replace('-', '_')}-1.dist-info", f"[mekuri.bots]\n{name} = {place}\n")


def write_metadata(folder: Path, entry_points: str) -> None:
    """Write the metadata of an installed distribution."""
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.stem}\nVersion: 1\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def install(site: Path, name: str, deed: str | None = None, before: str = "", more: str = "{}") -> None:
    """Install a bot as a module.

    Args:
        site: the folder of installed distributions.
        name: the bot's name.
        deed: the code it runs in its turn; None for that of its name in `DEEDS`.
        before: code at the module's beginning.
        more: further arguments of `Bot`, as source of a dict.
    """
    module = f"bot_{name.replace('-', '_')}"
    announce(site, name, f"{module}:bot")
    source = _MODULE.format(name=name, deed=DEEDS.get(name, "") if deed is None else deed, before=before, more=more)
    (site / f"{module}.py").write_text(source, encoding="utf-8")


@contextmanager
def cleared(*kept: Any) -> Iterator[None]:
    """Clear the caches of functions, at the beginning and at the end."""
    for found in kept:
        found.cache_clear()
    yield
    for found in kept:
        found.cache_clear()


def looked_for_anew() -> AbstractContextManager[None]:
    """Clear the caches of bots and games, at the beginning and at the end."""
    return cleared(registry._places, registry._looked_at, library.all_games, library.game_info, library.catalogue, routes.cached)


@contextmanager
def site_of(folder: Path, *bots: str) -> Iterator[Path]:
    """Use a folder as a folder of installed distributions, some bots among them, with empty caches."""
    with pytest.MonkeyPatch.context() as patch, looked_for_anew():
        patch.syspath_prepend(folder)
        for name in bots:
            install(folder, name)
        yield folder
