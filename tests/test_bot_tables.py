"""The tables of `docs/bots.md` hold what the stored results say."""

from typing import Any

import pytest

from mekuri.lab.arena import CEILINGS, Score
from tools.bot_tables import DOCS, FOLDER, Asked, asked, cell, found, play, plots, stored, table, written

ONE = Asked("one", [["greedy", "random"], ["heita", "suzu"]], ["mushi", "tensho"], 3, "s", [5, 50])


def results() -> list[dict[str, Any]]:
    return [{**run, "scores": play(run)} for run in ONE.runs()]


def test_page_and_plots_match_the_stored_results() -> None:
    page = (DOCS / "bots.md").read_text("utf-8")
    assert written(page, stored(), asked()) == page, "run python -m tools.bot_tables"
    assert "not played" not in page
    assert {name: (FOLDER / name).read_text("utf-8") for name in plots(stored(), asked())} == plots(stored(), asked())


def test_stored_runs_match_the_requested_ones() -> None:
    runs = [run for one in asked() for run in one.runs()]
    assert [{name: one[name] for name in run} for run, one in zip(runs, stored(), strict=True)] == runs
    for one in stored():
        for score in one["scores"]:
            again = Score(*(score[name] for name in ("first", "second", "won", "lost", "tied")))
            assert again.share == pytest.approx(score["share"])
            assert list(again.interval) == pytest.approx(score["share_95"])
            assert again.pairs == score["pairs"] == one["pairs"]
            assert {score["first"], score["second"]} <= {*one["bots"], *CEILINGS}


def test_table_uses_the_largest_budget_and_plot_all() -> None:
    stored_results = results()
    greedy, heita, tensho = (cell(one["scores"]) for one in stored_results if one["playouts"] == 50)
    lines = table(ONE, stored_results).splitlines()
    assert lines[0] == "| the first, against the second | Mushi | Tensho |"
    assert lines[2:4] == [f"| `greedy`, `random` | {greedy} | {tensho} |", f"| `heita`, `suzu` | {heita} | - |"]
    assert lines[-1] == "3 deals with 50 play-outs, seed `s`."
    assert list(plots(stored_results, [ONE])) == ["one-mushi.svg", "one-tensho.svg"]
    assert written("a\n<!-- strength: one -->\nold\n<!-- end -->\nz", stored_results, [ONE]).count("old") == 0


def test_other_number_of_pairs_is_not_found() -> None:
    stored_results = results()
    assert found(ONE.runs()[0], stored_results) is not None
    assert found({**ONE.runs()[0], "pairs": 4}, stored_results) is None
    with pytest.raises(ValueError, match="0 places for the table one"):
        written("", stored_results, [ONE])
