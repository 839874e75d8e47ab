"""Hiyoko as random players play it: what always holds, the figures that the rules' authority simulated, and that it ends."""

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import mekuri
from mekuri.cards import ALL, card_text, each, number, parse_card, parse_cards, whole_number
from mekuri.games.sequence import followers, is_ghost, next_numbers, numbers_of, top_numbers
from mekuri.games.sequence_play import most_passes, most_turns
from mekuri.testing.settings import random_games
from mekuri.testing.states import start
from tests.helpers.sequences import (
    ALL_OUT,
    DEALER_WINS,
    DRAWS,
    HOARDER,
    MOST_TURNS,
    RANDOM,
    RESHUFFLED,
    STUBBORN,
    TURNS,
    VOIDS,
    count_rounds,
    state,
)
from tests.helpers.tables import assert_share, with_options

ROUNDS = 400_000
AUTHORITY = 30_000  # the rounds that the rules' authority simulated
OPTIONS = {
    "who_draws": ("last-discarder", "first-passer", "draw-until-playable"),
    "must_play": ("first-card", "all", "free"),
    "ghost": ("flexible", "fixed"),
    "two_of_swords": ("11", "10"),
    "one_two": ("printed", "counts-as", "lax"),
    "renew": ("when-needed", "at-once"),
}
EVERY_READING = [dict(zip(OPTIONS, chosen, strict=True)) for chosen in itertools.product(*OPTIONS.values())]


@cache
def rounds(**options: str) -> list[int]:
    return count_rounds(with_options("hiyoko", dict(options)), ROUNDS)


class TestFigures:
    """The rules' authority simulated 30,000 rounds in which everybody plays all that fits: 21 turns in the mean and 142 at most,
    8.5 draws, reshuffles in 0.1 % of rounds, 51 % for the dealer, all six cards in one turn in 2.2 %; and where the first passer
    draws, 54 % for the dealer and games a fifth longer. Here are 400,000 rounds, so what differs is what 30,000 leave to chance.
    """

    def test_figures_when_every_fitting_card_is_played(self) -> None:
        counts = rounds(must_play="all")
        assert round(counts[TURNS] / ROUNDS) == 21
        assert abs(counts[DRAWS] / ROUNDS - 8.5) < 0.1
        assert round(counts[RESHUFFLED] / ROUNDS, 3) == 0.001
        assert round(counts[DEALER_WINS] / ROUNDS, 2) == 0.51
        assert_share(round(0.022 * AUTHORITY), AUTHORITY, counts[ALL_OUT] / ROUNDS)
        assert 120 < counts[MOST_TURNS] < 180

    def test_figures_when_the_first_passer_draws(self) -> None:
        counts = rounds(must_play="all", who_draws="first-passer")
        assert round(counts[DEALER_WINS] / ROUNDS, 2) == 0.54
        assert round(counts[TURNS] / rounds(must_play="all")[TURNS], 1) == 1.2

    def test_figures_when_players_stop_freely(self) -> None:
        """By default a random player stops after a discard as often as it plays any one card: rounds are longer."""
        counts = rounds()
        assert round(counts[TURNS] / ROUNDS, 1) == 24.8
        assert round(counts[DEALER_WINS] / ROUNDS, 2) == 0.51
        assert counts[ALL_OUT] / ROUNDS < 0.003

    def test_drawing_on_shortens_rounds(self) -> None:
        assert rounds(must_play="all", who_draws="draw-until-playable")[TURNS] / ROUNDS < 12


# --- The cards and what follows what ---


def test_forty_five_cards() -> None:
    s: Any = start(mekuri.game("hiyoko"))
    assert s.deck == ALL & ~parse_cards("6I 6O 6K")
    assert sum(s.deck >> card & 1 for card in range(49)) == 45


def as_list(numbers: int) -> list[int]:
    """A set of numbers as numbers."""
    assert numbers % 15 == 0
    return sorted({card // 4 + 1 for card in each(numbers)})


def follows(card: str, top: str, drawn: bool = False, **options: str) -> bool:
    s = state(with_options("hiyoko", dict(options)), f"phase play; hand 4K / 5K; pile {top}; top {top}; top_drawn {int(drawn)}")
    return followers(s) >> parse_card(card) & 1 == 1


def tops(s: Any) -> Iterator[Any]:
    """The state with every card on the top of the pile, from a hand and from the stock, with every number it can stand for."""
    for card, drawn in itertools.product(each(s.deck), range(2)):
        s.top, s.top_drawn = card, drawn
        ghost = s.ghost and not drawn and is_ghost(s, card)
        for n in as_list(numbers_of(s, card, 0)) if ghost else [0]:
            s.stands_for = n
            yield s


# The least and the greatest number of the ghosts, and of the cards that are ghosts only where they are turned up.
RANGES = {"1H": (1, 10), "1I": (1, 10), "2H": (2, 11), "2I": (2, 11), "3I": (1, 12)}
DRAWN = {"6H": (1, 1), "12I": (1, 1), "12O": (1, 1), "12K": (1, 1), "12H": (1, 12)}


class TestGhosts:
    def test_numbers_of_every_card(self) -> None:
        s: Any = start(mekuri.game("hiyoko"))
        for card in each(s.deck):
            text, own = card_text(card), (number(card), number(card))
            held, drawn = as_list(numbers_of(s, card, 0)), as_list(numbers_of(s, card, 1))
            for numbers, (least, most) in ((held, RANGES.get(text, own)), (drawn, (RANGES | DRAWN).get(text, own))):
                assert numbers == list(range(least, most + 1)), text
            assert is_ghost(s, card) == (text in RANGES)

    def test_two_of_swords_to_ten(self) -> None:
        s: Any = start(mekuri.game("hiyoko", two_of_swords=10))
        assert as_list(numbers_of(s, parse_card("2I"), 0)) == list(range(2, 11))
        assert as_list(numbers_of(s, parse_card("2H"), 0)) == list(range(2, 12))

    @pytest.mark.clause("hiyoko.ghosts.ends")
    def test_ghost_follows_the_numbers_before_its_range(self) -> None:
        """1 to 10 follows 12 and 1 to 9; 2 to 11 follows 1 to 10; the 3 of swords follows anything."""
        plain = [f"{n}O" if n != 6 else "6H" for n in range(1, 13)]
        assert [n for n, top in enumerate(plain, 1) if follows("1H", top)] == [*range(1, 10), 12]
        assert [n for n, top in enumerate(plain, 1) if follows("2H", top)] == list(range(1, 11))
        assert [n for n, top in enumerate(plain, 1) if follows("2I", top, two_of_swords="10")] == list(range(1, 10))
        assert all(follows("3I", top) for top in plain)

    @pytest.mark.clause("hiyoko.ghosts.ends")
    def test_cards_follow_every_number_of_a_ghost(self) -> None:
        """1 to 10 is followed by 2 to 11; 2 to 11 by 3 to 12; the 3 of swords and the king of clubs, if drawn, by anything."""
        plain = [f"{n}O" if n != 6 else "6H" for n in range(1, 13)]
        assert [n for n, card in enumerate(plain, 1) if follows(card, "1H")] == list(range(2, 12))
        assert [n for n, card in enumerate(plain, 1) if follows(card, "2H")] == list(range(3, 13))
        assert [n for n, card in enumerate(plain, 1) if follows(card, "2I", two_of_swords="10")] == list(range(3, 12))
        assert all(follows(card, "3I") and follows(card, "12H", drawn=True) for card in plain)

    def test_drawn_cards_only_have_second_numbers(self) -> None:
        for card in ("6H", "12I", "12O", "12K"):
            assert follows("2O", card, drawn=True)
            assert not follows("2O", card)
            own = "7O" if card == "6H" else "1O"
            assert follows(own, card)
            assert not follows(own, card, drawn=True)
            assert not follows(card, "12H")  # from the hand they are no 1
        assert not follows("5O", "12H")

    def test_followers_of_every_top_match_its_numbers(self) -> None:
        """What follows is worked out from the numbers of top and card, one by one, for every top and every card."""
        for options in ({}, {"two_of_swords": "10"}, {"ghost": "fixed"}):
            for s in tops(start(with_options("hiyoko", options))):
                after = {n % 12 + 1 for n in as_list(top_numbers(s))}
                expected = {card for card in each(s.deck) if after & set(as_list(numbers_of(s, card, 0)))}
                assert set(each(followers(s))) == expected

    def test_next_numbers_wrap_around(self) -> None:
        assert next_numbers(whole_number(12)) == whole_number(1)
        assert next_numbers(whole_number(1) | whole_number(5)) == whole_number(2) | whole_number(6)
        assert next_numbers(ALL) == ALL


# --- That rounds end ---


class TestRoundEnds:
    """A 3 of swords counts as every number. So a player who holds it can play it on any card, and must, unless playing is free.
    If no player holds it, it is turned up before two passes through the stock are over (it lies in the stock, or in the pile
    that becomes the stock). Then the player who drew it can play any card, and must. So no round is void while play is
    compulsory. If playing is free, two passes end the deal. Either way the turns between two discards are bounded, and so is
    the round.
    """

    def test_three_of_swords_always_follows(self) -> None:
        three = parse_card("3I")
        for options in EVERY_READING:
            s: Any = start(with_options("hiyoko", options))
            assert all(followers(s) >> three & 1 for s in tops(s))
            s.top, s.top_drawn, s.stands_for = three, 1, 0
            assert followers(s) == s.deck

    @pytest.mark.every_days(4)
    @pytest.mark.parametrize("player", [RANDOM, STUBBORN, HOARDER])
    def test_rounds_end_in_every_reading(self, player: int) -> None:
        """Also if both players stop whenever they can, and play ghosts only as a last resort."""
        for seed, options in enumerate(EVERY_READING):
            counts = count_rounds(with_options("hiyoko", options), 1000, player, seed)
            assert counts[VOIDS] == 0 or options["must_play"] == "free"

    @pytest.mark.machine_code
    def test_rounds_end_with_random_options(self) -> None:
        for seed, game in enumerate(random_games("hiyoko", 40)):
            count_rounds(game, 2000, seed % 3, seed)

    def test_stubborn_players_need_many_turns(self) -> None:
        """The longest round found is far from the bound, which no round can exceed."""
        assert mekuri.game("hiyoko").contract.longest == most_turns(45) == 1661
        assert 150 < count_rounds(mekuri.game("hiyoko", must_play="free"), 50_000, HOARDER)[MOST_TURNS] < 500

    def test_passes_between_discards_are_bounded(self) -> None:
        """With two cards held 43 lie elsewhere, 42 of them not on the top: 84 draws, with two passes before each and two after."""
        assert most_passes(45, 2) == 170


# --- The void round ---

# Seat 0 needs a 12 on the pile to be rid of its 1. Of the cards that can be drawn only the 3 of swords and the king of clubs are
# followed by a 1, and the other seat keeps both. (Turned up, the other kings count as 1.)
STUCK = "phase play; dealer 1; drawer 0; turn 0; hand 1O / 3I 12H; pile 5O; stock 5K 6H 8O 9K 10O"


def play_on(round: mekuri.Round) -> None:
    """Let both players stop whenever they may, until the round is void."""
    while not sum(round._state.redeals):
        round.play(next(action for action in round.legal if action in ("pass", "done", "draw") or len(round.legal) == 1))


@pytest.mark.clause("hiyoko.draw.void")
class TestVoid:
    @pytest.mark.parametrize("who_draws", OPTIONS["who_draws"])
    def test_two_passes_through_the_stock_void_the_round(self, who_draws: str) -> None:
        round = mekuri.game("hiyoko", must_play="free", who_draws=who_draws).position(STUCK, seed=1)
        play_on(round)
        names = [round.action_text(action) for _, action in round.history]
        assert names.count("turn-up") == 10  # the five of the stock, then four of them and the 5 of coins, or the other way about
        assert names.count("recycle") == 1
        assert names[-2:] == ["gather", "deal"]

    def test_same_dealer_deals_again(self) -> None:
        round = mekuri.game("hiyoko", must_play="free").position(STUCK, seed=1)
        play_on(round)
        s: Any = round._state
        assert (s.dealer, s.turn, s.turns, s.redeals) == (1, 1, 1, [1, 0, 0, 0])
        assert s.absent == [0, 0]
        assert [round.view(0).zones[seat].count for seat in range(2)] == [6, 6]
        assert s.stock == 32

    def test_draws_before_a_void_round_are_limited(self) -> None:
        game = mekuri.game("hiyoko", must_play="free")
        assert game.position(f"{STUCK}; drawn 10").legal == ("pass",)
        with pytest.raises(mekuri.PositionError, match="two passes"):
            game.position(f"{STUCK}; drawn 11")

    def test_round_is_not_void_when_play_is_compulsory(self) -> None:
        """There the other seat may not keep its 3."""
        round = mekuri.game("hiyoko").position(STUCK, seed=1)
        round.play("pass")
        assert round.legal == ("3I",)
