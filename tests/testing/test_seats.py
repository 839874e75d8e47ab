"""Fields of a state declare what they hold of seats, and a missing declaration is found."""

import dataclasses

import pytest

import mekuri
from mekuri import games
from mekuri.engine import fields as declared
from mekuri.engine.fields import Field, RoundState, fields, turned
from mekuri.testing import seats
from mekuri.testing.failure import CheckFailure, LeftOut
from mekuri.testing.settings import FEW_SEATS, random_games
from mekuri.testing.worlds import kept, random_round
from tests.helpers import pairs
from tests.helpers.tables import GAMES, each_game

# Fields that matter under rare options or after rare deals alone: the rounds of a test may do without them.
RARE = {"two_kept", "oni_laid_by", "laid_by", "out", "stones", "stakes", "looked"}
OF_ALL = {field.name for field in fields(RoundState)}  # a game does not declare these
OF_SEATS = [
    (name, field.name)
    for name in GAMES
    for field in fields(games.find(name).state)
    if (field.each_seat or field.kind in ("seat", "seats")) and field.name not in RARE | OF_ALL
]


def look_at(name: str) -> None:
    for number, game in enumerate(random_games(name, 6, FEW_SEATS)):
        for seed in range(number, number + 4):
            seats.round_the_table(game, seed)
            seats.carried_on(game, seed)


@each_game
def test_rules_are_the_same_for_rotated_seats(name: str) -> None:
    look_at(name)


@pytest.mark.parametrize(("name", "field"), OF_SEATS)
def test_field_without_its_kind_of_seat_is_found(name: str, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declare = declared._fields

    def unsaid(one: Field) -> Field:
        row = bool(one.each_seat)
        return dataclasses.replace(one, each_seat=0, none=None, kind=one.kind if row else "count") if one.name == field else one

    monkeypatch.setattr(declared, "_fields", lambda *state: tuple(map(unsaid, declare(*state))))
    with pytest.raises(CheckFailure, match=rf"each_seat= .* Look at: .*\b{field}\b"):
        look_at(name)


def test_game_of_an_older_contract_is_left_out() -> None:
    with pytest.raises(LeftOut, match="version 1"):
        seats.round_the_table(mekuri.game(pairs.contract))


def test_rows_of_an_older_contract_have_a_value_per_seat() -> None:
    rows = {field.name: field.each_seat for field in fields(pairs.PairsState) if field.length}
    assert rows == {"pack": 0, "redeals": 4, "hand": 4, "held": 4, "down": 4, "down_held": 4, "up": 4}


@each_game
def test_full_rotation_restores_the_table(name: str) -> None:
    for game in random_games(name, 4):
        s = random_round(game, 3)._state
        t = kept(s)
        for _ in range(game.seats):
            t = turned(t)
        assert t == s == turned(s, game.seats)
        assert turned(s) != s


@each_game
def test_seats_have_the_range_of_the_game(name: str) -> None:
    contract = games.find(name)
    most = max(contract.seats)
    for field in fields(contract.state):
        if field.kind == "seat":
            assert (field.least, field.most) == ((0, most - 1) if field.none is None else (field.none, field.none + most))
        elif field.kind == "seats":
            assert field.most == (1 << most) - 1


def test_position_with_a_seat_that_does_not_play_is_refused() -> None:
    game = mekuri.game("tenshu")
    assert (game.seats, max(game.contract.seats)) == (4, 7)
    for wrong in ("turn 4", "dealer 4", "winner 5", "active 16", "shouted 1 / 5"):
        with pytest.raises(mekuri.PositionError, match=f"{wrong.split()[0]} is a .* where 4 play"):
            game.position(wrong)
