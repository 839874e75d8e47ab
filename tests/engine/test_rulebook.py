"""The rule books: complete, consistent with the code, and true of what the code does."""

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import mekuri
from mekuri import games
from mekuri.cards import card, card_text, parse_card
from mekuri.cards.art import find_pack
from mekuri.engine import lesson
from mekuri.engine.contract import Contract
from mekuri.engine.defaults import spelt
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.engine.setup import new_state
from mekuri.engine.tables import written
from mekuri.games.kabu import HON_BANA, PACK, VALUES
from mekuri.protocol.library import rule_book
from mekuri.terminal.printed.rules import rules_parts
from mekuri.testing import books, clauses
from tests.helpers.folders import TESTS
from tools.sentences import digest, sentences

LEFT_OUT = [(error.game, str(error)) for error in games.left_out()]
CONTRACTS = [games.find(name) for name in games.names()]
# The parts of a page that are not about the game.
FRAME = ("heading", "layout", "picture", "table ruler", "table heading", "line of a table", "head of a table", "mark-up")
JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
# How many others there are. Half of Hiyoko's are about Isuri, and stand in its rule book.
UNSEEN = {"hankan": 95, "hiyoko": 17, "isuri": 6, "mushi": 2, "mutsuichi": 3, "tensho": 3, "tenshu": 5, "tokotoko": 3}


def is_drawn_by_lot(contract: Contract) -> bool:
    """Whether each seat deals first in some match."""
    game = mekuri.game(contract)
    return {game.match(seed=seed).dealer for seed in range(60)} == {*range(game.seats)}


# The clauses that no code of a game does, without the game's name, and what shows each in place of code.
NO_CODE: dict[str, Callable[[Contract], bool]] = {
    "cards.names": lambda contract: len(rulebook(contract).names) > 0,
    "match.first-dealer": is_drawn_by_lot,
    "match.first-elder": is_drawn_by_lot,
    "deal.shuffle": lambda contract: mekuri.game(contract).new_state(dealer=0).gathered > 0,
}


def without_code(contract: Contract) -> list[str]:
    """The clauses of a game that stand over no code, without the game's name."""
    places = clauses.places(contract)
    bare = [id for id in rulebook(contract).clauses if not any(place.stands_under(id) for place in places)]
    return [id.removeprefix(f"{contract.id}.") for id in bare]


def test_reasons_in_place_of_code_are_needed() -> None:
    assert {id for name in UNSEEN for id in without_code(games.find(name))} == NO_CODE.keys()


@pytest.mark.parametrize("name", sorted({*games.names(), *dict(LEFT_OUT)}))
def test_game_is_complete(name: str) -> None:
    """No other test runs over an incomplete game: this one reports what it lacks."""
    assert [error for game, error in LEFT_OUT if game == name] == []


def sounds(text: str) -> str:
    """Kana as they sound: katakana as hiragana, and the small tsu as the large one."""
    return re.sub(r"[ァ-ヶ]", lambda kana: chr(ord(kana[0]) - 0x60), text).replace("っ", "つ")


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda c: c.id)
class TestRulebook:
    def test_every_clause_is_shown(self, contract: Contract) -> None:
        books.clauses_shown(contract)

    def test_every_clause_has_a_source_or_a_reason(self, contract: Contract) -> None:
        books.clauses_founded(contract)
        assert {clause.status for clause in rulebook(contract).clauses.values()} <= {
            "attested",
            "inferred",
            "reconstructed",
            "house",
        }

    def test_clause_with_an_own_part_is_not_attested(self, contract: Contract) -> None:
        """A clause of which the reasons say that some of it is ours."""
        attested = [clause for clause in rulebook(contract).clauses.values() if clause.status == "attested"]
        assert [clause.id for clause in attested if re.search(r"\b(we|ours?)\b", clause.why.get("en", ""))] == []
        assert [clause.id for clause in attested if "私たち" in clause.why.get("ja", "")] == []

    def test_warnings_of_sources_stand_at_the_head(self, contract: Contract) -> None:
        book = rulebook(contract)
        assert bool(book.warned_by) == bool(book.warning)
        for lang in LANGUAGES:
            page = rule_book(contract, lang)
            assert page.warning == book.warning.get(lang, "")
            assert [row.says for row in page.warned_by] == [row.text_in(lang) for row in book.warned_by]
            *_, printed = next(rules_parts(contract, lang))
            console = Console(width=4000, file=StringIO(), record=True)
            console.print(printed)
            text = console.export_text()
            assert all(part in text for part in (page.warning, *(row.says for row in page.warned_by)))

    def test_every_preset_has_a_name(self, contract: Contract) -> None:
        """A game without one shows the preset's id, in both languages."""
        names = rulebook(contract).tables["preset-names"]
        assert [preset for preset in contract.presets if names[preset] == dict.fromkeys(LANGUAGES, spelt(preset))] == []

    def test_short_form_fits_two_screens(self, contract: Contract) -> None:
        short = rulebook(contract).short
        text = " ".join(f"{each.title['en']} {each.says['en']}" for each in short)
        assert 150 <= len(text.split()) <= 350
        for lang in LANGUAGES:
            assert [each.text for each in rule_book(contract, lang).short] == [each.says[lang] for each in short]
        assert {clause for each in short for clause in each.clauses} <= rulebook(contract).clauses.keys()

    def test_sentences_without_a_rule_are_counted(self, contract: Contract) -> None:
        """Beside the frame of a page they are few, and counted: each says why it has no place in the rule book."""
        if contract.id not in UNSEEN:
            pytest.skip("the tests of an installed game count its own")
        rows = [source for source in rulebook(contract).sources if source.no_rule]
        sentences = [source.says["en"] for source in rows if source.no_rule["en"] not in FRAME]
        assert len(sentences) == UNSEEN[contract.id], sentences

    def test_clauses_named_in_the_code_exist(self, contract: Contract) -> None:
        clauses.named(contract)

    def test_clause_stands_over_code_or_has_a_reason(self, contract: Contract) -> None:
        if contract.id not in UNSEEN:
            pytest.skip("an installed game has its own reasons")
        assert [id for id in without_code(contract) if id not in NO_CODE or not NO_CODE[id](contract)] == []

    def test_every_text_exists_in_every_language(self, contract: Contract) -> None:
        books.texts_in_every_language(contract)

    def test_sources_exist_in_every_language(self, contract: Contract) -> None:
        for source in rulebook(contract).sources:
            assert source.says, source
            for text in filter(None, (source.says, source.no_rule, source.lost, source.second_hand)):
                assert text.keys() == set(LANGUAGES), source
                assert not JAPANESE.search(text["en"].split(" (")[0]), source  # but for a name in brackets
                assert JAPANESE.search(text["ja"]), source

    def test_headings_of_sources_are_in_japanese(self, contract: Contract) -> None:
        book = rulebook(contract)
        for source in book.sources:
            assert source.second_hand or JAPANESE.search(book.place_in(source, "ja")), source
            assert book.place_in(source, "en") == source.place
        assert book.source_tables.get("places", {}).keys() <= {source.place for source in book.sources}

    def test_every_name_of_the_contract_has_a_text(self, contract: Contract) -> None:
        books.texts_for_everything(contract, written=True)

    def test_every_card_has_a_name(self, contract: Contract) -> None:
        books.names_of_cards(contract)

    def test_kana_and_readings_match_the_names(self, contract: Contract) -> None:
        """In kana what a name writes in kana sounds as it is, so that the two differ just where there is kanji.

        Some names are written in katakana, with a large tsu where a small one is read.
        """
        tables = rulebook(contract).tables
        read = [(row["name"]["ja"], row["kana"], row["reading"]) for row in tables["yaku"]]
        read += [(row["ja"], row["kana"], row["latin"]) for names in tables["names"].values() for row in names["cards"].values()]
        for name, kana, latin in read:
            assert re.fullmatch(r"[ぁ-ゖァ-ヺー・]+", kana), name
            assert re.fullmatch(r"[A-Za-zāēīōū]+([ -][A-Za-zāēīōū]+)*", latin), name
            assert re.fullmatch(re.sub(r"[^ぁ-ゖー]+", ".+", sounds(name)), sounds(kana)), name
            assert (kana == name) == (re.search(r"[一-鿿]", name) is None), name

    def test_cards_of_one_name_have_one_reading(self, contract: Contract) -> None:
        """A name has one reading in all sets."""
        readings: dict[str, set[tuple[str, str]]] = {}
        for names in rulebook(contract).tables["names"].values():
            for row in names["cards"].values():
                readings.setdefault(row["ja"], set()).add((row["kana"], row["latin"]))
        assert {name: ways for name, ways in readings.items() if len(ways) > 1} == {}

    def test_names_belong_to_a_drawn_pack(self, contract: Contract) -> None:
        for names in rulebook(contract).tables["names"].values():
            assert set(contract.rules.pack(contract.options())) <= set(find_pack(names["pack"]).cards)

    def test_face_of_a_game_is_in_its_pack(self, contract: Contract) -> None:
        assert parse_card(rulebook(contract).tables["face"]) in contract.rules.pack(contract.options())

    def test_cards_and_worths_stand_at_the_head(self, contract: Contract) -> None:
        options = contract.options()
        s = new_state(contract, options, contract.seats[0])
        for lang in LANGUAGES:
            page = rule_book(contract, lang)
            assert page.counts == rulebook(contract).tables["counts"][lang]
            assert [parse_card(one) for one in page.worths] == sorted({*contract.rules.pack(options)})
            shown = {one[:-1] for one in page.worths} - {""}
            for id, named in page.numbers.items():
                flowers = rulebook(contract).tables["names"][id]["pack"].startswith("hanafuda")
                assert named.keys() >= (shown if flowers else {"1", "10", "11", "12"}), id
            for one, worth in page.worths.items():
                assert worth.points == contract.table.worth(s, parse_card(one)).points

    def test_cards_of_a_suit_that_a_clause_mentions_are_listed(self, contract: Contract) -> None:
        """So that they are drawn, and named as in the pack that the reader has chosen."""
        for clause in rulebook(contract).clauses.values():
            assert mentioned(clause.text["en"]) <= {*clause.cards}, clause.id
            listed = [row for chapter in rule_book(contract, "en").chapters for row in chapter.clauses if row.id == clause.id]
            assert [row.cards for row in listed] == [tuple(map(card_text, clause.cards))]

    def test_suits_have_one_japanese_name(self, contract: Contract) -> None:
        """Sources may name others, which stand beside it."""
        tables = [rulebook(contract).tables, written(contract.folder / lesson.FILE) or {}]
        for path, text in [found for table in tables for found in books.texts(table)]:
            assert not re.search("オル[のはがと]|パオ|コツ|棍棒の|貨幣の|花の[一二三四五六七八九十]|花（ハウ", text["ja"]), path

    def test_sources_are_whole(self, contract: Contract, source_texts: Path) -> None:
        """Every sentence of a work that is read whole has its row, with the right hash."""
        book = rulebook(contract)
        whole = [work for work, row in book.works.items() if row.get("complete")]
        if not whole:
            pytest.skip("no source of this game is read whole")
        assert len(whole) == 1
        rows = {source.ordinal: source.sha256 for source in book.sources if source.work == whole[0]}
        texts = [sentences(path.read_text(encoding="utf-8")) for path in source_texts.rglob("*.md")]
        assert rows in [{i: digest(sentence) for i, sentence in enumerate(text, 1)} for text in texts]


def mentioned(text: str) -> set[int]:
    """Return the cards that an English sentence mentions by number and suit, except cards that it leaves out of the pack."""
    text = re.sub(r"without [^.]*\.", "", re.sub(r"\bkings? of", "12 of", text))
    number = r"\d+(?: \(\w+\))?"  # such as 10 (maid)
    found = re.findall(rf"((?:{number}(?:, and |, | and ))*{number}) of (clubs|swords|coins|cups)\b", text)
    suits = ("clubs", "swords", "coins", "cups")
    return {card(int(n), suits.index(suit)) for numbers, suit in found for n in re.findall(r"\d+", numbers)}


def test_borrowed_card_points_have_a_source() -> None:
    """The points by which equal rows are compared stand on the page of Hon-bana, a row of a table for each figure."""
    for id in ("hankan.rank.card-points", "tensho.shoniban.card-points"):
        book = rulebook(games.find(id.partition(".")[0]))
        rows = [row.says["en"] for row in book.sources_of(id) if book.works[row.work]["title"] == "Hon-Bana"]
        *cited, none, total = rows
        figures = {one: int(row.split()[0]) for row in cited for one in mentioned(row)}
        assert figures == {one: points for one, points in enumerate(VALUES[HON_BANA]) if points >= 10}
        assert [int(row.split()[0]) for row in (*cited, none)] == [30, 20, 10, 5, 0]
        assert str(sum(VALUES[HON_BANA][one] for one in PACK)) in total


def test_clauses_named_by_tests_exist() -> None:
    known = {id for contract in CONTRACTS for id in rulebook(contract).clauses}
    marked = [
        id
        for file in TESTS.glob("**/*.py")
        for marker in re.findall(r"@pytest\.mark\.clause\((.*?)\)", file.read_text(encoding="utf-8"), re.DOTALL)
        for id in re.findall(r"\"(.+?)\"", marker)
    ]
    assert marked
    assert set(marked) <= known
