"""Rule books: clauses, yaku, option texts, messages and card names of a game, in every language, and where each rule comes from.

The files are described in `docs/rulebook-format.md`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from mekuri.cards import card_text, each, parse_row
from mekuri.engine.contract import Contract, Text
from mekuri.engine.filled import filled
from mekuri.engine.worded import worded

Status = Literal["attested", "inferred", "reconstructed", "house"]
Lang = Literal["en", "ja"]
LANGUAGES: tuple[Lang, ...] = ("en", "ja")
Words = Mapping[str, str]  # a text in every language
JOINT: Words = {"en": ", ", "ja": "、"}
LOST: Words = {"en": " [Lost: {what}]", "ja": "［失われた箇所：{what}］"}
YOU: Words = {"en": "you", "ja": "あなた"}  # who reads it
PLAYER: Words = {"en": "Player {n}", "ja": "打ち手{n}"}  # who has no name

# What is said of somebody else, and what of whoever reads it: `{seat:plays|play}`.
_VERB = re.compile(r"\{seat:([^{}|]*)\|([^{}|]*)\}")
_BEGINS = re.compile(r"(^|[.!?] )\{seat\}")


def told_of_others(text: str) -> str:
    """A text as it tells of a seat that is somebody else's."""
    return _VERB.sub(r"\1", text)


def told_to_you(text: str, lang: Lang) -> str | None:
    """A text as whoever sits in its seat reads it; None where it names no seat."""
    if text == "{seat}":
        return YOU[lang]  # stands within another text
    if "{seat}" not in text and not _VERB.search(text):
        return None
    begun = _BEGINS.sub(lambda found: found[1] + YOU[lang].capitalize(), _VERB.sub(r"\2", text))
    return begun.replace("{seat}", YOU[lang])


@dataclass(frozen=True)
class Example:
    """A worked example of a clause: a position, what is played, and what comes of it.

    Attributes:
        options: those that differ from the defaults.
        seats: how many play; the usual number if None.
        position: the position it starts from.
        action: what is played, separated by spaces; `seat:action` where it must be said who plays.
        result: the fields of the position it leads to that are worth looking at.
        returns: of the finished round, for each seat.
        next_dealer: after the finished round.
        sheet: clauses that stand on the score sheet.
        refused: the clause that forbids the last action, in place of all these.
    """

    options: Mapping[str, object]
    seats: int | None
    position: str
    action: str
    result: str = ""
    returns: tuple[int, ...] | None = None
    next_dealer: int | None = None
    sheet: tuple[str, ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Clause:
    """A sentence of the rule book."""

    id: str
    text: Words
    status: Status
    why: Words
    options: tuple[str, ...]
    examples: tuple[Example, ...]

    @property
    def chapter(self) -> str:
        """The chapter it stands in."""
        return self.id.split(".")[1]


@dataclass(frozen=True)
class Passage:
    """A paragraph of the short form: what it is about, what it says, the clauses that say so too, and the cards it speaks of."""

    title: Words
    says: Words
    clauses: tuple[str, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Source:
    """What a sentence of a source says, in our words, and the clauses that rest on it."""

    work: str
    place: str
    ordinal: int | None
    sha256: str
    second_hand: Words
    says: Words
    clauses: tuple[str, ...]
    no_rule: Words
    lost: Words
    warns: bool = False  # whether it says how far the source itself is to be trusted

    def text_in(self, lang: Lang) -> str:
        """What it says, and what of it is lost, for which its clauses stand."""
        return self.says[lang] + LOST[lang].format(what=self.lost[lang]) if self.lost else self.says[lang]


class Rulebook:
    """The rule book of a game."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The tables of `rulebook.toml`, filled in where the game leaves something out; those of texts are used as they stand."""
        return filled(self._contract, self.written)

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause by its id, in the order of play."""
        return {row["id"]: _clause(row) for row in self.tables["clauses"]}

    @cached_property
    def short(self) -> tuple[Passage, ...]:
        """The game as it is usually played, in a few paragraphs; nothing where nobody has written them."""
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
        """A row for every sentence of the sources that was weighed."""
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

    @property
    def warning(self) -> Words:
        """How far the sources trust themselves, for the head of the rule book; empty where they say nothing of it."""
        return dict(self.tables.get("warning", {}))

    @property
    def warned_by(self) -> list[Source]:
        """The rows in which they do."""
        return [source for source in self.sources if source.warns]

    @cached_property
    def written(self) -> dict[str, Any]:
        """The parsed `rulebook.toml` as it is written; empty where the game has none."""
        return _parsed(self._contract.folder / "rulebook.toml")

    @cached_property
    def source_tables(self) -> dict[str, Any]:
        """The parsed `sources.toml`; empty where the game has none."""
        return _parsed(self._contract.folder / "sources.toml")

    def sources_of(self, clause: str) -> list[Source]:
        """The rows that a clause rests on."""
        return [source for source in self.sources if clause in source.clauses]

    def text_of(self, id: str, lang: Lang) -> str:
        """The text of an id such as `events.deal`, its arguments still in braces."""
        table, _, key = id.partition(".")
        return told_of_others(self.tables[table][key][lang])

    def text_to_you(self, id: str, lang: Lang) -> str | None:
        """The same as whoever sits in its seat reads it; None where it names no seat."""
        table, _, key = id.partition(".")
        found = self.tables.get(table, {}).get(key)
        return told_to_you(found[lang], lang) if found else None

    def card(self, card: int, lang: Lang, names: str = "") -> str:
        """The name of a card in one of the game's sets of names; the first is the default."""
        sets = self.tables["names"]
        return str(sets[names or next(iter(sets))]["cards"][card_text(card)][lang])

    def refusal_clause(self, id: str) -> str:
        """The clause that a refusal cites; empty where it cites none."""
        return str(self.tables["refusals"][id].get("clause", ""))

    def render(self, text: Text, lang: Lang, players: Sequence[str] = (), names: str = "", you: int | None = None) -> str:
        """A text in a language. The text `card` is a card's name.

        Args:
            text: the text.
            lang: the language.
            players: the seats' names.
            names: the set of card names.
            you: the seat of whoever reads it.
        """
        if text.id == "card":
            return self.card(text.args["card"], lang, names)
        args = {key: self._argument(key, value, lang, players, names) for key, value in text.args.items()}
        own = self.text_to_you(text.id, lang) if you is not None and text.args.get("seat") == you else None
        return worded(own or self.text_of(text.id, lang), args)

    def _argument(self, key: str, value: Any, lang: Lang, players: Sequence[str], names: str) -> str:
        if isinstance(value, Text):
            return self.render(value, lang, players, names)
        if key == "seat":
            return players[value] if value < len(players) else PLAYER[lang].format(n=value + 1)
        if key == "card":
            return self.card(value, lang, names)
        if key == "cards":
            return JOINT[lang].join(self.card(card, lang, names) for card in each(value))
        if key == "yaku":
            return str(self.yaku[value]["name"][lang])
        return str(value)


def _parsed(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _clause(row: Mapping[str, Any]) -> Clause:
    examples = tuple(_example(example) for example in row.get("examples", ()))
    text = {str(lang): row[lang] for lang in LANGUAGES}
    return Clause(row["id"], text, row["status"], row.get("why", {}), tuple(row.get("options", ())), examples)


def _example(row: Mapping[str, Any]) -> Example:
    return Example(
        options=row.get("options", {}),
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
def rulebook(contract: Contract) -> Rulebook:
    """The rule book of a game."""
    return Rulebook(contract)
