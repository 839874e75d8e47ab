"""Mutsu-ichi: chips, loans and the box, the holder of the bank, the history, and the end of a match."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product

import pytest

import mekuri
from mekuri.games.mutsuichi.state import HISTORY, MutsuIchiState
from mekuri.match.replay import replay
from mekuri.testing.settings import random_games
from mekuri.testing.worlds import play_out
from tests.helpers.tables import in_turn

GAME = mekuri.game("mutsuichi")
SEATS = [2, 4, 7, 16]


def play_round(match: mekuri.Match, chance: random.Random) -> mekuri.Round:
    """Play the present round to its end at random, and begin the next."""
    round = play_out(match.round, chance)
    match.next_round()
    return round


def rounds(match: mekuri.Match, seed: int) -> Iterator[mekuri.Round]:
    """The rounds of a match, each once it has been played and entered."""
    chance = random.Random(seed)
    while not match.over:
        yield play_round(match, chance)


def state(round: mekuri.Round) -> MutsuIchiState:
    s = round._state
    assert isinstance(s, MutsuIchiState)
    return s


def own(match: mekuri.Match) -> list[int]:
    """The chips that are each seat's own."""
    return [account["chips"] - account["loans"] for account in match.ledger]


class TestChips:
    @pytest.mark.clause("mutsuichi.chips.stacks")
    @pytest.mark.parametrize("seats", SEATS)
    def test_chips_and_loans_at_the_start(self, seats: int) -> None:
        match = mekuri.game("mutsuichi", seats=seats).match(seed=3)
        for seat, account in enumerate(match.ledger):
            assert account == ({"chips": 2000, "loans": 1500} if seat == match.dealer else {"chips": 500, "loans": 0})
        assert state(match.round).stack[:seats] == [account["chips"] for account in match.ledger]

    @pytest.mark.parametrize(
        ("seats", "payout", "bank_rounds"), in_turn(product(SEATS, ["five", "four-six", "four-five"], ["all", 1, 6]), 0, 4)
    )
    def test_chips_less_loans_keep_their_sum(self, seats: int, payout: str, bank_rounds: int | str) -> None:
        """Chips less loans, including the box, keep their sum. Stacks never fall below 0."""
        game = mekuri.game("mutsuichi", seats=seats, payout=payout, bet_size=50)
        match = game.match(seed=1, rounds=40, bank_rounds=bank_rounds)
        for round in rounds(match, 1):
            assert sum(own(match)) + match.accounts.get("box", 0) == 500 * seats
            assert sum(round.returns) + sum(round.accounts.values()) == 0
            assert all(account["chips"] >= 0 and account["loans"] >= 0 for account in match.ledger)
            if not match.over:
                assert state(match.round).stack[:seats] == [account["chips"] for account in match.ledger]
                assert all(account["chips"] >= 50 for seat, account in enumerate(match.ledger) if seat != match.dealer)

    @pytest.mark.every_days(4)
    def test_only_the_bank_goes_broke_with_any_options(self, in_full: bool) -> None:
        """Only the bank can go broke, and no other seat."""
        for seed, game in enumerate(random_games("mutsuichi", 30 if in_full else 10)):
            chance = random.Random(seed)
            match = game.match(seed=seed, rounds=15, bank_rounds=chance.choice(("all", 1, 4)))
            for round in rounds(match, seed):
                assert sum(own(match)) + match.accounts.get("box", 0) == 500 * game.seats
                broke = [seat for seat, account in enumerate(match.ledger) if account["chips"] == 0]
                assert (round.dealer in broke) == bool(broke) == (round.ending == "bank-broke")
                assert match.over == (bool(broke) or len(match.finished) == 15)

    @pytest.mark.clause("mutsuichi.pay.terazen")
    def test_box_fills_over_a_match(self) -> None:
        match = mekuri.game("mutsuichi", payout="four-five").match(seed=1)
        boxes = [match.accounts.get("box", 0) for _ in rounds(match, 1)]
        assert boxes == sorted(boxes)
        assert boxes[-1] == sum(round.accounts["box"] for round in match.finished) > 0
        assert match.view().accounts == {"box": boxes[-1]}

    def test_payout_five_has_no_box(self) -> None:
        match = GAME.match(seed=1)
        list(rounds(match, 1))
        assert match.accounts == {}


@pytest.mark.clause("mutsuichi.match.loans")
class TestLoans:
    def settled(self, chips: str, cloth: str, bets: str, bank_rounds: int = 6) -> list[dict[str, int]]:
        """The accounts after a round of two bettors, whose bank has borrowed 1500 and may pass on."""
        game = mekuri.game("mutsuichi", seats=3)
        match = game.match(seed=0, bank_rounds=bank_rounds)
        match.dealer = 0
        match.ledger = [{"chips": int(n), "loans": 1500 if seat == 0 else 0} for seat, n in enumerate(chips.split())]
        held = f"bank_rounds {bank_rounds}; bank_played 5; stack {' / '.join(chips.split())}"
        match.round = game.position(f"phase showdown; {held}; cloth {cloth}; bet - / {bets}")
        match.enter()
        return [dict(account) for account in match.ledger]

    def test_bank_repays_its_loan_as_far_as_it_can(self) -> None:
        assert self.settled("2000 500 500", "1H", "- / -") == [
            {"chips": 500, "loans": 0},
            {"chips": 2000, "loans": 1500},
            {"chips": 500, "loans": 0},
        ]
        assert self.settled("1700 500 500", "1H", "- / -")[0] == {"chips": 200, "loans": 0}
        # It had nothing left, and like any bettor borrows what it needs to go on.
        assert self.settled("1200 500 500", "1H", "- / -")[0] == {"chips": 500, "loans": 800}

    def test_next_bank_borrows_the_missing_chips(self) -> None:
        assert self.settled("2000 1960 500", "1H", "2I 3I / -")[1] == {"chips": 2000, "loans": 60}
        assert self.settled("2000 3000 500", "1H", "- / -")[1] == {"chips": 3000, "loans": 0}

    def test_player_without_chips_for_a_bet_borrows(self) -> None:
        assert self.settled("2000 500 19", "1H", "- / 2O")[2] == {"chips": 509, "loans": 500}
        assert self.settled("2000 500 20", "1H", "- / 2O")[2] == {"chips": 10, "loans": 0}

    def test_staying_bank_keeps_its_loan(self) -> None:
        accounts = self.settled("2000 500 500", "1H", "1I / -", bank_rounds=0)
        assert accounts == [{"chips": 1950, "loans": 1500}, {"chips": 550, "loans": 0}, {"chips": 500, "loans": 0}]

    def test_staying_bank_gets_no_new_loan(self) -> None:
        """Even if its chips do not cover a bet."""
        accounts = self.settled("55 500 500", "1H", "1I / -", bank_rounds=0)
        assert accounts == [{"chips": 5, "loans": 1500}, {"chips": 550, "loans": 0}, {"chips": 500, "loans": 0}]

    def test_broke_bank_ends_all_lending(self) -> None:
        accounts = self.settled("10 500 10", "1H", "1I / 2O")
        assert accounts == [{"chips": 0, "loans": 1500}, {"chips": 520, "loans": 0}, {"chips": 0, "loans": 0}]


@pytest.mark.clause("mutsuichi.match.bank-passes")
class TestBank:
    @pytest.mark.every_days(4)
    @pytest.mark.parametrize("seats", SEATS)
    def test_bank_passes_on_after_six_rounds(self, seats: int) -> None:
        match = mekuri.game("mutsuichi", seats=seats).match(seed=1, rounds=30)
        first = match.dealer
        dealers = [round.dealer for round in rounds(match, 1)]
        assert dealers == [(first + number // 6) % seats for number in range(30)]

    def test_bank_passes_on_after_its_option(self) -> None:
        for span in (1, 2, 5):
            match = GAME.match(seed=2, rounds=12, bank_rounds=span)
            first = match.dealer
            assert [round.dealer for round in rounds(match, 2)] == [(first + number // span) % 4 for number in range(12)]

    def test_bank_can_stay_for_the_whole_match(self) -> None:
        match = GAME.match(seed=3, rounds=20, bank_rounds="all")
        assert len({round.dealer for round in rounds(match, 3)}) == 1

    def test_single_round_keeps_its_dealer(self) -> None:
        assert GAME.position("phase showdown; cloth 1H").next_dealer == 0


@pytest.mark.clause("mutsuichi.match.first-dealer")
def test_first_bank_is_drawn_by_lot() -> None:
    drawn = [GAME.match(seed=seed).dealer for seed in range(400)]
    assert all(70 < drawn.count(seat) < 130 for seat in range(4))


@pytest.mark.clause("mutsuichi.board.history")
class TestHistory:
    def test_history_begins_with_the_newest(self) -> None:
        """The newest first, with the bank and the bets on each number."""
        match = mekuri.game("mutsuichi", seats=7).match(seed=4, rounds=80, bank_rounds=2)
        past: list[tuple[int, int, list[int]]] = []
        for round in rounds(match, 4):
            s = state(round)
            assert s.past_number[: len(past)] == [number for number, _, _ in past][:HISTORY]
            assert not any(s.past_number[len(past) :])
            assert s.past_dealer[: len(past)] == [dealer for _, dealer, _ in past][:HISTORY]
            assert [s.past_bets[i * 6 : i * 6 + 6] for i in range(min(len(past), HISTORY))] == [bets for *_, bets in past][:HISTORY]
            laid = Counter((seat, action // 4 + 1) for seat, action in round.actions if seat != round.dealer and action < 48)
            numbers = [number for (_, number), times in laid.items() if times % 2]  # the second time it was taken back
            cloth = next(action // 4 + 1 for seat, action in round.actions if seat == round.dealer)
            past.insert(0, (cloth, round.dealer, [numbers.count(number) for number in range(1, 7)]))
        assert len(past) > HISTORY

    def test_history_is_public(self) -> None:
        match = GAME.match(seed=5)
        for _ in islice(rounds(match, 5), 5):
            pass
        for viewer in (0, 1, 2, 3, None):
            h = match.round.hidden(viewer)
            assert isinstance(h, MutsuIchiState)
            assert h.past_number == state(match.round).past_number
            assert sum(number > 0 for number in h.past_number) == 5

    @pytest.mark.clause("mutsuichi.board.last-seen")
    def test_board_shows_each_number_once(self) -> None:
        """Each number once, as a card of the last player who chose it, in the order of its last appearance."""
        round = GAME.position("phase choose; past_number 3 / 5 / 3 / 1 / 5; past_dealer 1 / 1 / 0 / 0 / 0")
        assert round.view().zones[0].id == "board"
        assert [(card or 0, (card or 0) // 4 + 1) for card in round.view().zones[0].cards] == [(9, 3), (17, 5), (0, 1)]

    def test_history_shows_every_number(self) -> None:
        """The newest first, each with the suit of the player who chose it."""
        round = GAME.position("phase choose; past_number 3 / 5 / 3; past_dealer 1 / 1 / 0")
        assert round.view().zones[1].id == "past"
        assert round.view().zones[1].cards == (9, 17, 8)

    def test_single_round_has_no_history(self) -> None:
        assert [zone.count for zone in GAME.deal(seed=1).view().zones[:2]] == [0, 0]


@pytest.mark.clause("mutsuichi.match.length")
class TestLength:
    def test_match_has_its_number_of_rounds(self) -> None:
        for number in (1, 24, 50):
            match = GAME.match(seed=6, rounds=number)
            assert match.length == number
            assert len(list(rounds(match, 6))) == number

    def test_open_ended_match_has_no_length(self) -> None:
        match = GAME.match(seed=7, rounds="open")
        assert match.length == 0
        assert len(list(islice(rounds(match, 7), 100))) == 100
        assert not match.over

    @pytest.mark.every_days(4)
    @pytest.mark.clause("mutsuichi.pay.bank-broke")
    def test_broke_bank_ends_the_match(self, in_full: bool) -> None:
        """Against fifteen bettors with great bets a bank that never passes on may have nothing left before its rounds are over."""
        game = mekuri.game("mutsuichi", seats=16, bet_size=100)
        broke = 0
        for seed in range(12 if in_full else 3):
            match = game.match(seed=seed, bank_rounds="all")
            *before, last = rounds(match, seed)
            assert all(round.ending != "bank-broke" for round in before)
            assert (last.ending == "bank-broke") == (match.ledger[last.dealer]["chips"] == 0) == (len(match.finished) < 24)
            broke += last.ending == "bank-broke"
        assert broke

    def test_record_replays(self) -> None:
        match = mekuri.game("mutsuichi", seats=7, payout="four-six").match(seed=8, rounds=14)
        list(rounds(match, 8))
        again = replay(match.record().to_json())
        assert (again.ledger, again.accounts) == (match.ledger, match.accounts)


@pytest.mark.clause("mutsuichi.match.result")
def test_loans_count_against_their_seats() -> None:
    match = GAME.match(seed=9, rounds=1)
    play_round(match, random.Random(9))
    best = max(own(match))
    assert [seat for seat in range(4) if own(match)[seat] == best] == list(match.winners)
    # The bank has the most chips and owes most of them.
    match.ledger = [{"chips": chips, "loans": loans} for chips, loans in ((2000, 1500), (600, 0), (1000, 500), (400, 0))]
    assert match.winners == (1,)
