"""Records and fingerprints of states."""

from typing import Any

import pytest

import mekuri
from mekuri.engine.entry import entry
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.fields import RoundState, copy, fields, fingerprint, from_bytes, record_size, to_bytes
from mekuri.testing.states import int64s, records, start
from tests.helpers.tables import each_game, one_game

LARGE = {"tenshu": 1000, "mutsuichi": 1500}  # bytes of a record of a game for many seats
LARGEST = 700  # bytes of a record of any other game


@entry
def fingerprints(states: Any, found: Any) -> None:
    for i in range(len(states)):
        found[i] = fingerprint(states[i])


def changes(s: RoundState) -> list[RoundState]:
    """States that differ from this one in one value each."""
    found = []
    for field in fields(type(s)):
        for place in range(max(field.length, 1)):
            other = type(s)()
            copy(other, s)
            if field.length:
                getattr(other, field.name)[place] += 1
            else:
                setattr(other, field.name, getattr(other, field.name) + 1)
            found.append(other)
    return found


@each_game
def test_fingerprint_differs_between_states(name: str) -> None:
    s = start(mekuri.game(name))
    other = type(s)()
    copy(other, s)
    assert fingerprint(other) == fingerprint(s)
    fingerprints = [fingerprint(one) for one in changes(s)]
    assert len({fingerprint(s), *fingerprints}) == len(fingerprints) + 1
    assert all(-(1 << 63) <= word < 1 << 63 for word in fingerprints)


@each_game
def test_record_is_small(name: str) -> None:
    assert record_size(mekuri.game(name).contract.state) <= LARGE.get(name, LARGEST)


@each_game
def test_record_holds_the_range_of_each_field(name: str) -> None:
    kind = mekuri.game(name).contract.state
    for bound in ("least", "most"):
        ends: dict[str, Any] = {field.name: getattr(field, bound) for field in fields(kind)}
        filled: dict[str, Any] = {f.name: [ends[f.name]] * f.length if f.length else ends[f.name] for f in fields(kind)}
        s = kind(**filled)
        assert from_bytes(kind, to_bytes(s)) == s


def test_value_of_a_row_that_leaves_its_range_has_no_record() -> None:
    s = start(mekuri.game("mushi"))
    s.pack[3] = 200
    with pytest.raises(OverflowError, match="MushiState"):
        to_bytes(s)


@pytest.mark.machine_code
@one_game
def test_compiled_fingerprint_is_the_plain_one(name: str) -> None:
    states = [start(mekuri.game(name)), *changes(start(mekuri.game(name)))[::7]]
    array, found = records(mekuri.game(name), len(states)), int64s(*[0] * len(states))
    for place, s in enumerate(states):
        MACHINE_CODE.write(array, place, s)
    fingerprints.compiled(array, found)
    assert found.tolist() == [fingerprint(s) for s in states]
