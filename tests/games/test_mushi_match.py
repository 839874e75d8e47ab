"""Mushi: the length of a match, the elder, and the winner."""

import random

import pytest

import mekuri
from mekuri.cards import cards_text, parse_cards
from mekuri.games.mushi.rules import FORTY
from mekuri.testing.records import play
from mekuri.testing.worlds import play_out

GAME = mekuri.game("mushi")
BEST = "1H 3H 8H 2O 6H 12H 4H 5H 9H 10H 8I 2H"
# Three brights, four animals, two ribbons and five junk cards; the other 26 cards hold 115 points and no yaku as well.
HALF = "1H 8H 2O 12H 5H 9H 10H 4I 2I 1K 1O 12O 12K 6O"


def finished(dealer: int, cards: str, seat: int = 0) -> mekuri.Round:
    """A round at whose end a seat has these cards and the other all others."""
    rest = cards_text(FORTY & ~parse_cards(cards))
    captured = f"{cards} / {rest}" if seat == 0 else f"{rest} / {cards}"
    return GAME.position(f"phase over; dealer {dealer}; captured {captured}")


def play_on(match: mekuri.Match, chance: random.Random) -> None:
    play_out(match.round, chance)
    match.next_round()


@pytest.mark.clause("mushi.match.length")
class TestLength:
    def test_match_has_twelve_rounds(self) -> None:
        match, chance = GAME.match(seed=1), random.Random(1)
        for number in range(12):
            assert (match.over, len(match.finished)) == (False, number)
            play_on(match, chance)
        assert (match.over, len(match.finished)) == (True, 12)

    def test_match_has_another_number_of_rounds(self) -> None:
        match = play(GAME.match(seed=1, rounds=6), random.Random(1))
        assert len(match.finished) == 6

    def test_target_ends_the_match_early(self) -> None:
        """The match ends once a seat reaches the target, and not a point before."""
        assert GAME.match(seed=2).options == GAME.match_options({"target": "off"})
        match, chance = GAME.match(seed=2, target=40), random.Random(2)
        while not match.over:
            assert max(account.get("points", 0) for account in match.ledger) < 40
            play_on(match, chance)
        assert max(account["points"] for account in match.ledger) >= 40
        assert len(match.finished) < 12

    def test_points_equal_to_the_target_end_the_match(self) -> None:
        over, options = GAME.contract.match.match_over, GAME.match_options
        assert over(options({"target": 40}), 1, [{"points": 40}, {"points": -40}])
        assert over(options({"target": 40}), 1, [{"points": -40}, {"points": 40}])
        assert not over(options({"target": 40}), 1, [{"points": 39}, {"points": -39}])
        assert not over(options({"target": 40}), 11, [{"points": -100}, {"points": 39}])
        assert not over(options({}), 11, [{"points": 190}, {"points": -190}])
        assert over(options({"target": 40}), 12, [{"points": 0}, {"points": 0}])


@pytest.mark.clause("mushi.match.first-elder")
def test_first_elder_is_drawn_by_lot() -> None:
    game = GAME
    drawn = [game.match(seed=seed).dealer for seed in range(200)]
    assert 70 < sum(drawn) < 130
    assert drawn == [game.match(seed=seed).dealer for seed in range(200)]
    for dealer in (0, 1):
        match = game.match(seed=drawn.index(dealer))
        assert match.round.dealer == dealer
        assert match.round.waiting == (dealer,)  # the elder hand plays first


@pytest.mark.clause("mushi.match.next-elder")
@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("seat", [0, 1])
def test_winner_is_the_next_elder(dealer: int, seat: int) -> None:
    assert finished(dealer, BEST, seat).returns[seat] > 0
    assert finished(dealer, BEST, seat).next_dealer == seat


@pytest.mark.clause("mushi.match.next-elder")
def test_elders_follow_the_results_of_a_match() -> None:
    match = play(GAME.match(seed=3), random.Random(3))
    for one, then in zip(match.finished[:-1], match.finished[1:], strict=True):
        assert then.dealer == (one.dealer if one.returns[0] == 0 else 0 if one.returns[0] > 0 else 1)
    assert {round.dealer for round in match.finished} == {0, 1}


@pytest.mark.clause("mushi.match.tie")
@pytest.mark.parametrize("dealer", [0, 1])
def test_elder_stays_after_a_tie(dealer: int) -> None:
    round = finished(dealer, HALF)
    assert round.returns == (0, 0)
    assert round.next_dealer == dealer


@pytest.mark.clause("mushi.match.result")
class TestResult:
    def test_scores_are_added_up(self) -> None:
        match = play(GAME.match(seed=4), random.Random(4))
        sums = [sum(round.returns[seat] for round in match.finished) for seat in (0, 1)]
        assert [account["points"] for account in match.ledger] == sums
        assert sum(sums) == 0
        assert match.winners == ((0, 1) if sums[0] == 0 else (0,) if sums[0] > 0 else (1,))

    def test_equal_scores_are_a_draw(self) -> None:
        match = GAME.match(seed=5, rounds=1)
        match.round = finished(0, HALF)
        match.next_round()
        assert match.over
        assert match.winners == (0, 1)

    @pytest.mark.parametrize("seat", [0, 1])
    def test_more_points_win(self, seat: int) -> None:
        match = GAME.match(seed=5, rounds=1)
        match.round = finished(0, BEST, seat)
        match.next_round()
        assert match.winners == (seat,)

    def test_points_decide_and_not_rounds_won(self) -> None:
        """One round won high outweighs two that were lost low."""
        found = 0
        for seed in range(60):
            match = play(GAME.match(seed=seed, rounds=3), random.Random(seed))
            won = sum((round.returns[0] > 0) - (round.returns[0] < 0) for round in match.finished)
            points = sum(round.returns[0] for round in match.finished)
            if won * points < 0:
                found += 1
                assert match.winners == ((0,) if points > 0 else (1,))
        assert found > 3
