"""Tensho: the length of a match, the dealer, and the winner."""

import random
from typing import Any

import pytest

import mekuri
from mekuri.testing.records import play

GAME = mekuri.game("tensho")
POINTS = mekuri.game("tensho", score="points", instant_points=200)


def won(seat: int, dealer: int = 0, captured: str = "- / -", ending: str = "yaku") -> mekuri.Round:
    """A finished round that a seat has won, with set one."""
    return GAME.position(f"phase over; ending {ending}; dealer {dealer}; set 1; winner {seat + 1}; captured {captured}")


def drawn(dealer: int = 0, captured: str = "- / -") -> mekuri.Round:
    return GAME.position(f"phase over; ending tie; dealer {dealer}; set 1; captured {captured}")


def entered(*rounds: mekuri.Round, game: mekuri.Game = GAME) -> mekuri.Match:
    """A match in which these rounds have been played."""
    match = game.match(seed=0, rounds=len(rounds))
    for round in rounds:
        match.round = round
        match.next_round()
    assert match.over
    return match


@pytest.mark.clause("tensho.match.length")
class TestLength:
    @pytest.mark.parametrize(("options", "rounds"), [({}, 6), ({"rounds": 3}, 3), ({"rounds": "6"}, 6), ({"rounds": 12}, 12)])
    def test_match_has_its_number_of_rounds(self, options: dict[str, Any], rounds: int) -> None:
        match = GAME.match(seed=1, **options)
        assert not match.over
        assert len(play(match, random.Random(1)).finished) == rounds


@pytest.mark.clause("tensho.match.first-dealer")
def test_first_dealer_is_drawn_by_lot() -> None:
    lots = [GAME.match(seed=seed).dealer for seed in range(200)]
    assert 70 < sum(lots) < 130
    assert lots == [GAME.match(seed=seed).dealer for seed in range(200)]
    for dealer in (0, 1):
        match = GAME.match(seed=lots.index(dealer))
        for seat in (0, 1):
            match.round.play("one", seat)
        assert match.round.waiting == (dealer,)  # who deals chooses a stack


@pytest.mark.clause("tensho.match.next-dealer")
class TestNextDealer:
    @pytest.mark.parametrize("dealer", [0, 1])
    @pytest.mark.parametrize("seat", [0, 1])
    @pytest.mark.parametrize("ending", ["instant-win", "yaku", "chaff", "card-points"])
    def test_winner_deals_next(self, ending: str, seat: int, dealer: int) -> None:
        assert won(seat, dealer, ending=ending).next_dealer == seat

    @pytest.mark.parametrize("dealer", [0, 1])
    def test_dealer_stays_after_a_drawn_round(self, dealer: int) -> None:
        assert drawn(dealer).next_dealer == dealer

    def test_dealers_follow_the_results_of_a_match(self) -> None:
        match = play(GAME.match(seed=2, rounds=24), random.Random(2))
        for one, then in zip(match.finished[:-1], match.finished[1:], strict=True):
            assert then.dealer == (one.dealer if one.returns == (0, 0) else one.returns.index(1))
        assert {round.dealer for round in match.finished} == {0, 1}


@pytest.mark.clause("tensho.match.score")
class TestScore:
    def test_won_round_counts_one_for_every_ending(self) -> None:
        for ending in ("instant-win", "yaku", "chaff", "card-points"):
            assert [account["rounds"] for account in won(1, ending=ending).tallies] == [0, 1]
            assert won(1, ending=ending).returns == (-1, 1)

    def test_drawn_round_counts_for_no_seat(self) -> None:
        assert [account["rounds"] for account in drawn().tallies] == [0, 0]
        assert drawn().returns == (0, 0)

    def test_yaku_points_of_both_seats_are_counted(self) -> None:
        round = won(0, captured="1I 2I 3I / 7H 8H 9H")
        assert round.tallies == ({"rounds": 1, "yaku": 100}, {"rounds": 0, "yaku": 50})

    @pytest.mark.parametrize(("option", "points"), [("none", [0, 0]), ("count", [100, 50])])
    def test_yaku_points_at_an_instant_win_follow_the_option(self, option: str, points: list[int]) -> None:
        """The lines of the sheet add up to the noted points: none, unless the option counts them."""
        lie = "phase over; ending instant-win; set 1; winner 2; captured 1I 2I 3I / 5I 6H 7H 8H 9H 10I"
        round = mekuri.game("tensho", instant_yaku=option).position(lie)
        assert [account["yaku"] for account in round.tallies] == points
        lines = round.score_sheet().lines
        assert [sum(line.points for line in lines if line.seat == seat) for seat in (0, 1)] == points
        assert {line.text.id for line in lines if line.clause == "tensho.yaku.back-nakazo"} == {
            "lines.yaku" if option == "count" else "lines.beside"
        }

    @pytest.mark.clause("tensho.score.overlap")
    @pytest.mark.parametrize(("overlap", "how"), [("additive", "lines.yaku"), ("superset-only", "lines.subset")])
    def test_overlapping_yaku_shows_whether_it_counts(self, overlap: str, how: str) -> None:
        round = mekuri.game("tensho", overlap=overlap).position(
            "phase over; ending yaku; set 1; winner 1; captured 4I 8I 11I 12I /"
        )
        lines = {
            line.text.args["yaku"]: (line.text.id, bool(line.points))
            for line in round.score_sheet().lines
            if line.points or "yaku" in line.text.args
        }
        assert lines.pop("front-eight-islands-king") == ("lines.yaku", True)
        assert lines == dict.fromkeys(
            ["front-eight-islands", "front-four-horse-king", "front-eight-four-king"], (how, overlap == "additive")
        )

    @pytest.mark.parametrize("ending", ["instant-win", "yaku", "chaff", "card-points", "tie"])
    def test_card_points_are_shown_if_they_decide(self, ending: str) -> None:
        round = GAME.position(f"phase over; ending {ending}; set 1; captured 1I / 2I")
        seats = [line.seat for line in round.score_sheet().lines if line.clause == "tensho.score.card-points"]
        assert seats == ([0, 1] if ending in ("card-points", "tie") else [])

    def test_option_points_scores_the_difference(self) -> None:
        """The difference of yaku points; an instant win counts the agreed number, whatever was captured."""
        round = POINTS.position("phase over; ending yaku; set 1; winner 1; captured 1I 2I 3I / 7H 8H 9H")
        assert (round.returns, round.tallies) == ((50, -50), ({"points": 50}, {"points": -50}))
        round = POINTS.position("phase over; ending instant-win; set 1; winner 2; captured 1I 2I 3I / 5I 6H 10I")
        assert (round.returns, round.tallies) == ((-200, 200), ({"points": -200}, {"points": 200}))
        round = POINTS.position("phase over; ending chaff; set 1; winner 2; captured 1O / 1K 2K")
        assert (round.returns, round.tallies) == ((0, 0), ({"points": 0}, {"points": 0}))


@pytest.mark.clause("tensho.match.result")
class TestResult:
    def test_more_rounds_won_decide_the_match(self) -> None:
        """Though the other has many more yaku points."""
        assert entered(won(0), won(0), won(1, captured="- / 1I 2I 3I 7I 8I 9I")).winners == (0,)
        assert entered(won(1), won(0, captured="1I 2I 3I / -"), won(1)).winners == (1,)

    def test_yaku_points_break_a_tie(self) -> None:
        assert entered(won(0), won(1, captured="1H 2H 3H / -")).winners == (0,)
        assert entered(won(0, captured="1H 2H 3H / -"), won(1, captured="- / 1I 2I 3I")).winners == (1,)

    def test_equal_scores_are_drawn(self) -> None:
        assert entered(won(0), won(1)).winners == (0, 1)
        assert entered(won(0, captured="1H 2H 3H / -"), won(1, captured="- / 7H 8H 9H")).winners == (0, 1)
        assert entered(drawn()).winners == (0, 1)

    def test_option_points_decides_by_points(self) -> None:
        """Here the points decide, and the rounds won do not count."""
        low = "phase over; ending yaku; set 1; winner 1; captured 1H 2H 3H / -"
        high = "phase over; ending yaku; set 1; winner 2; captured - / 1I 2I 3I 7I 8I 9I"
        rounds = [POINTS.position(text) for text in (low, low, high)]
        match = entered(*rounds, game=POINTS)
        assert match.ledger == [{"points": -100}, {"points": 100}]
        assert match.winners == (1,)
        equal = [
            POINTS.position(text) for text in (low, low.replace("winner 1", "winner 2").replace("1H 2H 3H / -", "- / 1H 2H 3H"))
        ]
        assert entered(*equal, game=POINTS).winners == (0, 1)

    def test_winners_follow_the_results_of_a_match(self) -> None:
        for seed in range(20):
            match = play(GAME.match(seed=seed, rounds=3), random.Random(seed))
            places = [
                (
                    sum(round.returns[seat] == 1 for round in match.finished),
                    sum(round.tallies[seat]["yaku"] for round in match.finished),
                )
                for seat in (0, 1)
            ]
            assert match.winners == tuple(seat for seat in (0, 1) if places[seat] == max(places))
