"""Puzzles: decisions of played rounds in which one choice is clearly the best, read from `puzzles.toml` in a game's folder.

`mekuri mine` makes that file; `docs/puzzles.md` describes it. A game need not have one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mekuri.cards import NotationError, card_text, cards_text, parse_card, parse_cards, parse_row
from mekuri.engine.contract import Contract, Text
from mekuri.engine.tables import Table, written

FILE = "puzzles.toml"
LEVELS = (1, 2, 3)  # how hard a puzzle is
_HEAD = ("ruleset", "preset", "bot", "version", "worlds", "deals", "tries")
_NUMBERS = ("level", "dealer", "seat", "sure", "solved", "agree")
_BARE = re.compile(r"[A-Za-z0-9_-]+")  # TOML keys that need no quotes
_KEYS = {"id", "players", "packs", "actions", "best", "tempts", "brings", "open", "costs", "finds", "hint", "why", *_NUMBERS}


@dataclass(frozen=True)
class Puzzle:
    """A decision, the round that led to it, and the values that a search found for its choices.

    Attributes:
        id: the puzzle's id, a digest of the round so far.
        level: how hard it is, one of `LEVELS`.
        players: ids of the bots that played the round, indexed by seat.
        dealer: the seat that dealt.
        packs: the order of the pack at each shuffle, as in a record.
        actions: the actions so far, as in a record.
        seat: the seat that decides.
        best: the best action, which is the answer, in notation.
        tempts: the action that is best at once, which the greedy bot chooses; in some puzzles it is the answer.
        brings: the average outcome of the best action.
        open: the standard deviation of the outcome for the seat; an action that costs a certain share of it is a blunder.
        costs: for every other action, how much less than the best it brings, and half the width of that figure's 95 % interval.
        sure: the number of deals, of the cards that the seat does not see, in which no other action is better by as much as a
            mistake.
        solved: the number of those deals that were solved exactly with all cards open; 0 where most take too long.
        agree: the number of solved deals in which no action is better than the best.
        finds: by character, how often it found the answer, out of `Puzzles.tries`.
        hint: a text of the table `facts` that tells the kind of the best action and does not name it.
        why: texts of that table that tell why the best action is better than the tempting one.
    """

    id: str
    level: int
    players: tuple[str, ...]
    dealer: int
    packs: tuple[str, ...]
    actions: str
    seat: int
    best: str
    tempts: str
    brings: float
    open: float
    costs: Mapping[str, tuple[float, float]]
    sure: int
    solved: int
    agree: int
    finds: Mapping[str, int]
    hint: Text
    why: tuple[Text, ...]


@dataclass(frozen=True)
class Puzzles:
    """The puzzles of a game, and the settings that they were made with.

    Attributes:
        ruleset: the ruleset version.
        preset: the id of the preset that they are played with.
        bot: the id of the bot whose search judged the choices.
        version: the version of that judge, as in a review.
        worlds: the number of worlds in which every choice was tried.
        deals: the number of further deals of the unseen cards in which it was checked whether another choice is better.
        tries: how often each character tried to find the answer.
        puzzles: the puzzles, the easiest first.
    """

    ruleset: int
    preset: str
    bot: str
    version: str
    worlds: int
    deals: int
    tries: int
    puzzles: tuple[Puzzle, ...]


@cache
def puzzles(contract: Contract) -> Puzzles | None:
    """The puzzles of a game whose files have been checked; None where it has none."""
    rows = written(contract.folder / FILE)
    return read(rows) if rows is not None else None


def read(rows: Mapping[str, Any]) -> Puzzles:
    """The puzzles of a parsed file, which must be free of faults; see `check_puzzles`."""
    return Puzzles(**{key: rows[key] for key in _HEAD}, puzzles=tuple(map(_puzzle, rows["puzzles"])))


def _puzzle(row: Mapping[str, Any]) -> Puzzle:
    costs = {action: (cost, half) for action, (cost, half) in row["costs"].items()}
    listed = {"players": tuple(row["players"]), "packs": tuple(row["packs"])}
    texts = {"hint": _text(row["hint"]), "why": tuple(map(_text, row["why"]))}
    return Puzzle(**{**row, **listed, **texts, "costs": costs})


def _text(written: Mapping[str, Any]) -> Text:
    return Text(written["id"], {key: _argument(key, value) for key, value in written["args"].items()})


def _argument(key: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return _text(value)
    return parse_card(value) if key == "card" else parse_cards(value) if key == "cards" else value


# --- Writing ---


def file_text(game: str, found: Puzzles) -> str:
    """The text of `puzzles.toml` for a game's puzzles. Equal puzzles give equal texts."""
    head = [f"# Puzzles of {game}: made by `mekuri mine`, not by hand. docs/puzzles.md explains the fields."]
    lines = [*head, *(f"{key} = {_toml(getattr(found, key))}" for key in _HEAD)]
    for puzzle in found.puzzles:
        lines += ["", "[[puzzles]]", *(f"{key} = {_toml(value)}" for key, value in vars(puzzle).items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Text):
        args = {key: _written(key, one) for key, one in value.args.items()}
        return _toml({"id": value.id, "args": args})
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(one)}" for key, one in value.items()) + " }" if value else "{}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _written(key: str, value: Any) -> Any:
    if isinstance(value, Text):
        return value
    return card_text(value) if key == "card" else cards_text(value) if key == "cards" else value


# --- Checking ---


def check_puzzles(contract: Contract, table: Table) -> None:
    """Report the faults of a written `puzzles.toml` to its table.

    Whether the puzzles can be played, and whether their answers are right, is left to tests.
    """
    table.only({*_HEAD, "puzzles"})
    table.strings("preset", "bot", "version")
    for key in ("ruleset", "worlds", "deals", "tries"):
        _number(table, key)
    if table.rows.get("ruleset") != contract.version:
        table.wrong(f"was made under ruleset {table.rows.get('ruleset')}, and this is {contract.version}: mine it again")
    if "preset" in table.rows and table.rows["preset"] not in contract.presets:
        table.wrong(f"is of a preset {table.rows['preset']}, which is not there")
    for puzzle in table.different("puzzles"):
        _check_puzzle(contract, puzzle)


def _check_puzzle(contract: Contract, puzzle: Table) -> None:
    puzzle.only(_KEYS)
    puzzle.strings("best", "tempts")
    puzzle.string("actions", blank=True)
    for key in _NUMBERS:
        _number(puzzle, key)
    for key in ("brings", "open"):
        if not isinstance(puzzle.rows.get(key), int | float):
            puzzle.wrong(f"has no number for {key}")
    if puzzle.rows.get("level") not in LEVELS:
        puzzle.wrong(f"has the level {puzzle.rows.get('level')!r}: there are {', '.join(map(str, LEVELS))}")
    players = puzzle.listed("players", str)
    if len(players) not in contract.seats:
        puzzle.wrong(f"has {len(players)} players: the game has {', '.join(map(str, contract.seats))}")
    for key in ("seat", "dealer"):
        if puzzle.rows.get(key) not in range(len(players)):
            puzzle.wrong(f"has {key} = {puzzle.rows.get(key)!r}: seats are 0 to {len(players) - 1}")
    for pack in puzzle.listed("packs", str):
        try:
            parse_row(pack)
        except NotationError as error:
            puzzle.wrong(f"has a pack that is none: {error}")
    costs, finds = puzzle.table("costs").rows, puzzle.table("finds").rows
    if not costs or not all(isinstance(cost, list) and len(cost) == 2 for cost in costs.values()):
        puzzle.wrong("has costs that are not all [cost, half of its interval]")
    best, tempts = puzzle.rows.get("best"), puzzle.rows.get("tempts")
    if tempts not in (best, *costs) or best in costs:
        puzzle.wrong("has costs of other choices than all but the best")
    if not all(isinstance(times, int) for times in finds.values()):
        puzzle.wrong("has finds that are no numbers")
    for name, text in _texts(puzzle):
        try:
            _text(text)
        except (KeyError, AttributeError, TypeError, NotationError) as error:
            puzzle.wrong(f"has a {name} that is no text: {error}")


def _texts(puzzle: Table) -> Iterator[tuple[str, Any]]:
    yield "hint", puzzle.rows.get("hint")
    yield from (("why", text) for text in puzzle.listed("why", dict))


def _number(table: Table, key: str) -> None:
    value = table.rows.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        table.wrong(f"has no number for {key}")
