"""The server's texts of games: complete, in every language, and sufficient for a client."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

import mekuri
from mekuri import bots, games
from mekuri.cards import parse_card
from mekuri.engine.contract import Text
from mekuri.engine.errors import OptionError
from mekuri.engine.options import Options, info, parse
from mekuri.engine.rulebook import LANGUAGES, Lang, rulebook, text_for_others, text_for_you
from mekuri.engine.validation import RESERVED
from mekuri.match.example import play_example
from mekuri.protocol.coding import decode, encode, to_builtins
from mekuri.protocol.games import Catalogue, GameInfo, Games, Option, RuleBook
from mekuri.protocol.library import all_games, catalogue, rule_book, texts_in, worths
from mekuri.protocol.texts import all_texts, say
from tests.helpers.server.templates import arguments, each_language
from tests.helpers.tables import GAMES, USUAL, each_game, each_preset, with_options

# --- Every text is there, in every language ---


def flat(node: Any, path: str = "") -> dict[str, Any]:
    """Return all values in JSON by their paths; cards are under their notation."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return {path: node} if not inside else {k: v for key, value in inside for k, v in flat(value, f"{path}/{key}").items()}


class TestTexts:
    @each_game
    def test_languages_have_the_same_texts(self, name: str) -> None:
        contract = games.find(name)
        texts = {lang: flat(to_builtins(catalogue(contract, lang))) for lang in LANGUAGES}
        shared = {path for path in texts[LANGUAGES[0]] if not path.startswith("/texts/you")}
        for lang in LANGUAGES:
            # Texts for the seat that they are about exist in languages that have other words for it.
            assert {path for path in texts[lang] if not path.startswith("/texts/you")} == shared
            for path, text in texts[lang].items():
                assert text not in ("", None), path
                if path in shared and path.startswith("/texts/"):
                    assert arguments(text) == arguments(texts[LANGUAGES[0]][path]), path

    @each_game
    @each_language
    def test_catalogue_has_every_table_of_the_rule_book(self, name: str, lang: Lang) -> None:
        """Tables of any name are included. Tables without texts have their own fields."""
        texts = catalogue(games.find(name), lang)
        elsewhere = {
            *["name", "summary", "also", "entries", "warning", "counts", "face", "short", "clauses", "yaku", "options", "names"]
        }
        for table, rows in rulebook(games.find(name)).tables.items():
            if table not in elsewhere:
                assert texts.texts.get(table, {}) == {key: text_for_others(row[lang]) for key, row in rows.items()}, table
        assert texts.texts.keys() >= {"table", "errors", "bots", "values", "numbers"}

    def test_texts_address_the_reader_as_you(self) -> None:
        book = rulebook(games.find(USUAL))
        text = next(Text(f"events.{key}", {"seat": 1}) for key in book.tables["events"] if key == "deal")
        assert book.render(text, "en", ("Aki", "Ben")).startswith("Ben deals ")
        assert book.render(text, "en", ("Aki", "Ben"), you=1).startswith("You deal ")
        assert book.render(text, "en", ("Aki", "Ben"), you=0).startswith("Ben deals ")
        assert (
            text_for_you("All lie. {seat} {seat:is|are} here, and {seat} {seat:deals|deal}.", "en")
            == "All lie. You are here, and you deal."
        )
        assert text_for_you("{seat}は配る。", "ja") == "あなたは配る。"
        assert text_for_you("Paid to {seat}", "en") == "Paid to you"
        assert text_for_you("{seat}", "en") == "you", "it stands within another text"
        assert text_for_you("All lie.", "en") is None

    def test_table_of_any_name_is_in_the_texts(self) -> None:
        tables = {
            "name": {"en": "Moods", "ja": "気分"},
            "moods": {"glad": {"en": "glad", "ja": "うれしい", "clause": "moods.are.many"}, "count": 2},
            "options": {"pace": {"title": {"en": "Pace", "ja": "速さ"}}},
            "clauses": [{"id": "moods.are.many", "en": "Many.", "ja": "多い。"}],
        }
        assert texts_in(tables, "ja") == {"moods": {"glad": "うれしい"}}

    def test_game_cannot_use_names_of_server_tables(self) -> None:
        """A rule book's table of such a name would be ambiguous."""
        assert set(RESERVED) == {*all_texts(), "bots", "bots-help", "numbers", "you"}

    @each_game
    @each_language
    def test_cited_clauses_exist(self, name: str, lang: Lang) -> None:
        texts = catalogue(games.find(name), lang)
        refusals, events = ({f"{table}.{id}" for id in texts.texts[table]} for table in ("refusals", "events"))
        refusals -= {
            "refusals.not-now",
            "refusals.not-your-turn",
            "refusals.undefined",
        } - texts.cites.keys()  # the engine's, where a game has no such clause
        assert refusals <= texts.cites.keys() <= refusals | events
        assert texts.cites.keys() & events
        assert set(texts.cites.values()) <= texts.clauses.keys()
        assert {yaku.clause for yaku in texts.yaku.values()} <= texts.clauses.keys()


class TestServerTexts:
    def test_server_texts_exist_in_every_language(self) -> None:
        for table, rows in all_texts().items():
            for key, row in rows.items():
                assert row.keys() == set(LANGUAGES), (table, key)
                assert all(row[lang].strip() for lang in LANGUAGES), (table, key)
                assert len({frozenset(arguments(row[lang])) for lang in LANGUAGES}) == 1, (table, key)

    def test_ids_of_server_texts_are_lower_case(self) -> None:
        for table, rows in all_texts().items():
            for id in (table, *rows):
                assert id.replace("-", "").isalpha(), id
                assert id == id.lower(), id

    @each_game
    @each_language
    def test_bots_bring_their_own_texts(self, name: str, lang: Lang) -> None:
        """Bots have their own texts."""
        contract, texts = games.find(name), catalogue(games.find(name), lang)
        assert set(texts.texts["bots"]) == set(texts.texts["bots-help"]) == set(bots.names_for(contract))
        assert all(texts.texts["bots"][bot.id] == bot.name[lang] for bot in contract.bots)

    def test_say_renders_a_text_with_arguments(self) -> None:
        assert say("errors.too-many", "en", seconds=3) == "Too much at once: try again in 3 s."
        assert "3秒" in say("errors.too-many", "ja", seconds=3)
        with pytest.raises(KeyError):
            say("errors.no-such-error", "en")


# --- What things are called ---


@each_game
@each_language
def test_names_match_the_rule_book(name: str, lang: Lang) -> None:
    """Endings, accounts, words and cards are called what the rule book calls them, and every one of them is there."""
    contract = games.find(name)
    texts = catalogue(contract, lang)
    assert set(contract.endings) <= texts.texts["endings"].keys()
    assert {word.text for word in contract.words} <= texts.texts["words"].keys()
    assert tuple(texts.yaku) == contract.yaku
    for names in texts.names.values():
        assert {
            mekuri.game(name).deal().action_text(card) for card in contract.rules.pack(contract.options())
        } <= names.cards.keys()


@each_game
def test_readings_are_the_same_in_every_language(name: str) -> None:
    """Readings of every card and yaku are the same in every language: they are of the Japanese name."""
    contract = games.find(name)
    english, japanese = (catalogue(contract, lang) for lang in ("en", "ja"))
    own = rulebook(contract).tables["names"]
    for id, names in japanese.names.items():
        assert names.kana == {card: row["kana"] for card, row in own[id]["cards"].items()}
        assert names.latin == {card: row["latin"] for card, row in own[id]["cards"].items()}
        assert (names.kana, names.latin) == (english.names[id].kana, english.names[id].latin)
        assert names.cards.keys() == names.kana.keys() == names.latin.keys()
    for id, yaku in japanese.yaku.items():
        row = rulebook(contract).yaku[id]
        assert (yaku.kana, yaku.reading) == (row["kana"], row["reading"]) == (english.yaku[id].kana, english.yaku[id].reading)


# --- Games and their options ---


def kinds(listed_game: GameInfo) -> list[tuple[type[Options], tuple[Option, ...]]]:
    contract = games.find(listed_game.id)
    return [(contract.options, listed_game.options), (contract.match_options, listed_game.match_options)]


class TestGameInfo:
    @pytest.fixture(params=GAMES)
    def listed_game(self, request: pytest.FixtureRequest) -> GameInfo:
        return next(listed_game for listed_game in all_games().games if listed_game.id == request.param)

    def test_only_offered_options_can_be_chosen(self, listed_game: GameInfo) -> None:
        """Exactly the offered values can be chosen."""
        for kind, options in kinds(listed_game):
            assert [option.name for option in options] == [option.name for option in info(kind)]
            assert parse(kind, {option.name: option.default for option in options}, listed_game.id) == kind()
            for option in options:
                ends = (str(option.least), str(option.most))
                for value in (option.default, *(option.values or (*option.offered, *ends, *option.older))):
                    parse(kind, {option.name: value}, listed_game.id)
                beyond = {str(option.least - 1), str(option.most + 1)} - option.older.keys()
                for value in ("no-such-value", *(() if option.values else beyond)):
                    with pytest.raises(OptionError):
                        parse(kind, {option.name: value}, listed_game.id)

    def test_every_option_value_has_texts(self, listed_game: GameInfo) -> None:
        for _, options in kinds(listed_game):
            for option in options:
                words = {value for value in (*option.values, *option.offered) if not value.isdecimal()}
                assert option.value_texts.keys() == words, option.name
                assert set(option.older.values()) <= words
        for path, text in flat(to_builtins(listed_game)).items():
            if path.endswith(LANGUAGES):
                assert isinstance(text, str), path
                assert text.strip(), path

    def test_presets_are_those_of_the_game(self, listed_game: GameInfo) -> None:
        contract = games.find(listed_game.id)
        assert [preset.id for preset in listed_game.presets] == list(contract.presets)
        for preset in listed_game.presets:
            game = mekuri.game(listed_game.id, preset.id)
            assert with_options(listed_game.id, preset.options).options == game.options
            assert mekuri.game(listed_game.id).match_options(preset.match_options) == game.match_options({})

    def test_options_and_clauses_refer_to_each_other(self, listed_game: GameInfo) -> None:
        """From an option to its clauses, where the sources stand, and back."""
        ways = {(option.name, clause) for _, options in kinds(listed_game) for option in options for clause in option.clauses}
        back = {(name, clause.id) for clause in rulebook(games.find(listed_game.id)).clauses.values() for name in clause.options}
        assert ways == back
        assert ways

    def test_version_seats_and_packs_match_the_game(self, listed_game: GameInfo) -> None:
        contract = games.find(listed_game.id)
        assert (listed_game.version, listed_game.seats, listed_game.shape) == (contract.version, contract.seats, contract.shape)
        assert listed_game.face == rulebook(contract).tables["face"]
        assert [pack.id for pack in listed_game.packs] == list(catalogue(contract, "en").names)
        assert [pack.drawn for pack in listed_game.packs] == [row["pack"] for row in rulebook(contract).tables["names"].values()]


def test_list_of_games_is_complete() -> None:
    listed = all_games()
    assert tuple(game.id for game in listed.games) == GAMES
    assert tuple(bot.id for bot in listed.bots) == bots.NAMES
    assert listed.languages == LANGUAGES


# --- Rule books ---


@each_game
@each_language
class TestRuleBook:
    def test_clauses_are_in_the_order_of_the_book(self, name: str, lang: Lang) -> None:
        """All of them, in the order of the book, each under its heading."""
        contract = games.find(name)
        page, book = rule_book(contract, lang), rulebook(contract)
        clauses = [clause for chapter in page.chapters for clause in chapter.clauses]
        assert [clause.id for clause in clauses] == list(book.clauses)
        for chapter in page.chapters:
            assert chapter.title == book.tables["chapters"][chapter.id][lang]
            assert {book.clauses[clause.id].chapter for clause in chapter.clauses} == {chapter.id}
        for clause in clauses:
            kept = book.clauses[clause.id]
            assert (clause.text, clause.status, clause.options) == (kept.text[lang], kept.status, kept.options)
            assert clause.why or clause.sources, clause.id
            assert [row.says for row in clause.sources] == [row.text_in(lang) for row in book.sources_of(clause.id)]
            assert all(page.works[row.work].title == row.title for row in clause.sources)
            assert all((row.ordinal is None) == bool(row.second_hand) for row in clause.sources)

    def test_examples_match_the_book(self, name: str, lang: Lang) -> None:
        """As they stand in the book, with options as texts, and as they are played."""
        for chapter in rule_book(games.find(name), lang).chapters:
            for clause in chapter.clauses:
                kept = rulebook(games.find(name)).clauses[clause.id].examples
                for example, own in zip(clause.examples, kept, strict=True):
                    asked, played_by = (with_options(name, dict(one), own.seats).options for one in (example.options, own.options))
                    assert asked == played_by
                    played = play_example(games.find(name), own)
                    pictures = {"before": played.before, "after": played.after}
                    # How many play is seen in the pictures.
                    own_fields = {name: value for name, value in vars(own).items() if name != "seats"}
                    assert vars(example) == own_fields | pictures

    def test_yaku_of_the_rule_book_match_the_catalogue(self, name: str, lang: Lang) -> None:
        page = rule_book(games.find(name), lang)
        assert {yaku.id: yaku for yaku in page.yaku} == catalogue(games.find(name), lang).yaku
        names = next(iter(catalogue(games.find(name), lang).names.values()))
        assert all(set(yaku.cards) <= names.cards.keys() for yaku in page.yaku)


# --- What the cards of a table count ---


@each_preset
def test_worths_match_the_rules(name: str, preset: str) -> None:
    """Of every card in play, what the game says of it."""
    game = mekuri.game(name, preset)
    listed = worths("k3v9sXb2Qw1z", game)
    assert listed.table == "k3v9sXb2Qw1z"
    assert [parse_card(card) for card in listed.cards] == game.contract.rules.pack(game.options)
    for card, worth in listed.cards.items():
        own = game.contract.table.worth(game.deal(seed=1).hidden(), parse_card(card))
        assert (worth.points, worth.yaku) == (own.points, own.yaku)
        assert set(worth.yaku) <= catalogue(game.contract, "en").yaku.keys()


# --- As bytes ---


def everything() -> Mapping[str, Games | Catalogue | RuleBook]:
    """Return all answers about games."""
    found: dict[str, Games | Catalogue | RuleBook] = {"games": all_games()}
    for contract in map(games.find, GAMES):
        for lang in LANGUAGES:
            found |= {f"{contract.id}-{lang}-catalogue": catalogue(contract, lang)}
            found |= {f"{contract.id}-{lang}-rules": rule_book(contract, lang)}
    return found


def test_library_survives_json() -> None:
    for value in everything().values():
        assert decode(encode(value), type(value)) == value


def digest(value: msgspec.Struct) -> str:
    return hashlib.sha256(encode(value)).hexdigest()


@pytest.mark.slow
def test_library_is_identical_in_every_process() -> None:
    """Byte for byte, because browsers revalidate with any of several processes."""
    digests = {name: digest(value) for name, value in everything().items()}
    assert len(set(digests.values())) == len(digests)
    code = "from tests.server.test_library import *; print(*(digest(value) for value in everything().values()))"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        again = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert again.stdout.split() == list(digests.values())
