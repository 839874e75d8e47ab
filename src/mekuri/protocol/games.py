"""What a server tells of its games: which there are, and each one's texts and rule book.

A *text* travels as `{"id": "events.play-takes", "args": {"seat": 0, "card": "7I", "cards": ["7O", "7K"]}}` and is rendered by
the client, from the catalogue of the game. Its id is `table.key`: the text stands in `Catalogue.texts[table][key]`, with its
arguments in braces. The id `card` stands in no table: it is the name of the card that is its argument `card`. Arguments are
written by their names:

| argument | on the wire | rendered as |
|---|---|---|
| `seat` | a whole number, 0 the first seat | who sits there by name, else `numbers.player` with `n` the seat plus 1 |
| `card` | notation, such as `"7I"` | its name in a set of `Catalogue.names` |
| `cards` | a list of notation, lowest first | their names, with `numbers.joint` between them |
| `yaku` | an id | its name in `Catalogue.yaku` |
| any other | a text as above, nested; or a string, or a number | the text rendered; or as it stands |

An argument that the text does not name is left out. Braces stand for nothing else, and nothing in them but a name.
Where a struct holds a text in every language, it is an object with the keys `en` and `ja`.
"""

from __future__ import annotations

import msgspec

from mekuri.protocol.view import Zone

Words = dict[str, str]  # a text in every language


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game, or of a match of it. Its values are written as texts, here and wherever options are chosen.

    Attributes:
        name: of the option.
        default: its default.
        values: every value it can have; empty for a number within a range, or for a row of numbers.
        least, most: the range of a number, or of the numbers in a row.
        row: whether it is a row of numbers, written `1-5,7`.
        offered: of a number within a range those that are common, and the words that may stand in its place, such as `circuit`.
        older: what older records and addresses wrote for a word, and the word.
        title: what it is called.
        help: what the choice changes, and who says so.
        value_texts: what its values are called; a number is called by itself.
        clauses: the clauses of the rule book that it changes; the sources stand there.
    """

    name: str
    default: str
    values: tuple[str, ...]
    least: int
    most: int
    row: bool
    offered: tuple[str, ...]
    older: dict[str, str]
    title: Words
    help: Words
    value_texts: dict[str, Words]
    clauses: tuple[str, ...]


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A named set of options, of a round and of a match.

    Attributes:
        id: of the preset.
        options, match_options: those that differ from the defaults, and their values.
        text: what it stands for.
    """

    id: str
    options: dict[str, str]
    match_options: dict[str, str]
    text: Words


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """A set of card names that a game can be shown with.

    Attributes:
        id: of the set, as in `Catalogue.names`.
        title: what it is called.
        drawn: the name of the drawn pack its cards are shown with.
        sprite: the address of the drawings, which changes when they do. In it are symbols: every card by its notation (`#7I`),
            `#back`, and marks for the corners, `#latin-7I` and `#kanji-7I`.
    """

    id: str
    title: Words
    drawn: str
    sprite: str


class Crest(msgspec.Struct, frozen=True, kw_only=True):
    """A drawing in two colours, within a square of 48 units, as SVG path data.

    Attributes:
        ink: what is filled with the colour of the text, by the rule `evenodd`.
        red: what is filled with red beneath it, likewise.
    """

    ink: str
    red: str


class BotInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that may be given a seat.

    Attributes:
        id: the bot's name, as a seat is given to it.
        name: what it is called.
        help: how it plays; of a character its temper.
        level: a character's place among the levels of the game, from 1 for the weakest; null where there is no order.
        crest: what a character is known by. A bot without one is there to be studied, or came from elsewhere.
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
        version: of the ruleset.
        name: what it is called.
        summary: one line about it.
        seats: the numbers of seats it can have, the usual one first.
        shape: of its table: `faces`, `ring`, `bank` or `pile`.
        side: whether it is a side game, short and mostly of chance: it is listed after the others.
        hard: how hard it is to begin with, from 1 to 3; 0 where the game does not say.
        minutes: that a round takes, about; 0 where the game does not say.
        presets: named sets of options; the first is the default.
        options: those of a round.
        match_options: those of a match, such as its length.
        packs: the sets of card names; the first is the default.
        face: the card that stands for the game where there is room for one, in notation.
        bots: those that play this game and not every game: its characters, the weakest first; then those of other makers.
        usual: the id of the one who plays where nobody says who.
        company: the ids of those beside a person at the largest table where nobody says who; at a smaller one the first.
        lesson: whether there is a lesson of it.
        puzzles: how many puzzles there are of it.
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
    puzzles: int = 0


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """All that a server can deal.

    Attributes:
        languages: of the catalogues and rule books.
        bots: those that play every game: of other makers, and those that are there to be studied.
        games: in the order of their names, side games after all others.
        public_url: the address under which people see this server, before the path of a link; null where that is the one asked.
    """

    languages: tuple[str, ...]
    bots: tuple[BotInfo, ...]
    games: tuple[GameInfo, ...]
    public_url: str | None = None


class Yaku(msgspec.Struct, frozen=True, kw_only=True):
    """A yaku, in one language.

    Attributes:
        id: of the yaku.
        name: what it is called.
        kana: how its Japanese name is read, in kana.
        reading: the same in Latin letters.
        cards: those it is made of, in notation.
        clause: the clause that says so; empty where there is none.
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
        title: what the set is called.
        cards: the name of every card, by its notation.
        kana: how its Japanese name is read, whatever the language: the name itself where that has no kanji.
        latin: the same in Latin letters.
    """

    title: str
    cards: dict[str, str]
    kana: dict[str, str]
    latin: dict[str, str]


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A group of captured cards that count alike.

    Attributes:
        id: its name stands among the catalogue's `groups`.
        cards: those that belong to it, in notation.
    """

    id: str
    cards: tuple[str, ...]


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Every text that can come up at a table of a game, in one language. How texts are rendered is told above.

    Attributes:
        game: the game's name.
        version: of the ruleset.
        lang: the language.
        name: what the game is called.
        summary: one line about it.
        texts: by table and key, with arguments in braces. There are all tables of the rule book that hold texts, such as
            `chapters`, `presets`, `prompts`, `words`, `events`, `refusals`, `lines`, `accounts`, `amounts`, `endings` and `zones`,
            and the server's own: `table` (what happens beside play), `errors`, `bots`, `bots-help`, `values`, `numbers` and `you`.
        cites: the clause that a text cites, by the text's id: most refusals and events have one.
        clauses: the text of every clause.
        yaku: by id.
        names: sets of card names; the first is the default.
        groups: of captured cards, in the order in which they are shown; empty where the game has none.
        numbers: whether the game turns on the numbers of its cards, so that they stand beside the picture.
        unit: the account among `texts.accounts` in which a round is counted; null where the game has no accounts.
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


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """A work that rules come from, as it names itself.

    Attributes:
        title, author, place: what a reader needs to find it.
        revision: a revision, date or edition.
        licence: that of its text.
    """

    title: str
    author: str
    place: str
    revision: str
    licence: str


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    """What a sentence of a work says.

    Attributes:
        work: key of the work in the rule book.
        title: of the work.
        place: the heading the sentence stands under.
        ordinal: the number of the sentence in the work's text, from 1; null where the text has not been read.
        says: the sentence in our words, and what of it is lost.
        second_hand: who reports it, where the text has not been read; else empty.
    """

    work: str
    title: str
    place: str
    ordinal: int | None
    says: str
    second_hand: str


class ExampleText(msgspec.Struct, frozen=True, kw_only=True):
    """A worked example of a clause: a position, what is played, and what comes of it.

    Attributes:
        options: those that differ from the defaults.
        position: the position it starts from, as text.
        action: what is played, separated by spaces; `seat:action` where it must be said who plays.
        result: the parts of the position it leads to that are worth looking at; else empty.
        returns: of the finished round, for each seat; null where the example does not say.
        next_dealer: after the finished round; null where the example does not say.
        sheet: clauses that stand on the score sheet.
        refused: the clause that forbids the last action, in place of all these; else empty.
        before: what lies on the table before it. All cards are seen but those that are still to be shuffled, and the stock lies
            in the order in which it will come. What the position does not name is left out, and so are places where nothing lies.
        after: the same after it, and after what the table does by itself; empty where the action is refused. Cards that were
            shuffled meanwhile lie as spectators see them.
    """

    options: dict[str, str]
    position: str
    action: str
    result: str
    returns: tuple[int, ...] | None
    next_dealer: int | None
    sheet: tuple[str, ...]
    refused: str
    before: tuple[Zone, ...]
    after: tuple[Zone, ...]


class ClauseText(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the rule book, in one language.

    Attributes:
        id: of the clause.
        text: the sentence, as the default options play it.
        status: `attested`, `inferred`, `reconstructed` or `house`.
        why: the argument for it, where no source stands behind it; else empty.
        options: the names of those that change it.
        sources: what it rests on.
        examples: what it does.
    """

    id: str
    text: str
    status: str
    why: str
    options: tuple[str, ...]
    sources: tuple[SourceRow, ...]
    examples: tuple[ExampleText, ...]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A run of clauses under one heading.

    Attributes:
        id: of the chapter. One that is taken up again later in the book comes again.
        title: its heading.
        clauses: in the order of play.
    """

    id: str
    title: str
    clauses: tuple[ClauseText, ...]


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph of the short form of a rule book.

    Attributes:
        title: what it is about.
        text: the paragraph.
        cards: those it speaks of, in notation.
        clauses: the clauses that say so too.
    """

    title: str
    text: str
    cards: tuple[str, ...]
    clauses: tuple[str, ...]


class RuleBook(msgspec.Struct, frozen=True, kw_only=True):
    """The rule book of a game, in one language.

    Attributes:
        game: the game's name.
        version: of the ruleset.
        lang: the language.
        name: what the game is called.
        summary: one line about it.
        warning: how far the sources trust themselves; empty where they say nothing of it.
        warned_by: where they do.
        short: the game as it is usually played, in a few paragraphs.
        chapters: in the order of play.
        yaku: in the order of the game's scoring table.
        works: those that the rules come from, by key.
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
