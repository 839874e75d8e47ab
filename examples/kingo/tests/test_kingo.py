"""Kingo: rules that the tests of every game cannot check. Run them in a clone of Mekuri, whose tests provide their tools."""

from collections import Counter
from itertools import combinations

import pytest
from mekuri_kingo.rules import FORTY, guess_hand
from mekuri_kingo.scoring import FIFTEEN, is_bareta, value
from mekuri_kingo.state import KingoState
from scipy.stats import chisquare

import mekuri
from mekuri.cards import each, parse_cards
from mekuri.engine.chance import stream
from mekuri.engine.position import parse_position
from mekuri.terminal.base.local import ask_table, local_play
from mekuri.terminal.screens.sheet import SheetScreen
from mekuri.terminal.screens.table import table_app
from mekuri.testing.states import start
from mekuri.testing.worlds import Viewer, astray, deck, redealt, seen
from tests.helpers.screens import LARGE, screen_text, until_asked
from tests.helpers.tables import assert_share
from tests.helpers.time import until

LEAST_LIKELY = 1e-4
# Seat 3, the dealer, is bareta and has shown all cards but these eight. Seat 1 has its turn, and seat 2 is to come.
LEFT = parse_cards("1H 2H 3H 4H 5H 6H 8H 10H")
LATE = "phase play; dealer 3; turn 1; held 2H 5H 6H / 4H 8H / 10H; stock 3H 1H"


def late(text: str) -> KingoState:
    """Return a position of four seats, with every unnamed card in the hand of seat 3."""
    s = start(mekuri.game("kingo"))
    assert isinstance(s, KingoState)
    shown = " ".join(mekuri.cards.card_text(card) for card in each(FORTY & ~LEFT))
    parse_position(s, text.replace("; stock", f" / {shown}; stock"))
    return s


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_every_world_is_as_likely(viewer: Viewer) -> None:
    """Redeal a state in which seat 0 has drawn twice and seat 1 once without being bareta, and nothing else is known."""
    s, chance = late(LATE), stream(str(viewer))
    own = [s.held[seat] if seat == viewer else 0 for seat in range(3)]
    found = Counter(dict.fromkeys(possible(own), 0))
    for _ in range(10 * len(found)):
        world = redealt(seen(s, viewer), viewer, chance)
        assert isinstance(world, KingoState)
        assert astray(world, deck(mekuri.game("kingo"))) == []
        found[world.held[0], world.held[1], world.held[2]] += 1
    assert set(found) == set(possible(own))
    assert chisquare(list(found.values())).pvalue > LEAST_LIKELY


def possible(own: list[int]) -> list[tuple[int, int, int]]:
    """Return all hands of three, two and one card of the eight cards that are possible with the known ones."""
    choices = [[hand] if hand else hands(n) for hand, n in zip(own, (3, 2, 1), strict=True)]
    return [(a, b, c) for a in choices[0] for b in choices[1] if not a & b for c in choices[2] if not c & (a | b)]


def hands(n: int) -> list[int]:
    """Return all hands of n of the eight cards that count no more than fifteen."""
    found = [sum(1 << card for card in cards) for cards in combinations(each(LEFT), n)]
    return [cards for cards in found if value(cards) <= FIFTEEN]


@pytest.mark.parametrize("n", [2, 4, 5])
def test_every_hand_is_guessed_as_often(n: int) -> None:
    """Also for hands that are rarely possible."""
    chance, found = stream(n), Counter(dict.fromkeys(hands(n), 0))
    for _ in range(50 * len(found)):
        found[guess_hand(LEFT, n, chance)] += 1
    assert set(found) == set(hands(n))
    assert len(found) == 1 or chisquare(list(found.values())).pvalue > LEAST_LIKELY


def test_the_first_two_cards_are_bareta_as_often_as_they_should() -> None:
    """Of the 780 pairs of cards 114 count sixteen or more."""
    rounds = (mekuri.game("kingo", seats=2).deal(seed="bareta", number=number) for number in range(4000))
    # The deal, then the dealer's draws.
    bareta = sum(round.events(None)[1].text.id == "events.bareta" for round in rounds)
    assert_share(bareta, 4000, 114 / 780)


def test_a_bareta_hand_is_seen_and_no_other_is() -> None:
    """A spectator, who has no hand."""
    s = late(LATE)
    h = seen(s, None)
    assert isinstance(h, KingoState)
    assert [h.held[seat] != 0 for seat in range(4)] == [is_bareta(s, seat) for seat in range(4)] == [False, False, False, True]
    assert h.unseen[:4] == [3, 2, 1, 0]


async def test_a_round_is_played_in_the_terminal() -> None:
    """Play the first legal action each time, until the score sheet is shown."""
    play = await local_play(ask_table(mekuri.game("kingo"), ("you", "careful", "careful", "greedy"), {"rounds": 1}), 0, 1)
    app = table_app(play)
    async with app.run_test(size=LARGE) as pilot:
        while await until_asked(pilot):
            assert "Draw another card, or stand." in screen_text(app)
            await pilot.press("enter")
        assert isinstance(app.screen, SheetScreen)
        await until(lambda: "Score of round 1" in screen_text(app))
        assert "Wager" in screen_text(app)
    assert play.match.round.over
    assert {seat for seat, _ in play.match.round.actions} > {0}
