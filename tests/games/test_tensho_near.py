"""Yaku in reach of a seat of Tensho, with cards that it may still capture, by its view."""

from typing import Any

import pytest

from mekuri.cards import cards_text, parse_cards
from mekuri.engine.contract import within_reach
from mekuri.games.tensho.scoring import goals
from mekuri.games.tensho.state import Phase
from mekuri.testing.states import start
from tests.helpers.tables import with_options

ELDER, RED_FOUR, NAKAZO, BACK_THREE = "front-elder", "red-four", "front-nakazo", "back-one-two-three"
PLAY = "phase play; set 2; hand 12I 2K / 3O 4K; stock 12K 11K"


def reach(position: str, seat: int = 0, **options: str) -> dict[str, str]:
    """The yaku within a seat's reach, and what each lacks."""
    view = with_options("tensho", dict(options)).position(position).view(seat)
    return {near.yaku: cards_text(near.missing) for near in view.near}


class TestSixOfClubs:
    @pytest.mark.clause("tensho.deal.six-on-field")
    def test_six_dealt_to_the_field_is_out_of_reach(self) -> None:
        assert not {ELDER, RED_FOUR} & reach(f"{PLAY}; field 6H 9K; captured 5I 10I 1H 4I /").keys()

    def test_six_elsewhere_is_in_reach(self) -> None:
        lacking = {ELDER: "6H", RED_FOUR: "6H"}
        found = reach(f"{PLAY}; field 9K; captured 5I 10I 1H 4I /")
        assert {yaku: found[yaku] for yaku in lacking} == lacking

    @pytest.mark.parametrize("dead", ["6H 1K", "1K 1O"])
    def test_six_among_the_dead_counts_as_in_reach(self, dead: str) -> None:
        assert ELDER in reach(f"{PLAY}; field 9K; captured 5I 10I /; dead {dead}")

    def test_six_about_to_be_taken_is_in_reach(self) -> None:
        """After the four fives: a moment that the table does not wait in."""
        s: Any = start(with_options("tensho", {"six_on_field": "dealer-takes", "four_on_field": "dealer-takes"}))
        s.phase, s.set, s.deck = Phase.TAKE_SIX, 2, parse_cards("5H 5I 5O 5K 6H 9K 10I")
        s.field, s.captured[0] = parse_cards("6H 9K"), parse_cards("5H 5I 5O 5K")
        assert [(each.yaku, cards_text(each.missing)) for each in within_reach(goals(s, 0))] == [(ELDER, "6H 10I")]


class TestDeadFour:
    FOUR = "field 7H 7I 7O 7K 9K; captured 8I 8O 9I 9O /"

    @pytest.mark.clause("tensho.deal.four-of-a-number")
    def test_dead_four_is_out_of_reach(self) -> None:
        assert NAKAZO not in reach(f"{PLAY}; {self.FOUR}", four_on_field="dead")

    def test_three_on_the_field_stay_in_reach(self) -> None:
        assert reach(f"{PLAY}; {self.FOUR.replace('7O ', '')}", four_on_field="dead")[NAKAZO] == "7I"

    def test_card_left_by_a_pair_of_three_is_in_reach(self) -> None:
        """The dealer took a pair of three, so only the holder of the fourth card can take the one left."""
        assert NAKAZO in reach(f"{PLAY}; field 7I 9K; captured 8I 8O 9I 9O / 7O 7K", fourth_card="takes-one")
        assert NAKAZO not in reach(f"{PLAY}; field 7I 7H 9K; captured 8I 8O 9I 9O / 7O 7K", fourth_card="takes-one")


class TestCaptured:
    def test_captured_card_of_the_other_is_out_of_reach(self) -> None:
        assert NAKAZO in reach(f"{PLAY}; field 9K; captured 8I 8O 9I 9O /")
        assert NAKAZO not in reach(f"{PLAY}; field 9K; captured 8I 8O 9I 9O / 7I 7O")

    @pytest.mark.parametrize(
        ("lie", "lacks"),
        [
            ("captured 1H 1O 3H 3I /", "2H"),
            ("captured 1H 1O 3H 3I / 2H 2I", "2H"),  # the Rain Man can still stand in
            ("captured 1H 1O 3H 3I / 2H 2O", None),
            ("field 2H 2I 2O; captured 1H 1O 3H 3I /", "2H"),
        ],
    )
    def test_rain_man_replaces_a_card(self, lie: str, lacks: str | None) -> None:
        hand = "phase play; set 2; hand 12I 9K / 4O 4K; stock 12K 11K"
        assert reach(f"{hand}; {lie}", rainman_back="yes").get(BACK_THREE) == lacks

    def test_rain_man_replaces_no_card_by_default(self) -> None:
        assert BACK_THREE not in reach(f"{PLAY}; captured 1H 1O 3H 3I / 2H 2I")
