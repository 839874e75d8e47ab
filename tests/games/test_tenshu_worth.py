"""What the cards of Tenshu count, and its score sheet: points and dekiyaku are those of the rules and of the rule book."""

from typing import Any

import pytest

import mekuri
from mekuri.cards import each, parse_cards
from mekuri.engine.contract import returns, yaku_of
from mekuri.games.tenshu.scoring import PAR, YAKU_CARDS, yaku_balance
from mekuri.testing.settings import random_games
from mekuri.testing.states import start
from mekuri.testing.worlds import random_round
from tests.games.test_worth import cards_of, worths
from tests.helpers.tables import with_options

GAMES = {how: with_options("tenshu", {"card_points": how}) for how in ("as-printed", "balanced", "onifuda-fifteen")}
each_table = pytest.mark.parametrize("how", GAMES)


@pytest.mark.clause("tenshu.score.card-points")
@each_table
def test_worth_matches_the_points_of_the_rules(how: str) -> None:
    cards = worths(GAMES[how])
    assert sum(worth.points or 0 for worth in cards.values()) == (4 * PAR if how != "as-printed" else 4 * PAR - 5)
    s: Any = start(GAMES[how])
    for card, worth in cards.items():
        s.captured[0] = 1 << card
        assert returns(s, 0) + PAR - yaku_balance(s, 0) == worth.points


def test_options_differ_in_one_card() -> None:
    printed, big_one, onifuda = (worths(game) for game in GAMES.values())
    assert {card for card in printed if printed[card] != big_one[card]} == set(each(parse_cards("1H")))
    assert {card for card in printed if printed[card] != onifuda[card]} == set(each(parse_cards("G")))


def test_cards_of_a_yaku_are_minimal_and_match_the_book() -> None:
    """The cards that belong to a dekiyaku make it, and no smaller set does; they match the book."""
    game = GAMES["as-printed"]
    yaku = cards_of(game)
    assert tuple(yaku) == game.contract.yaku
    for i, (id, cards) in enumerate(yaku.items()):
        assert cards == parse_cards(game.rulebook.yaku[id]["cards"]) == YAKU_CARDS[i]
        s: Any = start(game)
        s.captured[0] = cards
        assert yaku_of(s, 0) == 1 << i
        for card in each(cards):
            s.captured[0] = cards & ~(1 << card)
            assert not yaku_of(s, 0) >> i & 1


def test_servant_has_no_yaku() -> None:
    s: Any = start(mekuri.game("tenshu", seats=5))
    s.captured[4] = s.deck
    assert yaku_of(s, 4) == 0


def test_view_lists_yaku_within_reach() -> None:
    position = "phase play; hand 1K / 2K / 1O / 1I; captured 7I 3H / 4H 4I 9I / 5H 5I 5O / 3O"
    view = mekuri.game("tenshu").position(position).view
    # Aka lacks the 9 with another; two 4s and a 5 are missing; of the 3s two have been taken by two.
    assert [view(seat).near for seat in (0, 3)] == [(), ()]
    assert [(near.yaku, near.missing) for near in view(1).near] == [("shi", parse_cards("4O 4K"))]
    assert [(near.yaku, near.missing) for near in view(2).near] == [("go", parse_cards("5K"))]


def assert_adds_up(round: mekuri.Round) -> None:
    lines = round.score_sheet().lines
    sums = tuple(sum(line.points for line in lines if line.seat == seat) for seat in range(round.game.seats))
    assert sums == round.returns
    assert str(round.score_sheet())


def test_sheets_add_up() -> None:
    """The lines of a seat add up to its change of stones, and every text exists."""
    found = set()
    for game in random_games("tenshu", 60):
        for seed in range(5):
            round = random_round(game, seed)
            assert_adds_up(round)
            found.add(round.ending)
    assert found >= {"settled", "taikosan"}


@pytest.mark.parametrize(
    ("ending", "captured"),
    [
        ("void", "3H 3I 3O 3K / 4H 4I 4O 4K / 5H 5I 5O 5K / - / 1K"),
        ("fuke", "12H / 1K 1O 2K 2I / - / - / 1I"),
        ("taikosan", "12H / 2O 3H 3I 3O 3K / - / - / 1I"),
        ("settled", "7I 8I 9I / 5H 5I 5O 5K / - / - / 1I"),
    ],
)
def test_sheets_of_every_ending_add_up(ending: str, captured: str) -> None:
    round = mekuri.game("tenshu", seats=7).position(f"phase over; captured {captured}")
    assert round.ending == ending
    assert_adds_up(round)
