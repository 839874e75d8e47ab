"""The worked examples of the rule books: their results and pictures are correct."""

import dataclasses
from functools import cache

import pytest

import mekuri
from mekuri import games
from mekuri.cards import card_text
from mekuri.engine.contract import FIRST_WORD, Contract
from mekuri.engine.rulebook import Example
from mekuri.match.example import play_example
from mekuri.testing import CheckFailure, books
from tests.helpers.tables import GAMES, each_game


@cache
def examples(name: str) -> dict[str, Example]:
    """The examples of a game, by their ids."""
    return dict(books.examples(games.find(name)))


def examples_that_are(refused: bool) -> tuple[Contract, Example]:
    """Return the first example with a refused action, or with an accepted one, and its game."""
    return next((games.find(name), one) for name in GAMES for one in examples(name).values() if bool(one.refused) == refused)


@each_game
def test_examples_give_their_stated_result(name: str, subtests: pytest.Subtests) -> None:
    for id in examples(name):
        with subtests.test(id):
            books.example(games.find(name), id)


@each_game
def test_every_action_of_an_example_has_a_word(name: str) -> None:
    """This includes the driver: an action without a legal word would go unnoticed otherwise."""
    named = {*range(FIRST_WORD), *map(int, games.find(name).words)}
    for id, example in examples(name).items():
        assert {action for _, action in play_example(games.find(name), example).round.history} <= named, id


def test_some_examples_show_cards_face_down() -> None:
    played = (play_example(games.find(name), example) for name in GAMES for example in examples(name).values())
    assert any(None in books.shown(one.after) for one in played)


# --- The checks can fail ---


def test_wrong_result_is_found() -> None:
    contract, example = examples_that_are(refused=False)
    books.is_so(contract, example)
    for wrong in (dataclasses.replace(example, result="turns 1000"), dataclasses.replace(example, refused="some.other.clause")):
        with pytest.raises(CheckFailure):
            books.is_so(contract, wrong)


def test_missing_refusal_is_found() -> None:
    contract, example = examples_that_are(refused=True)
    with pytest.raises(CheckFailure):
        books.is_so(contract, dataclasses.replace(example, refused=""))


def test_earlier_action_that_is_refused_raises() -> None:
    contract, example = examples_that_are(refused=True)
    with pytest.raises(mekuri.IllegalAction):
        play_example(contract, dataclasses.replace(example, action=f"{example.action} {card_text(0)}"))
