"""The contract of a game: what it refuses, and how a simulated round can be replayed."""

import dataclasses
from types import SimpleNamespace
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.engine import compiled
from mekuri.engine.chance import pick
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import Contract, functions, legal, undoing
from mekuri.engine.fields import MOST_ENDINGS, MOST_REDEALS, MOST_SEATS, MOST_YAKU
from mekuri.games import dealing
from mekuri.lab import playout
from mekuri.lab.simulate import simulate
from mekuri.testing.worlds import random_round
from tests.helpers import pairs
from tests.helpers.tables import each_game


@each_game
def test_too_many_endings_or_seats_are_refused(name: str) -> None:
    """Counts have places for so many, and machine code would write beside them."""
    contract = games.find(name)
    for what, most in (("endings", MOST_ENDINGS), ("redeals", MOST_REDEALS), ("yaku", MOST_YAKU)):
        too_many: dict[str, Any] = {what: tuple(map(str, range(most + 1)))}
        with pytest.raises(TypeError, match="room"):
            dataclasses.replace(contract, **too_many)
    with pytest.raises(TypeError, match="room"):
        dataclasses.replace(contract, seats=(MOST_SEATS + 1,))
    assert contract.state.contract is contract


@each_game
def test_difficulty_and_minutes_are_in_range(name: str) -> None:
    contract = games.find(name)
    wrongs: tuple[dict[str, Any], ...] = ({"hard": 4}, {"hard": -1}, {"minutes": -1})
    for wrong in wrongs:
        with pytest.raises(TypeError, match="marks"):
            dataclasses.replace(contract, **wrong)
    assert contract.state.contract is contract


@each_game
def test_state_of_another_game_is_refused(name: str) -> None:
    """The state keeps the rules of the game that it was made for."""
    contract = games.find(name)
    with pytest.raises(TypeError, match=f"state of {name}"):
        dataclasses.replace(contract, id="another")
    assert contract.state.contract is contract


@pytest.fixture
def keywords(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The keywords of the contract of a small game, which is forgotten after the test."""
    monkeypatch.setattr(compiled, "contracts", [*compiled.contracts])
    state = type("OwnState", (pairs.PairsState,), {"__slots__": ()})
    return {"id": "own", "api": 3, "seats": pairs.contract.seats, "words": pairs.Word, "state": state, **functions(pairs, dealing)}


def nothing(*asked: Any) -> Any:
    pass


class TestParts:
    def test_keywords_are_sorted_into_parts(self, keywords: dict[str, Any]) -> None:
        contract = Contract(**keywords | {"worth": nothing, "carry": nothing})
        assert contract.rules.play is pairs.play
        assert contract.table.worth is nothing
        assert contract.match.carry is nothing
        assert [contract.has(name) for name in ("worth", "carry", "prompt", "refill")] == [True, True, False, False]

    def test_replace_takes_members_and_parts(self, keywords: dict[str, Any]) -> None:
        first = Contract(**keywords | {"carry": nothing})
        changes: dict[str, Any] = {"hard": 2, "worth": nothing, "match": dataclasses.replace(first.match, refill=nothing)}
        other = dataclasses.replace(first, **changes)
        assert (other.hard, other.table.worth, other.match.carry, other.match.refill) == (2, nothing, nothing, nothing)
        assert other.rules.play is pairs.play

    def test_keyword_that_is_unknown_or_missing_is_named(self, keywords: dict[str, Any]) -> None:
        with pytest.raises(TypeError, match="worthy"):
            Contract(**keywords | {"worthy": nothing})
        del keywords["pack"]
        with pytest.raises(TypeError, match="pack"):
            Contract(**keywords)

    def test_member_read_without_its_part_warns(self, keywords: dict[str, Any]) -> None:
        contract: Any = Contract(**keywords | {"worth": nothing})
        with pytest.warns(DeprecationWarning, match=r"read contract\.table\.worth in place of contract\.worth ") as warned:
            assert contract.worth is nothing
        assert warned[0].filename == __file__
        with pytest.raises(AttributeError, match="worthy"):
            _ = contract.worthy


@pytest.mark.parametrize("api", [1, 2])
def test_older_contract_runs_with_a_warning(api: int, keywords: dict[str, Any]) -> None:
    with pytest.warns(DeprecationWarning, match=rf"own is .* version {api} .* each_seat=, and say api=3") as warned:
        contract: Contract = Contract(**keywords | {"api": api})
    assert warned[0].filename == __file__
    round = random_round(mekuri.game(contract), 3)
    assert round.over
    assert sum(round.returns) == 0


def test_functions_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="legal"):
        functions(SimpleNamespace(legal=lambda s, seat: 0), SimpleNamespace(legal=lambda s, seat: 1))


@each_game
def test_simulated_rounds_are_deals_by_number(name: str) -> None:
    game = mekuri.game(name)
    simulation = simulate(game, 5, seed=11, plain=True)
    total = [0] * game.seats
    for number in range(5):
        round = game.deal(seed=11, number=number)
        while not round.over:
            seat = round.waiting[0]
            choices = legal(round._state, seat) & ~undoing(round._state, seat)
            # From the round's own stream, as a play-out draws: nothing where there is nothing to choose.
            alone = count(choices) == 1
            round.play(first(choices) if alone else pick(choices, count(choices), round._chance), seat)
        total = [sum(pair) for pair in zip(total, round.returns, strict=True)]
    assert total == list(simulation.counts[playout.RETURNS : playout.RETURNS + game.seats])
