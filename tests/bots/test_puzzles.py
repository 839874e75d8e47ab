"""Every stored puzzle stands: the judge says today what its file says, and the solver too. Mining finds the same again."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots.puzzles import DEALS, Exact, Mining, exactly, greedy_choices, judge, mine
from mekuri.bots.puzzles.judge import EXACT_DEALS
from mekuri.engine.chance import stream
from mekuri.engine.compiled import available, has
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.engine.puzzles import Puzzle, file_text, puzzles
from mekuri.match.puzzle import set_up
from tests.helpers.tables import GAMES, in_turn

WORLDS = 400
Turn = Callable[[Sequence[Puzzle], int], Sequence[Puzzle]]
PUZZLED = [name for name in GAMES if puzzles(games.find(name))]


with_machine_code = pytest.mark.skipif(not available(), reason="it would take minutes without machine code")


def stale(contract: Contract, some: Iterable[Puzzle], deals: int = EXACT_DEALS) -> list[str]:
    """Those of some puzzles to which the judge of today, by another chance, or the solver says something else; their ids."""
    found = puzzles(contract)
    prepare = bots.find("flat").prepare
    assert found
    assert prepare
    prepare(contract)
    bots.prepare_solver(contract)
    told = []
    for puzzle in some:
        round = set_up(contract, found, puzzle)
        seen, best = round.seen(puzzle.seat), round.parse_action(puzzle.best)
        verdict = judge(seen, stream("still", puzzle.id), WORLDS)
        exact = exactly(verdict.notes.worlds[:deals], puzzle.seat, best)
        if verdict.best != best or exact.agree < exact.solved / 2 or has(greedy_choices(seen), best):
            told.append(puzzle.id)
    return told


@pytest.mark.every_days(4)
@with_machine_code
@pytest.mark.parametrize("name", PUZZLED)
def test_the_judge_and_the_solver_say_today_what_the_file_says(name: str, in_full: bool, days_turn: Turn) -> None:
    """Where this fails rules or bots have changed: `mekuri mine` finds puzzles that stand."""
    contract = games.find(name)
    found = puzzles(contract)
    assert found
    some = days_turn(found.puzzles, 8)
    assert stale(contract, some, EXACT_DEALS if in_full else EXACT_DEALS // 2) == [], f"mine them anew: mekuri mine {name}"


@with_machine_code
def test_other_answers_than_those_are_noticed() -> None:
    contract = games.find(PUZZLED[0])
    found = puzzles(contract)
    assert found
    some = found.puzzles[::6]
    others = [replace(one, best=min(one.costs, key=lambda action: one.costs[action]), costs={}) for one in some]
    assert stale(contract, others) == [one.id for one in some]


def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is played out, and almost anything is clear."""
    monkeypatch.setattr(mine, "_PLAYED", bots.Budget(2))
    monkeypatch.setattr(mine, "_FIRST_LOOK", bots.Budget(20))
    monkeypatch.setattr(mine, "_FOUND", bots.Budget(2))
    monkeypatch.setattr(mine, "_SECOND_LOOK", 4)
    monkeypatch.setattr(mine, "TRIES", 2)
    monkeypatch.setattr(mine, "is_clear", lambda found, open: bool(found.costs))
    monkeypatch.setattr(mine, "deals", lambda *_: [])
    monkeypatch.setattr(mine, "sure", lambda *_: DEALS)
    monkeypatch.setattr(mine, "exactly", lambda *_: Exact(0, 0, True))


def text(name: str, seed: str = "1", rounds: int = 25) -> str:
    mining = Mining(mekuri.game(name), seed, rounds, worlds=4)
    while len(mining.found) < 2 and mining.step():
        pass
    assert len(mining.found) <= mining.done, "one a round"
    return file_text(name, mining.puzzles(most=3))


@pytest.mark.parametrize("name", in_turn(PUZZLED))
def test_mining_finds_the_same_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    once = text(name)
    assert once.count("[[puzzles]]") > 0
    assert once == text(name)
    assert once != text(name, seed="2")


def test_a_game_of_chance_has_nothing_to_mine() -> None:
    name = next(name for name in GAMES if not bots.levels(games.find(name)))
    with pytest.raises(MekuriError, match="no levels"):
        Mining(mekuri.game(name), "1", 1)


def test_the_solver_confirms_nothing_that_it_contradicts() -> None:
    assert Exact(40, 30, True).confirms
    assert not Exact(40, 29, True).confirms
    assert not Exact(40, 40, False).confirms
    assert Exact(0, 0, True).confirms
