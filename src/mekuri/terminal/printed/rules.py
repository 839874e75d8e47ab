"""The rule book of a game as a Rich renderable: every clause with its status, sources and worked examples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from mekuri.cards import EXTRA, number, parse_cards
from mekuri.engine.contract import Contract
from mekuri.engine.options import OptionInfo, Options, info
from mekuri.engine.options import value_text as option_text
from mekuri.engine.rulebook import Clause, Example, Lang, Rulebook, Source, rulebook
from mekuri.protocol.texts import all_texts
from mekuri.terminal.base.prose import Prose, labels_grid
from mekuri.terminal.base.texts import called as name_of
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.translate import sign, signs
from mekuri.terminal.printed.examples import can_draw
from mekuri.terminal.printed.lesson import minute_text

Part = tuple[str, str, RenderableType]  # id, heading of the chapter that begins here (empty for none), content
_FOR_KEEPERS = ("options", "match-options", "presets", "sources")  # the parts that are printed with the sources alone


def rules_text(
    contract: Contract, lang: Lang, names: str = "", *, sources: bool = True, examples: bool = True, entry: str | None = None
) -> RenderableType:
    """Return the rule book of a game as it is printed.

    Args:
        contract: the game.
        lang: the language.
        names: the set of card names; the game's first if empty.
        sources: whether to print the status, id, reasons and sources of clauses, the clauses of yaku, options, presets and works.
        examples: whether to print the worked examples of clauses, drawn as cards.
        entry: the id of the entry under whose name it is printed; None for the game's own name.
    """
    book, parts = rulebook(contract, entry), []
    for id, heading, part in rules_parts(contract, lang, names, sources, entry):
        if id in book.clauses:
            parts.append(_printed_clause(contract, book.clauses[id], book, lang, names, sources, examples))
        elif sources or not heading:
            parts.append(part)
        elif id not in _FOR_KEEPERS:
            parts.append(Text(f"\n{heading}" if parts[1:] else heading, "bold"))
            parts += [
                Prose(Text(f"{each.title[lang]}: ", "bold").append(each.says[lang], "not bold"), hang=2)
                for each in book.short
                if id == "short"
            ]
            if id == "yaku":
                parts.append(yaku_table(book, lang, sources))
    more = [f"--{name}" for name, shown in (("sources", sources), ("examples", examples)) if not shown]
    if more:
        command = f"mekuri rules {contract.id} {' '.join(more)}"
        parts.append(Padding(Prose(say("rules.more", lang, command=command), "italic"), (1, 0, 0, 0)))
    return Group(*parts)


def _printed_clause(
    contract: Contract, clause: Clause, book: Rulebook, lang: Lang, names: str, sources: bool, examples: bool
) -> RenderableType:
    """Return a clause as it is printed: as one line of a list, or with its sources and examples."""
    head = clause_text(clause, book, lang, names, examples=False) if sources else Prose(f"· {clause.text[lang]}", hang=2)
    parts: list[RenderableType] = [head]
    for example in clause.examples if examples else ():
        lines = _example_lines(example, lang, can_draw(contract, example, lang))
        parts.append(Padding(Group(Text(say("rules.example", lang), "italic"), *lines), (0, 0, 1, 2)))
    return Group(*parts)


def rules_parts(contract: Contract, lang: Lang, names: str = "", sources: bool = True, entry: str | None = None) -> Iterator[Part]:
    """Yield the rule book in parts: title with the cards, short form, chapters and clauses, yaku, options, presets, sources.

    The title has the sources of its warning only if `sources` is true.
    """
    book = rulebook(contract, entry)
    name, summary = book.tables["name"][lang], book.tables["summary"][lang]
    head: list[RenderableType] = [Text(name, "bold"), Prose(summary)]
    if book.warning and not sources:
        head += [Text(), Prose(book.warning[lang], "italic")]
    elif book.warning:
        notes = labels_grid()
        _add_sources(notes, book.warned_by, book, lang)
        head += [Text(), Prose(book.warning[lang], "italic"), Padding(notes, (0, 0, 0, 2))]
    yield "title", "", Group(*head, *minute_text(contract, lang), Text(), *cards_strip(contract, lang, names), Text())
    if book.short:
        title = say("rules.short", lang)
        yield "short", title, Group(_heading(title), short_text(book, lang))
    chapter, begun = "", set[str]()
    for clause in book.clauses.values():
        if clause.chapter != chapter:
            chapter = clause.chapter
            title = str(book.tables["chapters"][chapter][lang])
            title = say("rules.again", lang, title=title) if chapter in begun else title
            begun.add(chapter)
            yield f"chapter-{chapter}", title, _heading(title)
        yield clause.id, "", clause_text(clause, book, lang, names)
    for id, rows, part in (
        ("yaku", book.yaku, yaku_table(book, lang, sources)),
        ("options", info(contract.options), options_text(contract.options, book, lang)),
        ("match-options", info(contract.match_options), options_text(contract.match_options, book, lang)),
        ("presets", contract.presets, presets_text(contract, book, lang)),
        ("sources", book.works, works_text(book)),
    ):
        if rows:
            title = say(f"rules.{id}", lang)
            yield id, title, Group(_heading(title), part)


def cards_strip(contract: Contract, lang: Lang, names: str = "") -> list[RenderableType]:
    """Return the cards of a game and what each counts, a line for each number.

    Args:
        contract: the game.
        lang: the language.
        names: the set of card names; the game's first if empty.
    """
    book = rulebook(contract)
    chosen = names or book.names[0]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right")
    table.add_column()
    table.add_column()
    for _, cards in groupby(book.worths, key=lambda card: card // 4):
        row = list(cards)
        n = str(number(row[0]))
        called = "" if row[0] == EXTRA else book.tables["names"][chosen]["numbers"].get(n, {}).get(lang, "")
        worths = Prose(" · ".join(_counted(book, card, lang, chosen) for card in row))
        table.add_row("" if row[0] == EXTRA or not contract.by_number else n, called, worths)
    counts = book.tables.get("counts", {}).get(lang, "")
    return [Text(say("rules.cards", lang), "bold"), *([Prose(counts)] if counts else []), table]


def _counted(book: Rulebook, card: int, lang: Lang, names: str) -> str:
    """Return a card's sign and name, with its points if it has any, and a note if it is wild."""
    worth = book.worths[card]
    wild = f" ({say('rules.wild', lang)})" if worth.wild else ""
    return f"{sign(card)} {book.card(card, lang, names)}{wild}" + ("" if worth.points is None else f": {worth.points}")


def short_text(book: Rulebook, lang: Lang) -> RenderableType:
    """Return the short form of the rules: titled paragraphs."""
    parts = [Group(Text(each.title[lang], "bold"), Prose(each.says[lang])) for each in book.short]
    return Group(*(Padding(part, (0, 0, 1, 0)) for part in parts))


def _heading(title: str) -> RenderableType:
    return Padding(Group(Text(title, "bold"), Rule(characters="━", style="default")), (1, 0, 1, 0))


def _note(text: str | Text, indent: int = 2) -> RenderableType:
    return Padding(Prose(text), (0, 0, 0, indent))


def clause_text(clause: Clause, book: Rulebook, lang: Lang, names: str = "", examples: bool = True) -> RenderableType:
    """Return a clause: its status and id, its sentence, its cards, its reasons or sources, and its worked examples as text."""
    head = Text().append(f" {say(f'rules.{clause.status}', lang)} ", "reverse").append(f"  {clause.id}", "italic")
    parts: list[RenderableType] = [head, Prose(clause.text[lang], "bold")]
    notes = labels_grid()
    if clause.cards:
        cards = " · ".join(f"{sign(card)} {book.card(card, lang, names or book.names[0])}" for card in clause.cards)
        notes.add_row(say("rules.clause-cards", lang), Prose(cards))
    if lang in clause.why:
        notes.add_row(say("rules.why", lang), Prose(clause.why[lang]))
    if clause.options:
        notes.add_row(say("rules.changed-by", lang), Prose(" · ".join(_option_title(name, book, lang) for name in clause.options)))
    _add_sources(notes, book.sources_of(clause.id), book, lang)
    for example in clause.examples if examples else ():
        notes.add_row(say("rules.example", lang), Group(*_example_lines(example, lang)))
    if notes.row_count:
        parts.append(Padding(notes, (0, 0, 0, 2)))
    return Padding(Group(*parts), (0, 0, 1, 0))


def _add_sources(notes: Table, rows: list[Source], book: Rulebook, lang: Lang) -> None:
    by_work: dict[str, list[Source]] = {}
    for source in rows:
        by_work.setdefault(source.work, []).append(source)
    for work, sources in by_work.items():
        notes.add_row(say("rules.source", lang), Prose(_source_text(work, sources, book, lang)))


def _source_text(work: str, sources: list[Source], book: Rulebook, lang: Lang) -> Text:
    text = Text().append(str(book.works[work]["title"]), "italic")
    for source in sources:
        place = [] if source.second_hand else [book.place_in(source, lang)]
        if source.ordinal is not None:
            place.append(say("rules.sentence", lang, n=source.ordinal))
        if source.second_hand:
            place.append(say("rules.second-hand", lang, by=source.second_hand[lang]))
        text.append(f"\n{', '.join(place)}: {source.text_in(lang)}")
    return text


def _example_lines(example: Example, lang: Lang, drawing: RenderableType | None = None) -> list[RenderableType]:
    """Return a worked example: its options, its drawing or else its position and action, and its expected results.

    Options are left out if they are the usual ones, and so is the resulting position if it is drawn.
    """
    lines: list[RenderableType] = []
    if example.options:
        chosen = ", ".join(f"{name} = {value}" for name, value in example.options.items())
        lines.append(Prose(f"{say('rules.example-options', lang)} {chosen}"))
    lines.append(drawing or Prose(example.position))
    if example.action and not drawing:
        lines.append(Prose(Text(f"{say('rules.action', lang)} ").append(example.action, "bold")))
    outcomes = [(id, outcome) for id, outcome in _outcomes(example) if not (drawing and id == "result")]
    return [*lines, *(Prose(Text(f"→ {say(f'rules.{id}', lang)} ").append(outcome, "bold")) for id, outcome in outcomes)]


def _outcomes(example: Example) -> list[tuple[str, str]]:
    """Return the expected results that a worked example states, each as a kind and a text."""
    outcomes = {
        "refused": example.refused,
        "result": example.result,
        "returns": " / ".join(f"{value:+d}" for value in example.returns or ()),
        "next-dealer": "" if example.next_dealer is None else str(example.next_dealer),
        "sheet": ", ".join(example.sheet),
    }
    return [(id, outcome) for id, outcome in outcomes.items() if outcome]


def yaku_table(book: Rulebook, lang: Lang, sources: bool) -> RenderableType:
    """Return every yaku with its name, reading and cards, and with its clause if `sources` is true."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for row in book.yaku.values():
        cards = signs(parse_cards(row["cards"]))
        clause = [Text(row["clause"])] if sources else []
        table.add_row(Text(str(row["name"][lang]), "bold"), Text(row["reading"], "italic"), cards, *clause)
    return table


def _option_title(name: str, book: Rulebook, lang: Lang) -> str:
    return str(book.tables["options"][name]["title"][lang])


def value_text(option: OptionInfo, value: str, book: Rulebook, lang: Lang) -> str:
    """Return the name of an option's value, or the value itself if it has no name."""
    named: dict[str, Any] = {**all_texts()["values"], **book.tables["options"][option.name].get("values", {})}
    return str(named[value][lang]) if value in named else value


def options_text(options: type[Options], book: Rulebook, lang: Lang) -> RenderableType:
    """Return every option with its values, the default marked, and its explanation."""
    parts: list[RenderableType] = []
    for option in info(options):
        texts = book.tables["options"][option.name]
        parts.append(Text().append(texts["title"][lang], "bold").append(f"  {option.name}", "italic"))
        for value in option.values or option.offered or (option.default,):
            called = value_text(option, value, book, lang)
            row = Text().append(f"{'●' if value == option.default else '○'} {called}")
            row.append(f"  {value}" if called != value else "", "italic")
            row.append(f"  ({say('rules.default', lang)})" if value == option.default else "")
            if not option.values and not option.offered and option.most > option.least:
                row.append(f"  {say('rules.from-to', lang, least=option.least, most=option.most)}")
            parts += [_note(row), *_effects(f"{option.name}={value}", book, lang)]
        if option.offered:
            parts.append(_note(f"○ {say('rules.any-number', lang, least=option.least, most=option.most)}"))
        parts += [_note(texts["help"][lang]), Text()]
    if any(book.measured.of(f"{option.name}={value}") for option in info(options) for value in option.values or option.offered):
        parts.append(Prose(book.measured.how(lang, partial(name_of, lang=lang)), "italic"))
    return Group(*parts)


def _effects(name: str, book: Rulebook, lang: Lang) -> list[RenderableType]:
    """Return a line for each bot that has measured what an option value or a preset changes."""
    sentences = book.measured.sentences(name, lang, partial(name_of, lang=lang))
    return [_note(Text(sentence, "italic"), 4) for sentence in sentences]


def presets_text(contract: Contract, book: Rulebook, lang: Lang) -> RenderableType:
    """Return every preset with the options it sets."""
    parts: list[RenderableType] = []
    for name, chosen in contract.presets.items():
        parts += [Text(name, "bold"), _note(book.tables["presets"][name][lang]), *_effects(f"preset {name}", book, lang)]
        for option in [*info(contract.match_options), *info(contract.options)]:
            if option.name in chosen:
                value = value_text(option, option_text(chosen[option.name]), book, lang)
                parts.append(_note(f"● {_option_title(option.name, book, lang)}: {value}"))
        parts.append(Text())
    return Group(*parts)


def works_text(book: Rulebook) -> RenderableType:
    """Return the works that the rules come from."""
    parts: list[RenderableType] = []
    for work in book.works.values():
        parts += [Prose(str(work["title"]), "italic"), _note(f"{work['author']} · {work['place']} · {work['revision']}"), Text()]
    return Group(*parts)
