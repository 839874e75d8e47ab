"""A pack in one file: every card, the back and the marks by their names, and nothing that a strict page would refuse."""

import doctest
import gzip
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mekuri import bots, games
from mekuri.cards import card_text
from mekuri.cards.art import MARKS, UnknownPack, card_svg, find_pack, pack_names, sprite, sprite_digest, write_cards, write_sprite
from mekuri.cards.art.crests import crest
from mekuri.cards.art.drawings import Sheet
from mekuri.cards.art.marks import kanji_number, mark
from mekuri.cards.art.scene import scene
from mekuri.cards.art.svg import HEIGHT, WIDTH
from mekuri.cards.deck import EXTRA, number
from mekuri.protocol import library
from tests.helpers.folders import DOCS
from tests.helpers.tables import GAMES, each_game

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "symbol", "g", "path", "rect", "circle", "ellipse", "text", "use"}
FORBIDDEN = ("style", "class", "on", "href", "src", "filter")  # what may load something, or needs a looser policy

# SHA-256 of what is drawn: a change of the code that reads the drawings changes none of them.
PINNED = {
    "ise": "36040ce63c6717899bfc9dc964603f0afc2dee4db095089ee618a2efb708ed91",
    "fukutoku": "27fe5a8818af541dcb03efced7d82a7800a8e92f962f705e85ad9a5d032be768",
    "hanafuda": "d8dff658c4a38f06cd1611176d82dbe3e00caa19f18ac3b5b29cb5523bbb819e",
    "hanafuda-calendar": "eec847c9304a38f80565454ba6d81750cd2b98651926521bab0503b99612f70c",
    "hanafuda-rain-man": "339e97ab13c0a39c738261e193b632f4b9bafb8de66850b25fc78208af11845f",
    "crests": "401201ede6a1d5696eac37ad7f14d80725ead8fdfc8d3c0a9602a4ba08a6829f",
    "scene": "93254c6531419612b0f412706d7b15162ab487d7cb58287909f9953b610e562a",
}

each_pack = pytest.mark.parametrize("pack", pack_names())


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


@each_pack
def test_sprite_has_every_card_by_name(pack: str) -> None:
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
def test_sprite_has_only_shapes_and_letters(pack: str) -> None:
    for part in parse(sprite(find_pack(pack))).iter():
        assert part.tag.removeprefix(SVG) in DRAWN
        for name in part.attrib:
            assert not name.startswith(FORBIDDEN), name


@each_pack
def test_ids_of_a_sprite_are_unique(pack: str) -> None:
    ids = re.findall(r' id="([^"]*)"', sprite(find_pack(pack)))
    assert len(set(ids)) == len(ids)


@each_pack
def test_sprite_is_small(pack: str) -> None:
    """It is loaded before the first card is seen."""
    assert len(gzip.compress(sprite(find_pack(pack)).encode())) < 80_000


@each_game
def test_every_game_is_drawn(name: str) -> None:
    """All cards it calls by a name, in the pack that goes with the names."""
    for pack in library.game_info(games.find(name)).packs:
        root = parse(sprite(find_pack(pack.drawn)))
        named = library.catalogue(games.find(name), "en").names[pack.id].cards
        assert named.keys() <= {symbol.get("id") for symbol in root}, pack.id


@each_pack
def test_digest_follows_the_drawings(pack: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", sprite_digest(find_pack(pack)))
    assert len({sprite_digest(find_pack(each)) for each in pack_names()}) == len(pack_names())


def test_drawings_match_their_pinned_hashes() -> None:
    known = [*bots.CHARACTERS, *(bot for name in GAMES for bot in games.find(name).bots)]
    crests = {bot.id: [emblem.ink, emblem.red] for bot in known if (emblem := bot.emblem())}
    drawn = {pack: sprite(find_pack(pack)) for pack in pack_names()}
    drawn |= {"crests": json.dumps(crests, sort_keys=True), "scene": scene(find_pack("fukutoku"), range(9))}
    assert {name: hashlib.sha256(text.encode()).hexdigest() for name, text in drawn.items()} == PINNED


def test_guide_to_the_cards_passes_doctest() -> None:
    """The examples in the guide to the cards run and are correct."""
    guide = DOCS / "cards.md"
    result = doctest.testfile(str(guide), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 2
    assert result.failed == 0


def test_unknown_pack_lists_the_known_ones() -> None:
    with pytest.raises(UnknownPack) as refused:
        find_pack("none")
    assert all(name in str(refused.value) for name in pack_names())


# --- Drawings of an editor ---


def test_drawing_saved_by_an_editor_is_read() -> None:
    """With ids, styles, a name space of its own, and clones in the old way."""
    sheet = Sheet("""\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/">
  <inkscape:view zoom="2"/><style>.ink { fill: #211; stroke: none }</style><title>A pack</title>
  <defs><g id="dot"><circle r="2" class="ink" fill="#fff"/></g></defs>
  <g id="7I" transform="translate(70 8)" inkscape:label="seven">
    <title>The seven</title>
    <g id="layer1"><path id="path7" d="M1 2h3" fill="#fff" style="fill:#c31;-inkscape-stroke:none" class="ink" inkscape:a="1"/></g>
    <use xlink:href="#dot"/><use href="#dot" id="use1" transform="scale(2)"/>
    <g/>
  </g>
</svg>""")
    dot = '<circle r="2" fill="#211" stroke="none"/>'
    assert sheet.drawing("7I") == f'<path d="M1 2h3" fill="#c31" stroke="none"/>{dot}<g transform="scale(2)">{dot}</g>'


def test_drawings_are_read_on_demand() -> None:
    """Neither the package, nor its bots, nor the terminal opens one."""
    code = """\
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" and str(args[0]).endswith(".svg") else None)
import mekuri, mekuri.bots, mekuri.cards.art, mekuri.terminal.screens.app
for name in {names}: mekuri.game(name).contract.bots
assert not opened, opened
mekuri.cards.art.find_pack("ise").back()
assert len(opened) == 1, opened
""".replace("{names}", repr(GAMES))
    subprocess.run([sys.executable, "-c", code], check=True)


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
def test_card_is_drawn_as_one_file(pack: str) -> None:
    found = find_pack(pack)
    for card in (*found.cards, None):
        root = parse(card_svg(found, card))
        assert (root.tag, root.get("width"), root.get("height")) == (f"{SVG}svg", "31mm", "51mm")
    card = found.cards[0]
    assert mark(found, card, "latin") in card_svg(found, card, "latin")
    assert "<text" not in card_svg(found, card)


@each_pack
def test_cards_are_written_as_files(pack: str, tmp_path: Path) -> None:
    found = find_pack(pack)
    files = write_cards(found, tmp_path / "new" / "cards")
    assert {file.name for file in files} == {*(f"{card_text(card)}.svg" for card in found.cards), "back.svg", f"LICENSE-{pack}.txt"}
    assert all(file.is_file() for file in files)
    assert "CC BY 4.0" in files[-1].read_text(encoding="utf-8")
    assert write_cards(found, tmp_path / "new" / "cards", overwrite=True) == files, "again"
    assert [file.name for file in write_sprite(found, tmp_path)] == [f"{pack}.svg", f"LICENSE-{pack}.txt"]
    assert (tmp_path / f"{pack}.svg").read_text(encoding="utf-8") == sprite(found)


@each_pack
def test_sprite_is_the_same_in_every_process(pack: str) -> None:
    """The sprite is fetched by a digest of it."""
    code = f"from mekuri.cards.art import find_pack; from mekuri.cards.art.sprite import sprite; print(sprite(find_pack({pack!r})))"
    drawn = {
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in "12"
    }
    assert drawn == {(sprite(find_pack(pack)) + "\n").encode()}


def test_unknown_crest_lists_the_known_ones() -> None:
    with pytest.raises(LookupError, match="no crest called owl is drawn; there are bell, "):
        crest("owl")
