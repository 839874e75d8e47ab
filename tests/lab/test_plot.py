"""The plot of strength against budget."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mekuri.cli.arguments import app
from mekuri.engine.errors import OptionError
from mekuri.lab.arena import Score
from mekuri.lab.plot import plot

SVG = "{http://www.w3.org/2000/svg}"


def test_each_score_has_a_point_an_interval_and_a_name() -> None:
    found = {1000: [Score("a", "<b>", won=80, lost=20)], 10: [Score("a", "<b>", won=50, lost=50)], 100: [Score("a", "<b>", tied=9)]}
    drawn = ElementTree.fromstring(plot("a game", found))
    points = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in drawn.iter(f"{SVG}circle")]
    assert len(points) == 2, "where nothing is decided nothing is drawn"
    assert points[0][0] < points[1][0]
    assert points[0][1] > points[1][1], "the more is won the higher"
    titles = [one.text or "" for one in drawn.iter(f"{SVG}title")]
    assert [title.partition(" [")[0] for title in titles] == ["10: 50.0%", "1,000: 80.0%"]
    assert "a - <b>" in [one.text for one in drawn.iter(f"{SVG}text")]


def test_single_budget_is_plotted() -> None:
    drawn = ElementTree.fromstring(plot("a game", {5: [Score("a", "b", won=1)]}))
    assert len(list(drawn.iter(f"{SVG}circle"))) == 1


def test_command_draws_the_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plot.svg"
    words = [
        "arena",
        "mushi",
        "greedy",
        "random",
        "--pairs",
        "3",
        "--playouts",
        "5",
        "--playouts",
        "50",
        "--json",
        "--plot",
        str(file),
    ]
    app(words, result_action="return_value")
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["playouts"] for one in printed] == [5, 50]
    assert len(list(ElementTree.fromstring(file.read_text("utf-8")).iter(f"{SVG}circle"))) == 2


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--plot", "x.svg"], "strength against play-outs"),
        (["--plot", "nowhere/x.svg", "--playouts", "5"], "there is no folder nowhere"),
        (["--playouts", "0"], "1 or more"),
    ],
)
def test_impossible_plot_is_refused(more: list[str], why: str) -> None:
    with pytest.raises((OptionError, FileNotFoundError), match=why):
        app(["arena", "mushi", "greedy", "random", *more], result_action="return_value", exit_on_error=False)
