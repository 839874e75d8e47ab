"""Mushi as random players play it: what always holds, and the figures that the rules' authority worked out or simulated."""

from collections import Counter
from functools import cache
from itertools import product
from math import comb
from typing import Any

import pytest

import mekuri
from mekuri.cards import ALL, card_text, whole_number
from mekuri.engine.chance import begin_round
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import over, returns, waiting
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.engine.rulebook import rulebook
from mekuri.games.fishing import groups
from mekuri.games.mushi.rules import RAIN
from mekuri.games.mushi.scoring import card_points
from mekuri.games.mushi.state import Phase
from mekuri.lab.simulate import simulate
from mekuri.testing.settings import random_games
from mekuri.testing.states import start, step
from tests.helpers.machine_code import counted
from tests.helpers.tables import assert_share, with_options

ROUNDS = 400_000
FOUR_ON_TABLE, THREE_RAIN, HANDS_WITH_FOUR, DEALS_WITH_FOUR = range(4)  # of the rounds' first deals
TIES, ONI_LAID, POINTS_MISSING, CARDS_LEFT, RAIN_PARTED, NOT_SIXTEEN, NOT_ZERO, COUNTS = range(4, 12)  # of the rounds


@entry
def play_and_count(states: Any, key: Any, chance: Any, rounds: int, counts: Any) -> None:
    """Play random rounds; count the first deals and the endings."""
    s, before = states[1], states[2]
    for number in range(rounds):
        begin_round(chance, key, number)
        copy(s, states[0])
        dealt = False
        while not over(s):
            copy(before, s)
            step(s, first(waiting(s)), chance)
            if before.phase == Phase.DEAL and not dealt:
                dealt = True
                four = groups(s.field, 4) != 0
                three = not four and s.field & RAIN == RAIN
                hands = (1 if groups(s.hand[0], 4) else 0) + (1 if groups(s.hand[1], 4) else 0)
                counts[FOUR_ON_TABLE] += four
                counts[THREE_RAIN] += three
                if not (four or three):
                    counts[HANDS_WITH_FOUR] += hands
                    counts[DEALS_WITH_FOUR] += hands > 0
            if before.phase == Phase.TURN_UP and s.oni_laid_by > before.oni_laid_by:
                counts[ONI_LAID] += 1
            if s.phase == Phase.AWARD and before.phase != Phase.AWARD:
                # At the end of play one player has two rain cards, unless all three lie on the table.
                counts[RAIN_PARTED] += count(s.captured[0] & RAIN) == 1 or count(s.captured[1] & RAIN) == 1
        counts[TIES] += returns(s, 0) == 0
        counts[POINTS_MISSING] += card_points(s.captured[0]) + card_points(s.captured[1]) != 230
        counts[CARDS_LEFT] += s.captured[0] | s.captured[1] != s.deck
        counts[NOT_SIXTEEN] += s.turns != 16
        counts[NOT_ZERO] += returns(s, 0) + returns(s, 1) != 0


def play_rounds(game: mekuri.Game, rounds: int, seed: int = 0) -> list[int]:
    return counted(play_and_count, game, COUNTS, rounds, seed)


@cache
def default_rounds() -> list[int]:
    return play_rounds(mekuri.game("mushi"), ROUNDS)


@cache
def ways() -> dict[str, float]:
    """The chances of a deal: eight cards each of forty go to the table and to two hands. By counting, flower by flower."""
    # The ways in which the four cards of a flower lie: how many on the table, in one hand, in the other, and what that is called.
    spread = Counter[tuple[int, int, int, frozenset[str]]]()
    rain_spread = Counter[tuple[int, int, int, frozenset[str]]]()
    for places in product(("stock", "table", "one", "two"), repeat=4):
        numbers = [places.count(name) for name in ("table", "one", "two")]
        four = {name for name, held in zip(("four", "one", "two"), numbers, strict=True) if held == 4}
        rain = {"rain"} if places[:3] == ("table",) * 3 and not four else set()  # the fourth of its cards is the oni
        spread[numbers[0], numbers[1], numbers[2], frozenset(four)] += 1
        rain_spread[numbers[0], numbers[1], numbers[2], frozenset(four | rain)] += 1
    found = {(0, 0, 0, frozenset[str]()): 1}
    for flower in range(10):
        further = Counter[tuple[int, int, int, frozenset[str]]]()
        for (table, one, two, flags), ways in (spread if flower else rain_spread).items():
            for (t, a, b, had), n in found.items():
                if t + table <= 8 and a + one <= 8 and b + two <= 8:
                    further[t + table, a + one, b + two, had | flags] += n * ways
        found = further
    whole = comb(40, 8) * comb(32, 8) * comb(24, 8)
    dealt = {flags: n / whole for (t, a, b, flags), n in found.items() if t == a == b == 8}
    quiet = {flags: share for flags, share in dealt.items() if not flags & {"four", "rain"}}
    return {
        "four": sum(share for flags, share in dealt.items() if "four" in flags),
        "rain": sum(share for flags, share in dealt.items() if "rain" in flags and "four" not in flags),
        "deals with four in hand": sum(share for flags, share in quiet.items() if flags),
        "hands with four": sum(share * len(flags) for flags, share in quiet.items()),
    }


class TestEveryRound:
    def test_default_rounds_keep_the_invariants(self) -> None:
        counts = default_rounds()
        for never in (POINTS_MISSING, CARDS_LEFT, RAIN_PARTED, NOT_SIXTEEN, NOT_ZERO):
            assert counts[never] == 0

    @pytest.mark.machine_code
    def test_random_options_keep_the_invariants(self) -> None:
        for seed, game in enumerate(random_games("mushi", 40)):
            counts = play_rounds(game, 2000, seed)
            # If the oni as the last card takes a rain card too, two players may have the other two.
            for never in (POINTS_MISSING, CARDS_LEFT, NOT_SIXTEEN, NOT_ZERO):
                assert counts[never] == 0, (game, never)

    def test_pack_has_forty_cards(self) -> None:
        state: Any = start(mekuri.game("mushi"))
        assert state.deck == ALL & ~(whole_number(7) | whole_number(11))
        assert card_points(state.deck) == 230


class TestDeals:
    def test_four_or_three_on_the_table_as_computed(self) -> None:
        counts = default_rounds()
        assert_share(counts[FOUR_ON_TABLE], ROUNDS, ways()["four"])
        assert_share(counts[THREE_RAIN], ROUNDS, ways()["rain"])
        assert round(ways()["four"] * 100, 2) == 0.77
        assert round(ways()["rain"] * 100, 2) == 0.49

    def test_four_in_hand_as_computed(self) -> None:
        counts = default_rounds()
        assert_share(counts[DEALS_WITH_FOUR], ROUNDS, ways()["deals with four in hand"])
        assert round(ways()["deals with four in hand"] * 100, 1) == 1.5

    def test_redeals_match_the_computed_share(self) -> None:
        """A bot that chooses at random declares one time in nine: the word is one of nine legal actions.

        So redeals are 1.26 + 1.51 / 9 = 1.42 % of deals. The 2.0 % of the rules' authority are those of a player who tosses a coin
        for each hand with four, 1.26 + 1.51 / 2; a player who always declares has 1.26 + 1.51 = 2.76 %, for which it says 2.75.
        """
        table, hands = ways()["four"] + ways()["rain"], ways()["hands with four"]
        assert round((table + hands / 2) * 100, 1) == 2.0
        assert abs(table + ways()["deals with four in hand"] - 0.0275) < 0.0002

        redeals = simulate(mekuri.game("mushi"), ROUNDS, seed=1).to_dict()["redeals"]
        deals = ROUNDS + sum(redeals.values())
        assert_share(redeals["mushi.deal.four-on-table"], deals, ways()["four"])
        assert_share(redeals["mushi.deal.three-rain"], deals, ways()["rain"])
        assert_share(redeals["mushi.deal.four-in-hand"], deals, hands / 9)
        assert redeals["mushi.deal.four-pairs"] == 0

    def test_options_switch_redeals_off(self) -> None:
        silent = simulate(mekuri.game("mushi", declare_four="no", misdeal="elder-takes"), ROUNDS // 10).to_dict()
        assert not any(silent["redeals"].values())


class TestEndings:
    """What is left on the table when the hands are out.

    The rules' authority simulated 97.3 % with one rain card and one unpaired card, 2.5 % with the rain card only because the oni
    was the last of the stock, and 0.2 % with rain card and oni. Random players of the default rules leave 97.19 %, 2.50 % and 0.21
    %, and in 0.10 % of rounds a rain card and the three cards of a set: the fourth was turned up while the oni lay on the table,
    and took the oni (M6, option `stock_fourth`). 97.19 + 0.10 = 97.29. If the fourth takes the set, these rounds end with rain and
    unpaired card, or with rain and oni when no card to take it came after that: 97.27 % and 0.23 %. Declaring plays no part in it.
    """

    @staticmethod
    @cache
    def endings(**options: str) -> dict[str, int]:
        found = simulate(with_options("mushi", dict(options)), ROUNDS, seed=2).to_dict()["endings"]
        assert isinstance(found, dict)
        return found

    def test_endings_match_the_simulated_shares(self) -> None:
        found = self.endings()
        assert_share(found["rain-and-unpaired"], ROUNDS, 0.9719)
        assert_share(found["rain-and-unpaired"] + found["other"], ROUNDS, 0.973)
        assert_share(found["other"], ROUNDS, 0.00104)
        assert_share(found["rain-and-oni"], ROUNDS, 0.00214)

    def test_oni_is_the_last_card_as_computed(self) -> None:
        """The oni is the last of the stock in one round of forty, less the deals with three rain cards on the table."""
        misdeal = (9 * comb(35, 4) - comb(9, 2) + comb(36, 5) - 9 * 32) / comb(39, 8)
        expected = (1 - misdeal) / 40 / (1 - ways()["four"] - ways()["rain"])
        assert round(expected * 100, 1) == 2.5
        assert_share(self.endings()["rain-only"], ROUNDS, expected)

    def test_endings_with_set_first_match_their_shares(self) -> None:
        found = self.endings(stock_fourth="set-first")
        assert found["other"] == 0
        assert_share(found["rain-and-unpaired"], ROUNDS, 0.9727)
        assert_share(found["rain-and-oni"], ROUNDS, 0.00233)

    def test_declaring_does_not_change_the_endings(self) -> None:
        assert_share(self.endings(declare_four="no")["rain-and-unpaired"], ROUNDS, 0.9719)

    def test_ties_and_stranded_oni_match_their_shares(self) -> None:
        counts = default_rounds()
        assert_share(counts[TIES], ROUNDS, 0.012)
        assert 0.002 < counts[ONI_LAID] / ROUNDS < 0.004  # "0.3 %" turned up without a card to take


def test_event_shows_that_the_dealer_takes_four() -> None:
    """What the driver does is called by its own word, in the history and in the log."""
    deal = "phase deal; dealer 1; stock 1H 1I 3H 3I 5H 5I 6H 6I 4H 4I 8H 9H 8I 9I 10H 10I 12H 12I 1O 3O 4O 4K 10O 12O"
    round = mekuri.game("mushi", misdeal="elder-takes").position(deal)
    events = [(event.action, event.text.id) for event in round.events()]
    assert events == [("deal", "events.deal"), ("take", "events.elder-takes")]
    assert rulebook(round.contract).tables["words"]["take"]["en"] == "Take the four from the field"
    with pytest.raises(mekuri.IllegalAction):
        round.play("take", 1)


@pytest.mark.clause("mushi.cards.classes")
def test_captures_are_sorted_by_class() -> None:
    """Brights, animals, ribbons, chaff, as the source has them arranged; in view and text."""
    round = mekuri.game("mushi").position("phase play; hand 6K 6O / 9K 9O; field 8K; captured 1K 2I 4O 4H 6H 1H 12I / 9H")
    captures = next(zone for zone in round.view(1).zones if zone.id == "captured-0")
    assert [card_text(card) for card in captures.cards if card is not None] == ["1H", "6H", "4H", "2I", "12I", "1K", "4O"]
    assert "1H 6H 4H 2I 12I 1K 4O" in str(round.view(1))
