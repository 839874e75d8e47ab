"""Checks that a game has no faults in its contract and its text files.

Entries that a game leaves out are filled in (`filled`) and are no fault; a wrong entry would break every list of games. Whether the
rules are right, and the texts that they name in play exist, is left to the tests that run over every game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TypeVar, get_args

import tomli

from mekuri.cards import NotationError, card_text, parse_card, parse_cards
from mekuri.engine import lesson, measured, puzzles
from mekuri.engine import options as engine_options
from mekuri.engine.bot import Bot
from mekuri.engine.contract import API, OLDEST_API, Contract, Shape
from mekuri.engine.errors import OptionError
from mekuri.engine.fields import fields
from mekuri.engine.rulebook import LANGUAGES, Status, rulebook
from mekuri.engine.tables import Table, written

# The names of tables of texts that a server sends beside those of a rule book.
RESERVED = ("table", "errors", "news", "bots", "bots-help", "values", "numbers", "you", "stamps", "stamp-signs", "phrases")
_ID = re.compile(r"[a-z][a-z0-9-]{0,30}")
# Tables of texts whose keys only a round in play names, so they cannot be checked here.
_IN_PLAY = ("prompts", "events", "refusals", "goals", "lines", "results", "counted", "accounts", "amounts", "zones", "waits")

T = TypeVar("T")


def faults(contract: Contract) -> list[str]:
    """The faults of a game, one sentence each with its file, table and key; an empty list for a game without faults."""
    if not OLDEST_API <= contract.api <= API:
        behind = "Mekuri" if contract.api > API else "the game"
        return [f"its contract is of version {contract.api}, and this Mekuri reads {OLDEST_API} to {API}: update {behind}"]
    if contract.api == 1 and contract.has("outlook"):
        renamed = "what was called standing is its outlook since version 2, and what was called outlook its prospect"
        return [f"its contract is of version 1: {renamed}. Update the game, and say api={API}"]
    found: list[str] = []
    packed = _check_contract(contract, Table(found.append, "its contract", {}))
    path = contract.folder / "rulebook.toml"
    try:
        book = rulebook(contract)
        _check_book(contract, packed, Table(_naming(path, found), "", book.tables))
        path = contract.folder / "sources.toml"
        if book.source_tables:
            _check_sources(Table(_naming(path, found), "", book.source_tables))
        path = contract.folder / measured.FILE
        try:
            _ = book.measured
        except ValueError as error:
            found.append(f"{path} cannot be read: {error}")
        path = contract.folder / lesson.FILE
        rows = written(path)
        if rows is not None and not found:
            lesson.check_lesson(contract, Table(_naming(path, found), "", rows), book.clauses)
        path = contract.folder / puzzles.FILE
        rows = written(path)
        if rows is not None and not found:
            puzzles.check_puzzles(contract, Table(_naming(path, found), "", rows))
    except OSError as error:
        found.append(f"{path} cannot be read: {error.strerror}")
    except (tomli.TOMLDecodeError, UnicodeDecodeError) as error:
        found.append(f"{path} is no TOML: {error}")
    return found


def bot_fault(bot: object) -> str:
    """The first fault of an object that should be a bot, as the rest of a sentence about it; empty for a bot without faults."""
    if not isinstance(bot, Bot):
        return "is no bot"
    if not isinstance(bot.id, str) or not _ID.fullmatch(bot.id):
        return "has a name that is not made of at most 31 lower-case letters, figures and hyphens"
    for texts in (bot.name, bot.help):
        if not isinstance(texts, Mapping) or not all(isinstance(texts.get(lang), str) and texts[lang] for lang in LANGUAGES):
            return "lacks its name or its line of help in English, which stands for languages that are left out"
    if bot.games is not None and not (isinstance(bot.games, tuple) and all(isinstance(name, str) for name in bot.games)):
        return "names its games otherwise than in a tuple"
    if not isinstance(bot.strength, int):
        return "has a strength that is no whole number"
    if not isinstance(bot.weights, str):
        return "states the version of its weights otherwise than as a text"
    if bot.choose_many is not None and not callable(bot.choose_many):
        return "has a choose_many that is no function"
    return "" if callable(bot.choose) else "does not choose"


def _naming(path: Path, found: list[str]) -> Callable[[str], None]:
    return lambda what: found.append(f"{path} {what}")


def _check_contract(contract: Contract, table: Table) -> set[int]:
    """Report the faults of a contract. Returns the cards that are in play with any of its presets."""
    fields(contract.state)  # raises where one of them is declared in another way
    if contract.shape not in get_args(Shape):
        table.wrong(f"has the shape {contract.shape}: there are {', '.join(get_args(Shape))}")
    if "default" not in contract.presets:
        table.wrong("lacks the preset default")
    elif contract.presets["default"]:
        table.wrong("has options in the preset default: make them the defaults")
    packed = set(contract.rules.pack(contract.options()))
    grouped = [*contract.capture_groups.values()]
    if sum(grouped) != reduce(or_, grouped, 0):
        table.wrong("has a card in two groups")
    if unknown := [call for call in contract.calls if call not in list(contract.words)]:
        table.wrong(f"counts the calls {', '.join(map(str, unknown))}, which are no words of the game")
    of_round, of_match = (
        {option.name for option in engine_options.info(each)} for each in (contract.options, contract.match_options)
    )
    for name in sorted(of_round & of_match):
        table.wrong(f"has an option {name} of a round and one of a match: call one of them otherwise")
    for bot in contract.bots:
        if wrong := bot_fault(bot) or ("" if bot.compiled else "is no rules text: a bot that is none is announced by itself"):
            table.wrong(f"has the bot {getattr(bot, 'id', bot)}, which {wrong}")
    for preset in contract.presets:
        try:
            of_a_round, of_a_match = contract.preset(preset)
            engine_options.parse(contract.match_options, of_a_match, contract.id)
            options = engine_options.parse(contract.options, of_a_round, contract.id)
            contract.rules.check(options)
            packed.update(contract.rules.pack(options))
        except OptionError as error:
            table.wrong(f"has a preset {preset} that cannot be played: {error}")
    return packed


# --- The rule book ---


def _check_book(contract: Contract, packed: set[int], book: Table) -> None:
    book.text("name")
    book.text("summary")
    if "warning" in book.rows:
        book.text("warning")
    if "counts" in book.rows:
        book.text("counts")
    face = _read(parse_card, book, "face")
    if face is not None and face not in packed:
        book.wrong(f"has the face {card_text(face)}, which is no card of the game")
    described = [*engine_options.info(contract.options), *engine_options.info(contract.match_options)]
    clauses = _check_clauses(contract, book, {option.name for option in described})
    for passage in book.array("short") if "short" in book.rows else ():
        passage.only({"title", "says", "clauses", "cards"})
        passage.text("title")
        passage.text("says")
        passage.cited(clauses)
        passage.cards("cards")
    book.listed("also", str)
    for entry in book.different("entries"):
        _check_entry(contract, entry, book.table("names").rows)
    _check_yaku(contract, book, clauses)
    _check_texts(contract, book, clauses)
    options = book.table("options")
    _check_known(options, "option", [option.name for option in described])
    for option in described:
        _check_option(options.table(option.name), option)
    names = book.table("names")
    if not names.rows:
        names.wrong("holds no set of card names")
    for one in names.rows:
        _check_names(names.table(one), packed)


def _check_entry(contract: Contract, entry: Table, names: Iterable[str]) -> None:
    entry.only({"id", "name", "summary", "also", "options", "names"})
    if not _ID.fullmatch(entry.string("id")):
        entry.wrong("has an id that is not made of lower-case letters, figures and hyphens")
    entry.text("name")
    entry.text("summary")
    entry.listed("also", str)
    if entry.rows.get("names") not in (None, *names):
        entry.wrong(f"shows the card names {entry.rows['names']}, which the game does not have: there are {', '.join(names)}")
    try:
        given = entry.table("options").rows if "options" in entry.rows else {}
        contract.rules.check(engine_options.parse(contract.options, given, contract.id))
    except OptionError as error:
        entry.wrong(f"cannot be played: {error}")


def _check_clauses(contract: Contract, book: Table, options: set[str]) -> set[str]:
    """Report the faults of the clauses. Returns their ids."""
    found: set[str] = set()
    for clause in book.array("clauses"):
        id = clause.string("id")
        if id and id.count(".") < 2:
            clause.wrong(f"has an id that is not written {contract.id}.chapter.name")
        elif id in found:
            clause.wrong("has the id of another clause")
        elif id:
            found.add(id)
        clause.strings(*LANGUAGES)
        status = clause.string("status")
        if status and status not in get_args(Status):
            clause.wrong(f"has the status {status}: there are {', '.join(get_args(Status))}")
        clause.cards("cards")
        if "why" in clause.rows:
            clause.text("why")
        for option in clause.listed("options", str):
            if option not in options:
                clause.wrong(f"names an option {option} that the game does not have")
        for number, example in enumerate(clause.listed("examples", dict), 1):
            _check_example(clause.within(f"[example {number} of {id}]", example))
    for id in contract.redeals:
        if id not in found:
            book.wrong(f"lacks the clause {id}, by which there is a redeal")
    return found


def _check_example(example: Table) -> None:
    """Report the faults of a worked example. Whether its position leads to its result is left to tests."""
    example.string("position")
    example.string("action", blank=True)
    if "options" in example.rows:
        example.table("options")
    example.listed("returns", int)
    example.listed("sheet", str)


def _check_yaku(contract: Contract, book: Table, clauses: set[str]) -> None:
    for yaku in book.array("yaku"):
        id = yaku.string("id")
        if id and id not in contract.yaku:
            yaku.wrong(f"is no yaku of the game: there are {', '.join(contract.yaku) or 'none'}")
        yaku.text("name")
        yaku.strings("kana", "reading")
        _read(parse_cards, yaku, "cards")
        _check_cited(yaku, clauses)


def _check_texts(contract: Contract, book: Table, clauses: set[str]) -> None:
    taken_back = ["take-back"] if contract.has("undoing") else []
    known = {
        "versions": [str(version) for version in range(1, contract.version + 1)],
        "presets": [*contract.presets],
        "preset-names": [*contract.presets],
        "words": [*(word.text for word in contract.words), *taken_back],
        "endings": [*contract.endings],
        "groups": [*contract.capture_groups],
        "habits": [level.who for level in contract.levels or () if level.has_habit],
        "meanings": [word.text for word in contract.words],
    }
    for table in (*known, "chapters", *_IN_PLAY):
        for text in book.texts(table, known["habits"] if table == "habits" else ()):
            _check_cited(text, clauses)
    for table, ids in known.items():
        _check_known(book.table(table), table.removesuffix("s"), ids)
    meanings = book.table("meanings")
    for word in meanings.rows:
        row = meanings.table(word)
        row.only({*LANGUAGES, "yaku"})
        for yaku in row.listed("yaku", str):
            if yaku not in contract.yaku:
                row.wrong(f"shows {yaku}, which is no yaku of the game: there are {', '.join(contract.yaku) or 'none'}")
    if "cries" in book.rows:
        _check_known(book.table("cries"), "event", book.table("events").rows)
    for table, rows in book.rows.items():
        if table in RESERVED:
            book.wrong(f"has a table {table}, as the server has itself: call it otherwise")
        elif table not in known and isinstance(rows, dict):
            _check_own(book.table(table))


def _check_known(table: Table, kind: str, ids: Iterable[str]) -> None:
    """Report the keys of a table that name nothing that the game has, as they may be typing errors."""
    known = [*ids]
    for one in table.rows:
        if one not in known:
            table.wrong(f"has {one}, and the game has no such {kind}: there are {', '.join(known) or 'none'}")


def _check_own(table: Table) -> None:
    """Check the texts in a table that only the game itself uses, which may hold anything else besides."""
    for key, row in table.rows.items():
        if isinstance(row, dict) and not row.keys().isdisjoint(LANGUAGES):
            table.text(key)


def _check_option(texts: Table, option: engine_options.OptionInfo) -> None:
    texts.text("title")
    texts.text("help")
    # Numbers, and yes and no, need no texts of their own.
    named = [value for value in (*option.values, *option.offered) if not value.isdecimal()]
    if named and named != ["no", "yes"]:
        texts.texts("values")
        _check_known(texts.table("values"), "value", named)


def _check_names(names: Table, packed: set[int]) -> None:
    from mekuri.cards.art.packs import pack_names

    names.text("title")
    pack = names.string("pack")
    if pack and pack not in pack_names():
        names.wrong(f"has the pack {pack}, which is not drawn: there are {', '.join(pack_names())}")
    for card in names.texts("cards", map(card_text, sorted(packed))):
        card.strings("kana", "latin")
    names.texts("numbers")


def _check_cited(row: Table, clauses: set[str]) -> None:
    clause = row.string("clause", blank=True) if "clause" in row.rows else ""
    if clause and clause not in clauses:
        row.wrong(f"cites a clause {clause} that is not there")


def _read(parse: Callable[[str], T], table: Table, key: str) -> T | None:
    """The string of a key parsed as notation of cards; None where it is missing or no notation, which is reported."""
    written = table.string(key)
    try:
        return parse(written) if written else None
    except NotationError as error:
        table.wrong(f"has {key} = {written!r}: {error}")
        return None


# --- The sources ---


def _check_sources(sources: Table) -> None:
    works = sources.table("works")
    for work in works.rows:
        works.table(work).strings("title", "author", "place", "revision", "licence")
    if "places" in sources.rows:
        places = sources.table("places")
        places.strings(*places.rows)
    for row in sources.array("rows"):
        row.string("place")
        row.text("says")
        for key in row.rows.keys() & {"no_rule", "lost", "second_hand"}:
            row.text(key)
        work = row.string("work")
        if work and work not in works.rows:
            row.wrong(f"names a work {work} that is not there")
        row.listed("clauses", str)
