"""Only functions that Python calls are emitted by the compiler."""

from typing import Any

import pytest
from numba import int64, njit
from numba.core.codegen import JITCodeLibrary

from mekuri.engine import numba_backend
from mekuri.engine.compiled import bit, has
from mekuri.engine.linking import emitting_only


def both(cards: int) -> int:
    return has(cards, 3) * bit(2) + has(cards, 5)


def one(cards: int) -> int:
    return has(cards, 5)


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the functions emitted from now on."""
    names: list[str] = []
    emit = JITCodeLibrary._finalize_specific

    def note(library: Any) -> None:
        names.append(library.name)
        emit(library)

    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", note)
    return names


def test_rules_are_emitted_with_their_caller_only(emitted: list[str]) -> None:
    numba_backend.start()
    compiled = njit(both)
    with emitting_only(both):
        compiled.compile((int64,))
    assert emitted == [both.__qualname__]
    assert [compiled(cards) for cards in (0, 8, 32, 40)] == [0, 4, 1, 5]


def test_rule_can_be_compiled_again_for_another_caller(emitted: list[str]) -> None:
    """Numba caches the compiled rule and its own library."""
    numba_backend.start()
    with emitting_only(both):
        njit(both).compile((int64,))
    assert [njit(one)(cards) for cards in (0, 32)] == [0, 1]
    assert one.__qualname__ in emitted
