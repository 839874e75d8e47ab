"""The games. A game is a folder here, or in another distribution that names it under the entry point group `mekuri.games`.

A game is looked through when it is first asked for. One that is not whole is left out, and every other goes on.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from functools import cache
from importlib.metadata import entry_points

from mekuri.engine import compiled, validation
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnfinishedGame, UnknownGame

_GROUP = "mekuri.games"
_ON_THE_WAY = (__file__, importlib.__file__)  # to a game's own files


@cache
def _places() -> dict[str, str]:
    """Module of every game, by its name."""
    found = {info.name: f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__) if info.ispkg}
    for point in entry_points(group=_GROUP):
        found.setdefault(point.name, point.value)
    return found


def _namesakes() -> list[UnfinishedGame]:
    """What other distributions bring under a name that is taken."""
    taken = [point for point in entry_points(group=_GROUP) if _places()[point.name] != point.value]
    return [UnfinishedGame(point.name, [f"{point.value} has the name of another game: call it otherwise"]) for point in taken]


def names() -> list[str]:
    """The names of all games that are whole, in order; those of side games stand after all others."""
    complete = [found for name in sorted(_places()) if isinstance(found := _look_through(name), Contract)]
    return [contract.id for contract in sorted(complete, key=lambda contract: contract.side)]


def left_out() -> list[UnfinishedGame]:
    """The games that are installed and left out, each as an error that names what is wrong with it."""
    looked = [(name, _look_through(name)) for name in sorted(_places())]
    return [*(UnfinishedGame(name, found) for name, found in looked if not isinstance(found, Contract)), *_namesakes()]


def find(name: str) -> Contract:
    """The contract of a game. Raises UnfinishedGame where it is not whole, UnknownGame where there is none of that name."""
    if name not in _places():
        raise UnknownGame(f"there is no game {name}: there are {', '.join(names())}")
    found = _look_through(name)
    if isinstance(found, Contract):
        return found
    raise UnfinishedGame(name, found)


@cache
def _look_through(name: str) -> Contract | list[str]:
    """The contract of a game that is whole; of any other what is wrong with it."""
    place, known = _places()[name], len(compiled.contracts)
    module, _, attribute = place.partition(":")
    try:
        contract = getattr(importlib.import_module(module), attribute or "contract")
        wrong = _faults(name, place, contract)
    except (Exception, SystemExit) as error:
        wrong = [raised(place, error)]
    if wrong:
        # Machine code is made for whole games alone, such as those that this one may have imported.
        compiled.contracts[known:] = [one for one in compiled.contracts[known:] if one.id != name]
        return wrong
    assert isinstance(contract, Contract)
    return contract


def _faults(name: str, place: str, contract: object) -> list[str]:
    if not isinstance(contract, Contract):
        return [f"{place} is no contract"]
    if contract.id != name:
        return [f"{place} is the contract of a game {contract.id}: both must have one name"]
    return validation.faults(contract)


def raised(place: str, error: BaseException, on_the_way: tuple[str, ...] = _ON_THE_WAY) -> str:
    """What was raised when a place was imported, and in which line of which file; those on the way there are not meant."""
    told, passed = str(error), [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        told, passed = error.msg, [(str(error.filename), error.lineno)]
    passed = [(file, line) for file, line in passed if file not in on_the_way and not file.startswith("<frozen")]
    at = "".join(f" ({file}, line {line})" for file, line in passed[-1:])
    return " ".join(f"{place} cannot be loaded: {type(error).__name__}: {told}{at}".split())
