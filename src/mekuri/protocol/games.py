"""Messages about a server's games: the list of games with their options and bots, catalogues of texts, and rule books.

A *text* is sent as `{"id": "events.play-takes", "args": {"seat": 0, "card": "7I", "cards": ["7O", "7K"]}}` and is rendered by
the client, from the catalogue of the game. Its id is `table.key`: the text stands in `Catalogue.texts[table][key]`, with its
arguments in braces. The id `card` stands in no table: it is the name of the card that is its argument `card`. Arguments are
written by their names:

| argument | on the wire | rendered as |
|---|---|---|
| `seat` | a whole number, 0 the first seat | the name of the person or bot there, else `numbers.player` with `n` the seat plus 1 |
| `card` | notation, such as `"7I"` | its name in a set of `Catalogue.names` |
| `cards` | a list of notation, lowest first | their names, with `numbers.joint` between them |
| `yaku` | an id | its name in `Catalogue.yaku` |
| `packets` | `place:cards place:cards ...` | not rendered: the packets of cards in which a deal came, by the zones' ids |
| any other | a text as above, nested; or a string, or a number | the text rendered; or as it stands |

An argument that the text does not name is left out. Braces hold the name of an argument, or two forms that depend on a number:
`{count:card|cards}` is the first form for 1, with any sign, and the second for all other numbers.
A text in every language is an object with the keys `en` and `ja`.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from mekuri.cards import Cards
from mekuri.engine.bot import Crest
from mekuri.engine.contract import Worth, Zone
from mekuri.engine.options import OptionInfo
from mekuri.engine.rulebook import Stated

Words = dict[str, str]  # a text in every language


@dataclass(frozen=True, kw_only=True)
class Option(OptionInfo):
    """An option of a game, or of a match of it. Its values are strings, here and in requests.

    Attributes:
        title: the option's title.
        help: a description of the choice, with the sources of each value.
        value_texts: the name of each value; a number has none.
        clauses: the ids of the clauses of the rule book that it changes, where the sources are.
    """

    title: Words
    help: Words
    value_texts: dict[str, Words]
    clauses: tuple[str, ...]


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A named set of options, of a round and of a match.

    Attributes:
        id: the preset's id.
        options, match_options: the values of the options that differ from the defaults.
        text: a description of the preset.
        name: a short name of the preset, which stands before the options that a table has changed.
    """

    id: str
    options: dict[str, str]
    match_options: dict[str, str]
    text: Words
    name: Words


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """A set of card names that a game can be shown with.

    Attributes:
        id: the set's id, as in `Catalogue.names`.
        title: the set's title.
        drawn: the name of the drawn pack whose pictures the cards have.
        sprite: the address of an SVG sprite with the pictures, which changes when they do. Its symbols are the cards by their
            notation (`#7I`), `#back`, and marks for the corners, `#latin-7I` and `#kanji-7I`.
        art: the address of a sprite in which the cards of `GameInfo.art` look the same, and which other games may use too.
    """

    id: str
    title: Words
    drawn: str
    sprite: str
    art: str


class BotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that may be given a seat.

    Attributes:
        id: the bot's id, as it is sent to give it a seat.
        name: the bot's name.
        help: how it plays; for a character its temper and its habit in the game.
        level: a character's rank by strength in the game, from 1 for the weakest; null for bots that are not ranked.
        crest: a character's emblem; null for a bot that is there to be studied or comes from another package.
    """

    id: str
    name: Words
    help: Words
    level: int | None = None
    crest: Crest | None = None


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game, and all that can be chosen for a table of it.

    Attributes:
        id: the game's name.
        version: the version of the ruleset.
        name: the game's name for people, in every language.
        summary: one line about it.
        seats: the numbers of seats it can have, the usual one first.
        shape: the shape of its table: `faces`, `ring`, `bank` or `pile`.
        side: whether it is a side game, short and mostly of chance, which is listed after the others.
        hard: how hard it is for beginners, from 1 to 3; 0 where the game does not say.
        minutes: the approximate length of a round, in minutes; 0 where the game does not say.
        presets: named sets of options; the first is the default.
        first: the id of the preset for a first match.
        options: the options of a round.
        match_options: the options of a match, such as its length.
        packs: the sets of card names; the first is the default.
        face: the card that represents the game, in notation.
        art: three cards that picture it, `face` first.
        bots: the bots that do not play every game: its characters, the weakest first, then bots of other packages.
        usual: the id of the bot that plays a seat by default.
        company: the ids of the bots that a newcomer meets at the largest table; a smaller table has the first of them.
        lesson: whether it has a lesson.
        welcome: whether its lesson begins on the first page, for newcomers.
        puzzles: the number of its puzzles.
        of: for an entry, the id of the game that is played; null for a game.
        also: other names and spellings by which people look for it.
        door: whether people look for it by name, so that it is listed first among games for as many players.
    """

    id: str
    version: int
    name: Words
    summary: Words
    seats: tuple[int, ...]
    shape: str
    side: bool
    hard: int
    minutes: int
    presets: tuple[Preset, ...]
    options: tuple[Option, ...]
    match_options: tuple[Option, ...]
    packs: tuple[Pack, ...]
    face: str
    bots: tuple[BotInfo, ...]
    usual: str
    company: tuple[str, ...]
    lesson: bool = False
    welcome: bool = False
    art: tuple[str, ...] = ()
    first: str = "default"
    puzzles: int = 0
    of: str | None = None
    also: tuple[str, ...] = ()
    door: bool = False


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """All games and bots of a server.

    Attributes:
        languages: the languages of the catalogues and rule books.
        bots: the bots that play every game: the built-in ones for study, and the bots of other packages.
        games: the games in the order of their names, side games after all others.
        public_url: the server's public address, before the path of a link; null where it is the address of the request.
        entries: finished variants of these games under their own names. Each is a game with other options or other cards: its id
            stands for a game's in requests for the game, its texts, its rule book and its lesson, and in `AskTable.game`.
    """

    languages: tuple[str, ...]
    bots: tuple[BotInfo, ...]
    games: tuple[GameInfo, ...]
    public_url: str | None = None
    entries: tuple[GameInfo, ...] = ()


class Yaku(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku, in one language.

    Attributes:
        id: the yaku's id.
        name: the yaku's name.
        kana: the reading of its Japanese name, in kana.
        reading: the same reading in Latin letters.
        cards: the cards that make it, in notation.
        clause: the id of the clause that defines it; empty where there is none.
    """

    id: str
    name: str
    kana: str
    reading: str
    cards: tuple[str, ...]
    clause: str


class CardNames(msgspec.Struct, frozen=True, kw_only=True):
    """A set of card names, in one language.

    Attributes:
        title: the set's title.
        cards: the traditional name of every card, by its notation.
        plain: likewise its number and suit ("8 of swords"); empty for cards that show none, such as flowers.
        kana: the reading of every card's Japanese name in kana, in all languages: the name itself where it has no kanji.
        latin: the same reading in Latin letters.
    """

    title: str
    cards: dict[str, str]
    plain: dict[str, str]
    kana: dict[str, str]
    latin: dict[str, str]


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A group of captured cards that count alike.

    Attributes:
        id: the group's id, whose text is in the catalogue's table `groups`.
        cards: the cards of the group, in notation.
    """

    id: str
    cards: Cards


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Every text that can come up at a table of a game, in one language. docs/view.md says how texts are rendered.

    Attributes:
        game: the game's name.
        version: the version of the ruleset.
        lang: the language.
        name: the game's name in that language.
        summary: one line about it.
        texts: the texts by table and key, with arguments in braces: all tables of the rule book that hold texts, such as
            `chapters`, `presets`, `prompts`, `words`, `events`, `refusals`, `lines`, `accounts`, `amounts`, `endings` and `zones`,
            and the server's own: `table` (events beside play), `errors`, `bots`, `bots-help`, `values`, `numbers`, `you`, `stamps`,
            `stamp-signs` (the signs on the stamps) and `phrases`.
        cites: the clause that a text cites, by the text's id: most refusals and events have one.
        clauses: the text of every clause, by its id.
        yaku: the yaku, by their ids.
        names: sets of card names; the first is the default.
        groups: groups of captured cards, in the order in which they are shown; empty where the game has none.
        numbers: whether the cards' numbers matter in the game, so that they are shown beside the picture.
        unit: the account among `texts.accounts` in which a round is counted; null where the game has no accounts.
        stones: the accounts whose amounts lie on the table as stones or chips, and so are drawn.
        meanings: the words whose meaning is shown before they are chosen, in `texts.meanings`; each with yaku as examples.
    """

    game: str
    version: int
    lang: str
    name: str
    summary: str
    texts: dict[str, dict[str, str]]
    cites: dict[str, str]
    clauses: dict[str, str]
    yaku: dict[str, Yaku]
    names: dict[str, CardNames]
    groups: tuple[Group, ...] = ()
    numbers: bool = False
    unit: str | None = None
    stones: tuple[str, ...] = ()
    meanings: dict[str, tuple[str, ...]] = {}


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """A source of rules, such as a book or a page, as it names itself.

    Attributes:
        title, author, place: its title, its author, and where it is found.
        revision: its revision, date or edition.
        licence: the licence of its text.
    """

    title: str
    author: str
    place: str
    revision: str
    licence: str


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    """A citation of one sentence of a work.

    Attributes:
        work: the key of the work in `RuleBook.works`.
        title: the work's title.
        place: the heading under which the sentence is.
        ordinal: the number of the sentence in the work's text, from 1; null where the text has not been read.
        says: the sentence in our words, and which of its parts are lost.
        second_hand: the work that reports it, where the text has not been read; else empty.
    """

    work: str
    title: str
    place: str
    ordinal: int | None
    says: str
    second_hand: str


@dataclass(frozen=True, kw_only=True)
class ExampleText(Stated):
    """A worked example of a clause: a position, the actions that are played, and the result.

    Attributes:
        before: the zones of the table before the actions. All cards are seen except the cards still to be shuffled, and the
            stock is in the order in which it is drawn. Cards that the position does not name and empty zones are left out.
        after: the zones after the actions and the driver's actions that follow; empty where the last action is refused. Cards
            that have been shuffled are as spectators see them.
    """

    before: tuple[Zone, ...]
    after: tuple[Zone, ...]


class ClauseText(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the rule book, in one language.

    Attributes:
        id: the clause's id.
        text: the sentence, as it holds with the default options.
        status: `attested`, `inferred`, `reconstructed` or `house`.
        why: the argument for it, where no source has it; else empty.
        options: the names of the options that change it.
        sources: the citations that support it.
        examples: its worked examples.
        cards: the cards that it mentions, in notation.
    """

    id: str
    text: str
    status: str
    why: str
    options: tuple[str, ...]
    sources: tuple[SourceRow, ...]
    examples: tuple[ExampleText, ...]
    cards: tuple[str, ...] = ()


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A run of clauses under one heading.

    Attributes:
        id: the chapter's id. A chapter that is continued later in the book is listed again with the same id.
        title: its heading.
        clauses: its clauses, in the order of play.
    """

    id: str
    title: str
    clauses: tuple[ClauseText, ...]


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph of the short form of a rule book.

    Attributes:
        title: its heading.
        text: the paragraph.
        cards: the cards that it mentions, in notation.
        clauses: the ids of the clauses that state the same.
    """

    title: str
    text: str
    cards: tuple[str, ...]
    clauses: tuple[str, ...]


class RuleBook(msgspec.Struct, frozen=True, kw_only=True):
    """The rule book of a game, in one language.

    Attributes:
        game: the game's name.
        version: the version of the ruleset.
        lang: the language.
        name: the game's name in that language.
        summary: one line about it.
        warning: a note on how certain the sources say that their rules are; empty where they do not say.
        warned_by: the citations for that note.
        short: the game as it is usually played, in a few paragraphs.
        chapters: the chapters, in the order of play.
        yaku: the yaku, in the order of the game's scoring table.
        works: the works from which the rules come, by their keys.
        worths: the worth of every card with the default options, by its notation, in the order of the cards.
        counts: the text that says what a card counts; empty where the game has none.
        numbers: the name of each number that has one, such as a flower, by the id of a set of card names and the number.
        measured: what option values and presets change, a sentence for each bot that played, by `option=value` or `preset name`;
            by `how`, a sentence about how it was measured.
    """

    game: str
    version: int
    lang: str
    name: str
    summary: str
    warning: str
    warned_by: tuple[SourceRow, ...]
    short: tuple[Passage, ...]
    chapters: tuple[Chapter, ...]
    yaku: tuple[Yaku, ...]
    works: dict[str, Work]
    worths: dict[str, Worth] = {}
    counts: str = ""
    numbers: dict[str, dict[str, str]] = {}
    measured: dict[str, tuple[str, ...]] = {}
