"""What the cards of Mushi count: each one's points and yaku are those of the rules and of the rule book."""

from typing import Any

import pytest

import mekuri
from mekuri.cards import each, parse_cards
from mekuri.engine.contract import returns, yaku_of
from mekuri.games.mushi.scoring import PAR, yaku_points
from mekuri.testing.states import start
from tests.games.test_worth import cards_of, worths

each_game = pytest.mark.parametrize("game", [mekuri.game("mushi", preset) for preset in ("default", "fudawiki-2026")], ids=repr)


def counted(game: mekuri.Game, cards: int) -> set[str]:
    """The yaku that count for a seat that has captured these cards."""
    s: Any = start(game)
    s.captured[0] = cards
    return {game.contract.yaku[yaku] for yaku in each(yaku_of(s, 0))}


@pytest.mark.clause("mushi.score.card-points")
@each_game
def test_worth_matches_the_points_of_the_rules(game: mekuri.Game) -> None:
    cards = worths(game)
    assert sum(worth.points or 0 for worth in cards.values()) == 2 * PAR == 230
    s: Any = start(game)
    for card, worth in cards.items():
        s.captured[0] = 1 << card
        assert returns(s, 0) + PAR - yaku_points(s, 0) == worth.points


@each_game
def test_cards_of_a_yaku_are_minimal_and_match_the_book(game: mekuri.Game) -> None:
    """The cards that belong to a yaku make it, and no smaller set does; they match the book."""
    yaku = {id: cards for id, cards in cards_of(game).items() if cards}
    assert yaku.keys() == counted(game, sum(1 << card for card in worths(game)))
    for id, cards in yaku.items():
        assert cards == parse_cards(game.rulebook.yaku[id]["cards"])
        assert id in counted(game, cards)
        assert not any(id in counted(game, cards & ~(1 << card)) for card in each(cards))


@pytest.mark.clause("mushi.yaku.five-brights")
def test_yaku_switched_off_has_no_cards() -> None:
    assert [bool(cards_of(mekuri.game("mushi", five_brights=agreed))["five-brights"]) for agreed in (False, True)] == [False, True]
