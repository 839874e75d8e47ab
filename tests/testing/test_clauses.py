"""The code under the id of a clause: every example of every game runs it, and the checks can fail."""

import ast
import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from mekuri import games
from mekuri.engine.contract import Contract
from mekuri.testing import CheckFailure, clauses
from mekuri.testing.clauses import Place
from tests.helpers.tables import each_game

CODE = '''
MOST = 3  # toy.a.constant
TWICE = 2 * MOST


class Options:
    # toy.a.field
    rounds: int


# toy.a.function, toy.a.second
# toy.a.third: and why
@abs
def first(s):
    """A function."""
    if s:
        # toy.a.statement
        return MOST
    # toy.a.branch
    if s > 1:
        return (  # toy.b.*
            TWICE
        )
    return s.rounds


# toy.a.forwarded
def forwarding(s, seat):
    """A function."""
    return first(s, seat)
'''
LINES = CODE.splitlines()


def line(code: str) -> int:
    """The number of the line that is just this code."""
    return [one.strip() for one in LINES].index(code) + 1


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Place]:
    path = tmp_path / "rules.py"
    path.write_text(CODE, encoding="utf-8")
    return {place.ids[0]: place for place in clauses.places_in(path, "toy")}


def lines(place: Place) -> set[int]:
    return {line for _, line in place.lines({place.file: ast.parse(CODE)})}


@each_game
def test_examples_run_the_code_under_their_clause(name: str) -> None:
    clauses.run(games.find(name))


def test_ids_above_a_piece_of_code_belong_together(places: dict[str, Place]) -> None:
    assert places["toy.a.function"].ids == ("toy.a.function", "toy.a.second", "toy.a.third")


def test_clause_over_a_function_covers_its_body(places: dict[str, Place]) -> None:
    found = lines(places["toy.a.function"])
    assert line("return s.rounds") in found
    assert line("def first(s):") not in found


def test_clause_over_a_branch_covers_its_lines(places: dict[str, Place]) -> None:
    assert lines(places["toy.a.statement"]) == {line("return MOST")}
    assert lines(places["toy.a.branch"]) == {*range(line("return (  # toy.b.*"), line("return (  # toy.b.*") + 3)}


def test_clause_over_a_constant_covers_its_readers(places: dict[str, Place]) -> None:
    """Constants made of another constant are readers of it."""
    found = lines(places["toy.a.constant"])
    assert {line("return MOST"), line("TWICE")} <= found
    assert line("MOST = 3  # toy.a.constant") not in found


def test_clause_over_a_field_covers_its_readers(places: dict[str, Place]) -> None:
    assert lines(places["toy.a.field"]) == {line("return s.rounds")}


def test_forwarding_function_is_found(places: dict[str, Place]) -> None:
    assert [id for id, place in places.items() if place.forwards()] == ["toy.a.forwarded"]


def test_star_covers_every_clause_with_the_prefix(places: dict[str, Place]) -> None:
    assert places["toy.b.*"].stands_under("toy.b.any")
    assert not places["toy.a.branch"].stands_under("toy.a.branches")


# --- The checks can fail ---


@pytest.fixture
def misplaced(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Contract]:
    """Return a game with the id of one clause over the code of another."""

    def moved(here: str, other: str) -> Contract:
        contract = games.find(here.partition(".")[0])
        found = [dataclasses.replace(place, ids=(other,)) for place in clauses.places(contract) if place.stands_under(here)]
        monkeypatch.setattr(clauses, "places", lambda _: found)
        return contract

    return moved


def test_id_over_code_that_its_examples_do_not_run_is_found(misplaced: Callable[[str, str], Contract]) -> None:
    clauses.run(misplaced("isuri.draw.void", "isuri.draw.void"))
    with pytest.raises(CheckFailure, match=r"isuri.play.pass: .*rules.py, line \d+: isuri.play.pass"):
        clauses.run(misplaced("isuri.draw.void", "isuri.play.pass"))


def test_id_of_no_clause_is_found(misplaced: Callable[[str, str], Contract]) -> None:
    with pytest.raises(CheckFailure, match=r"isuri\.play\.nothing"):
        clauses.named(misplaced("isuri.draw.void", "isuri.play.nothing"))
