"""Tenshu: the view of each seat, and its possible worlds with few unseen cards."""

import random
from collections.abc import Callable

import pytest

import mekuri
from mekuri.cards import parse_cards
from mekuri.engine.chance import stream
from mekuri.engine.fields import RoundState
from mekuri.engine.position import parse_position
from mekuri.games.tenshu.scoring import DEKIYAKU_CARDS
from mekuri.games.tenshu.state import Phase, TenshuState
from mekuri.testing.states import start
from mekuri.testing.worlds import Viewer, count_worlds, hidden_places, random_round, redealt, seen, steps
from tests.helpers.tables import assert_uniform, in_turn, with_options

LOOK = with_options("tenshu", {"pile_choice": "look-at-both"})
HIDDEN = with_options("tenshu", {"servant_card": "hidden"}, 5)
HIDDEN_ONIFUDA = with_options("tenshu", {"servant_card": "hidden", "servant_onifuda": "yes"}, 5)
FOUR, FIVE = mekuri.game("tenshu"), mekuri.game("tenshu", seats=5)


def state(game: mekuri.Game, text: str) -> TenshuState:
    """A position, with the cards that it does not name among the captures of seat 1, and nothing driven."""
    s = start(game)
    assert isinstance(s, TenshuState)
    parse_position(s, text)
    named = {word for word in text.replace(";", " ").split() if word[-1] in "HIOKG"}
    s.captured[1] = s.deck & ~parse_cards(" ".join(named))
    return s


POSITIONS = {
    "hands-and-a-pile": (FOUR, "phase play; hand 1H 2H / 3I / 4O / -; pile ? / ? / ? / ? / ? / 9K; field 5H"),
    "own-pile": (FOUR, "phase play; hand 1H / 3I / - / -; pile 9K / 10K / 11K; field 5H"),
    "turn-up": (FOUR, "phase turn-up; turn 1; hand 1H / - / 3I / -; pile ? / ? / ? / ? / ? / 9K / 8K; field 5H"),
    "choose": (FOUR, "phase choose; laid 5O; hand 1H / 3I 6K / 4O / -; pile 9K; field 5H 5I"),
    "swapped": (FOUR, "phase play; looked 4 / 0 / 1 / 0; hand 1H 2H / 3I 4I / 4O 6O / 9K; pile 7K; field 5H"),
    "chained": (FOUR, "phase play; looked 6 / 5 / 0 / 0; hand 1H 2H / 3I 4I / 4O / 9K; field 5H"),
    "two-piles": (FOUR, "phase piles; pile 1H; right_pile 3I; hand - / 5O / 6O / 7O; field 5H"),
    "looked-at-both": (LOOK, "phase piles; pile 1H / 2H; right_pile 3I / 4I; hand - / 5O / 6O / 7O; field 5H"),
    "not-looked-at-yet": (LOOK, "phase notta; pile 1H; right_pile 3I; hand - / 5O / 6O / 7O; field 5H"),
    "looked-at-own": (LOOK, "phase play; hand 1H / 2H 3H / 6O / -; pile 9K / 10K; field 5H"),
    "onifuda-shown": (FOUR, "phase play; shown G; hand G 1H / 2H 3H / 6O / -; pile 9K; field 5H"),
    "servant-shown": (FIVE, "phase play; hand 1H / 2H 3H / 6O / - / 12K; pile 9K; field 5H"),
    "servant-hidden": (HIDDEN, "phase play; hand 1H / 2H 3H / 5O / - / 12K; pile 3K; field 5H"),
    "servant-hidden-onifuda": (HIDDEN_ONIFUDA, "phase servant; hand 1H / 2H / 4O / G / 12K; pile 3K; field 5H"),
    "known": (FOUR, "phase award; field 2H; hand - / -; laid_by 1"),
}


def possible(game: mekuri.Game) -> Callable[[RoundState], bool]:
    """Whether the servant of a world may have the card that it has there."""

    def check(world: RoundState) -> bool:
        assert isinstance(world, TenshuState)
        never = DEKIYAKU_CARDS | (0 if world.servant_onifuda else parse_cards("G"))
        return not world.servant or world.hand[world.servant - 1] & never == 0

    return check


@pytest.mark.parametrize(("game", "text"), in_turn(POSITIONS.values()), ids=POSITIONS)
def test_redeal_is_uniform(game: mekuri.Game, text: str) -> None:
    assert_uniform(state(game, text), text, possible(game))


def test_number_of_worlds_matches_the_count_by_hand() -> None:
    """By hand."""
    # Three unseen cards for a hand, a hand and a pile; then the dealer's two of five as well.
    assert [count_worlds(state(*POSITIONS["hands-and-a-pile"]), viewer) for viewer in (0, None)] == [6, 60]
    # The dealer knows seat 2's hand, and seat 2 the dealer's; seat 1 knows neither.
    assert [count_worlds(state(*POSITIONS["swapped"]), viewer) for viewer in (0, 2)] == [12, 12]
    assert count_worlds(state(*POSITIONS["swapped"]), 1) == 15 * 6 * 2
    # Before the call of "Notta!" nobody has looked at a pile: five cards in five places.
    assert count_worlds(state(*POSITIONS["not-looked-at-yet"]), 0) == 120
    # Of two piles seen by their owner nothing is open but the order of the others.
    assert count_worlds(state(*POSITIONS["looked-at-both"]), 0) == 24 // 4


def test_swapped_cards_stay_in_their_known_hand() -> None:
    s = state(*POSITIONS["swapped"])
    assert ("hand", 2) not in hidden_places(s, 0)
    assert ("hand", 0) not in hidden_places(s, 2)
    assert {("hand", 0), ("hand", 2)} <= set(hidden_places(s, 1))
    chance = stream(0)
    for _ in range(50):
        world = redealt(seen(s, 0), 0, chance)
        assert isinstance(world, TenshuState)
        assert world.hand[2] == s.hand[2]


def test_hidden_servant_card_is_suitable() -> None:
    s, chance = state(*POSITIONS["servant-hidden"]), stream(1)
    found = set()
    for _ in range(200):
        world = redealt(seen(s, 0), 0, chance)
        assert isinstance(world, TenshuState)
        found.add(world.hand[4])
    assert found == {parse_cards("2H"), parse_cards("12K")}  # not 3H, 5O or 3K


# --- What is seen, at every step of whole rounds ---


def open_to(s: TenshuState, viewer: Viewer) -> dict[str, bool]:
    """Return whether a viewer sees each place with cards, by what people at a table would see."""
    visible = {}
    swapped = s.shouted[0] - 1 if s.swaps else -1
    for seat in range(s.seats):
        partner = {seat, viewer} == {s.dealer, swapped}
        visible[f"hand-{seat}"] = seat == viewer or partner
        visible[f"servant-{seat}"] = True
        visible |= {f"{name}-{seat}": False for name in ("left", "right", "pile")}
        visible[f"captured-{seat}"] = True
    return {**visible, "field": True, "stock": False}


@pytest.mark.every_days(4)
@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_each_viewer_sees_the_allowed_cards(seats: int) -> None:
    game, swaps = with_options("tenshu", {}, seats), 0
    for seed in range(4):
        for now in steps(random_round(game, seed)):
            s = now._state
            assert isinstance(s, TenshuState)
            swaps += s.swaps
            for viewer in (*range(seats), None):
                visible = open_to(s, viewer)
                for zone in now.view(viewer).zones:
                    if zone.count:
                        assert (None not in zone.cards) == visible[zone.id], (zone, viewer)
                        assert None not in zone.cards or set(zone.cards) == {None}
    assert swaps


@pytest.mark.parametrize("seats", [4, 7])
def test_zones_follow_the_held_cards(seats: int) -> None:
    """Every seat has a place for its cards; only active seats have others, and a pile once the hands are chosen."""
    game = with_options("tenshu", {}, seats)
    for now in steps(random_round(game, 1)):
        s = now._state
        assert isinstance(s, TenshuState)
        active = {(s.dealer + i) % seats for i in range(4)}
        hands = [zone.id for zone in now.view().zones if zone.kind == "hand"]
        servant = (
            {s.servant - 1: "servant" if s.phase == Phase.CUT or s.hand[s.servant - 1] else "servant-done"} if s.servant else {}
        )
        names = dict.fromkeys(range(seats), "empty-servant") | servant | dict.fromkeys(active, "hand")
        assert hands == [f"{names[seat]}-{seat}" for seat in range(seats)]
        owners = {zone.owner for zone in now.view().zones if zone.kind != "hand"} - {None}
        assert owners == active | ({(s.dealer + 4) % seats} if s.served else set())
        if s.phase == Phase.PLAY:
            piles = [zone.owner for zone in now.view().zones if zone.kind == "pile"]
            assert len(piles) == 4
            assert set(piles) == active


def test_zones_hold_every_card() -> None:
    """Counted over the places, in every view."""
    chance = random.Random(4)
    round = FIVE.deal(seed=4)
    while not round.over:
        for viewer in (0, 4, None):
            assert sum(len(zone.cards) for zone in round.view(viewer).zones) == 49
        round.play(chance.choice(round.legal))
