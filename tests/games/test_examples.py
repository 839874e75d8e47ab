"""The worked examples of the rule books: what they say comes of them, and what is shown before and after is just that."""

import dataclasses

import pytest

import mekuri
from mekuri import games
from mekuri.cards import card_text
from mekuri.engine.contract import FIRST_WORD, Contract
from mekuri.match.example import play_example
from mekuri.testing import CheckFailure, books

EXAMPLES = [(id, contract, example) for contract in map(games.find, games.names()) for id, example in books.examples(contract)]
REFUSED = [(contract, example) for _, contract, example in EXAMPLES if example.refused]
each_example = pytest.mark.parametrize(("contract", "name"), [pytest.param(contract, id, id=id) for id, contract, _ in EXAMPLES])


@each_example
def test_example(contract: Contract, name: str) -> None:
    books.example(contract, name)


@pytest.mark.parametrize("name", games.names())
def test_whoever_acts_does_what_has_a_name(name: str) -> None:
    """The driver too: where it had nothing that it may do, nobody would notice but for what is noted of it."""
    named = {*range(FIRST_WORD), *map(int, games.find(name).words)}
    for id, contract, example in EXAMPLES:
        if contract.id == name:
            assert {action for _, action in play_example(contract, example).round.history} <= named, id


def test_some_are_shown_face_down() -> None:
    assert any(None in books.shown(play_example(contract, example).after) for _, contract, example in EXAMPLES)


# --- The checks can fail ---


def test_result_that_is_not_so_is_found() -> None:
    contract, example = next((contract, example) for _, contract, example in EXAMPLES if not example.refused)
    books.is_so(contract, example)
    for wrong in (dataclasses.replace(example, result="turns 1000"), dataclasses.replace(example, refused="some.other.clause")):
        with pytest.raises(CheckFailure):
            books.is_so(contract, wrong)


def test_refusal_that_does_not_come_is_found() -> None:
    contract, example = REFUSED[0]
    with pytest.raises(CheckFailure):
        books.is_so(contract, dataclasses.replace(example, refused=""))


def test_an_action_before_the_last_is_allowed() -> None:
    contract, example = REFUSED[0]
    with pytest.raises(mekuri.IllegalAction):
        play_example(contract, dataclasses.replace(example, action=f"{example.action} {card_text(0)}"))
