"""Records of matches for the tests, and whether a changed one is accepted."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

import mekuri
from mekuri import OptionError, Record, RecordError, UnknownGame, replay
from tests.helpers.tables import GAMES
from tests.helpers.worlds import act

Json = Any
Path = tuple[str | int, ...]

# For what is the same whatever is played: a game, and one of more than two seats.
KINDS = tuple(dict.fromkeys((GAMES[0], next(name for name in GAMES if mekuri.game(name).seats > 2))))
each_kind = pytest.mark.parametrize("name", KINDS)


def play(match: mekuri.Match, chance: random.Random, actions: int = 1 << 30) -> mekuri.Match:
    """Play a match on, to its end or for so many actions."""
    while not match.over and actions:
        if match.round.over:
            match.next_round()
        else:
            act(match.round, chance)
            actions -= 1
    return match


def played(game: mekuri.Game, seed: int = 0, rounds: int = 2) -> mekuri.Match:
    return play(game.match(seed=seed, rounds=rounds), random.Random(seed))


def told(name: str, rounds: int = 2) -> Json:
    """The record of a finished match as parsed JSON."""
    return json.loads(played(mekuri.game(name), rounds=rounds).record().to_json())


def half(name: str) -> Json:
    """The record of a match that was left in the middle of its second round."""
    first, second = (len(round.actions) for round in played(mekuri.game(name)).finished)
    match = play(mekuri.game(name).match(seed=0, rounds=2), random.Random(0), first + second // 2)
    assert match.finished
    assert not match.round.over
    return json.loads(match.record().to_json())


def accepts(changed: Json) -> bool:
    """Whether a record is read and replayed. If it is, then all that stands in it is true; if not, the error is a typed one."""
    text = changed if isinstance(changed, str | bytes) else json.dumps(changed)
    try:
        record = Record.from_json(text)
        again = replay(record).record()
    except (RecordError, OptionError, UnknownGame) as error:
        if not str(error).strip():
            raise
        return False
    # Options may be written out where they are the default.
    record = replace(record, options=again.options, match_options=again.match_options)
    assert record.to_json().encode() == again.to_json().encode(), "what has been accepted is not what was played"
    return True


def at(told: Json, path: Path) -> Json:
    for step in path:
        told = told[step]
    return told


# For every game a record that is whole, and one that ends in mid-round.
TRUE = {(name, whole): told(name) if whole else half(name) for name in GAMES for whole in (True, False)}
