"""Isuri: what a set proves about the other hand, against every world in which the same play was possible."""

import pytest

from mekuri.testing.worlds import Viewer
from tests.helpers.sequences import check_looks, check_worlds
from tests.helpers.tables import in_turn, with_options

FLEXIBLE = "phase play; hand 8O 8K 3I 4O / 8I 5K; pile 7O; stock 9O"
OPEN = "phase play; hand 8O 8K 1H 4O / 8I 5K; pile 3I; top_drawn 1; stock 9O"

# Play from a position without prior information: options, position and actions.
PLAYED: dict[str, tuple[dict[str, str], str, str]] = {
    "set": ({}, FLEXIBLE, "0:set"),
    "one-laid": ({}, FLEXIBLE, "0:set 0:8O"),
    "two-laid": ({}, FLEXIBLE, "0:set 0:8O 0:3I"),
    "three-laid": ({}, FLEXIBLE, "0:set 0:8O 0:3I 0:8K"),
    "closed": ({}, FLEXIBLE, "0:set 0:8O 0:8K 0:3I 0:done 0:done"),
    "naturals-only": (
        {"sets": "naturals-only"},
        "phase play; hand 8O 8K 8I 4O / 8H 5K; pile 7O; stock 9O",
        "0:set 0:8O",
    ),
    "number-to-name": ({}, OPEN, "0:set"),
    "number-named": ({}, OPEN, "0:set 0:8H"),
    "number-named-and-laid": ({}, OPEN, "0:set 0:8H 0:1H"),
    "free-set": ({"sets": "free-set"}, "phase play; hand 9O 9K 9I 4O / 8I 5K; pile 2O; stock 7O", "0:set"),
    "free-set-named": ({"sets": "free-set"}, "phase play; hand 9O 9K 9I 4O / 8I 5K; pile 2O; stock 7O", "0:set 0:9H"),
    "pass-with-a-free-set": ({"sets": "free-set"}, "phase play; hand 9O 9K 9I / 3K 5K; pile 2O; stock 7O", "0:pass"),
    "fixed-set": ({"ghost": "fixed"}, FLEXIBLE, "0:set 0:8O 0:3I 0:8K 0:done 0:done 1:pass"),
    "set-after-a-lax-combo": (
        {"one_two": "lax", "sets": "free-set"},
        "phase play; hand 1O 2O 9O 9K 9I / 8I; pile 1K; stock 7O",
        "0:1O 0:set 0:9H 0:9O",
    ),
}


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("case", in_turn((case,) for case in PLAYED.values()), ids=PLAYED)
def test_redeal_is_uniform(case: tuple[dict[str, str], str, str], viewer: Viewer) -> None:
    options, position, actions = case
    assert check_worlds(with_options("isuri", options), position, actions, viewer, position + actions) > 0


@pytest.mark.parametrize("case", PLAYED.values(), ids=PLAYED)
def test_worlds_look_alike(case: tuple[dict[str, str], str, str]) -> None:
    options, position, actions = case
    check_looks(with_options("isuri", options), position, actions)


def worlds(case: str, viewer: Viewer) -> int:
    options, position, actions = PLAYED[case]
    return check_worlds(with_options("isuri", options), position, actions, viewer, case)


class TestByHand:
    """The numbers of worlds that are left to the other seat, counted by hand."""

    def test_set_proves_three_cards(self) -> None:
        """Of 8O 8K 3I 4O 9O four are held, and three of them are 8O 8K 3I: the fourth is one of two."""
        assert worlds("set", 1) == 2

    def test_laid_cards_of_a_set_are_no_longer_proved(self) -> None:
        """Of 8K 3I 4O 9O three are held, and two of them are 8K 3I. Of 4O and 9O one is held when all three are laid."""
        assert [worlds(case, 1) for case in ("one-laid", "two-laid", "three-laid")] == [2, 2, 2]

    def test_set_without_a_number_proves_some_number(self) -> None:
        """Of 8O 8K 1H 4O 9O four are held, which hold three that count as one number: the two 8s and the dragon."""
        assert worlds("number-to-name", 1) == 2
