"""The log and the sheet of Tenshu: the shuffler and cutter, the callers, and the order of lines."""

from itertools import count
from typing import Any

import pytest

import mekuri
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.testing.worlds import random_round


def log(round: mekuri.Round, lang: Lang = "en") -> list[str]:
    book = rulebook(round.contract)
    return [book.render(event.text, lang) for event in round.events()]


@pytest.mark.clause("tenshu.deal.shuffle")
@pytest.mark.parametrize("dealer", range(4))
def test_log_names_the_dealer_and_the_cutter(dealer: int) -> None:
    names = [f"Player {seat + 1}" for seat in range(4)]
    fourth = names[(dealer + 3) % 4]
    first = log(mekuri.game("tenshu").deal(seed=1, dealer=dealer))[0]
    assert first == f"Shuffled by {names[dealer]}, cut by {fourth}. {names[dealer]} deals the cards."


@pytest.mark.parametrize("seats", [5, 7])
def test_log_with_servants_begins_with_the_cut(seats: int) -> None:
    cut, deal = log(mekuri.game("tenshu", seats=seats).deal(seed=1, dealer=3))[:2]
    cutter, servant = (3 + 3) % seats + 1, (3 + 4) % seats + 1
    assert cut.startswith(f"Shuffled by Player 4, cut by Player {cutter}. Player {servant}, the first servant, finds")
    assert deal == "Player 4 deals the cards."


@pytest.mark.clause("tenshu.score.par")
def test_least_score_is_described_as_a_gain() -> None:
    """A player with this score does not win the round: from there on card points bring more than they cost."""
    book = mekuri.game("tenshu").rulebook
    for id in ("counted.from", "counted.of"):
        assert "gain" in book.text_of(id, "en")
        assert "win" not in book.text_of(id, "en")
        assert "得" in book.text_of(id, "ja")
    assert mekuri.game("mushi").rulebook.text_of("counted.from", "en") == "win at {n}"


@pytest.mark.clause("tenshu.end.taikosan")
def test_yoroshii_is_called_by_name() -> None:
    round = next(round for round in (random_round(mekuri.game("tenshu"), seed) for seed in count()) if round.ending == "taikosan")
    state: Any = round._state
    winner = state.winner
    text = round.events()[-1].text
    assert (text.id, rulebook(round.contract).tables["events"]["yoroshii"]["clause"]) == ("events.yoroshii", "tenshu.end.taikosan")
    assert log(round)[-1].endswith(f"“Yoroshii!”: Taikosan for Player {winner}.")
    assert log(round, "ja")[-1].endswith(f"打ち手{winner}「よろしい！」")
    # The last card is logged as always.
    assert log(round)[-1].startswith("Player ")
    assert text.args["cards"]


@pytest.mark.clause("tenshu.score.yaku-paid")
def test_sheet_lists_dekiyaku_first_and_numbers_seats() -> None:
    found = next(
        round
        for round in (random_round(mekuri.game("tenshu"), seed) for seed in count())
        if round.ending == "settled" and any(line.text.id == "lines.yaku" for line in round.score_sheet().lines)
    )
    for seat in range(4):
        kinds = [line.text.id for line in found.score_sheet().lines if line.seat == seat]
        assert kinds[-2:] == ["lines.card-points", "lines.par"]
        assert set(kinds[:-2]) <= {"lines.yaku", "lines.yaku-paid"}
    made = next(line.seat for line in found.score_sheet().lines if line.text.id == "lines.yaku")
    assert f"paid to seat {made}" in str(found.score_sheet())
    assert "Player" not in str(found.score_sheet())
