"""The winner of a round, and what decided it, in one sentence."""

import pytest

import mekuri
from mekuri.engine.presentation import SheetLine, Text
from mekuri.match.result import result
from mekuri.testing.worlds import random_round
from tests.helpers.tables import each_game


def line(seat: int | str, points: int, yaku: str | None = None) -> SheetLine:
    return SheetLine(seat, Text("lines.x", {"yaku": yaku} if yaku else {}), 0, points, "")


POINTS = [line(0, 20), line(1, 28), line("kitty", 3)]


@pytest.mark.parametrize(
    ("lines", "returns", "expected"),
    [
        (POINTS, [20, 28], ("won-with", 1, None)),
        (POINTS, [20, 20], ("even", None, None)),
        # Without it the other would have won, or neither: so it decided. Of two the dearer one is told.
        ([*POINTS, line(0, 10, "a")], [30, 28], ("won-by", 0, "a")),
        ([*POINTS, line(0, 8, "a"), line(0, 1, "b")], [29, 28], ("won-by", 0, "a")),
        ([*POINTS, line(0, 3, "a"), line(1, -9, "a")], [23, 19], ("won-by", 0, "a")),
        ([*POINTS, line(1, 10, "a")], [20, 38], ("won", 1, None)),
        # The largest line of the winner, less what it costs.
        ([*POINTS, line(1, -5)], [20, 23], ("won-with", 1, None)),
        # A yaku of who has lost did not, and where the sheet does not say what was won it says nothing of that.
        ([*POINTS, line(0, 5, "a")], [25, 28], ("won-with", 1, None)),
        ([*POINTS, line(0, 10, "a")], [1, -1], ("won", 0, None)),
        # If the winner alone scores, the largest yaku decided, multiplied or not, paid by the loser or not.
        ([line(0, 6, "a"), line(0, 5, "b"), line(1, 0, "c")], [11, -11], ("won-by", 0, "a")),
        ([line(0, 6, "a"), line(0, 5, "b"), line(0, 11), line(1, -22)], [22, -22], ("won-by", 0, "a")),
        ([line(0, 6, "a"), line(1, 2)], [6, -6], ("won", 0, None)),
        ([line(0, 6)], [6, -6], ("won", 0, None)),
    ],
)
def test_result_follows_the_score_sheet(
    lines: list[SheetLine], returns: list[int], expected: tuple[str, int | None, str | None]
) -> None:
    text = result(lines, returns)
    assert (text.id.removeprefix("results."), text.args.get("seat"), text.args.get("yaku")) == expected


@pytest.mark.parametrize(
    ("returns", "brings", "points"),
    [
        ([1, -1], [{"rounds": 1, "yaku": 50}, {"rounds": 0, "yaku": 0}], Text("amounts.rounds", {"n": "1"})),
        ([1, -1], [{"rounds": 3}, {"rounds": 0}], "1"),  # something else was won
        ([1, -1], [], "1"),
    ],
)
def test_result_has_the_unit_of_the_points(returns: list[int], brings: list[dict[str, int]], points: object) -> None:
    assert result([], returns, brings).args["points"] == points


@each_game
def test_result_of_a_round_is_shown_at_its_end(name: str) -> None:
    """Every viewer sees it when the round is over, and the winner sees it as the own result."""
    game = mekuri.game(name)
    over = random_round(game, 3)
    assert game.deal(seed=3).view().result is None
    text = over.view().result
    assert text is not None
    assert [over.view(seat).result for seat in range(game.seats)] == [text] * game.seats
    for lang in ("en", "ja"):
        others = game.rulebook.render(text, lang)
        assert game.rulebook.render(text, lang, you=text.args.get("seat")) != others or text.id == "results.even" or lang == "ja"
