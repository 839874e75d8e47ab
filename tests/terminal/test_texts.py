"""The terminal's own texts, drawn cards, running text and printed rule books."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Group
from textual.color import Color

from mekuri import games, terminal
from mekuri.cards import EXTRA, number, parse_cards, parse_row
from mekuri.engine.rulebook import LANGUAGES, Lang, rulebook
from mekuri.terminal.base.cards import Face, Look, draw_back, draw_card, draw_chip, wrap
from mekuri.terminal.base.prose import lines
from mekuri.terminal.base.texts import all_texts, say
from mekuri.terminal.base.translate import sign, signs
from mekuri.terminal.printed.examples import example_drawing
from mekuri.terminal.printed.rules import cards_strip, clause_text, rules_parts, rules_text
from mekuri.terminal.screens.app import SUMI, WASHI
from tests.helpers.screens import printed
from tests.helpers.tables import in_turn


def rules_of(name: str, lang: Lang, width: int = 100, **more: Any) -> str:
    """Return what `mekuri rules` prints with these flags; without any, the text of the screen with the rule book."""
    contract = games.find(name)
    parts = [rules_text(contract, lang, "", **more)] if more else [part for _, _, part in rules_parts(contract, lang)]
    return printed(Group(*parts), width=width)


def _cards(rows: str) -> list[int]:
    return [card for row in rows.split("/") for card in parse_row(row) if card >= 0]


def test_each_text_has_all_languages_and_equal_arguments() -> None:
    for table, rows in all_texts().items():
        for key, text in rows.items():
            assert set(text) == set(LANGUAGES), f"{table}.{key}"
            assert len({frozenset(re.findall(r"\{(\w+)\}", words)) for words in text.values()}) == 1, f"{table}.{key}"


def test_terminal_names_no_game() -> None:
    for path in Path(terminal.__file__).parent.rglob("*"):
        if path.suffix in (".py", ".toml", ".tcss"):
            source = path.read_text(encoding="utf-8").lower()
            for name in set(games.names()) - {"mekuri"}:  # a game has the name of all
                for called in (name, *rulebook(games.find(name)).tables["name"].values()):
                    assert called.lower() not in source, f"{path.name} names {called}"


@pytest.mark.parametrize(("width", "height"), [(7, 3), (10, 4), (10, 5), (14, 7)])
def test_drawn_card_has_its_size(width: int, height: int) -> None:
    """With every name in every game."""
    called = {
        (card, book.card(card, lang, names))
        for contract in map(games.find, games.names())
        for book in [rulebook(contract)]
        for lang, names in product(LANGUAGES, book.tables["names"])
        for card in contract.rules.pack(contract.options())
    }
    for card, name in called:
        face = Face(card, signs([card]), name, "9", legal=True, fresh=True)
        for drawn in (draw_card(face, width, height, Look.PLAIN, True), draw_back(face, width, height, Look.PLAIN, False)):
            assert [line.cell_len for line in drawn] == [width] * height, name


def test_legal_cards_differ_without_colour() -> None:
    plain = draw_card(Face(0, "1♣", "Name"), 10, 4, Look.PLAIN, False)
    legal = draw_card(Face(0, "1♣", "Name", legal=True), 10, 4, Look.PLAIN, False)
    taken = draw_card(Face(0, "1♣", "Name", foot="taken"), 10, 4, Look.PLAIN, False)
    assert len({"\n".join(line.plain for line in drawn) for drawn in (plain, legal, taken)}) == 3
    assert draw_chip(Face(0, "1♣", "Name", legal=True), Look.PLAIN, False).plain == "[1♣]"


def test_suits_differ_without_colour() -> None:
    assert signs(parse_cards("7H7I7O7K")) == "7♣ 7♠ 7● 7♥"
    assert signs(parse_cards("G")) == "★"


def test_names_are_wrapped_evenly() -> None:
    assert wrap("菖蒲のカス", 8, 3) == ["菖蒲の", "カス"]
    assert wrap("Chrysanthemum chaff", 8, 3) == ["Chrysan-", "themum", "chaff"]
    assert wrap("Plum with nightingale", 8, 2)[1].endswith("…")


@pytest.mark.parametrize("width", [8, 13, 24, 61])
def test_running_text_fits_and_keeps_every_word(width: int) -> None:
    for name in games.names():
        for clause in rulebook(games.find(name)).clauses.values():
            for text in clause.text.values():
                rows = [text[start:end] for start, end in lines(text, width)]
                assert all(cell_len(row) <= width for row in rows)
                assert "".join(rows).replace(" ", "") == text.replace(" ", "")
                if width > 20:
                    assert not any(row[0] in "、。）」" for row in rows)


@pytest.mark.parametrize(("name", "lang"), in_turn(product(games.names(), LANGUAGES)))
def test_printed_rule_book_is_complete(name: str, lang: Lang) -> None:
    contract = games.find(name)
    text = re.sub(" {3,}", "  ", rules_of(name, lang, 4000))  # at this width no line is broken
    book = rulebook(contract)
    for clause in book.clauses.values():
        assert clause.id in text
        assert clause.text[lang] in text
        for source in book.sources_of(clause.id):
            assert source.text_in(lang) in text
        for example in clause.examples:
            assert example.position in text
            assert (example.result or example.refused) in text
    for yaku in book.yaku.values():
        assert yaku["name"][lang] in text
    for option in book.tables["options"].values():
        assert option["title"][lang] in text
        assert option["help"][lang] in text
    for preset in contract.presets:
        assert book.tables["presets"][preset][lang] in text


@pytest.mark.parametrize(("name", "lang"), in_turn(product(games.names(), LANGUAGES), 1))
def test_printed_rule_book_keeps_width(name: str, lang: Lang) -> None:
    assert all(cell_len(line) <= 60 for line in rules_of(name, lang, 60).splitlines())
    assert all(cell_len(line) <= 60 for line in rules_of(name, lang, 60, sources=True, examples=True).splitlines())


@pytest.mark.parametrize(("name", "lang"), in_turn(product(games.names(), LANGUAGES)))
def test_rules_for_players_leave_out_sources(name: str, lang: Lang) -> None:
    """They have the minute, the short form and every clause."""
    book = rulebook(games.find(name))
    text = rules_of(name, lang, 4000, sources=False, examples=False)
    assert all(clause.text[lang] in text for clause in book.clauses.values())
    assert all(passage.says[lang] in text for passage in book.short)
    assert not any(id in text for id in book.clauses)
    assert f"mekuri rules {name} --sources --examples" in text
    most = 70 + 2 * len(book.clauses) + len([*book.tables["chapters"]]) * 2
    assert len(rules_of(name, lang, 100, sources=False, examples=False).splitlines()) <= most, "it is two or three screens"
    kept = rules_of(name, lang, 4000, sources=True, examples=False)
    assert all(option["help"][lang] in kept for option in book.tables["options"].values())
    assert all(id in kept for id in book.clauses)


@pytest.mark.parametrize("name", in_turn(games.names(), 1))
def test_examples_are_drawn_as_cards(name: str) -> None:
    """Each has the cards of its position and the refusal of its action."""
    contract = games.find(name)
    for clause in rulebook(contract).clauses.values():
        for example in clause.examples:
            text = printed(example_drawing(contract, example, "en"))
            places = re.findall(r"\b(?:hand|field|captured) ([^;]*)", example.position)
            named = {sign(card) for place in places for card in _cards(place)}
            assert all(f"╭{one}" in text for one in named), (clause.id, example.position)
            assert ("×" in text) == bool(example.refused)
            assert not re.search(r"[\w-]+\.[\w.-]+\.[\w-]+", text), "no id is shown in place of a text"


@pytest.mark.parametrize(("name", "lang"), in_turn(product(games.names(), LANGUAGES), 1))
def test_cards_are_listed_with_chosen_names(name: str, lang: Lang) -> None:
    book = rulebook(games.find(name))
    for id, names in book.tables["names"].items():
        listed = printed(Group(*cards_strip(games.find(name), lang, id)), width=4000)
        for card, worth in book.worths.items():
            points = "" if worth.points is None else f": {worth.points}"
            wild = f" ({say('rules.wild', lang)})" if worth.wild else ""
            assert f"{sign(card)} {book.card(card, lang, id)}{wild}{points}" in listed
            assert card == EXTRA or names["numbers"].get(str(number(card)), {lang: ""})[lang] in listed
        clause = next((clause for clause in book.clauses.values() if clause.cards), None)
        if clause:
            text = printed(clause_text(clause, book, lang, id), width=4000)
            assert all(book.card(card, lang, id) in text for card in clause.cards)


@pytest.mark.parametrize("name", games.names())
def test_no_chapter_is_empty(name: str) -> None:
    """Each heading has a part, and each part has a heading."""
    contract = games.find(name)
    book, parts = rulebook(contract), {id for id, heading, _ in rules_parts(contract, "en") if heading}
    assert ("yaku" in parts) == bool(book.yaku)
    assert ("short" in parts) == bool(book.short)
    assert parts - {"yaku", "short"} == {f"chapter-{clause.chapter}" for clause in book.clauses.values()} | {
        "options",
        "match-options",
        "presets",
        "sources",
    }


@pytest.mark.parametrize("name", games.names())
def test_yaku_are_named_without_sources(name: str) -> None:
    """Hints name them, and a clause may have their cards only."""
    text = " ".join(rules_of(name, "en", sources=False, examples=False).split())
    assert all(row["name"]["en"] in text for row in rulebook(games.find(name)).yaku.values())


@pytest.mark.parametrize("theme", [WASHI, SUMI], ids=lambda theme: str(theme.name))
def test_colours_have_enough_contrast(theme: object) -> None:
    ratios = {
        (ink, ground): contrast(Color.parse(getattr(theme, ink)), Color.parse(getattr(theme, ground)))
        for ink in ("foreground", "secondary", "accent")
        for ground in ("background", "surface", "panel")
    }
    assert all(ratio >= 4.5 for ratio in ratios.values()), ratios


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of WCAG."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
