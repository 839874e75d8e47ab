"""Records of matches for the tests, and whether a changed record is accepted."""

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import mekuri
from mekuri import OptionError, Record, RecordError, UnknownGame, replay
from mekuri.testing.records import play, played
from tests.helpers.tables import GAMES

Json = Any
Path = tuple[str | int, ...]

# For tests of what is the same in all games: one game, and one of more than two seats.
KINDS = tuple(dict.fromkeys((GAMES[0], next(name for name in GAMES if mekuri.game(name).seats > 2))))
each_kind = pytest.mark.parametrize("name", KINDS)


def full_record(name: str, rounds: int = 2) -> Json:
    """Return the record of a finished match as parsed JSON."""
    return json.loads(_whole(name, rounds))


@cache
def _whole(name: str, rounds: int) -> str:
    return played(mekuri.game(name), rounds=rounds).record().to_json()


def half(name: str) -> Json:
    """Return the record of a match that ends in the middle of its second round, as parsed JSON."""
    return json.loads(_half(name))


@cache
def _half(name: str) -> str:
    first, second = (len(round.actions) for round in played(mekuri.game(name)).finished)
    match = play(mekuri.game(name).match(seed=0, rounds=2), random.Random(0), first + second // 2)
    assert match.finished
    assert not match.round.over
    return match.record().to_json()


def accepts(changed: Json) -> bool:
    """Return whether a record is read and replayed. Fails where an accepted record is untrue, or an error has no message."""
    text = changed if isinstance(changed, str | bytes) else json.dumps(changed)
    try:
        record = Record.from_json(text)
        again = replay(record).record()
    except (RecordError, OptionError, UnknownGame) as error:
        if not str(error).strip():
            raise
        return False
    # A record may state options that are the default, and one of an older version is replayed by the present rules.
    record = replace(record, version=again.version, options=again.options, match_options=again.match_options)
    assert record.to_json().encode() == again.to_json().encode(), "what has been accepted is not what was played"
    return True


def at(node: Json, path: Path) -> Json:
    for step in path:
        node = node[step]
    return node
