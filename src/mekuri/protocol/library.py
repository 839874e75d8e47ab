"""Making the messages about games from their contracts and rule books. Each message is made once, cached, and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from itertools import groupby
from typing import Any, TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from mekuri import bots, games
from mekuri.cards import Cards, card_text, parse_card, parse_row
from mekuri.cards import art as drawings
from mekuri.cards.art import find_pack, pack_names, sprite_digest
from mekuri.engine import options as engine_options
from mekuri.engine.contract import Contract
from mekuri.engine.lesson import Lesson, lesson, preset_of
from mekuri.engine.measured import Measured
from mekuri.engine.puzzles import puzzles
from mekuri.engine.rulebook import (
    JOINT,
    LANGUAGES,
    PLAYER,
    Clause,
    Entry,
    Lang,
    Rulebook,
    Source,
    Stated,
    rulebook,
    text_for_others,
)
from mekuri.engine.setup import new_state
from mekuri.match.example import play_example
from mekuri.match.setting import Setting
from mekuri.protocol import games as wire
from mekuri.protocol.table import Worths
from mekuri.protocol.texts import all_texts

M = TypeVar("M", bound=Struct)


@cache
def all_games() -> wire.Games:
    """Return all games with their options, and the bots that play every game."""
    return wire.Games(
        languages=LANGUAGES,
        bots=tuple(_bot(bot, bot.help) for bot in bots.of_every_game()),
        games=tuple(game_info(games.find(name)) for name in games.names()),
        entries=tuple(as_entry(entry, game_info(contract)) for contract, entry in games.entries().values()),
    )


@cache
def brief_games() -> wire.Games:
    """Return all games as `all_games` does, without what only a choice of options or opponents needs."""
    games = all_games()
    return replace(games, games=tuple(map(_brief, games.games)), entries=tuple(map(_brief, games.entries)))


def _brief(game: wire.GameInfo) -> wire.GameInfo:
    bots = tuple(replace(bot, help={}) for bot in game.bots)
    return replace(game, presets=(), options=(), match_options=(), bots=bots)


@cache
def game_info(contract: Contract) -> wire.GameInfo:
    """Return a game with its options, presets, packs and bots."""
    book = rulebook(contract)
    tables = book.tables
    own = (bot for bot in bots.about(contract) if bot not in bots.of_every_game())
    taught = lesson(contract)
    art = _art(tables["face"], taught)
    return wire.GameInfo(
        id=contract.id,
        version=contract.version,
        name=tables["name"],
        summary=tables["summary"],
        seats=contract.seats,
        shape=contract.shape,
        side=contract.side,
        hard=contract.hard,
        minutes=contract.minutes,
        presets=tuple(_preset(contract, id) for id in contract.presets),
        options=_options(contract, contract.options),
        match_options=_options(contract, contract.match_options),
        packs=tuple(_pack(id, row, art) for id, row in tables["names"].items()),
        face=tables["face"],
        first=preset_of(contract),
        bots=tuple(_bot(bot, bots.temper(bot, book), bots.level(bot.id, contract)) for bot in own),
        usual=bots.usual(contract),
        company=bots.company(contract, max(contract.seats) - 1, bots.weakest(contract)),
        lesson=taught is not None,
        welcome=taught is not None and taught.welcome is not None,
        art=art,
        puzzles=len(mined.puzzles) if (mined := puzzles(contract)) else 0,
        also=tuple(tables["also"]),
        door=contract.door,
    )


def as_entry(entry: Entry, about: M) -> M:
    """Return a message about a game, or its lesson, as the message about one of its entries."""
    if isinstance(about, wire.GameInfo):
        return replace(
            about,
            id=entry.id,
            of=about.id,
            name=entry.name,
            summary=entry.summary,
            also=entry.also,
            packs=tuple(sorted(about.packs, key=lambda pack: pack.id != entry.names)),
            presets=tuple(replace(preset, options={**preset.options, **entry.options}) for preset in about.presets),
            welcome=False,
            puzzles=0,  # they are those of the game
            door=False,
        )
    if isinstance(about, wire.Catalogue | wire.RuleBook):
        return replace(about, game=entry.id, name=entry.name[about.lang], summary=entry.summary[about.lang])
    return replace(about, game=entry.id)


def _art(face: str, taught: Lesson | None) -> tuple[str, ...]:
    """Return three cards that picture a game: its face, and those with which its lesson begins."""
    shown = [card_text(card) for scene in taught.minute for card in scene.cards] if taught else []
    return tuple(dict.fromkeys([face, *shown]))[:3]


def _bot(bot: bots.About, temper: Mapping[str, str], level: int | None = None) -> wire.BotInfo:
    return wire.BotInfo(id=bot.id, name=dict(bot.name), help=dict(temper), level=level, crest=bot.emblem())


def _pack(id: str, row: Mapping[str, Any], art: tuple[str, ...]) -> wire.Pack:
    drawn, cards = find_pack(row["pack"]), list(map(parse_card, art))
    alike = next(pack for pack in map(find_pack, pack_names()) if all(pack.face(card) == drawn.face(card) for card in cards))
    return wire.Pack(id=id, title=row["title"], drawn=drawn.id, sprite=_sprite(drawn), art=_sprite(alike))


def _sprite(pack: drawings.Pack) -> str:
    """Return the address of a pack's sprite, which changes with any drawing."""
    return f"/cards/{pack.id}.svg?v={sprite_digest(pack)}"


def _preset(contract: Contract, id: str) -> wire.Preset:
    of_round, of_match = contract.preset(id)
    return wire.Preset(
        id=id,
        options=engine_options.differing(engine_options.parse(contract.options, of_round, contract.id)),
        match_options=engine_options.differing(engine_options.parse(contract.match_options, of_match, contract.id)),
        text=rulebook(contract).tables["presets"][id],
        name=rulebook(contract).tables["preset-names"][id],
    )


def _options(contract: Contract, options: type[engine_options.Options]) -> tuple[wire.Option, ...]:
    book = rulebook(contract)

    def described(option: engine_options.OptionInfo) -> wire.Option:
        texts = book.tables["options"][option.name]
        return wire.Option(
            **vars(option),
            title=texts["title"],
            help=texts["help"],
            value_texts=_value_texts((*option.values, *option.offered), texts.get("values", {})),
            clauses=tuple(clause.id for clause in book.clauses.values() if option.name in clause.options),
        )

    return tuple(map(described, engine_options.info(options)))


def _value_texts(values: Iterable[str], named: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the texts of an option's values, from the rule book or else the server's own. Numbers have none."""
    texts = {**all_texts()["values"], **named}
    return {value: texts[value] for value in values if value in texts}


@cache
def catalogue(contract: Contract, lang: Lang) -> wire.Catalogue:
    """Return all texts of a game in a language, together with the server's own.

    No table of a game has the name of one of the server's: `mekuri.engine.validation` reserves those.
    """
    book = rulebook(contract)
    numbers = {"player": PLAYER[lang], "joint": JOINT[lang]}
    own, servers = texts_in(book.tables, lang), texts_in(all_texts(), lang) | {"numbers": numbers, "you": _to_you(book, lang)}
    playing = bots.about(contract)
    called = {
        "bots": {bot.id: bot.name[lang] for bot in playing},
        "bots-help": {bot.id: bots.temper(bot, book)[lang] for bot in playing},
    }
    return wire.Catalogue(
        game=contract.id,
        version=contract.version,
        lang=lang,
        name=book.tables["name"][lang],
        summary=book.tables["summary"][lang],
        texts=own | servers | called,
        cites=_cites(book.tables),
        clauses={clause.id: clause.text[lang] for clause in book.clauses.values()},
        yaku={yaku.id: yaku for yaku in _yaku(book, lang)},
        names={id: _card_names(row, lang) for id, row in book.tables["names"].items()},
        groups=tuple(wire.Group(id=id, cards=Cards(held)) for id, held in contract.capture_groups.items()),
        numbers=contract.by_number,
        unit=next(iter(book.tables["accounts"]), None),
        stones=tuple(id for id, name in book.tables["accounts"].items() if name.get("stones")),
        meanings={word: tuple(row.get("yaku", ())) for word, row in book.tables["meanings"].items()},
    )


def texts_in(tables: Mapping[str, Any], lang: Lang) -> dict[str, dict[str, str]]:
    """Return the texts of all tables that hold texts, in one language, by table and key."""
    return {table: {key: text_for_others(text[lang]) for key, text in texts.items()} for table, texts in _tables_of_texts(tables)}


def _to_you(book: Rulebook, lang: Lang) -> dict[str, str]:
    """Return the second-person form ("You play ...") of each text that has one, by the text's id."""
    ids = [f"{table}.{key}" for table, texts in _tables_of_texts(book.tables) for key in texts]
    return {id: text for id in ids if (text := book.text_to_you(id, lang))}


def _tables_of_texts(tables: Mapping[str, Any]) -> list[tuple[str, dict[str, dict[str, str]]]]:
    found = []
    for table, rows in tables.items():
        texts = {key: row for key, row in rows.items() if _is_text(row)} if isinstance(rows, dict) else {}
        if texts:
            found.append((table, texts))
    return found


def _is_text(row: object) -> bool:
    return isinstance(row, dict) and row.keys() >= set(LANGUAGES)


def _cites(tables: Mapping[str, Any]) -> dict[str, str]:
    """Return the clause that each text cites, by the text's id; texts that cite none are left out."""
    return {
        f"{table}.{key}": row["clause"] for table, rows in _tables_of_texts(tables) for key, row in rows.items() if "clause" in row
    }


def _yaku(book: Rulebook, lang: Lang) -> tuple[wire.Yaku, ...]:
    return tuple(
        wire.Yaku(
            id=id,
            name=row["name"][lang],
            kana=row["kana"],
            reading=row["reading"],
            cards=tuple(map(card_text, parse_row(row["cards"]))),
            clause=row["clause"],
        )
        for id, row in book.yaku.items()
    )


def _card_names(row: Mapping[str, Any], lang: Lang) -> wire.CardNames:
    cards = row["cards"].items()
    return wire.CardNames(
        title=row["title"][lang],
        cards={card: name[lang] for card, name in cards},
        plain={card: name[lang] for card, name in row["plain"].items() if card in row["cards"]},
        kana={card: name["kana"] for card, name in cards},
        latin={card: name["latin"] for card, name in cards},
    )


@cache
def rule_book(contract: Contract, lang: Lang) -> wire.RuleBook:
    """Return the rule book of a game in a language, with its worked examples played."""
    book = rulebook(contract)
    runs = groupby(book.clauses.values(), key=lambda clause: clause.chapter)
    return wire.RuleBook(
        game=contract.id,
        version=contract.version,
        lang=lang,
        name=book.tables["name"][lang],
        summary=book.tables["summary"][lang],
        warning=book.warning.get(lang, ""),
        warned_by=_sources(book, book.warned_by, lang),
        short=tuple(
            wire.Passage(
                title=each.title[lang], text=each.says[lang], cards=tuple(map(card_text, each.cards)), clauses=each.clauses
            )
            for each in book.short
        ),
        chapters=tuple(_chapter(contract, id, clauses, lang) for id, clauses in runs),
        yaku=_yaku(book, lang),
        works=convert(book.works, dict[str, wire.Work]),
        worths={card_text(card): worth for card, worth in book.worths.items()},
        counts=book.tables.get("counts", {}).get(lang, ""),
        numbers={id: {number: text[lang] for number, text in row["numbers"].items()} for id, row in book.tables["names"].items()},
        measured=_measured(book.measured, lang),
    )


def _measured(measured: Measured, lang: Lang) -> dict[str, tuple[str, ...]]:
    def called(bot: str) -> str:
        known = bots.known(bot)
        return known.name[lang] if known else bot

    found = {name: tuple(measured.sentences(name, lang, called)) for name in measured.effects or ()}
    how = {"how": (measured.how(lang, called),)} if found else {}
    return {name: sentences for name, sentences in found.items() if sentences} | how


def _chapter(contract: Contract, id: str, clauses: Iterable[Clause], lang: Lang) -> wire.Chapter:
    title = rulebook(contract).text_of(f"chapters.{id}", lang)
    return wire.Chapter(id=id, title=title, clauses=tuple(_clause(contract, clause, lang) for clause in clauses))


def _clause(contract: Contract, clause: Clause, lang: Lang) -> wire.ClauseText:
    book = rulebook(contract)
    return wire.ClauseText(
        id=clause.id,
        text=clause.text[lang],
        status=clause.status,
        why=clause.why.get(lang, ""),
        options=clause.options,
        sources=_sources(book, book.sources_of(clause.id), lang),
        examples=_examples(contract, clause.id),
        cards=tuple(map(card_text, clause.cards)),
    )


def _sources(book: Rulebook, rows: Iterable[Source], lang: Lang) -> tuple[wire.SourceRow, ...]:
    return tuple(
        wire.SourceRow(
            work=row.work,
            title=book.works[row.work]["title"],
            place=book.place_in(row, lang),
            ordinal=row.ordinal,
            says=row.text_in(lang),
            second_hand=row.second_hand.get(lang, ""),
        )
        for row in rows
    )


@cache
def _examples(contract: Contract, clause: str) -> tuple[wire.ExampleText, ...]:
    """Return the worked examples of a clause, with the tables before and after them. They are the same in every language."""
    shown = []
    for example in rulebook(contract).clauses[clause].examples:
        stated = {field.name: getattr(example, field.name) for field in fields(Stated)}
        played = play_example(contract, example)
        shown.append(wire.ExampleText(**stated, before=played.before, after=played.after))
    return tuple(shown)


def worths(table: str, game: Setting) -> Worths:
    """Return the worth of every card in play under a table's options.

    Args:
        table: the table's id, which the message holds.
        game: the game with its options and number of seats.
    """
    contract, s = game.contract, new_state(game.contract, game.options, game.seats)
    return Worths(table=table, cards={card_text(card): contract.table.worth(s, card) for card in contract.rules.pack(game.options)})
