"""The games, found and loaded by name.

A game is a folder here, or a contract that another distribution announces under the entry point group `mekuri.games`. It is checked
when it is first asked for. A game with faults is left out of all lists, and every other goes on.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections import Counter
from functools import cache
from itertools import chain, pairwise
from types import FrameType
from typing import TYPE_CHECKING
from unicodedata import normalize

from mekuri.engine import compiled, validation
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnfinishedGame, UnknownGame
from mekuri.engine.rulebook import Entry, rulebook

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

_GROUP = "mekuri.games"
_LONGEST = 100  # letters of a name that is looked up: to compare a longer one costs time
_SUGGESTED, _CLOSE = 3, 0.4  # most names in a message about an unknown one, and their least likeness to it
_KATAKANA, _TO_HIRAGANA = range(0x30A1, 0x30F7), 0x3041 - 0x30A1
_ON_THE_WAY = (__file__, importlib.__file__)  # files in the traceback of an import before the game's own files


@cache
def _ours() -> dict[str, str]:
    """The modules of the games in this folder, by name."""
    return {info.name: f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__) if info.ispkg}


def _announced() -> EntryPoints:
    """The games of other distributions."""
    from importlib.metadata import entry_points  # takes long to import, and a game of ours does not need it

    return entry_points(group=_GROUP)


@cache
def _places() -> dict[str, str]:
    """The module of every game, or `module:attribute` of its contract, by the game's name."""
    found = dict(_ours())
    for point in _announced():
        found.setdefault(point.name, point.value)
    return found


@cache
def _namesakes() -> list[UnfinishedGame]:
    """An error for each game of another distribution whose name is already taken."""
    taken = [point for point in _announced() if _places()[point.name] != point.value]
    return [UnfinishedGame(point.name, [f"{point.value} has the name of another game: call it otherwise"]) for point in taken]


def names() -> list[str]:
    """The names of all games without faults, sorted; side games come after all others."""
    complete = [found for name in sorted(_places()) if isinstance(found := _look_through(name), Contract)]
    return [contract.id for contract in sorted(complete, key=lambda contract: contract.side)]


def left_out() -> list[UnfinishedGame]:
    """The games that are installed and left out, each as an error that names its faults."""
    looked = [(name, _look_through(name)) for name in sorted(_places())]
    return [*(UnfinishedGame(name, found) for name, found in looked if not isinstance(found, Contract)), *_namesakes()]


def find(name: str) -> Contract:
    """The contract of a game, by its id alone: see `look_up` for the names that people use.

    Raises:
        UnfinishedGame: if the game has faults.
        UnknownGame: if there is no game of that name.
    """
    if name not in _ours() and name not in _places():
        raise _unknown(name)
    found = _look_through(name)
    if isinstance(found, Contract):
        return found
    raise UnfinishedGame(name, found)


def look_up(name: str) -> tuple[Contract, Entry | None]:
    """The contract of the game that a name stands for, and its entry where the name is that of an entry.

    Args:
        name: the id or any name of a game or an entry. Only its letters count: case, accents, hyphens, and the kind of kana do not.

    Raises:
        UnfinishedGame: if the game has faults.
        UnknownGame: if no game has such a name, or several share it.
    """
    if name in _ours() or name in _places():
        return find(name), None
    id = called(name) or name
    return entries().get(id) or (find(id), None)


def called(name: str) -> str | None:
    """The id of the game or entry that a name stands for, as in `look_up`; None where there is none."""
    return _called().get(letters(name)) if len(name) <= _LONGEST else None


def with_name(part: str) -> list[str]:
    """The ids of the games and entries that have a name with this part in it, by its `letters`; all for an empty part."""
    return [id for id, ranks in _names().items() if any(letters(part) in name for rank in ranks for name in rank)]


@cache
def entries() -> dict[str, tuple[Contract, Entry]]:
    """The entries of all games by id, each with the contract of its game."""
    found = [(contract, entry) for contract in map(find, names()) for entry in rulebook(contract).entries.values()]
    return {entry.id: (contract, entry) for contract, entry in found}


def letters(name: str) -> str:
    """The letters and figures of a name that count when names are compared: in lower case, without accents, and in hiragana."""
    kept = (ord(letter) for letter in normalize("NFKD", name).casefold() if letter.isalnum())
    return "".join(chr(letter + _TO_HIRAGANA if letter in _KATAKANA else letter) for letter in kept)


@cache
def _names() -> dict[str, tuple[set[str], ...]]:
    """By id of each game, and of each entry after its game: its id, its printed names and its other names, as `letters`."""
    found: dict[str, tuple[set[str], ...]] = {}
    for contract in map(find, names()):
        book = rulebook(contract)
        also = [(contract.id, book.tables["name"], book.tables["also"])]
        for id, name, others in (*also, *((entry.id, entry.name, entry.also) for entry in book.entries.values())):
            found[id] = ({letters(id)}, set(map(letters, name.values())), set(map(letters, others)))
    return found


@cache
def _called() -> dict[str, str]:
    """The id of the game or entry that each name stands for, by the `letters` of the name.

    An id wins over a printed name, and a printed name over another one. A name that several have in one rank stands for none.
    """
    found: dict[str, str] = {}
    for rank in zip(*_names().values(), strict=True):
        owners = Counter(chain.from_iterable(rank))
        ranked = {name: id for id, names in zip(_names(), rank, strict=True) for name in names if owners[name] == 1}
        found = ranked | found
    return found


def _unknown(name: str) -> UnknownGame:
    """The error for a name that no game has, with the games whose names are spelt alike, else with all games."""
    likeness = {known: _likeness(letters(name[:_LONGEST]), known) for known in _called()}
    close = sorted((known for known in likeness if likeness[known] >= _CLOSE), key=lambda known: -likeness[known])
    alike = " or ".join([*dict.fromkeys(_called()[known] for known in close)][:_SUGGESTED])
    return UnknownGame(f"there is no game {name}: " + (f"did you mean {alike}?" if alike else f"there are {', '.join(names())}"))


def _likeness(one: str, other: str) -> float:
    """How alike two names are, from 0 to 1: the share of their pairs of neighbouring letters that both have."""
    pairs, theirs = (Counter(pairwise(f" {name} ")) for name in (one, other))
    return 2 * (pairs & theirs).total() / (pairs.total() + theirs.total())


@cache
def _look_through(name: str) -> Contract | list[str]:
    """The contract of a game without faults; for any other game its faults."""
    place, known = _ours().get(name) or _places()[name], len(compiled.contracts)
    module, _, attribute = place.partition(":")
    try:
        contract = getattr(importlib.import_module(module), attribute or "contract")
        wrong = _faults(name, place, contract)
    except (Exception, SystemExit) as error:
        wrong = [raised(place, error)]
    if wrong:
        # Machine code is made only for games without faults, such as the games that this one may have imported.
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


def own_frames(error: BaseException, module: str) -> list[tuple[FrameType, int]]:
    """The frames of an error's traceback that belong to a module's package, each with its line. A game's package is its folder."""
    package = ".".join(module.split(".")[: 3 if module.startswith(f"{__name__}.") else 1])
    passed = ((frame, line, str(frame.f_globals.get("__name__", ""))) for frame, line in traceback.walk_tb(error.__traceback__))
    return [(frame, line) for frame, line, name in passed if name == package or name.startswith(f"{package}.")]


def raised(place: str, error: BaseException, on_the_way: tuple[str, ...] = _ON_THE_WAY) -> str:
    """One sentence for an error that the import of a module has raised, with the last file and line of its traceback.

    It is the last one in the module's own package, if the error passed there, not one of a library that the package calls.

    Args:
        place: the module, or `module:attribute`, that was imported.
        error: the error.
        on_the_way: files whose lines are not named, as they only lead to the module.
    """
    own = own_frames(error, place.partition(":")[0]) or traceback.walk_tb(error.__traceback__)
    reason: str = str(error)
    passed: list[tuple[str, int | None]] = [(frame.f_code.co_filename, line) for frame, line in own]
    if isinstance(error, SyntaxError):
        reason, passed = error.msg, [(str(error.filename), error.lineno)]
    passed = [(file, line) for file, line in passed if file not in on_the_way and not file.startswith("<frozen")]
    at = "".join(f" ({file}, line {line})" for file, line in passed[-1:])
    return " ".join(f"{place} cannot be loaded: {type(error).__name__}: {reason}{at}".split())
