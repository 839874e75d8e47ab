"""Stored puzzles: judge and solver agree with the file, and mining is deterministic."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

import mekuri
from mekuri import bots, games
from mekuri.bots.puzzles import DEALS, Exact, Mining, exactly, greedy_choices, judge, mine
from mekuri.bots.puzzles.judge import EXACT_DEALS
from mekuri.bots.review.version import JUDGE
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


def prepare(contract: Contract) -> None:
    """Have machine code search, which takes a tenth of the time."""
    search = bots.find("flat").prepare
    assert search
    search(contract)


def stale(contract: Contract, some: Iterable[Puzzle], deals: int = EXACT_DEALS) -> list[str]:
    """Those of some puzzles to which the judge of today, by another chance, or the solver says something else; their ids."""
    found = puzzles(contract)
    assert found
    prepare(contract)
    bots.prepare_solver(contract)
    wrong = []
    for puzzle in some:
        round = set_up(contract, found, puzzle)
        seen, best = round.seen(puzzle.seat), round.parse_action(puzzle.best)
        verdict = judge(seen, stream("still", puzzle.id), WORLDS)
        exact = exactly(verdict.notes.worlds[:deals], puzzle.seat, best)
        if (
            verdict.best != best
            or exact.agree < exact.solved / 2
            or has(greedy_choices(seen), best) != (puzzle.tempts == puzzle.best)
        ):
            wrong.append(puzzle.id)
    return wrong


@pytest.mark.every_days(4)
@with_machine_code
@pytest.mark.parametrize("name", PUZZLED)
def test_stored_puzzles_agree_with_judge_and_solver(name: str, in_full: bool, days_turn: Turn) -> None:
    """If this fails, rules or bots have changed: `mekuri mine` finds new puzzles."""
    contract = games.find(name)
    found = puzzles(contract)
    assert found
    some = days_turn(found.puzzles, 8)
    assert stale(contract, some, EXACT_DEALS if in_full else EXACT_DEALS // 2) == [], f"mine them anew: mekuri mine {name}"


@with_machine_code
def test_wrong_stored_answer_is_found() -> None:
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
    monkeypatch.setattr(mine, "holds", lambda *_: True)
    monkeypatch.setattr(mine, "is_clear", lambda found, open: bool(found.costs))
    monkeypatch.setattr(mine, "deals", lambda *_: [])
    monkeypatch.setattr(mine, "sure", lambda *_: DEALS)
    monkeypatch.setattr(mine, "exactly", lambda *_: Exact(0, 0, True))


def text(name: str, seed: str = "1", rounds: int = 25) -> str:
    prepare(games.find(name))
    mining = Mining(mekuri.game(name), seed, rounds, worlds=4)
    while sum(one.tempts != one.best for one in mining.found) < 2 and mining.step():
        pass
    assert len(mining.found) <= mining.done, "one a round"
    return file_text(name, mining.puzzles(most=3))


@pytest.mark.machine_code
@with_machine_code
@pytest.mark.parametrize("name", in_turn(PUZZLED))
def test_mining_is_deterministic(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    once = text(name)
    assert once.count("[[puzzles]]") > 0
    assert once == text(name)
    assert once != text(name, seed="2")


@pytest.mark.parametrize("name", PUZZLED)
def test_tempting_answer_is_right_in_a_third_of_puzzles(name: str) -> None:
    """The puzzles are of the present judge. In a third of them the obvious action is the answer, with two choices or more."""
    found = puzzles(games.find(name))
    assert found
    assert found.version == JUDGE, f"mine them again: mekuri mine {name}"
    for some in (found.puzzles, [one for one in found.puzzles if len(one.costs) == 1]):
        obvious = sum(one.tempts == one.best for one in some)
        assert abs(obvious - len(some) / 3) <= 1, f"{obvious} of {len(some)}"


def test_mining_picks_a_third_of_obvious_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as there are such puzzles. At most a quarter have one answer."""
    known = puzzles(games.find(PUZZLED[0]))
    assert known
    mining = Mining(mekuri.game(PUZZLED[0]), "1", 1)

    def made(number: int, obvious: bool, choices: int) -> Puzzle:
        best, *others = [f"{1 + (number + n) % 12}H" for n in range(choices)]
        costs = dict.fromkeys(others, (1.0, 0.1))
        return replace(known.puzzles[0], id=f"{number:08x}", best=best, tempts=best if obvious else others[0], costs=costs)

    mining.found = [made(n, n % 2 == 0, 2 + n % 3) for n in range(200)]
    chosen = mining.puzzles(30).puzzles
    assert 29 <= len(chosen) <= 30
    for few in (True, False):
        some = [one for one in chosen if (len(one.costs) == 1) == few]
        assert abs(sum(one.tempts == one.best for one in some) - len(some) / 3) <= 1
    mining.found = [one for one in mining.found if one.tempts != one.best]
    assert len(mining.puzzles(30).puzzles) == 20


def test_game_of_chance_cannot_be_mined() -> None:
    name = next(name for name in GAMES if not bots.levels(games.find(name)))
    with pytest.raises(MekuriError, match="no levels"):
        Mining(mekuri.game(name), "1", 1)


def test_solver_rejects_what_it_contradicts() -> None:
    assert Exact(40, 30, True).confirms
    assert not Exact(40, 29, True).confirms
    assert not Exact(40, 40, False).confirms
    assert Exact(0, 0, True).confirms
