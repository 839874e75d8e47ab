"""A pack in one file: every card, the back and the marks by their names, and nothing that a strict page would refuse."""

import doctest
import gzip
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mekuri import games
from mekuri.cards import card_text
from mekuri.cards.art import MARKS, UnknownPack, card_svg, find_pack, pack_names, sprite, sprite_digest, write_cards, write_sprite
from mekuri.cards.art.marks import kanji_number, mark
from mekuri.cards.art.svg import HEIGHT, WIDTH
from mekuri.cards.deck import EXTRA, number
from mekuri.protocol import library
from tests.helpers.folders import DOCS
from tests.helpers.tables import each_game

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "symbol", "g", "path", "rect", "circle", "ellipse", "text", "use"}
FORBIDDEN = ("style", "class", "on", "href", "src", "filter")  # what may load something, or needs a looser policy

each_pack = pytest.mark.parametrize("pack", pack_names())


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


@each_pack
def test_holds_every_card_by_its_name(pack: str) -> None:
    found = find_pack(pack)
    root = parse(sprite(found))
    assert root.tag == f"{SVG}svg"
    assert {symbol.tag for symbol in root} == {f"{SVG}symbol"}
    assert {symbol.get("viewBox") for symbol in root} == {f"0 0 {WIDTH} {HEIGHT}"}
    names = [card_text(card) for card in found.cards]
    expected = ["back", *names, *(f"{style}-{name}" for style in MARKS for name in names)]
    assert sorted(symbol.get("id", "") for symbol in root) == sorted(expected)
    assert all(len(symbol) for symbol in root), "something is drawn in every one"


@each_pack
def test_is_only_shapes_and_letters(pack: str) -> None:
    for part in parse(sprite(find_pack(pack))).iter():
        assert part.tag.removeprefix(SVG) in DRAWN
        for name in part.attrib:
            assert not name.startswith(FORBIDDEN), name


@each_pack
def test_names_nothing_twice(pack: str) -> None:
    ids = re.findall(r' id="([^"]*)"', sprite(find_pack(pack)))
    assert len(set(ids)) == len(ids)


@each_pack
def test_is_small(pack: str) -> None:
    """It is loaded before the first card is seen."""
    assert len(gzip.compress(sprite(find_pack(pack)).encode())) < 80_000


@each_game
def test_every_game_is_drawn(name: str) -> None:
    """All cards it calls by a name, in the pack that goes with the names."""
    for told in library.game_info(games.find(name)).packs:
        root = parse(sprite(find_pack(told.drawn)))
        named = library.catalogue(games.find(name), "en").names[told.id].cards
        assert named.keys() <= {symbol.get("id") for symbol in root}, told.id


@each_pack
def test_digest_follows_the_drawings(pack: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", sprite_digest(find_pack(pack)))
    assert len({sprite_digest(find_pack(each)) for each in pack_names()}) == len(pack_names())


def test_documents() -> None:
    """The examples in the guide to the cards run, and say what is true."""
    guide = DOCS / "cards.md"
    result = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 2
    assert result.failed == 0


def test_unknown_pack() -> None:
    with pytest.raises(UnknownPack) as refused:
        find_pack("none")
    assert all(name in str(refused.value) for name in pack_names())


# --- Marks ---


@each_pack
@pytest.mark.parametrize("style", MARKS)
def test_marks_tell_cards_apart(pack: str, style: str) -> None:
    """Hanafuda in kanji tells flowers, as a player does: the four cards of one have one mark."""
    found = find_pack(pack)
    signs = {(None if card == EXTRA else number(card), found.sign(card, style)) for card in found.cards}
    assert len({mark(found, card, style) for card in found.cards}) == len(signs)


@each_pack
def test_marks_say_number_and_sign(pack: str) -> None:
    found = find_pack(pack)
    for card in found.cards:
        for style, count in (("latin", str(number(card))), ("kanji", kanji_number(min(number(card), 12)))):
            drawn = parse(f"<g>{mark(found, card, style)}</g>")
            said = "".join(text.text or "" for text in drawn.iter("text"))
            assert said == ("" if card == EXTRA else count) + found.sign(card, style)


@each_pack
@pytest.mark.parametrize("style", MARKS)
def test_marks_stay_in_their_corner(pack: str, style: str) -> None:
    found = find_pack(pack)
    for card in found.cards:
        for text in parse(f"<g>{mark(found, card, style)}</g>").iter("text"):
            assert float(text.get("x", "nan")) < WIDTH / 4
            assert float(text.get("y", "nan")) < HEIGHT / 2
            assert float(text.get("font-size", "nan")) * 41 / WIDTH >= 9, "as pixels of a card on a telephone"


def test_numbers_in_kanji() -> None:
    assert [kanji_number(count) for count in range(1, 13)] == [*"一二三四五六七八九十", "十一", "十二"]


# --- Files ---


@each_pack
def test_a_card_is_a_file_of_its_own(pack: str) -> None:
    found = find_pack(pack)
    for card in (*found.cards, None):
        root = parse(card_svg(found, card))
        assert (root.tag, root.get("width"), root.get("height")) == (f"{SVG}svg", "31mm", "51mm")
    card = found.cards[0]
    assert mark(found, card, "latin") in card_svg(found, card, "latin")
    assert "<text" not in card_svg(found, card)


@each_pack
def test_files(pack: str, tmp_path: Path) -> None:
    found = find_pack(pack)
    files = write_cards(found, tmp_path / "new" / "cards")
    assert {file.name for file in files} == {*(f"{card_text(card)}.svg" for card in found.cards), "back.svg", f"LICENSE-{pack}.txt"}
    assert all(file.is_file() for file in files)
    assert "CC BY 4.0" in files[-1].read_text(encoding="utf-8")
    assert write_cards(found, tmp_path / "new" / "cards", overwrite=True) == files, "again"
    assert [file.name for file in write_sprite(found, tmp_path)] == [f"{pack}.svg", f"LICENSE-{pack}.txt"]
    assert (tmp_path / f"{pack}.svg").read_text(encoding="utf-8") == sprite(found)


@each_pack
def test_is_the_same_in_every_process(pack: str) -> None:
    """The sprite is fetched by a digest of it."""
    told = f"from mekuri.cards.art import find_pack; from mekuri.cards.art.sprite import sprite; print(sprite(find_pack({pack!r})))"
    drawn = {
        subprocess.run([sys.executable, "-c", told], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in "12"
    }
    assert drawn == {(sprite(find_pack(pack)) + "\n").encode()}
