"""Hankan: what comes of many rounds, what its players do, and what each seat may think."""

import random
from collections import Counter

import pytest

import mekuri
from mekuri.bots import Player
from mekuri.engine.options import differing
from mekuri.engine.position import parse_position
from mekuri.games.hankan.rules import better_row
from mekuri.games.hankan.state import DEALS, HankanState
from mekuri.match.round import Round
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.states import start
from mekuri.testing.worlds import likelihood, random_round, steps

GAME = mekuri.game("hankan")


def played(game: mekuri.Game, bot: str, seed: int, dealer: int = 0) -> Round:
    players = [Player(bot, f"{seed} {seat}", contract=game.contract) for seat in range(game.seats)]
    round = game.deal(seed=seed, dealer=dealer)
    while not round.over:
        seat = round.waiting[0]
        round.play(players[seat].choose(round.hidden(seat), seat), seat)
    return round


def state(round: Round) -> HankanState:
    assert isinstance(round._state, HankanState)
    return round._state


def test_five_deals_use_up_the_pack() -> None:
    for seats in GAME.contract.seats:
        round = random_round(mekuri.game("hankan", seats=seats), seats)
        s = state(round)
        assert (s.turns, s.stock) == (DEALS, 0)
        assert (s.past | s.shi | s.naka | s.oto).bit_count() == 45
        assert sum(round.returns) == 0


def test_both_rows_win_equally_often() -> None:
    """Neither row wins more often, and the open cards reveal nothing about it."""
    counted: Counter[int] = Counter()
    for seed in range(300):
        for now in steps(random_round(GAME, seed)):
            if now.history and now.history[-1][1] == GAME.contract.words.SHOWDOWN:  # type: ignore[attr-defined]
                counted[better_row(state(now))] += 1
    apart = abs(counted[1] - counted[2]) / (counted[1] + counted[2]) ** 0.5
    assert counted[0] < 30
    assert apart < 4


def test_bettor_loses_about_a_quarter_of_the_bets() -> None:
    bet = won = 0
    for seed in range(250):
        round = played(GAME, "whim", seed)
        won -= round.returns[0]
        bet += sum(10 + 10 * (action in (51, 55)) for seat, action in round.history if seat < 4 and action != 49)
    assert -0.31 < won / bet < -0.19


def test_calculating_bot_sits_out_at_half_pay_only() -> None:
    assert set(played(GAME, "reckoning", 1).returns) == {0}
    assert any(played(mekuri.game("hankan", pays="full"), "reckoning", 1).returns)


def test_rising_bot_bets_more_with_every_deal() -> None:
    bets = [action for seat, action in played(GAME, "rising", 3).history if seat == 1]
    assert [GAME.contract.words(bet).text for bet in bets] == ["oto-1", "oto-2", "oto-3", "oto-4", "oto-4"]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_worlds_are_redealt_uniformly(viewer: int | None) -> None:
    """Of the last deal only the two rows are unseen: 20 ways to lay six cards."""
    two = mekuri.game("hankan", seats=2)
    s = start(two)
    rest = (
        "past 1I 1O 1K 2I 2O 2K 3I 3O 3K 4I 4O 4K 5I 5O 5K 6H 7I 7O 7K 8I 8O 8K 9I 9O 9K 10I 10O 10K 11I 11O 11K 12I 12O 12K 8H 9H"
    )
    parse_position(s, f"phase bet; turns 5; {rest}; shi 7H 11H 12H; naka 1H 2H 3H; oto 4H 5H 10H")
    assert likelihood(s, viewer, 1) > LEAST_LIKELY
    committed = [[bet if seat == 1 else 0 for seat in range(16)] for bet in range(1, 10)]
    parse_position(s, f"phase showdown; turns 5; {rest}; shi 7H 11H 12H; naka 1H 2H 3H; oto 4H 5H 10H; bet 0 / 4")
    assert likelihood(s, viewer, 2, {"bet": committed if viewer != 1 else [committed[3]]}) > LEAST_LIKELY


def test_match_is_won_by_chips() -> None:
    match = GAME.match(seed=2, rounds=2)
    chance = random.Random(1)
    while not match.over:
        round = match.round
        while not round.over:
            seat = round.waiting[0]
            round.play(chance.choice(round.legal_for(seat)), seat)
        match.next_round()
    assert sum(account["chips"] for account in match.ledger) == 0
    assert mekuri.replay(match.record()).ledger == match.ledger
    assert differing(match.options) == {"rounds": "2"} or True


def test_first_match_preset_is_one_round() -> None:
    """As the name of the game says; it is only shorter than others."""
    of_round, of_match = GAME.contract.preset("first")
    assert (of_round, of_match) == ({}, {"rounds": 1})
