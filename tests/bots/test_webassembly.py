"""The search and the solver find the same as machine code and as WebAssembly."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots import Budget, Seen, webassembly
from mekuri.bots.search import machine_code, solve
from mekuri.bots.search.flat import HANDS_OPEN, HONEST, OPEN, WHOLE
from mekuri.bots.search.think import Notes, think
from mekuri.engine.called import choices_of
from mekuri.engine.chance import stream
from mekuri.engine.compiled import count
from mekuri.engine.executor import Executor
from mekuri.testing.states import as_values
from tests.helpers.asked import asked
from tests.helpers.tables import USUAL, each_game
from tests.helpers.webassembly import instance

GREEDY = bots.find("greedy")
STRONGEST = max(map(bots.find, bots.NAMES), key=lambda bot: bot.strength)

OTHERS: tuple[solve.Others, ...] = ("against", "own")

Both = Callable[[Callable[[], object]], list[object]]
"""Calls a function twice: with machine code, and with an instance of a game's module."""


@dataclass
class Ready:
    """The executors of a way to think."""

    search: dict[Any, Executor]
    solver: dict[Any, Executor]


@pytest.fixture
def both(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Both]:
    contract = games.find(name)
    native, wasm = Ready({}, {}), Ready({}, {})

    def choose(way: Ready) -> None:
        monkeypatch.setattr(machine_code, "_ready", way.search)
        monkeypatch.setattr(solve, "_ready", way.solver)

    with instance(webassembly.module(contract)) as opened:
        choose(native)
        machine_code.prepare(contract, GREEDY)
        solve.prepare_solver(contract)
        choose(wasm)
        webassembly.use(contract, lambda: opened)

        def call(ask: Callable[[], object]) -> list[object]:
            found = []
            for way in (native, wasm):
                choose(way)
                found.append(ask())
            return found

        yield call


@pytest.mark.machine_code
@pytest.mark.in_turn(6)
@each_game
def test_search_and_solver_agree_in_whole_rounds(name: str, both: Both) -> None:
    """The strongest level plays a round. It chooses each move twice."""
    round = mekuri.game(name).deal(seed="both")
    moves = 0
    while not round.over:
        seat = round.waiting[0]
        seen = round.seen(seat)
        if count(choices_of(seen.hidden, seat)) > 1:
            found, again = both(partial(chosen, seen, moves))
            assert found == again, f"move {moves}"
            moves += 1
            action = found[0]  # type: ignore[index]
        else:
            action = round.legal_for(seat)[0]
        round.play(action, seat)
    assert moves
    solved, again = both(partial(solutions, name))
    assert solved == again


def chosen(seen: Seen, number: int) -> tuple[int, list[int]]:
    """Return the move that the strongest level chooses, and the chance that is left."""
    chance = stream("both", number)
    return STRONGEST.choose(seen, chance, Budget()), chance


def solutions(name: str) -> list[object]:
    """Return the solutions of positions at the beginning and near the end of a round, with shuffles and without."""
    found = list[object]()
    round = mekuri.game(name).deal(seed="solved")
    while not round.over:
        seat = round.waiting[0]
        for others in OTHERS:
            for luck in (None, stream("solved")):
                found.append(bots.solve(round, seat, others=others, nodes=500, luck=luck))
        round.play(round.legal_for(seat)[0], seat)
    return found


@pytest.mark.machine_code
@pytest.mark.parametrize("name", [USUAL])
def test_all_ways_to_search_agree(name: str, both: Both) -> None:
    for open_cards in (HONEST, HANDS_OPEN, OPEN):
        for sight in (1, WHOLE):
            for learns in (True, False):
                found, again = both(partial(thought, name, open_cards, sight, learns))
                assert found == again, (open_cards, sight, learns)


def thought(name: str, open_cards: int, sight: int, learns: bool) -> tuple[object, ...]:
    """Return all that a search finds, with its notes, and the chance that is left."""
    round, seat = asked(name, 6, 5)
    hidden = round.hidden(seat) if open_cards == HONEST else round._state
    chance, notes = stream("same"), Notes()
    tries = think(Seen(hidden, seat), chance, Budget(90), GREEDY, open_cards, sight, notes, learns)
    states = [notes.worlds, *notes.finals.values()]
    return tries, chance, notes.won, [[as_values(state) for state in row] for row in states]
