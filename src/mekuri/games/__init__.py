"""The games. A game is a folder here, or in another distribution that names it under the entry point group `mekuri.games`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnknownGame


@cache
def _places() -> dict[str, str]:
    """Module of every game, by its name."""
    own = {info.name: f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__) if info.ispkg}
    return own | {point.name: point.value for point in entry_points(group="mekuri.games") if point.name not in own}


def names() -> list[str]:
    """The names of all games."""
    return sorted(_places())


@cache
def find(name: str) -> Contract:
    """The contract of a game. Raises UnknownGame where there is none of that name."""
    place = _places().get(name)
    if place is None:
        raise UnknownGame(f"there is no game {name}: there are {', '.join(names())}")
    module, _, attribute = place.partition(":")
    try:
        contract = getattr(importlib.import_module(module), attribute or "contract")
    except (ImportError, AttributeError, TypeError) as error:
        raise UnknownGame(f"the game {name} cannot be loaded: {error}") from error
    if not isinstance(contract, Contract):
        raise UnknownGame(f"the game {name} cannot be loaded: {place} is no contract")
    return contract
