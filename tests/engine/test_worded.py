"""Texts with their arguments, in the forms that go with numbers."""

import pytest

from mekuri import games
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import rulebook
from mekuri.engine.worded import without_forms, worded

TEXT = "{name}: {n} {n:card is|cards are} left"


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, "1 card is"), ("+1", "+1 card is"), (-1, "-1 card is"), ("−1", "−1 card is"), (0, "0 cards are"), (11, "11 cards are")],
)
def test_text_has_singular_and_plural_forms(n: object, expected: str) -> None:
    assert worded(TEXT, {"name": "Aki", "n": n}) == f"Aki: {expected} left"


def test_text_without_forms_keeps_only_names_in_braces() -> None:
    assert without_forms(TEXT) == "{name}: {n} cards are left"


def test_missing_argument_raises_key_error() -> None:
    with pytest.raises(KeyError):
        worded(TEXT, {"n": 1})


@pytest.mark.parametrize("name", games.names())
def test_units_of_a_game_have_singular_and_plural(name: str) -> None:
    book = rulebook(games.find(name))
    unit = next(iter(book.tables["accounts"]))
    one, more = (book.render(Text(f"amounts.{unit}", {"n": n}), "en") for n in (1, 2))
    assert one.startswith("1 ")
    assert one.replace("1", "2") != more
    assert "3" in book.render(Text(f"amounts.{unit}", {"n": 3}), "ja")
