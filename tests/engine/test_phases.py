"""A phase declares the driver's word, and the contract makes the driver's turns of it."""

from inspect import unwrap
from types import SimpleNamespace
from typing import Any

import mekuri
from mekuri import games
from mekuri.cards import each
from mekuri.engine import contract as contracts
from mekuri.engine.compiled import bit
from mekuri.engine.contract import DRIVER, legal, over, waiting
from mekuri.engine.phases import driver_words, with_driver
from mekuri.testing.settings import random_games
from mekuri.testing.worlds import random_round, steps
from tests.helpers import pairs
from tests.helpers.tables import each_game


@each_game
def test_driver_has_the_only_word_of_its_phase(name: str) -> None:
    words = {int(phase): word for phase, word in driver_words(games.find(name).state).items()}
    met = set()
    for seed, game in enumerate(random_games(name, 12)):
        for now in steps(random_round(game, seed)):
            s: Any = now._state
            word = words.get(s.phase)
            met.add(word)
            assert legal(s, DRIVER) == (bit(word) if word else 0)
            if word:
                assert waiting(s) == bit(DRIVER)
            allowed = [seat for seat in range(game.seats) if legal(s, seat)]
            assert allowed == ([] if word else [*each(waiting(s))])
            assert over(s) == (waiting(s) == 0)
    assert len(met - {None}) > 1


@each_game
def test_words_of_the_driver_begin_at_the_least_of_a_phase(name: str) -> None:
    contract = games.find(name)
    assert contract.driver_from == min(driver_words(contract.state).values())
    seats_words = [word for word in contract.words if word < contract.driver_from]
    assert not {*driver_words(contract.state).values()} & {*map(int, seats_words)}


def test_game_can_declare_the_turns_of_the_driver_itself() -> None:
    assert driver_words(pairs.PairsState) == {}
    assert pairs.contract.rules.waiting is pairs.waiting
    assert pairs.contract.rules.legal is pairs.legal


def test_round_is_over_when_no_seat_is_asked() -> None:
    """So it is in a game that has neither `over` nor a phase for it."""
    ended = [contracts._nobody_asked(now._state) for now in steps(random_round(mekuri.game(pairs.contract), 2))]
    assert ended == [False] * (len(ended) - 1) + [True]


def test_contract_that_is_copied_adds_the_turns_of_the_driver_once() -> None:
    contract = games.find("mushi")
    rules = contract.rules
    assert with_driver(contract.state, rules.waiting, rules.legal) == (rules.waiting, rules.legal)
    assert unwrap(rules.waiting) is not rules.waiting


def test_generic_function_in_a_game_module_is_no_rule() -> None:
    assert contracts.functions(SimpleNamespace(waiting=waiting, play=pairs.play)) == {"play": pairs.play}
