"""What the cards of Tensho count: each one's points and yaku are those of the rules and of the rule book."""

from typing import Any

import pytest

import mekuri
from mekuri.cards import each, parse_cards
from mekuri.engine.contract import yaku_of
from mekuri.games.tensho.scoring import BLUE_TWO, RAIN_MAN, card_points
from mekuri.testing.states import start
from tests.games.test_worth import cards_of, worths
from tests.helpers.tables import with_options

SETS: tuple[dict[str, Any], ...] = ({}, {"yaku_set": "one"}, {"yaku_set": "two"})
CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"overlap": "superset-only"},
    {"ten_nine_king": True},
    {"rainman_back": True},
    {"ten_nine_king": True, "rainman_back": True},
    {"deck": "1-5,9-12", "field": 6},
)


def counted(game: mekuri.Game, cards: int) -> set[str]:
    """The yaku that count for a seat that has captured these cards, in either set that the round may be played with."""
    found = 0
    s: Any = start(game)
    s.captured[0] = cards
    for number in (s.yaku_set,) if s.yaku_set else (1, 2):
        s.set = number
        found |= yaku_of(s, 0)
    return {game.contract.yaku[yaku] for yaku in each(found)}


@pytest.mark.clause("tensho.score.card-points")
@pytest.mark.parametrize("table", ["seed-explicit", "hanafuda", "ise-2023"])
def test_worth_matches_the_points_of_the_rules(table: str) -> None:
    game = mekuri.game("tensho", card_points=table)
    s: Any = start(game)
    for card, worth in worths(game).items():
        s.captured[0] = 1 << card
        assert card_points(s, 0) == worth.points


@pytest.mark.parametrize("set", SETS, ids=str)
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_cards_of_a_yaku_are_minimal(set: dict[str, Any], change: dict[str, Any]) -> None:
    """The cards that belong to a yaku make it, and no smaller set does. Of the blue 2 and the Rain Man one is enough."""
    game = with_options("tensho", set | change)
    yaku = {id: cards for id, cards in cards_of(game).items() if cards}
    # Every yaku of the whole pack if overlapping yaku count.
    every = counted(with_options("tensho", set | change | {"overlap": "additive"}), sum(1 << card for card in worths(game)))
    assert yaku.keys() == every
    for id, cards in yaku.items():
        assert id in counted(game, cards)
        spare = RAIN_MAN | BLUE_TWO if cards & RAIN_MAN else 0
        for card in each(cards):
            assert (id in counted(game, cards & ~(1 << card))) == bool(spare >> card & 1)


@pytest.mark.parametrize("set", SETS, ids=str)
def test_rule_book_has_the_same_cards(set: dict[str, Any]) -> None:
    game = with_options("tensho", set)
    assert all(cards in (0, parse_cards(game.rulebook.yaku[id]["cards"])) for id, cards in cards_of(game).items())


def test_yaku_follow_the_chosen_set() -> None:
    """Those of both where the set is voted for."""
    both, one, two = ({id for id, cards in cards_of(with_options("tensho", set)).items() if cards} for set in SETS)
    assert both == one | two == set(mekuri.game("tensho").contract.yaku)
    assert one - two
    assert two - one


@pytest.mark.clause("tensho.yaku.red-four")
def test_rain_man_counts_for_the_yaku_of_the_blue_two() -> None:
    game = mekuri.game("tensho", rainman_back=True)
    of = {id for id, cards in cards_of(game).items() if cards & RAIN_MAN}
    assert of == {id for id, cards in cards_of(mekuri.game("tensho")).items() if cards & BLUE_TWO}
    assert of
