"""Rule books: the clauses, yaku, option texts, messages and card names of a game, in every language, and the sources of its rules.

They are read from `rulebook.toml` and `sources.toml` in the game's folder, which `docs/rulebook-format.md` describes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Literal

import tomli

from mekuri.cards import card_text, each, parse_row
from mekuri.engine import presentation
from mekuri.engine.contract import Contract, Refusal, Text, Worth
from mekuri.engine.defaults import spelt
from mekuri.engine.filled import filled
from mekuri.engine.measured import Measured, read_measured
from mekuri.engine.options import value_text
from mekuri.engine.setup import new_state
from mekuri.engine.worded import worded

Status = Literal["attested", "inferred", "reconstructed", "house"]
Lang = Literal["en", "ja"]
LANGUAGES: tuple[Lang, ...] = presentation.LANGUAGES
Words = Mapping[str, str]  # a text in every language
JOINT: Words = {"en": ", ", "ja": "、"}
LOST: Words = {"en": " [Lost: {what}]", "ja": "［失われた箇所：{what}］"}
YOU: Words = {"en": "you", "ja": "あなた"}  # the reader
PLAYER: Words = {"en": "Player {n}", "ja": "打ち手{n}"}  # a seat without a name

# A verb in two forms, for another seat and for the reader's own: `{seat:plays|play}`.
_VERB = re.compile(r"\{seat:([^{}|]*)\|([^{}|]*)\}")
_BEGINS = re.compile(r"(^|[.!?] )\{seat\}")


def text_for_others(text: str) -> str:
    """A text with its verbs in the third person, for a reader who does not sit in the text's seat."""
    return _VERB.sub(r"\1", text)


def text_for_you(text: str, lang: Lang) -> str | None:
    """A text in the second person, for the reader who sits in the text's seat; None for a text that names no seat."""
    if text == "{seat}":
        return YOU[lang]  # stands within another text
    if "{seat}" not in text and not _VERB.search(text):
        return None
    begun = _BEGINS.sub(lambda found: found[1] + YOU[lang].capitalize(), _VERB.sub(r"\2", text))
    return begun.replace("{seat}", YOU[lang])


@dataclass(frozen=True, kw_only=True)
class Stated:
    """The part of a worked example that clients receive as the rule book states it.

    Attributes:
        options: the values of the options that differ from the defaults.
        position: the position it starts from, as text.
        action: the actions, separated by spaces; `seat:action` where the seat must be named.
        result: the parts of the position after them that matter; else empty.
        returns: the returns of the finished round, for each seat; None where the example does not say.
        next_dealer: the dealer after the finished round; None where the example does not say.
        sheet: the ids of clauses on the score sheet.
        refused: the id of the clause that forbids the last action, in place of all these; else empty.
    """

    options: Mapping[str, str]
    position: str
    action: str
    result: str
    returns: tuple[int, ...] | None
    next_dealer: int | None
    sheet: tuple[str, ...]
    refused: str


@dataclass(frozen=True, kw_only=True)
class Example(Stated):
    """A worked example of a clause: a position, the actions that follow, and the result that is expected.

    Attributes:
        seats: the number of seats; None for the usual number.
    """

    seats: int | None


@dataclass(frozen=True)
class Clause:
    """A sentence of the rule book.

    Attributes:
        id: the clause's id, written `game.chapter.name`.
        text: the sentence.
        status: whether a source states it; if not, how Mekuri arrived at it.
        why: the reason for a clause that no source states; empty where none is given.
        options: the names of the options that change it.
        examples: its worked examples.
        cards: the cards that it mentions, or those of its yaku.
    """

    id: str
    text: Words
    status: Status
    why: Words
    options: tuple[str, ...]
    examples: tuple[Example, ...]
    cards: tuple[int, ...] = ()

    @property
    def chapter(self) -> str:
        """The chapter that the clause stands in."""
        return self.id.split(".")[1]


@dataclass(frozen=True)
class Passage:
    """A paragraph of the short rules, with the ids of the clauses that it rests on, and the cards that it mentions."""

    title: Words
    says: Words
    clauses: tuple[str, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Source:
    """A sentence of a source, retold in our words, and the clauses that rest on it.

    Attributes:
        work: the key of the work that it stands in.
        place: the heading or table of that work under which it stands.
        ordinal: the number of the sentence in the work, from 1; None for a sentence known at second hand.
        sha256: the SHA-256 of the sentence, in hexadecimal; empty for a sentence known at second hand.
        second_hand: the text that says who reports the sentence, where the work itself has not been read; else empty.
        says: the sentence in our words.
        clauses: ids of the clauses that rest on it.
        no_rule: the text that says why no clause rests on it; empty where one does.
        lost: the part of the sentence that is lost; empty where nothing is.
        warns: whether it says how far the source itself is to be trusted.
    """

    work: str
    place: str
    ordinal: int | None
    sha256: str
    second_hand: Words
    says: Words
    clauses: tuple[str, ...]
    no_rule: Words
    lost: Words
    warns: bool = False

    def text_in(self, lang: Lang) -> str:
        """The sentence in a language, with a note of the part that is lost, if any."""
        return self.says[lang] + LOST[lang].format(what=self.lost[lang]) if self.lost else self.says[lang]


@dataclass(frozen=True, eq=False)
class Entry:
    """A finished variant of a game under its own name: the game itself with other options or other cards.

    Attributes:
        id: its id, in addresses and requests; no game has the same.
        name: its name.
        summary: one line about it.
        also: other names and spellings by which people look for it.
        options: the values of the options of a round that differ from the game's defaults.
        names: the set of card names that it shows first; empty for the game's first.
    """

    id: str
    name: Words
    summary: Words
    also: tuple[str, ...]
    options: Mapping[str, str]
    names: str


class Rulebook:
    """The rule book of a game, read from its files when it is first asked for."""

    def __init__(self, contract: Contract, entry: str | None = None) -> None:
        """Make the rule book of a game, or of its entry with this id: under the entry's name, with its card names first."""
        self._contract = contract
        self._entry = entry

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The tables of `rulebook.toml`, with defaults for all that the game leaves out. Tables of texts are read from here."""
        found = filled(self._contract, self.written)
        for row in found["entries"] if self._entry else ():
            if row["id"] == self._entry:
                names = sorted(found["names"].items(), key=lambda one: one[0] != row.get("names"))
                found |= {"name": row["name"], "summary": row["summary"], "names": dict(names)}
        return found

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause by its id, in the order of play."""
        of_yaku = {row["clause"]: row["cards"] for row in self.tables["yaku"]}
        return {row["id"]: _clause(row, of_yaku.get(row["id"], "")) for row in self.tables["clauses"]}

    @cached_property
    def short(self) -> tuple[Passage, ...]:
        """The short rules: the game as it is usually played, in a few paragraphs; empty where the game has none."""
        return tuple(
            Passage(row["title"], row["says"], tuple(row["clauses"]), tuple(parse_row(row.get("cards", ""))))
            for row in self.tables.get("short", ())
        )

    @cached_property
    def yaku(self) -> dict[str, dict[str, Any]]:
        """Every yaku by its id: name, readings, cards, clause."""
        return {row["id"]: row for row in self.tables["yaku"]}

    @cached_property
    def works(self) -> dict[str, dict[str, Any]]:
        """The works that the rules come from, by key."""
        return dict(self.source_tables.get("works", {}))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Every sentence of the sources that was considered for a rule."""
        return tuple(
            Source(
                work=row["work"],
                place=row["place"],
                ordinal=row.get("ordinal"),
                sha256=row.get("sha256", ""),
                second_hand=row.get("second_hand", {}),
                says=row["says"],
                clauses=tuple(row.get("clauses", ())),
                no_rule=row.get("no_rule", {}),
                lost=row.get("lost", {}),
                warns=row.get("warns", False),
            )
            for row in self.source_tables.get("rows", ())
        )

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The variants of the game under their own names, by id."""
        return {row["id"]: _entry(row) for row in self.tables["entries"]}

    @property
    def warning(self) -> Words:
        """A warning that the sources themselves give about how far they can be trusted; empty where they give none."""
        return dict(self.tables.get("warning", {}))

    @property
    def warned_by(self) -> list[Source]:
        """The sentences of the sources that give that warning."""
        return [source for source in self.sources if source.warns]

    @cached_property
    def written(self) -> dict[str, Any]:
        """The parsed `rulebook.toml` without defaults; empty where the game has none."""
        return _parsed(self._contract.folder / "rulebook.toml")

    @cached_property
    def measured(self) -> Measured:
        """What has been measured of its options."""
        return read_measured(self._contract)

    @cached_property
    def source_tables(self) -> dict[str, Any]:
        """The parsed `sources.toml`; empty where the game has none."""
        return _parsed(self._contract.folder / "sources.toml")

    def place_in(self, source: Source, lang: Lang) -> str:
        """The heading under which a sentence stands, in a language; as the work has it where it is not translated."""
        return str(self.source_tables.get("places", {}).get(source.place, source.place)) if lang == "ja" else source.place

    def sources_of(self, clause: str) -> list[Source]:
        """The sentences of the sources that a clause rests on."""
        return [source for source in self.sources if clause in source.clauses]

    def text_of(self, id: str, lang: Lang) -> str:
        """The text of an id such as `events.deal`, in the third person, its arguments still in braces.

        Raises:
            KeyError: if the rule book has no such text.
        """
        table, _, key = id.partition(".")
        try:
            return text_for_others(self.tables[table][key][lang])
        except KeyError:
            raise KeyError(f"the rule book of {self._contract.id} has no text {id}") from None

    def text_to_you(self, id: str, lang: Lang) -> str | None:
        """The text of an id in the second person, for the reader who sits in its seat; None where it names no seat."""
        table, _, key = id.partition(".")
        found = self.tables.get(table, {}).get(key)
        return text_for_you(found[lang], lang) if found else None

    def card(self, card: int, lang: Lang, names: str = "") -> str:
        """The name of a card in the set of names `names`; if empty, its plain name, or that of the first set where it has none."""
        found = self.tables["names"][names or self.names[0]]
        plain = {} if names else found["plain"]
        return str((plain.get(card_text(card)) or found["cards"][card_text(card)])[lang])

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of its sets of card names."""
        return tuple(self.tables["names"])

    @cached_property
    def worths(self) -> dict[int, Worth]:
        """The worth of every card with the default options, in the order of the cards."""
        contract = self._contract
        options = contract.options()
        s = new_state(contract, options, contract.seats[0])
        return {card: contract.table.worth(s, card) for card in sorted({*contract.rules.pack(options)})}

    def refusal(self, reason: Refusal) -> tuple[Text, str]:
        """The text of a refusal, and the id of the clause that it cites; empty where it cites none.

        The text of a refusal that the rule book does not define is made of its id.
        """
        if reason.id not in self.tables["refusals"]:
            return Text("refusals.undefined", {"reason": spelt(reason.id)}), ""
        return Text(f"refusals.{reason.id}", reason.args), str(self.tables["refusals"][reason.id].get("clause", ""))

    def render(
        self,
        text: Text,
        lang: Lang,
        players: Sequence[str] = (),
        names: str = "",
        you: int | None = None,
        call: Callable[[int], str] | None = None,
    ) -> str:
        """Render a text in a language. A text with the id `card` becomes the card's name.

        Args:
            text: the text.
            lang: the language.
            players: names indexed by seat; a seat without one is called by its number, from 1.
            names: the id of the set of card names; plain names if empty, as in `card`.
            you: the reader's seat; None for a reader without a seat.
            call: how a card is called; by its name of the set if left out.
        """
        call = call or partial(self.card, lang=lang, names=names)
        if text.id == "card":
            return call(text.args["card"])
        args = {key: self._argument(key, value, lang, players, you, call) for key, value in text.args.items()}
        own = self.text_to_you(text.id, lang) if you is not None and text.args.get("seat") == you else None
        return worded(own or self.text_of(text.id, lang), args)

    def _argument(
        self, key: str, value: Any, lang: Lang, players: Sequence[str], you: int | None, call: Callable[[int], str]
    ) -> str:
        if isinstance(value, Text):
            return self.render(value, lang, players, you=you, call=call)
        if key == "seat":
            return players[value] if value < len(players) else PLAYER[lang].format(n=value + 1)
        if key == "card":
            return call(value)
        if key == "cards":
            return JOINT[lang].join(map(call, each(value)))
        if key == "yaku":
            return str(self.yaku[value]["name"][lang])
        return str(value)


def _parsed(path: Path) -> dict[str, Any]:
    return tomli.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _entry(row: Mapping[str, Any]) -> Entry:
    also, options = tuple(row.get("also", ())), dict(row.get("options", {}))
    return Entry(row["id"], row["name"], row["summary"], also, options, row.get("names", ""))


def _clause(row: Mapping[str, Any], of_yaku: str) -> Clause:
    examples = tuple(_example(example) for example in row.get("examples", ()))
    text = {str(lang): row[lang] for lang in LANGUAGES}
    cards = tuple(parse_row(row.get("cards", of_yaku)))
    return Clause(row["id"], text, row["status"], row.get("why", {}), tuple(row.get("options", ())), examples, cards)


def _example(row: Mapping[str, Any]) -> Example:
    return Example(
        options={name: value_text(value) for name, value in row.get("options", {}).items()},
        seats=row.get("seats"),
        position=row["position"],
        action=row["action"],
        result=row.get("result", ""),
        returns=tuple(row["returns"]) if "returns" in row else None,
        next_dealer=row.get("next_dealer"),
        sheet=tuple(row.get("sheet", ())),
        refused=row.get("refused", ""),
    )


@cache
def rulebook(contract: Contract, entry: str | None = None) -> Rulebook:
    """The rule book of a game, or of its entry with this id, the same object at every call."""
    return Rulebook(contract, entry)
