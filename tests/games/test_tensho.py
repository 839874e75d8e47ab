"""Tensho as random players play it: what always holds, and the figures that the rules' authority worked out or simulated."""

from functools import cache
from math import comb
from typing import Any

import pytest

import mekuri
from mekuri.engine.chance import begin_round
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import over, returns, waiting
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.games.fishing import groups
from mekuri.games.tensho.rules import SIX
from mekuri.games.tensho.scoring import yaku_points
from mekuri.games.tensho.state import Ending, Phase
from mekuri.lab.simulate import simulate
from mekuri.testing.settings import random_games
from mekuri.testing.states import start, step
from tests.helpers.machine_code import counted
from tests.helpers.tables import assert_share

ROUNDS = 400_000
FOUR, THREE, TWO_TRIPLES, SIX_ON_FIELD = range(4)  # of the fields first turned up
TIES, NO_YAKU, SIX_PAIRED, SIX_MOVED, STOCK_NOT_SIX, NOT_TWELVE, LONGER, FIELD_USUAL, FIELD_MOST, NOT_ZERO, COUNTS = range(4, 15)


@entry
def play_and_count(states: Any, key: Any, chance: Any, rounds: int, counts: Any) -> None:
    """Play random rounds; count the first fields and the endings."""
    s, before = states[1], states[2]
    for number in range(rounds):
        begin_round(chance, key, number)
        copy(s, states[0])
        shown = False
        six_lay = False  # when play began
        while not over(s):
            copy(before, s)
            step(s, first(waiting(s)), chance)
            if before.phase == Phase.REVEAL:
                six_lay = s.field >> SIX & 1 == 1
                if not shown:
                    shown = True
                    counts[FOUR] += groups(s.field, 4) != 0
                    counts[THREE] += groups(s.field, 3) != 0
                    counts[TWO_TRIPLES] += count(groups(s.field, 3)) == 6
                    counts[SIX_ON_FIELD] += s.field >> SIX & 1
            gained = s.captured[0] & ~before.captured[0] | s.captured[1] & ~before.captured[1]
            counts[SIX_PAIRED] += gained >> SIX & 1 == 1 and gained != 1 << SIX
        counts[SIX_MOVED] += six_lay and s.field >> SIX & 1 == 0
        instant = s.ending == Ending.INSTANT_WIN
        counts[STOCK_NOT_SIX] += not instant and s.stock != 6
        counts[NOT_TWELVE] += not instant and s.turns != 12
        counts[LONGER] += s.turns > 12
        counts[TIES] += s.ending == Ending.TIE
        counts[NO_YAKU] += not instant and yaku_points(s, 0) + yaku_points(s, 1) == 0
        counts[FIELD_USUAL] += not instant and 4 <= count(s.field) <= 8
        counts[FIELD_MOST] = max(counts[FIELD_MOST], 0 if instant else count(s.field))
        counts[NOT_ZERO] += returns(s, 0) + returns(s, 1) != 0


def play_rounds(game: mekuri.Game, rounds: int, seed: int = 0) -> list[int]:
    return counted(play_and_count, game, COUNTS, rounds, seed)


@cache
def default_rounds() -> list[int]:
    return play_rounds(mekuri.game("tensho"), ROUNDS)


@cache
def ways() -> dict[str, float]:
    """The chances of nine cards out of eleven numbers of four and the 6 of clubs, by counting."""
    found = {(0, 0, 0): 1, (1, 0, 0): 1}  # cards, fours, threes: ways; the 6 of clubs
    for _ in range(11):
        further: dict[tuple[int, int, int], int] = {}
        for (cards, fours, threes), n in found.items():
            for more in range(5):
                key = cards + more, fours + (more == 4), threes + (more == 3)
                further[key] = further.get(key, 0) + n * comb(4, more)
        found = further
    dealt = {(fours, threes): n / comb(45, 9) for (cards, fours, threes), n in found.items() if cards == 9}
    assert round(sum(dealt.values()), 12) == 1
    return {
        "four": sum(share for (fours, _), share in dealt.items() if fours),
        "three": sum(share for (_, threes), share in dealt.items() if threes),
        "two triples": sum(share for (_, threes), share in dealt.items() if threes == 2),
    }


class TestEveryRound:
    def test_default_rounds_keep_the_invariants(self) -> None:
        counts = default_rounds()
        for never in (SIX_PAIRED, SIX_MOVED, STOCK_NOT_SIX, NOT_TWELVE, LONGER, NOT_ZERO):
            assert counts[never] == 0

    @pytest.mark.machine_code
    def test_random_options_keep_the_invariants(self) -> None:
        for seed, game in enumerate(random_games("tensho", 40)):
            counts = play_rounds(game, 2000, seed)
            assert counts[SIX_PAIRED] == counts[NOT_ZERO] == 0, game

    def test_rest_of_the_stock_is_turned_up(self) -> None:
        """Six cards are left when the hands are out; they are turned up by turns, three each."""
        counts = play_rounds(mekuri.game("tensho", last_stock="empty-stock"), 20_000)
        assert counts[SIX_PAIRED] == counts[NOT_ZERO] == 0
        assert simulate(mekuri.game("tensho", last_stock="empty-stock"), 20_000).to_dict()["turns"]["max"] == 18

    def test_forty_five_cards(self) -> None:
        state: Any = start(mekuri.game("tensho"))
        assert count(state.deck) == 45


class TestDeals:
    def test_deals_on_the_field_match_computed_shares(self) -> None:
        counts = default_rounds()
        for place, name in ((FOUR, "four"), (THREE, "three"), (TWO_TRIPLES, "two triples")):
            assert_share(counts[place], ROUNDS, ways()[name])
        assert_share(counts[SIX_ON_FIELD], ROUNDS, 9 / 45)
        assert [round(ways()[name] * 100, 1) for name in ("four", "three", "two triples")] == [0.9, 21.6, 0.8]

    def test_redeals_match_the_computed_share(self) -> None:
        redeals = simulate(mekuri.game("tensho"), ROUNDS, seed=1).to_dict()["redeals"]["tensho.deal.four-of-a-number"]
        assert_share(redeals, ROUNDS + redeals, ways()["four"])
        assert round(ways()["four"] * 100, 2) == 0.93


class TestEndings:
    """The shares of the rules' authority are those of its own simple players; random players come within some points of them."""

    def test_complete_ties_match_their_share(self) -> None:
        assert 0.0007 <= default_rounds()[TIES] / ROUNDS <= 0.0012

    def test_rounds_without_yaku_match_their_share(self) -> None:
        assert abs(default_rounds()[NO_YAKU] / ROUNDS - 0.40) < 0.04

    def test_endings_match_their_shares(self) -> None:
        endings = simulate(mekuri.game("tensho"), ROUNDS, seed=3).to_dict()["endings"]
        for ending, share, give_or_take in (("yaku", 0.5, 0.03), ("chaff", 0.39, 0.03), ("card-points", 0.05, 0.01)):
            assert abs(endings[ending] / ROUNDS - share) < give_or_take, ending

    @pytest.mark.parametrize(("yaku_set", "share"), [("one", 0.04), ("two", 0.08)])
    def test_instant_wins_match_their_share(self, yaku_set: str, share: float) -> None:
        endings = simulate(mekuri.game("tensho", yaku_set=yaku_set), ROUNDS // 4, seed=4).to_dict()["endings"]
        assert abs(endings["instant-win"] / (ROUNDS // 4) - share) < 0.01

    def test_cards_left_on_the_field_match_the_figures(self) -> None:
        counts = default_rounds()
        assert counts[FIELD_USUAL] / ROUNDS > 0.6
        assert 13 <= counts[FIELD_MOST] <= 15
