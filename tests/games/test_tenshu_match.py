"""Tenshu: the length of a match, the dealer and active players, and the stones."""

import random
from typing import Any

import pytest

import mekuri
from mekuri.cards import cards_text, parse_cards
from mekuri.games.tenshu.match import carry
from mekuri.games.tenshu.options import Stones, TenshuMatch
from mekuri.games.tenshu.state import Ending, Phase, TenshuState
from mekuri.testing.records import play
from tests.helpers.tables import with_options

FOUR, FIVE, SEVEN = (mekuri.game("tenshu", seats=seats) for seats in (4, 5, 7))
ALL = (1 << 49) - 1
TAIKOSAN = "2O 3H 3I 3O 3K"


def over(captured: str, game: mekuri.Game = FOUR, dealer: int = 0, more: str = "") -> mekuri.Round:
    """A finished round with these captures."""
    return game.position(f"phase over; dealer {dealer}; captured {captured}{more}")


def rest(*captured: str) -> str:
    """The cards that are not among these."""
    return cards_text(ALL & ~sum(parse_cards(cards) for cards in captured))


def state(round: mekuri.Round) -> TenshuState:
    s = round._state
    assert isinstance(s, TenshuState)
    return s


class TestServants:
    def test_seat_out_of_the_match_has_its_own_zone(self) -> None:
        round = FIVE.position("out 16; phase play; hand 7I 3I / 2K 1O / 8O 1I / 4K 5K; field 9O")
        assert [zone.id for zone in round.view().zones if zone.kind == "hand"][4] == "out-4"

    def test_zone_of_a_refusing_servant_is_empty(self) -> None:
        round = with_options("tenshu", {"servant_refuses": "yes"}, 5).deal(seed=3)
        names = [zone.id for zone in round.view().zones if zone.kind == "hand"]
        assert names[4] == "servant-4"
        round.play("pass")
        assert [zone.id for zone in round.view().zones if zone.kind == "hand"][4] == "empty-servant-4"

    def test_contradicting_pass_options_are_refused(self) -> None:
        with pytest.raises(mekuri.OptionError, match="choose one"):
            with_options("tenshu", {"pass_forfeits": "yes", "servant_declines": "yes"}, 5)


@pytest.mark.clause("tenshu.match.rounds")
class TestLength:
    @pytest.mark.parametrize("game", [FOUR, FIVE, SEVEN], ids=lambda game: game.seats)
    def test_circuit_has_a_round_per_seat(self, game: mekuri.Game) -> None:
        match = game.match(seed=1)
        assert match.options == game.match_options({"rounds": "circuit"}) != game.match_options({"rounds": game.seats})
        assert match.length == game.seats
        assert len(play(match, random.Random(1)).finished) == game.seats

    @pytest.mark.parametrize("rounds", [1, 3, 24])
    def test_match_has_its_number_of_rounds(self, rounds: int) -> None:
        match = FIVE.match(seed=1, rounds=rounds)
        assert match.length == rounds
        assert len(play(match, random.Random(1)).finished) == rounds


@pytest.mark.clause("tenshu.match.first-dealer")
def test_first_dealer_is_drawn_by_lot() -> None:
    lots = [FIVE.match(seed=seed).dealer for seed in range(500)]
    assert all(70 < lots.count(seat) < 130 for seat in range(5))
    for dealer in range(5):
        match = FIVE.match(seed=lots.index(dealer))
        assert match.round.dealer == dealer
        assert state(match.round).active == sum(1 << (dealer + i) % 5 for i in range(4))


class TestNextDealer:
    @pytest.mark.clause("tenshu.match.next-dealer")
    @pytest.mark.parametrize("dealer", [0, 2])
    def test_most_card_points_deal_next(self, dealer: int) -> None:
        """The winner deals although another player made a yaku and the servant has more points."""
        most = "9H 10H 11H 12H"
        assert over(f"1K / {most} / 7I 8I 9I / {rest('1K', most, '7I 8I 9I')}", dealer=dealer).next_dealer == 3
        game = mekuri.game("tenshu", seats=5)
        round = over(f"1K / 7I 8I 9I / 2K / {most} / {rest('1K', '7I 8I 9I', '2K', most, '3H')}", game)
        assert round.next_dealer == 3

    @pytest.mark.clause("tenshu.match.next-dealer-tie")
    def test_tie_is_broken_by_turn_order(self) -> None:
        """The dealer if among them, else the earliest in turn order."""
        captured = "11H / 12H / 1O / 10I 2K 2I"
        assert [over(captured, dealer=dealer).next_dealer for dealer in range(4)] == [1, 1, 3, 3]

    @pytest.mark.clause("tenshu.match.winner-deals")
    def test_winner_of_taikosan_or_fuke_deals_next(self) -> None:
        captured = f"{rest(TAIKOSAN, '1K')} / 1K / {TAIKOSAN} / -"
        assert (over(captured).ending, over(captured).next_dealer) == ("taikosan", 2)
        captured = "12H 11H / 1K 1O 2K 2I / - / -"
        assert (over(captured).ending, over(captured).next_dealer) == ("fuke", 1)

    @pytest.mark.clause("tenshu.end.fuke-several")
    @pytest.mark.parametrize(("dealer", "winner"), [(0, 1), (1, 1), (2, 3), (3, 3)])
    def test_first_of_several_fuke_wins(self, dealer: int, winner: int) -> None:
        round = over("- / 1K 1O 2K 2I / - / 4I 4O 5I 5O", dealer=dealer)
        assert (round.ending, round.returns.index(60), round.next_dealer) == ("fuke", winner, winner)

    @pytest.mark.clause("tenshu.score.three-yaku")
    @pytest.mark.parametrize("dealer", range(4))
    def test_dealer_stays_after_a_void_round(self, dealer: int) -> None:
        round = over("3H 3I 3O 3K / 4H 4I 4O 4K / 5H 5I 5O 5K / 12H", dealer=dealer)
        assert (round.ending, round.returns, round.next_dealer) == ("void", (0, 0, 0, 0), dealer)

    @pytest.mark.clause("tenshu.match.seats-turn")
    def test_deal_can_pass_in_turn(self) -> None:
        game = with_options("tenshu", {"deals_next": "in-turn"}, 5)
        match = play(game.match(seed=1), random.Random(1))
        assert [round.dealer for round in match.finished] == [(match.finished[0].dealer + i) % 5 for i in range(5)]

    @pytest.mark.clause("tenshu.match.seats-turn")
    def test_dealers_follow_the_results_of_a_match(self) -> None:
        match = play(SEVEN.match(seed=2, rounds=24), random.Random(2))
        for one, then in zip(match.finished[:-1], match.finished[1:], strict=True):
            assert then.dealer == one.next_dealer
            assert state(one).active >> then.dealer & 1
            assert state(then).active == sum(1 << (then.dealer + i) % 7 for i in range(4))
        assert len({round.dealer for round in match.finished}) > 3


class TestStones:
    @pytest.mark.clause("tenshu.match.stones")
    def test_match_starts_with_two_hundred_stones(self) -> None:
        assert FIVE.match(seed=1).ledger == [{"stones": 200, "loans": 0}] * 5

    @pytest.mark.clause("tenshu.end.taikosan-gifts")
    def test_taikosan_pays_servants(self) -> None:
        captured = f"{TAIKOSAN} / - / - / - / 1K 1O"
        assert [over(captured, game).returns for game in (FIVE, SEVEN)] == [
            (280, -100, -100, -100, 20),
            (260, -100, -100, -100, 20, 10, 10),
        ]
        # A servant who refused the card is empty.
        captured = f"{TAIKOSAN} / - / - / -"
        assert over(captured, FIVE).returns == (290, -100, -100, -100, 10)

    @pytest.mark.clause("tenshu.match.loans")
    def test_loans_come_in_two_hundreds(self) -> None:
        """Two hundred at a time, as often as it takes, only where there are too few."""
        refill, lent = FOUR.contract.match.refill, FOUR.match_options({})
        accounts = [{"stones": stones, "loans": loans} for stones, loans in ((0, 0), (-1, 0), (-201, 200), (300, 400))]
        refill(lent, None, accounts)
        assert [tuple(account.values()) for account in accounts] == [(0, 0), (199, 200), (199, 600), (300, 400)]

    def test_stones_less_loans_keep_their_sum(self) -> None:
        """The stones of seats and kitty are the initial ones plus loans."""
        for seed in range(10):
            match = play(FIVE.match(seed=seed, rounds=24), random.Random(seed))
            assert sum(a["stones"] - a["loans"] for a in match.ledger) + match.accounts["kitty"] == 5 * 200
            assert all(account["stones"] >= 0 and account["loans"] % 200 == 0 for account in match.ledger)
            settled = sum(round.ending == "settled" for round in match.finished)
            assert match.accounts["kitty"] == 5 * settled

    @pytest.mark.clause("tenshu.match.result")
    def test_loans_are_subtracted_from_the_result(self) -> None:
        ranking = FOUR.contract.match.ranking
        accounts = [{"stones": 350, "loans": 200}, {"stones": 160, "loans": 0}, {"stones": 160, "loans": 0}]
        assert [ranking(account) for account in accounts] == [(150,), (160,), (160,)]
        for seed in range(10):
            match = play(FIVE.match(seed=seed, rounds=12), random.Random(seed))
            net = [account["stones"] - account["loans"] for account in match.ledger]
            assert match.winners == tuple(seat for seat in range(5) if net[seat] == max(net))


class TestElimination:
    """Option: a player who cannot pay is out of the match, which ends with fewer than four players."""

    @staticmethod
    def carried(game: mekuri.Game, stones: list[int], dealer: int = 0) -> TenshuState:
        s = state(game.deal(seed=0, dealer=dealer))
        fresh = game.new_state(dealer)
        assert isinstance(fresh, TenshuState)
        carry(fresh, TenshuMatch(stones=Stones.ELIMINATION), [{"stones": n, "loans": 0} for n in stones], s)
        return fresh

    def test_eliminated_player_is_skipped(self) -> None:
        s = self.carried(SEVEN, [200, -1, 0, 200, -5, 200, 200], dealer=6)
        assert (s.out, s.active, s.servant) == (0b10010, 0b1001101, 6)
        s = self.carried(FIVE, [200, -1, 0, 200, 200], dealer=3)
        # Four are left, and no servant: the cards are dealt at once.
        assert (s.active, s.servant, s.phase) == (0b11101, 0, Phase.DEAL)

    def test_eliminated_player_gets_no_payment(self) -> None:
        """An eliminated player is neither dealer nor servant, and gets no stones."""
        game = SEVEN
        s = self.carried(game, [200, -1, 200, 200, 200, 200, 50])
        s.phase, s.winner, s.ending = Phase.OVER, 1, Ending.TAIKOSAN
        s.captured[0] = parse_cards(TAIKOSAN)
        assert [game.contract.rules.returns(s, seat) for seat in range(7)] == [280, 0, -100, -100, -100, 10, 10]
        assert game.contract.match.next_dealer(s) == 0
        s.deals_next = 1
        assert game.contract.match.next_dealer(s) == 2

    def test_winner_who_cannot_pay_does_not_deal(self) -> None:
        """The most card points, but no stones for what another has made: the next in turn order deals."""
        s = self.carried(FIVE, [200, 200, 1, 200, 200])
        s.phase, s.winner, s.ending = Phase.OVER, 3, Ending.SETTLED
        s.captured[2], s.captured[1] = parse_cards("9H 10H 11H 12H"), parse_cards("7I 8I 9I")
        assert FIVE.contract.rules.returns(s, 2) == 42 - 43 - 50
        assert FIVE.contract.match.next_dealer(s) == 3

    @pytest.mark.every_days(4)
    @pytest.mark.parametrize("game", [FOUR, SEVEN], ids=lambda game: game.seats)
    def test_match_ends_when_fewer_than_four_are_left(self, game: mekuri.Game) -> None:
        ended_early = 0
        for seed in range(30):
            match = play(game.match(seed=seed, rounds=24, stones="elimination"), random.Random(seed))
            left = sum(account["stones"] >= 0 for account in match.ledger)
            assert left < 4 or len(match.finished) == 24
            ended_early += len(match.finished) < 24
            out = 0
            for round in match.finished:
                assert state(round).out & out == out  # nobody comes back
                out = state(round).out
                assert not out >> round.dealer & 1
                assert all(round.returns[seat] == 0 for seat in range(game.seats) if out >> seat & 1)
            assert all(account["loans"] == 0 for account in match.ledger)
        assert ended_early

    def test_record_with_elimination_replays(self) -> None:
        for seed in range(5):
            match = play(FIVE.match(seed=seed, rounds=24, stones="elimination"), random.Random(seed))
            again: Any = mekuri.replay(match.record())
            assert again.ledger == match.ledger
