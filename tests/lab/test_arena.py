"""The arena: pairs of deals, the statistics, and the refusals."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri.bots import find
from mekuri.bots.seam import Bot, Budget, Seen, legal, pick, undoing
from mekuri.engine.compiled import count
from mekuri.engine.errors import MekuriError
from mekuri.lab.arena import CEILINGS, Arena, Score, wilson
from mekuri.lab.bot_rounds import Seated, asking, in_turn, play_together
from mekuri.lab.processes import Processes
from mekuri.lab.shards import Threads
from mekuri.match.round import Round
from mekuri.terminal.printed.lab import show_scores

MUSHI = mekuri.game("mushi")
CALLS: list[int] = []  # for each call of a bot below the number of actions that it was asked for


def choose_many(seen: Sequence[Seen], chances: Sequence[list[int]], budget: Budget) -> list[int]:
    """Choose at random."""
    CALLS.append(len(seen))
    choices = [legal(one.hidden, one.seat) & ~undoing(one.hidden, one.seat) for one in seen]
    return [pick(one, count(one), chance) for one, chance in zip(choices, chances, strict=True)]


def choose(seen: Seen, chance: list[int], budget: Budget) -> int:
    """Choose as `choose_many` does."""
    return choose_many([seen], [chance], budget)[0]


def unheard(units: int) -> None:
    """Ignore progress."""


TEXTS: dict[str, Any] = {"name": {"en": "Mine"}, "help": {"en": "For tests."}}
SINGLE = Bot(id="mine", **TEXTS, choose=choose, weights="2 of 3")
BATCHED = replace(SINGLE, choose_many=choose_many)


@pytest.fixture
def calls() -> list[int]:
    CALLS.clear()
    return CALLS


def test_wilson_interval() -> None:
    assert wilson(0, 0, 1.96) == (0, 1)
    assert wilson(50, 100, 1.959964) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(10, 10, 1.959964) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_ties_are_counted_apart() -> None:
    score = Score("a", "b")
    for brought in (4, 0, -2, 6):
        score.add(brought)
    assert (score.won, score.lost, score.tied, score.pairs) == (2, 1, 1, 4)
    assert (score.share, score.mean) == (2 / 3, 2)
    assert score.error == pytest.approx(1.959964 * (40 / 3 / 4) ** 0.5)
    assert not score.clear


def test_ties_alone_have_no_share() -> None:
    score = Score("a", "b", tied=1)
    assert (score.share, score.interval, score.mean, score.error) == (None, (0, 1), 0, 0)
    show_scores("mushi", [score])


def test_run_until_clear_stops_with_the_stronger_bot() -> None:
    arena = Arena(MUSHI, ("greedy", "random"), 500, seed=1, until_clear=True)
    [score] = arena.play()
    assert (score.won + score.lost) % 50 == 0
    assert score.pairs < 500
    assert score.share
    assert score.share > 0.8
    assert score.mean > 10
    assert arena.play() == [score]


def test_every_pair_of_bots_plays_every_seating(monkeypatch: pytest.MonkeyPatch) -> None:
    game, heard, rounds = mekuri.game("tenshu"), list[int](), list[Round]()
    scores = Arena(game, ("greedy", "random"), 2, seed=2).play(heard.append)
    assert [(score.first, score.second, score.pairs) for score in scores] == [("greedy", "random", 2)]
    assert heard == [1, 1]

    def noted(*given: Any) -> list[Round]:
        rounds.extend(play_together(*given))
        return rounds

    monkeypatch.setattr("mekuri.lab.arena.play_together", noted)
    [(won, _)] = Arena(game, ("greedy", "random"), 1, seed=2).played("greedy", "random", (0,), heard.append)
    returns = [round.returns for round in rounds]
    assert won == pytest.approx(sum(one[own] - sum(one) / game.seats for own, one in enumerate(returns)) / game.seats)


def test_open_cards_win_more() -> None:
    [score] = Arena(MUSHI, ("open-cards", "greedy"), 6, seed=3, budget=mekuri.bots.Budget(24)).play()
    assert score.won == 6
    assert set(CEILINGS) == {"open-cards", "hands-open"}


class TestBatches:
    @pytest.mark.parametrize(("name", "other"), [("mushi", "greedy"), ("mutsuichi", "random")])
    def test_bot_that_thinks_in_batches_scores_alike_in_fewer_calls(self, name: str, other: str, calls: list[int]) -> None:
        """Even where several seats decide at once."""
        found = []
        for bot in (SINGLE, BATCHED):
            calls.clear()
            found.append((Arena(mekuri.game(name), (bot, other), 3, seed=4).played("mine", other, range(3), unheard), sum(calls)))
        assert found[0] == found[1]
        assert len(calls) < sum(calls)

    def test_no_bot_is_asked_more_often_than_the_longest_round_has_decisions(self, calls: list[int]) -> None:
        decisions = Counter[int]()
        seated = [Seated(number, ("mine", "mine"), ("arena", number)) for number in range(8)]
        ask = {"mine": asking(BATCHED, MUSHI.contract, Budget())}
        play_together(MUSHI, 5, 0, seated, ask, lambda number, *_: decisions.update([number]), in_turn)
        assert len(calls) == max(decisions.values())
        assert sum(calls) == decisions.total()

    def test_choices_do_not_depend_on_the_rounds_beside(self) -> None:
        arena = Arena(MUSHI, (BATCHED, "greedy"), 4, seed=6)
        alone = [arena.played("mine", "greedy", (deal,), unheard)[0] for deal in range(4)]
        assert arena.played("mine", "greedy", range(4), unheard) == alone

    def test_stopped_run_ends_within_a_shard(self) -> None:
        with pytest.raises(ZeroDivisionError):
            Arena(MUSHI, (BATCHED, "greedy"), 1).worker().play(0, lambda units: 1 // units)


class TestObjects:
    """Bots as Python objects."""

    def test_bot_of_mekuri_plays_as_by_its_name(self) -> None:
        arena = Arena(MUSHI, (find("greedy"), "random"), 2, seed=1)
        assert arena.bots == ("greedy", "random")

    @pytest.mark.every_days(4)
    def test_processes_and_a_folder_take_a_bot_of_a_module(self, tmp_path: Path) -> None:
        results = pytest.importorskip("mekuri.lab.results")
        arena = Arena(MUSHI, (SINGLE, "random"), 2, seed=1)
        scores = arena.play(executor=Processes(1), results=results.Results(tmp_path))
        assert arena.play(executor=Threads(1)) == arena.play(results=results.Results(tmp_path)) == scores
        assert arena.about()["weights"] == {"mine": "2 of 3"}
        with pytest.raises(results.OtherRun, match="weights"):
            Arena(MUSHI, (replace(SINGLE, weights="3 of 3"), "random"), 2, seed=1).play(results=results.Results(tmp_path))

    def test_bot_that_cannot_be_sent_is_refused(self) -> None:
        local = Bot(id="mine", **TEXTS, choose=lambda seen, chance, budget: 0)
        with pytest.raises(MekuriError, match="cannot be sent to other processes"):
            Arena(MUSHI, (local, "random"), 1).play(executor=Processes(1))

    @pytest.mark.parametrize(
        ("bot", "message"),
        [
            (Bot(id="greedy", **TEXTS, choose=choose), "there is another bot greedy"),
            (Bot(id="open-cards", **TEXTS, choose=choose), "there is another bot open-cards"),
            (Bot(id="Mine", **TEXTS, choose=choose), "the bot Mine has a name"),
            (7, "the bot 7 is no bot"),
        ],
    )
    def test_unusable_bot_is_refused(self, bot: Any, message: str) -> None:
        with pytest.raises(MekuriError, match=message):
            Arena(MUSHI, (bot, "random"), 1)


@pytest.mark.parametrize(
    ("names", "pairs", "message"),
    [
        (("greedy",), 1, "two bots or more"),
        (("greedy", "greedy"), 1, "named once"),
        (("greedy", "nobody"), 1, "there is no bot nobody"),
        (("greedy", "random"), 0, "pairs is 1 to"),
    ],
)
def test_impossible_tournament_is_refused(names: tuple[str, ...], pairs: int, message: str) -> None:
    with pytest.raises(MekuriError, match=message):
        Arena(MUSHI, names, pairs)
