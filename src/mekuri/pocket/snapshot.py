"""The interpreter as a browser keeps it between visits: with rules, bots and matches loaded, and before any secret exists.

Modules in C, as those of msgspec, cannot be in a snapshot of Pyodide. Nothing here may import one.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import random
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import mekuri
from mekuri import bots, games, match
from mekuri.engine.rulebook import rulebook

# Modules that are imported after it: others' without C, which it has loaded, and ours, whose code it has.
_OTHERS = ("asyncio", "decimal", "gzip", "http", "ipaddress", "numbers", "pickle", "typing_extensions", "urllib.parse", "uuid")
_LATER = ("mekuri/desk", "mekuri/pocket", "mekuri/protocol", "mekuri/table", "msgspec", "fsrs")


def prepare() -> None:
    """Load all that needs no module in C, make the rule book of each game, and compile what is imported later."""
    for name in _OTHERS:
        importlib.import_module(name)
    for package in (bots, match):
        for name in _modules(package):
            importlib.import_module(name)
    for name in games.names():
        _ = rulebook(games.find(name)).tables
    root = Path(mekuri.__file__).parent.parent
    for file in (file for folder in _LATER for file in (root / folder).rglob("*.py")):
        _codes[str(file)] = compile(file.read_bytes(), file, "exec", dont_inherit=True)
    sys.meta_path.insert(0, _Compiled)
    gc.collect()


def wake() -> None:
    """Draw the state of the library's chance anew, in an interpreter that was restored from a snapshot."""
    random.seed()


def _modules(package: ModuleType) -> Iterator[str]:
    return (module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))


_codes: dict[str, CodeType] = {}  # by the path of a module that is not imported yet


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        return _codes.pop(self.path, None) or super().get_code(fullname)


class _Compiled:
    """A finder of modules whose code the snapshot has."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where a module is, with a loader that compiles nothing; None where the snapshot has no code of it."""
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin not in _codes:
            return None
        spec.loader = _Loader(name, spec.origin)
        return spec
