"""The rule books: complete, consistent with the code, and true of what the code does."""

import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from mekuri import games
from mekuri.cards import parse_card
from mekuri.cards.art import find_pack
from mekuri.engine import options as engine_options
from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import LANGUAGES, rulebook
from tools.sentences import digest, sentences

LEFT_OUT = [(error.game, str(error)) for error in games.left_out()]
CONTRACTS = [games.find(name) for name in games.names()]


@pytest.mark.parametrize("name", sorted({*games.names(), *dict(LEFT_OUT)}))
def test_the_game_is_whole(name: str) -> None:
    """One that is not runs through no other test: here it is told what it lacks."""
    assert [error for game, error in LEFT_OUT if game == name] == []


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda c: c.id)
class TestRulebook:
    def test_every_clause_is_shown(self, contract: Contract) -> None:
        assert [clause.id for clause in rulebook(contract).clauses.values() if not clause.examples] == []

    def test_every_clause_has_a_source_or_a_reason(self, contract: Contract) -> None:
        book = rulebook(contract)
        bare = [clause.id for clause in book.clauses.values() if not book.sources_of(clause.id) and not clause.why]
        assert bare == []
        assert {clause.status for clause in book.clauses.values()} <= {"attested", "inferred", "reconstructed", "house"}

    def test_every_source_row_leads_somewhere(self, contract: Contract) -> None:
        book = rulebook(contract)
        for source in book.sources:
            assert source.work in book.works, source
            assert bool(source.clauses) + bool(source.no_rule) + bool(source.lost) == 1, source
            assert set(source.clauses) <= book.clauses.keys(), source
            assert bool(source.second_hand) != bool(source.sha256), source

    def test_clauses_named_in_the_code_exist(self, contract: Contract) -> None:
        """A rule carries the id of the clause it does, and so does every line of a score sheet."""
        book = rulebook(contract)
        code = "".join(path.read_text(encoding="utf-8") for path in contract.folder.glob("*.py"))
        named = set(re.findall(rf"(?<!\.){contract.id}\.[a-z]+\.[a-z0-9-]+(?![\w*{{])", code))
        assert named
        assert named <= book.clauses.keys()
        assert set(contract.redeals) <= book.clauses.keys()

    def test_every_text_stands_in_every_language(self, contract: Contract) -> None:
        for path, text in _texts(rulebook(contract).tables):
            arguments = {lang: {name for _, name, _, _ in Formatter().parse(text[lang]) if name} for lang in LANGUAGES}
            assert arguments["en"] == arguments["ja"], path
            assert all(text[lang].strip() for lang in LANGUAGES), path

    def test_texts_for_everything_the_contract_names(self, contract: Contract) -> None:
        tables = rulebook(contract).tables
        assert tables["words"].keys() == {word.text for word in contract.words}
        assert tables["endings"].keys() == set(contract.endings)
        assert tables["presets"].keys() == contract.presets.keys()
        assert list(tables["versions"]) == [str(version + 1) for version in range(contract.version)]
        assert [row["id"] for row in tables["yaku"]] == list(contract.yaku)
        assert {refusal["clause"] for refusal in tables["refusals"].values()} <= rulebook(contract).clauses.keys()
        assert {clause.chapter for clause in rulebook(contract).clauses.values()} == tables["chapters"].keys()
        described = [*engine_options.info(contract.options), *engine_options.info(contract.match_options)]
        assert tables["options"].keys() == {option.name for option in described}
        for option in described:
            named = not option.values or option.values == ("no", "yes") or all(value.isdecimal() for value in option.values)
            assert named or tables["options"][option.name]["values"].keys() == set(option.values)
        for clause in rulebook(contract).clauses.values():
            assert set(clause.options) <= tables["options"].keys(), clause.id

    def test_names_of_every_card(self, contract: Contract) -> None:
        cards = contract.pack(contract.options())
        for names in rulebook(contract).tables["names"]:
            for lang in LANGUAGES:
                assert all(rulebook(contract).card(card, lang, names) for card in cards)

    def test_how_names_are_read(self, contract: Contract) -> None:
        """In kana what a name writes in kana stands as it is, so that the two differ just where there is kanji."""
        tables = rulebook(contract).tables
        read = [(row["name"]["ja"], row["kana"], row["reading"]) for row in tables["yaku"]]
        read += [(row["ja"], row["kana"], row["latin"]) for names in tables["names"].values() for row in names["cards"].values()]
        for name, kana, latin in read:
            assert re.fullmatch(r"[ぁ-ゖァ-ヺー・]+", kana), name
            assert re.fullmatch(r"[A-Za-zāēīōū]+([ -][A-Za-zāēīōū]+)*", latin), name
            assert re.fullmatch(re.sub(r"[^ぁ-ゖァ-ヺー]+", ".+", name), kana), name
            assert (kana == name) == (re.search(r"[一-鿿]", name) is None), name

    def test_cards_of_a_name_are_read_alike(self, contract: Contract) -> None:
        """A name is read in one way, in whichever set it stands."""
        readings: dict[str, set[tuple[str, str]]] = {}
        for names in rulebook(contract).tables["names"].values():
            for row in names["cards"].values():
                readings.setdefault(row["ja"], set()).add((row["kana"], row["latin"]))
        assert {name: told for name, told in readings.items() if len(told) > 1} == {}

    def test_names_go_with_a_drawn_pack(self, contract: Contract) -> None:
        for names in rulebook(contract).tables["names"].values():
            assert set(contract.pack(contract.options())) <= set(find_pack(names["pack"]).cards)

    def test_a_card_stands_for_the_game(self, contract: Contract) -> None:
        assert parse_card(rulebook(contract).tables["face"]) in contract.pack(contract.options())

    def test_sources_are_whole(self, contract: Contract, source_texts: Path) -> None:
        """Every sentence of a work that is read whole has its row, with the right hash."""
        book = rulebook(contract)
        whole = [work for work, row in book.works.items() if row.get("complete")]
        assert len(whole) == 1
        rows = {source.ordinal: source.sha256 for source in book.sources if source.work == whole[0]}
        texts = [sentences(path.read_text(encoding="utf-8")) for path in source_texts.glob("*.md")]
        assert rows in [{i: digest(sentence) for i, sentence in enumerate(text, 1)} for text in texts]


def _texts(table: Any, path: str = "") -> list[tuple[str, dict[str, str]]]:
    """Every text of a rule book with the place it stands at."""
    found: list[tuple[str, dict[str, str]]] = []
    if isinstance(table, dict):
        if LANGUAGES[0] in table or LANGUAGES[1] in table:
            assert set(LANGUAGES) <= table.keys(), path
            found.append((path, table))
        for key, value in table.items():
            found += _texts(value, f"{path}.{key}")
    elif isinstance(table, list):
        for i, value in enumerate(table):
            found += _texts(value, f"{path}[{i}]")
    return found


def test_clauses_named_by_tests_exist() -> None:
    known = {id for contract in CONTRACTS for id in rulebook(contract).clauses}
    marked = [
        id
        for file in Path(__file__).parent.glob("**/*.py")
        for marker in re.findall(r"@pytest\.mark\.clause\((.*?)\)", file.read_text(encoding="utf-8"), re.DOTALL)
        for id in re.findall(r"\"(.+?)\"", marker)
    ]
    assert marked
    assert set(marked) <= known
