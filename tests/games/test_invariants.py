"""What holds after every action of every round, whatever the game and its options: watched over a million compiled rounds.

The tests of each game have what holds in that game only, and how often things happen there.
"""

import pytest

import mekuri
from mekuri.testing import invariants
from mekuri.testing.invariants import ACTIONS, DECK, ENDINGS, LONGEST, RETURNS_LEAST, RETURNS_MOST, YAKU, ZERO_SUM, Fault, Watch
from mekuri.testing.settings import random_games
from mekuri.testing.worlds import deck
from tests.helpers.tables import BOTS, each_game, presets_and_bots


@each_game
def test_invariants_hold_in_every_preset(name: str, in_full: bool, subtests: pytest.Subtests) -> None:
    for preset, bot in presets_and_bots(name):
        game = mekuri.game(name, preset)
        rounds = (50_000 if in_full else 10_000) if bot == "random" else 2_000
        for dealer in range(game.seats):
            with subtests.test(preset=preset, bot=bot, dealer=dealer):
                invariants.rounds(game, rounds, dealer, bot)


@pytest.mark.in_turn(2)
@each_game
def test_invariants_hold_with_random_options(name: str, in_full: bool) -> None:
    for seed, game in enumerate(random_games(name, 200 if in_full else 80)):
        invariants.rounds(game, 1000, seed, BOTS[seed % 20 == 0])


@pytest.mark.in_turn(2)
@each_game
def test_invariants_hold_in_rare_deals(name: str, in_full: bool) -> None:
    """With packs all but sorted by number, so that a whole number lies together: two of them on one field, four in one hand."""
    for seed, game in enumerate(random_games(name, 600 if in_full else 120)):
        invariants.rounds(game, 250, seed, sorts=True)


@pytest.mark.soak
@each_game
def test_invariants_hold_with_many_random_options(name: str) -> None:
    for seed, game in enumerate(random_games(name, 5000)):
        invariants.rounds(game, 3000, seed, BOTS[seed % 20 == 0])


@pytest.mark.machine_code
def test_sum_of_returns_other_than_zero_is_found() -> None:
    watch = Watch(mekuri.game("sakura", seats=3))
    assert not watch.play(100)[0]
    watch.limits[ZERO_SUM] = 1
    assert set(watch.play(100)[0]) == {Fault.SUM}


@each_game
class TestDetection:
    """The watch reports faults that are planted."""

    def test_missing_card_is_found(self, name: str) -> None:
        watch = Watch(mekuri.game(name))
        watch.limits[DECK] ^= 1 << 48
        assert set(watch.play(3)[0]) == {Fault.CARD_LOST}
        if not deck(mekuri.game(name)):
            return  # several packs are in play, and which card lies where is told by notes
        watch = Watch(mekuri.game(name))
        del watch.at["sets"][0]
        assert set(watch.play(3)[0]) == {Fault.CARD_LOST}
        watch = Watch(mekuri.game(name))
        watch.at["sets"] *= 2
        assert set(watch.play(3)[0]) == {Fault.CARD_TWICE}

    def test_value_out_of_bounds_is_found(self, name: str) -> None:
        watch = Watch(mekuri.game(name))
        watch.limits[LONGEST] = watch.limits[ACTIONS] = 0
        watch.limits[RETURNS_LEAST] = watch.limits[RETURNS_MOST]
        watch.limits[YAKU] = watch.limits[ENDINGS] = 0
        faults = watch.play(2000)[0]
        found = {Fault.TURNS, Fault.ACTIONS, Fault.RETURNS, Fault.ENDING}
        assert set(faults) == found | ({Fault.YAKU} if watch.game.contract.yaku else set())
        assert faults[Fault.TURNS] == faults[Fault.ENDING] == 0

    def test_question_after_the_decision_is_found(self, name: str) -> None:
        watch = Watch(mekuri.game(name))
        watch.at["winners"].append(watch.begins("seats") // 8)
        assert set(watch.play(3)[0]) == {Fault.ASKED_WHEN_DECIDED}

    def test_growing_hand_is_found(self, name: str) -> None:
        watch = Watch(mekuri.game(name))
        if not watch.at["sets"]:
            return  # nothing lies anywhere that could grow
        watch.at["hands"] += watch.at["sets"]
        assert set(watch.play(3)[0]) == {Fault.HAND_GROWS}

    @pytest.mark.machine_code
    def test_changed_option_is_found(self, name: str) -> None:
        watch = Watch(mekuri.game(name))
        watch.at["fixed"].append(watch.begins("turns"))
        assert set(watch.play(3)[0]) == {Fault.OPTIONS}
