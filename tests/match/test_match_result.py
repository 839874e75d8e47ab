"""The winner of a match, and the score."""

import pytest

import mekuri
from mekuri.engine.contract import Text
from mekuri.match.result import match_result
from tests.helpers.tables import each_game

Ledger = list[dict[str, int]]


def points(account: str, n: int) -> Text:
    return Text(f"amounts.{account}", {"n": n})


@pytest.mark.parametrize(
    ("game", "ledger", "expected"),
    [
        ("mushi", [{"points": 7}, {"points": -7}], Text("results.match-won-with", {"seat": 0, "points": points("points", 7)})),
        (
            "tensho",
            [{"rounds": 2, "yaku": 900}, {"rounds": 3, "yaku": 100}],
            Text("results.match-won-with", {"seat": 1, "points": points("rounds", 3)}),
        ),
        (
            "tensho",
            [{"rounds": 3, "yaku": 900}, {"rounds": 3, "yaku": 100}],
            Text("results.match-won-with", {"seat": 0, "points": points("yaku", 900)}),
        ),
        ("mushi", [{"points": 0}, {"points": 0}], Text("results.match-even", {})),
    ],
)
def test_result_names_the_deciding_account(game: str, ledger: Ledger, expected: Text) -> None:
    assert match_result(mekuri.game(game).contract.match, ledger) == expected


@each_game
def test_points_of_the_winner_match_the_ledger(name: str) -> None:
    """The account that decides places may have any value."""
    game = mekuri.game(name)
    match = game.match(seed=5)
    while not match.round.over:
        match.round.play(match.round.legal[0], match.round.waiting[0])
    match.enter()
    text = match_result(game.contract.match, match.ledger)
    seats = match.leading
    assert (text.id == "results.match-even") == (len(seats) > 1)
    if len(seats) == 1:
        assert text.args["seat"] == seats[0]
        if shown := text.args.get("points"):
            assert shown.args["n"] == match.ledger[seats[0]][shown.id.removeprefix("amounts.")]
