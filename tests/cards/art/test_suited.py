"""The packs with suits: every card is drawn and looks its own way, and all of them fit where the page puts them."""

import re
from itertools import combinations

import pytest

from mekuri.cards.art import Pack, find_pack
from mekuri.cards.art.drawings import sheet
from mekuri.cards.art.svg import HEIGHT, WIDTH
from mekuri.cards.deck import EXTRA
from mekuri.cards.notation import card_text
from tests.helpers.drawings import BLACK, GOLD, RED, SILVER, parts, paths

ISE, FUKUTOKU = find_pack("ise"), find_pack("fukutoku")

# The allowed elements of a drawing: no references, and nothing that a strict page would refuse.
ELEMENTS = {"g", "path", "rect"}
ATTRIBUTES = {"d", "x", "y", "width", "height", "rx", "transform"}
ATTRIBUTES |= {"fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap"}

PACKS = [ISE, FUKUTOKU]
each_pack = pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.id)


@each_pack
def test_pack_has_every_card(pack: Pack) -> None:
    assert pack.cards == tuple(range(EXTRA + 1))
    assert find_pack(pack.id) is pack


def test_packs_share_their_colours() -> None:
    ise, fukutoku = sheet("ise").classes, sheet("fukutoku").classes
    assert {"black", "red", "paper"} < ise.keys() & fukutoku.keys()
    assert all(ise[name] == fukutoku[name] for name in ise.keys() & fukutoku.keys())


@each_pack
def test_drawings_are_safe_in_a_page(pack: Pack, subtests: pytest.Subtests) -> None:
    for card in pack.cards:
        with subtests.test(card_text(card)):
            for part in parts(pack.face(card)):
                assert part.tag in ELEMENTS
                assert set(part.attrib) <= ATTRIBUTES
                assert not part.text
                assert not part.tail


@each_pack
def test_strokes_stay_on_the_card(pack: Pack, subtests: pytest.Subtests) -> None:
    """Every stroke begins on the card, with the little that the red may lie off."""
    for card in pack.cards:
        drawn = " ".join(path for colour in (BLACK, RED, GOLD, SILVER) for path in paths(pack.face(card), colour))
        with subtests.test(card_text(card)):
            for x, y in re.findall(r"M(-?[\d.]+)[ ]?(-?[\d.]+)", drawn):
                assert 0 <= float(x) <= WIDTH
                assert 0 <= float(y) <= HEIGHT


@pytest.mark.parametrize(("pack", "colour"), [(ISE, BLACK), (ISE, RED), (FUKUTOKU, BLACK)])
def test_cards_differ_in_every_colour(pack: Pack, colour: str) -> None:
    """Not even in one colour, and not only because their red lies off differently."""
    drawn = {card_text(card): paths(pack.face(card), colour) for card in pack.cards}
    assert all(drawn.values())
    for one, other in combinations(drawn, 2):
        assert drawn[one] != drawn[other], f"{one} and {other}"


@each_pack
def test_back_differs_from_every_card(pack: Pack) -> None:
    assert pack.back() == PACKS[0].back()
    assert pack.back() not in map(pack.face, pack.cards)


def test_packs_have_no_card_in_common() -> None:
    one, other = ({*map(pack.face, pack.cards)} for pack in PACKS)
    assert not one & other
