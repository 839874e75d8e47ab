"""Isuri as random players play it: what always holds of cards and payments, and that it ends."""

import itertools
import tomllib
from functools import cache
from typing import Any

import pytest

import mekuri
from mekuri.cards import ALL, each, parse_card, parse_cards
from mekuri.engine.chance import begin_round, pick
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import DRIVER, legal, outlook, over, play, returns, waiting
from mekuri.engine.driver import drive
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.games.isuri.scoring import DEAREST_HAND, POINTS
from mekuri.games.isuri.state import SetStep, Word
from mekuri.games.sequence import Ending, followers, numbers_of
from mekuri.games.sequence_play import most_passes, most_turns
from mekuri.testing.settings import random_games
from mekuri.testing.states import start
from tests.helpers.machine_code import counted
from tests.helpers.sequences import ALL_OUT, HOARDER, RANDOM, STUBBORN, TURNS, VOIDS, count_rounds
from tests.helpers.tables import with_options

ROUNDS = 200_000
SET_ROUNDS, SET_CARDS, MOST_PAID, MOST_STAKES = range(4)
NOT_ZERO, WRONG_PAY, BROKEN_SET, POT_LEFT, BAD_STANDING = range(4, 9)  # what must never be
COUNTS = 9


@entry
def play_and_pay(states: Any, key: Any, chance: Any, rounds: int, counts: Any) -> None:
    """Play random rounds and watch the payments. The gain of a card is computed only with ghosts at their printed value."""
    s, before = states[1], states[2]
    for number in range(rounds):
        begin_round(chance, key, number)
        copy(s, states[0])
        sets = 0
        while not over(s):
            copy(before, s)
            seat = first(waiting(s))
            if seat == DRIVER:
                action = drive(s, chance)
                counts[WRONG_PAY] += action != Word.GATHER and (s.paid[0] != before.paid[0] or s.paid[1] != before.paid[1])
            else:
                choices = legal(s, seat)
                action = pick(choices, count(choices), chance)
                play(s, seat, action)
                due = 0
                if before.hand[seat] != s.hand[seat]:
                    due = POINTS[action // 4]
                if over(s) and s.ending == Ending.ALL_OUT and (s.sou_dashi == 0 or s.turns <= 2):
                    due += 10
                counts[WRONG_PAY] += s.ghost_value == 0 and s.paid[seat] != before.paid[seat] + due
                counts[WRONG_PAY] += s.paid[1 - seat] != before.paid[1 - seat]
                ends = action == Word.PASS or (s.pass_pays == 1 and action == Word.DONE and before.set_step == SetStep.NONE)
                counts[WRONG_PAY] += s.stakes[seat] != before.stakes[seat] + ends
                if action == Word.SET:
                    sets += 1
                if before.set_step == SetStep.CARDS and s.set_step == SetStep.NONE:
                    laid = before.set_laid + (action != Word.DONE)
                    counts[BROKEN_SET] += laid < 3 or laid > 6
                    counts[SET_CARDS] += laid
            counts[BAD_STANDING] += outlook(s, 0) + outlook(s, 1) != -s.stakes[0] - s.stakes[1]
        counts[NOT_ZERO] += returns(s, 0) + returns(s, 1) != 0
        counts[POT_LEFT] += returns(s, s.turn) - outlook(s, s.turn) != s.stakes[0] + s.stakes[1]
        counts[SET_ROUNDS] += sets > 0
        counts[MOST_PAID] = max(counts[MOST_PAID], s.paid[0], s.paid[1])
        counts[MOST_STAKES] = max(counts[MOST_STAKES], s.stakes[0], s.stakes[1])


def pay_rounds(game: mekuri.Game, rounds: int, seed: int = 0) -> list[int]:
    counts = counted(play_and_pay, game, COUNTS, rounds, seed)
    assert counts[NOT_ZERO:] == [0] * 5, game
    return counts


@cache
def default_rounds() -> list[int]:
    return pay_rounds(mekuri.game("isuri"), ROUNDS)


class TestPayments:
    def test_default_payments_are_in_range(self) -> None:
        counts = default_rounds()
        assert counts[MOST_PAID] <= DEAREST_HAND + 10
        assert 0.05 < counts[SET_ROUNDS] / ROUNDS < 0.5
        assert counts[SET_CARDS] >= 3 * counts[SET_ROUNDS]

    @pytest.mark.machine_code
    def test_payments_are_in_range_with_random_options(self) -> None:
        for seed, game in enumerate(random_games("isuri", 60)):
            pay_rounds(game, 2000, seed)

    @pytest.mark.clause("isuri.pay.values")
    def test_all_cards_are_worth_336_points(self) -> None:
        """All the cards are worth 336 points."""
        s: Any = start(mekuri.game("isuri"))
        worth = [mekuri.game("isuri").contract.table.worth(s, card) for card in each(s.deck)]
        assert sum(one.points or 0 for one in worth) == 336
        assert {one.yaku for one in worth} == {()}

    def test_returns_of_a_round_are_bounded(self) -> None:
        """No hand is worth more than kings and horses; half of the passes are a seat's, and it discards in five turns."""
        s: Any = start(mekuri.game("isuri"))
        dearest = sorted((max(POINTS[n // 4] for n in each(numbers_of(s, card, 0))) for card in each(s.deck)), reverse=True)
        assert sum(dearest[:6]) == DEAREST_HAND
        passes = sum(most_passes(46, held) // 2 for held in range(2, 13)) + 5
        assert mekuri.game("isuri").contract.returns_range == (-DEAREST_HAND - 10 - passes, DEAREST_HAND + 10 + passes)


class TestEveryRound:
    def test_forty_six_cards(self) -> None:
        s: Any = start(mekuri.game("isuri"))
        assert s.deck == ALL & ~parse_cards("6O 6K")

    @pytest.mark.clause("isuri.ghosts.six-of-swords")
    def test_six_of_swords_counts_as_the_six_of_clubs(self) -> None:
        s: Any = start(mekuri.game("isuri"))
        for drawn in range(2):
            assert numbers_of(s, parse_card("6I"), drawn) == numbers_of(s, parse_card("6H"), drawn)
        for top in each(s.deck):
            s.top = top
            assert followers(s) >> parse_card("6I") & 1 == followers(s) >> parse_card("6H") & 1

    @pytest.mark.machine_code
    def test_figures_match_the_expected_ranges(self) -> None:
        counts = count_rounds(mekuri.game("isuri", must_play="all"), ROUNDS)
        assert 19 < counts[TURNS] / ROUNDS < 22
        assert 0.02 < counts[ALL_OUT] / ROUNDS < 0.03

    @pytest.mark.parametrize("player", [RANDOM, STUBBORN, HOARDER])
    def test_rounds_end_in_every_reading(self, player: int) -> None:
        readings = itertools.product(
            ("last-discarder", "first-passer", "draw-until-playable"),
            ("first-card", "all", "free"),
            ("flexible", "fixed"),
            ("next-number", "free-set", "naturals-only"),
            ("when-needed", "at-once"),
        )
        for seed, (who_draws, must_play, ghost, sets, renew) in enumerate(readings):
            options = {"who_draws": who_draws, "must_play": must_play, "ghost": ghost, "sets": sets, "renew": renew}
            counts = count_rounds(with_options("isuri", options), 500, player, seed)
            assert counts[VOIDS] == 0 or must_play == "free"

    def test_longest_round_is_bounded(self) -> None:
        assert mekuri.game("isuri").contract.longest == most_turns(46) == 1705


# --- The two books ---

# The tables of texts that have nothing to do with what the games differ in, and the clauses that have.
COMMON = ("prompts", "words", "ranges", "refusals", "zones")
DIFFERENT = {"players.two", "deal.draw-pile", "play.one-of-a-number", "draw.void", "ghosts.drawn-only", "ghosts.drawn-ones"}
DIFFERENT |= {"end.out", "match.next-dealer"}


def test_common_rules_have_the_same_words_in_both_books() -> None:
    def book(game: str) -> dict[str, Any]:
        return tomllib.loads((mekuri.game(game).contract.folder / "rulebook.toml").read_text(encoding="utf-8"))

    def clauses(game: str) -> dict[str, list[Any]]:
        said = ("en", "ja", "status", "why", "options")
        return {clause["id"].removeprefix(f"{game}."): [clause.get(name) for name in said] for clause in book(game)["clauses"]}

    def texts(game: str) -> dict[tuple[str, str], list[str]]:
        return {(table, id): [text.get("en"), text.get("ja")] for table in COMMON for id, text in book(game)[table].items()}

    def unlike(one: dict[Any, Any], other: dict[Any, Any]) -> set[Any]:
        return {id for id in one.keys() & other if one[id] != other[id]}

    assert unlike(clauses("hiyoko"), clauses("isuri")) == DIFFERENT
    assert unlike(texts("hiyoko"), texts("isuri")) == set()
