"""Simulations with intervals, a bot for each seat and a dealer."""

import json
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

import mekuri
from mekuri.bots import Budget
from mekuri.engine.compiled import available
from mekuri.engine.errors import OptionError
from mekuri.lab import playout
from mekuri.lab.shards import Threads, play_shards
from mekuri.lab.simulate import Simulating, Simulation, simulate
from tests.helpers.commands import run_command

MUSHI = mekuri.game("mushi")


def values(simulation: Simulation) -> dict[str, Any]:
    """Return all figures but the time."""
    return simulation.to_dict() | {"seconds": 0}


class TestIntervals:
    def test_moments_are_those_of_the_single_rounds(self) -> None:
        run = Simulating(MUSHI, 60, 3, plain=True)
        kept: list[Any] = []
        run.worker().played(0, 60, lambda _: None, kept)
        [each] = kept
        width = playout.ROUND_RETURNS + MUSHI.seats
        returns = [each[i * width + playout.ROUND_RETURNS] for i in range(60)]
        assert returns[0] == simulate(MUSHI, 1, seed=3, plain=True).to_dict()["returns"]["mean"][0]
        found = simulate(MUSHI, 60, seed=3, plain=True).to_dict()["returns"]
        assert found["mean"][0] == pytest.approx(mean(returns))
        assert found["deviation"][0] == pytest.approx(stdev(returns))
        assert found["error"][0] == pytest.approx(stdev(returns) / 60**0.5)
        assert found["mean_95"][0] == pytest.approx(1.96 * stdev(returns) / 60**0.5, rel=1e-4)

    def test_single_round_has_no_error(self) -> None:
        assert simulate(MUSHI, 1, plain=True).to_dict()["returns"]["error"] == [0, 0]

    def test_rounds_one_by_one_add_up_to_the_counts(self) -> None:
        for bots, plain in ((("random",), True), (("greedy", "suzu"), True), (("greedy",), not available())):
            kept: list[Any] = []
            run = Simulating(MUSHI, 7, 3, bots, plain, Budget(2))
            counts = run.worker().played(0, 7, lambda _: None, kept)
            width = playout.ROUND_RETURNS + MUSHI.seats
            rows = [one[i : i + width] for one in kept for i in range(0, len(one), width)]
            sums = [sum(int(row[column]) for row in rows) for column in range(width)]
            places = (playout.ACTIONS, playout.DECISIONS, playout.TURNS, playout.RETURNS, playout.RETURNS + 1)
            assert len(rows) == 7
            assert sums == [counts[place] for place in places]


class TestSeats:
    def test_each_seat_has_its_bot(self) -> None:
        one, other = (simulate(MUSHI, 400, seed=5, bots=bots, plain=True) for bots in (("greedy", "random"), ("random", "greedy")))
        assert one.estimate(0).least > 0
        assert other.estimate(1).least > 0
        assert one.to_dict()["returns"]["mean"][0] == -one.to_dict()["returns"]["mean"][1]

    @pytest.mark.machine_code
    def test_mixed_bots_play_the_same_compiled(self) -> None:
        plain, compiled = (simulate(MUSHI, 30, seed=5, bots=("greedy", "random"), dealer=1, plain=plain) for plain in (True, False))
        assert plain.counts == compiled.counts

    def test_same_bot_everywhere_is_one_bot(self) -> None:
        assert values(simulate(MUSHI, 20, 1, bots=("greedy", "greedy"), plain=True)) == values(
            simulate(MUSHI, 20, 1, "greedy", plain=True)
        )
        assert Simulating(MUSHI, 20, 1, ("greedy", "greedy")).about() == Simulating(MUSHI, 20, 1, ("greedy",)).about()

    def test_bots_that_search_sit_beside_others(self) -> None:
        run = Simulating(MUSHI, 2, 1, ("suzu", "greedy"), budget=Budget(2))
        assert not run.of_rules
        assert sum(row["rounds"] for _, row in play_shards(run, Threads(1))) == 2

    def test_dealer_deals_every_round(self) -> None:
        for bot in ("random", "suzu"):
            [row] = [row for _, row in play_shards(Simulating(MUSHI, 1, 8, (bot,), True, Budget(2), dealer=1), Threads(1))]
            assert row["checksum"] != simulate(MUSHI, 1, 8, bot, plain=True, budget=Budget(2)).counts[playout.CHECKSUM]

    def test_no_such_seat_is_refused(self) -> None:
        with pytest.raises(OptionError, match="the dealer is a seat from 0 to 1, not 2"):
            simulate(MUSHI, 1, dealer=2)
        with pytest.raises(OptionError, match="mushi has 2 seats here, so name one bot or 2, not 3"):
            simulate(MUSHI, 1, bots=("greedy", "random", "greedy"))


def test_command_takes_bots_and_a_dealer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "mushi", "--rounds", "20", "--seed", "2", "--plain", "--bots", "greedy, random", "--dealer", "1"]
    found = json.loads(run_command(capsys, *words, "--json")[1])
    assert found["checksum"] == simulate(MUSHI, 20, 2, bots=("greedy", "random"), dealer=1, plain=True).checksum
    assert "±" in run_command(capsys, *words)[1]


def test_results_of_an_earlier_version_are_refused(tmp_path: Path) -> None:
    """A row of an earlier Mekuri has no squares, and its description no dealer."""
    results = pytest.importorskip("mekuri.lab.results")
    run = Simulating(MUSHI, 20, 1, plain=True)
    [(number, row)] = play_shards(run, Threads(1))

    class Earlier(Simulating):
        def about(self) -> dict[str, Any]:
            return {key: value for key, value in super().about().items() if key != "dealer"}

    store = results.Results(tmp_path)
    store.open(Earlier(MUSHI, 20, 1, plain=True))
    store.keep(number, {name: value for name, value in row.items() if not name.startswith("squares")})
    store.flush()
    with pytest.raises(
        results.OtherRun, match="an earlier Mekuri began it, which kept no dealer; resume it with that Mekuri, or another folder"
    ):
        simulate(MUSHI, 20, 1, plain=True, results=results.Results(tmp_path))
