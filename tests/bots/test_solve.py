"""The solver: held against a search that only tries everything, plain and compiled, in ends of rounds of every game."""

from collections.abc import Iterator
from random import Random

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots.search import exact, solve
from mekuri.bots.search.solve import Others, prepare_solver, solve_state
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.contract import DRIVER, legal, over, play, returns, side_of, undoing, waiting
from mekuri.engine.driver import drive
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, copy, fields
from mekuri.engine.position import position_text
from mekuri.engine.setup import new_state
from mekuri.testing.settings import FEW_SEATS, random_games
from tests.helpers.tables import each_game

LUCK = stream("luck")
FEW, MANY = 300, 800  # positions that are tried in every way


class TooManyWays(Exception):
    """Not a small end of a round."""


class Everything:
    """Try every continuation of a round to its end, each position once."""

    def __init__(self, seat: int, others: Others, most: int) -> None:
        self.seat, self.others, self.left, self.shuffles = seat, others, most, 0
        self.tried: dict[str, tuple[int, ...]] = {}

    def after(self, s: RoundState, seat: int, action: int, luck: list[int]) -> tuple[int, ...]:
        """What every seat wins once an action is done."""
        s, luck = clone(s), list(luck)
        play(s, seat, action)
        while waiting(s) == 1 << DRIVER:
            self.shuffles += s.gathered > 0
            drive(s, luck)
        if over(s):
            return tuple(returns(s, other) for other in range(s.seats))
        position = str([*(getattr(s, field.name) for field in fields(type(s))), luck])
        if position not in self.tried:
            self.left -= 1
            if self.left < 0:
                raise TooManyWays
            asked = min(each(waiting(s)))
            ways = [self.after(s, asked, action, luck) for action in each(legal(s, asked) & ~undoing(s, asked))]
            if self.others == "own":
                self.tried[position] = max(ways, key=lambda won: won[asked])  # the first of equals
            else:
                self.tried[position] = (max if side_of(s, asked) == side_of(s, self.seat) else min)(
                    ways, key=lambda won: won[self.seat]
                )
        return self.tried[position]


def clone(s: RoundState) -> RoundState:
    made = type(s)()
    copy(made, s)
    return made


def ends(game: mekuri.Game, chance: Random, others: Others, most: int) -> Iterator[tuple[RoundState, int, dict[int, int], bool]]:
    """Return endings of a random round: state, a seat with a choice, the gain of each action, and whether cards are shuffled."""
    luck = stream(chance.random().hex())
    s, past = new_state(game.contract, game.options, game.seats, chance.randrange(game.seats)), list[tuple[RoundState, int]]()
    while not over(s):
        if waiting(s) == 1 << DRIVER:
            drive(s, luck)
            continue
        seat = chance.choice(each(waiting(s)))
        choices = each(legal(s, seat) & ~undoing(s, seat))
        if len(choices) > 1:
            past.append((clone(s), seat))
        play(s, seat, chance.choice(choices))
    for state, seat in reversed(past):
        tried = Everything(seat, others, most)
        choices = each(legal(state, seat) & ~undoing(state, seat))
        try:
            brings = {action: tried.after(state, seat, action, LUCK)[seat] for action in choices}
        except (TooManyWays, RecursionError):
            return  # and those before it have more ways
        yield state, seat, brings, tried.shuffles > 0


def held(game: mekuri.Game, chance: Random, others: Others, most: int) -> int:
    """Compare the solver with exhaustive search in the endings of a round. Returns the number of endings."""
    n = 0
    for state, seat, brings, shuffled in ends(game, chance, others, most):
        before = clone(state)
        found = solve_state(state, seat, others=others, luck=LUCK)
        where = f"{game} {position_text(state)} seat {seat} {others}"
        assert (found.solved, found.values) == (True, brings), where
        assert found.value == max(brings.values())
        without = solve_state(state, seat, others=others)
        assert without.solved or shuffled, where
        assert without.values.items() <= brings.items(), where
        assert state == before
        n += 1
    return n


def hold(name: str, most: int, seed: int, positions: int) -> None:
    """Hold so many ends at least, of rounds at the default options and at others, for both kinds of others."""
    chance, settings, n, found = Random(f"{name} {seed}"), random_games(name, 2 + most // 20, FEW_SEATS), 0, 0
    while found < most:
        others: Others = "own" if n & 1 else "against"
        found += held(settings[n // 4 % len(settings) if n & 2 else 0], chance, others, positions)
        n += 1


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("rows", [8, 1 << 14])
@each_game
def test_solver_agrees_with_exhaustive_search(name: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table has few rows, so that positions collide."""
    monkeypatch.setattr(solve, "_ready", {})
    monkeypatch.setattr(solve, "_PLAIN_ROWS", rows)
    hold(name, 24, rows, FEW)


@pytest.mark.slow
@each_game
def test_solver_agrees_in_thousands_of_endings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_solver(games.find(name))
    hold(name, 600, 1, MANY)
    monkeypatch.setattr(solve, "_ROWS", 64)
    hold(name, 300, 2, MANY)


def some_round(name: str, actions: int, seed: int = 1) -> mekuri.Round:
    round = mekuri.game(name).deal(seed=seed)
    for _ in range(actions):
        round.play(round.legal[0])
    return round


def test_round_is_solved_from_its_position() -> None:
    round = some_round("mushi", 10)
    position, seat = round.position, round.waiting[0]
    found = bots.solve(round)
    assert (found.seat, found.solved, found.unsolved) == (seat, True, None)
    assert set(found.values) == {round.parse_action(action) for action in round.legal}
    assert round.position == position
    round.play(found.action)
    while not round.over:
        round.play(bots.solve(round).action)
    assert round.returns[seat] == found.value, "what is found comes about where both play so"


def test_solver_stops_at_the_node_limit() -> None:
    round = some_round("mushi", 4)
    found = bots.solve(round, nodes=2000)
    assert not found.solved
    assert found.nodes == 2001
    assert found.unsolved == "it takes more positions than may be looked at"
    assert len(found.values) < len(round.legal)
    for result in ("action", "value"):
        with pytest.raises(MekuriError, match="not solved"):
            getattr(found, result)


def test_solver_stops_at_the_depth_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_ready", {})  # machine code keeps the depth that it was made with
    monkeypatch.setattr(exact, "DEPTH", 4)
    assert bots.solve(some_round("mushi", 8)).unsolved == "it is too long"


def test_solver_needs_the_luck_of_a_shuffle() -> None:
    """A deal is shuffled first, and so is a pile that becomes the stock."""
    round = mekuri.game("tensho", yaku_set="vote").deal(seed=1)
    found = bots.solve(round)
    assert (found.unsolved, found.values) == ("cards are shuffled in it", {})
    luck = list(LUCK)
    assert bots.solve(round, nodes=2000, luck=luck).unsolved == "it takes more positions than may be looked at"
    assert luck == LUCK


def test_seat_without_a_choice_is_refused() -> None:
    round = some_round("mushi", 4)
    with pytest.raises(MekuriError, match="has nothing to choose"):
        bots.solve(round, 1 - round.waiting[0])
    while not round.over:
        round.play(round.legal[0])
    with pytest.raises(MekuriError, match="has nothing to choose"):
        bots.solve(round)


@pytest.mark.machine_code
def test_machine_code_gives_the_same_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_ready", {})
    round = some_round("mushi", 9)
    kinds: tuple[Others, ...] = ("against", "own")
    plain = [bots.solve(round, others=others, nodes=9000) for others in kinds]
    prepare_solver(round.contract)
    assert [bots.solve(round, others=others, nodes=9000) for others in kinds] == plain
    assert plain[0].values == plain[1].values, "what one wins the other loses"
    assert plain[0].nodes < plain[1].nodes
