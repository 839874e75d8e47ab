"""The laboratory of rules: variants of a game measured on the same deals, and the report."""

import json
from pathlib import Path
from statistics import mean, stdev
from typing import Any
from xml.etree import ElementTree

import pytest

import mekuri
from mekuri import games
from mekuri.bots import Budget, levels
from mekuri.bots.figures import Estimate
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.lab.arena import Arena
from mekuri.lab.compare import MEASURES, Comparing, Comparison, strongest, variants
from mekuri.lab.processes import Processes
from mekuri.lab.report import files, mean_text, tables
from mekuri.lab.shards import Threads
from mekuri.lab.simulate import simulate
from tests.helpers.commands import run_command
from tests.helpers.tables import each_game

MUSHI = mekuri.game("mushi")
FEW = ("misdeal", "fudawiki-2026")


def compared(*only: str, rounds: int = 100, pairs: int = 0, **more: Any) -> Comparison:
    run = Comparing(MUSHI, variants(MUSHI, only)[0], rounds, pairs, seed=4, budget=Budget(5), plain=True)
    return run.play(**({"executor": Threads(1)} | more))


class TestVariants:
    @each_game
    def test_every_value_of_every_option_is_measured_or_left_out_with_a_reason(self, name: str) -> None:
        base = mekuri.game(name)
        found, left_out = variants(base)
        assert found[0].game.options == base.options
        assert len({one.game.options for one in found}) == len(found)
        assert all(left_out.values())
        measured = {each.partition("=")[0] for one in found for each in one.names}
        options = {option.name for option in mekuri.engine.options.info(base.contract.options)}
        assert options <= measured | {each.partition("=")[0] for each in left_out}

    def test_combinations_without_sense_are_left_out(self) -> None:
        _, left_out = variants(mekuri.game("sakura"))
        assert set(left_out) == {"teams=three", "preset teams", "preset bga"} or "teams=three" in left_out

    def test_number_with_a_long_range_is_measured_where_it_is_named(self) -> None:
        tensho = mekuri.game("tensho")
        assert "name one, such as hand=11" in variants(tensho)[1]["hand"]
        [_, one] = variants(tensho, ["hand=5"])[0]
        assert (one.names, one.game.options.hand) == (("hand=5",), 5)  # type: ignore[attr-defined]

    def test_one_option_or_preset_is_chosen(self) -> None:
        assert [one.names for one in variants(MUSHI, FEW)[0]] == [("default",), ("misdeal=elder-takes",), ("preset fudawiki-2026",)]
        assert [one.names for one in variants(MUSHI, ["five-brights=yes"])[0]] == [("default",), ("five_brights=yes",)]

    def test_other_base_is_compared_with_the_rest(self) -> None:
        found = [each for one in variants(mekuri.game("mushi", five_brights="yes"))[0] for each in one.names]
        assert "five_brights=no" in found
        assert "five_brights=yes" not in found

    @pytest.mark.parametrize("word", ["none", "misdeal=none", "four"])
    def test_unknown_names_are_refused(self, word: str) -> None:
        found = variants(MUSHI, [word]) if word == "misdeal=none" else None
        if found:
            assert found[1] == {"misdeal=none": "misdeal is one of redeal, elder-takes, not none"}
        else:
            with pytest.raises(OptionError, match=f"mushi has no option or preset {word}"):
                variants(MUSHI, [word])


class TestMeasured:
    def test_means_are_those_of_simulations(self) -> None:
        for one in compared(*FEW).measured["greedy"]:
            figures = simulate(one.variant.game, 100, 4, "greedy", plain=True).to_dict()
            assert float(one.mean("dealer").mean) == figures["returns"]["mean"][0]
            assert one.deviation == pytest.approx(figures["returns"]["deviation"][0])
            assert float(one.mean("decisions").mean) == figures["decisions"] / 100
            assert one.shares()["endings"] == {id: n / 100 for id, n in figures["endings"].items()}

    def test_differences_are_of_the_same_deals(self) -> None:
        _, other, _ = compared(*FEW, rounds=120).measured["greedy"]
        games = MUSHI, mekuri.game("mushi", misdeal="elder-takes")
        rounds = [[simulate_one(game, number) for game in games] for number in range(120)]
        differences = [b[0] - a[0] for a, b in rounds]
        assert other.difference("dealer").mean == pytest.approx(mean(differences))
        assert other.difference("dealer").error == pytest.approx(stdev(differences) / 120**0.5)
        assert other.changed == mean(a != b for a, b in rounds)
        assert other.decided == mean((a[0] > a[1]) - (a[0] < a[1]) != (b[0] > b[1]) - (b[0] < b[1]) for a, b in rounds)

    def test_base_differs_from_itself_in_nothing(self) -> None:
        base = compared("misdeal").measured["greedy"][0]
        assert {base.difference(measure).interval for measure in MEASURES} == {(0, 0)}
        assert base.changed == base.decided == 0

    def test_strongest_character_is_measured_beside_greedy(self) -> None:
        found = compared("five_brights", rounds=4, pairs=3).measured
        assert list(found) == ["greedy", strongest(MUSHI.contract)] == ["greedy", "kakuo"]
        [score] = Arena(MUSHI, ("kakuo", "greedy"), 3, 4, Budget(5)).play()
        counted = found["kakuo"][0].score
        assert counted
        assert (counted.won, counted.lost, counted.tied, counted.mean) == (score.won, score.lost, score.tied, score.mean)
        assert found["greedy"][0].score is None

    def test_bot_of_a_game_of_chance_is_measured_as_the_strongest(self) -> None:
        game = mekuri.game("mutsuichi")
        found = Comparing(game, variants(game, ["payout"])[0], 20, 2, plain=True).play(executor=Threads(1))
        assert list(found.measured) == ["greedy", game.contract.bots[-1].id]

    def test_partners_win_together(self) -> None:
        game = mekuri.game("sakura", seats=4, teams="two")
        [one] = Comparing(game, variants(game, ["default"])[0][:1], 40, 0, plain=True).play(executor=Threads(1)).measured["greedy"]
        assert one.sums["dealer_wins"] + one.sums["undecided"] <= 40
        assert one.sums["dealer_wins"] > 40 / 4

    @pytest.mark.machine_code
    def test_compiled_measures_are_the_plain_ones(self) -> None:
        run = Comparing(MUSHI, variants(MUSHI, FEW)[0], 100, 0, seed=4)
        compiled, plain = (found.measured["greedy"] for found in (run.play(executor=Threads(2)), compared(*FEW)))
        assert [one.to_dict() for one in compiled] == [one.to_dict() for one in plain]

    @pytest.mark.every_days(4)
    def test_processes_come_to_the_same_measures(self) -> None:
        here, there = (compared(*FEW, rounds=40, pairs=2, executor=by) for by in (Threads(3), Processes(2)))
        assert (here.to_dict(), here.checksum) == (there.to_dict(), there.checksum)

    def test_results_are_resumed(self, tmp_path: Path) -> None:
        results = pytest.importorskip("mekuri.lab.results")
        first = compared(*FEW, rounds=40, pairs=2, results=results.Results(tmp_path))
        progress: list[int] = []
        again = compared(*FEW, rounds=40, pairs=2, results=results.Results(tmp_path), progress=progress.append)
        assert again.to_dict() == first.to_dict()
        assert sum(progress) == first.run.shards
        with pytest.raises(results.OtherRun, match=r"variants=.* there and variants=.* here"):
            compared("misdeal", rounds=40, pairs=2, results=results.Results(tmp_path))

    @pytest.mark.parametrize(("rounds", "pairs"), [(0, 1), (1, -1)])
    def test_impossible_numbers_are_refused(self, rounds: int, pairs: int) -> None:
        with pytest.raises(MekuriError, match=r"(rounds is 1|pairs is 0) to"):
            Comparing(MUSHI, variants(MUSHI)[0], rounds, pairs)


def simulate_one(game: mekuri.Game, number: int) -> list[int]:
    """Return the returns of one round between greedy bots."""
    from mekuri.lab import playout
    from mekuri.lab.simulate import Simulating

    kept: list[Any] = []
    Simulating(game, 1, 4, ("greedy",), plain=True).worker().played(number, number + 1, lambda _: None, kept)
    return list(kept[0][playout.ROUND_RETURNS :])


def circles(drawn: str) -> int:
    """Return the number of estimates of a plot."""
    return sum(1 for _ in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}circle"))


class TestReport:
    def test_report_has_every_variant_and_its_plots(self) -> None:
        comparison = compared(*FEW, pairs=2)
        found = files(comparison, {"hand": "it takes any number"})
        assert {name.partition(".")[2] for name in found} == {"md", "html", "json", "svg"}
        for kind in ("md", "html"):
            text = found[f"mushi.{kind}"]
            assert "misdeal=elder-takes" in text
            assert "preset fudawiki-2026" in text
            assert "kakuo, 2 deals" in text
            assert "seed 4" in text
            assert "hand is left out" in text
            assert "misdeal=elder-takes: Four of a flower, or three rain cards, on the field" in text
            assert "Play on: the dealer takes the four" in text
        assert found["mushi.md"].index("![") < found["mushi.md"].index("| a round")
        assert found["mushi.html"].index("<svg") < found["mushi.html"].index("<table")
        assert found["mushi.html"].count("<svg") == len([name for name in found if name.endswith(".svg")]) == 5
        assert [circles(found[f"mushi-{plot}.svg"]) for plot in ("greedy-dealer", "kakuo-skill")] == [2, 3]
        assert json.loads(found["mushi.json"])["variants"][1]["options"] == {"misdeal": "elder-takes"}

    def test_shares_are_in_per_cent_and_only_differences_have_a_sign(self) -> None:
        comparison = compared(*FEW, pairs=0)
        (_, _, of_base), (_, columns, others), _ = tables(comparison)
        base, other = comparison.measured["greedy"][:2]
        texts = dict(of_base)
        assert mean_text(Estimate(0.4983, 0.001), "dealer_wins", "-") == "49.83 ± 0.20 %"
        assert texts["rounds that the dealer wins"] == mean_text(base.mean("dealer_wins"), "dealer_wins", "-")
        assert not any(text.startswith("+") for text in texts.values())
        assert others[0][columns.index("rounds that the dealer wins")] == mean_text(other.difference("dealer_wins"), "dealer_wins")

    def test_tables_have_a_cell_for_each_column(self) -> None:
        for _, columns, rows in tables(compared(*FEW, pairs=2, rounds=9)):
            assert rows
            assert {len(row) for row in rows} == {len(columns)}

    def test_command_prints_tables_and_writes_the_report(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["lab", "mushi", "misdeal", "--rounds", "40", "--pairs", "1", "--playouts", "2", "--plain"]
        status, out, err = run_command(capsys, *words, "--out", tmp_path / "report")
        assert (status, err) == (0, "")
        assert "misdeal=elder-takes" in out
        assert (tmp_path / "report" / "mushi.html").exists()
        status, _, err = run_command(capsys, *words, "--out", tmp_path / "report")
        assert status == 2
        assert "is there already: name another folder" in err
        _, out, err = run_command(capsys, "lab", "tensho", "hand", "tie", "--rounds", "20", "--pairs", "0", "--plain", "--json")
        assert "hand is left out: it takes any number" in err
        assert len(json.loads(out)["variants"]) == 3


def test_strongest_is_the_last_level_or_a_bot_of_the_game() -> None:
    for contract in map(games.find, games.names()):
        assert strongest(contract) == (contract.bots[-1].id if contract.bots else levels(contract)[-1].who)
