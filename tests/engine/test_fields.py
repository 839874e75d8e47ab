"""Fingerprints of states."""

import mekuri
from mekuri.engine.fields import RoundState, copy, fields, fingerprint
from mekuri.testing.states import start
from tests.helpers.tables import each_game


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
