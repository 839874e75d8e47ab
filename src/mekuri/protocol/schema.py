"""The JSON Schema of all messages, made from the structs: `python -m mekuri.protocol.schema > docs/view.schema.json`."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import msgspec

from mekuri.protocol import analysis, daily, games, guests, lesson, played, practice, push, puzzles, review, table

STREAM: dict[str, type[msgspec.Struct]] = {
    "table": table.Table,
    "event": table.Event,
    "presence": table.TablePresence,
    "notice": table.Notice,
}
ANSWERS = (
    guests.Guest,
    guests.Devices,
    guests.Code,
    guests.Export,
    played.Played,
    played.Brought,
    table.Table,
    table.Tables,
    table.Events,
    table.Answer,
    table.Replay,
    table.Worths,
    analysis.Analysis,
    review.Reviewed,
    review.Retried,
    practice.Practice,
    practice.NextQuestion,
    practice.Tried,
    daily.Daily,
    daily.DailyDeal,
    daily.DailyEve,
    analysis.Why,
    push.TurnNews,
    table.Problem,
    games.Games,
    games.GameInfo,
    games.Catalogue,
    games.RuleBook,
    lesson.Lesson,
    puzzles.Puzzles,
    puzzles.Puzzle,
    puzzles.PuzzleTried,
)
ASKS = (
    guests.AskGuest,
    guests.AskDevice,
    played.AskBring,
    table.AskTable,
    table.AskSeat,
    table.AskFree,
    table.AskAction,
    table.AskReady,
    table.AskTakeBack,
    table.AskSay,
    review.AskRetry,
    practice.AskTry,
    puzzles.AskPuzzleTry,
    daily.AskDailyCut,
    push.AskPush,
)
MESSAGES: tuple[type[msgspec.Struct], ...] = tuple(dict.fromkeys([*STREAM.values(), *ANSWERS, *ASKS]))

_ATTRIBUTES = re.compile(r"\n\nAttributes:\n(.*)", re.DOTALL)
_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.*(?:\n {8}.*)*)", re.MULTILINE)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages. `anyOf` lists the messages; `$defs` holds each struct by its name."""
    messages, parts = msgspec.json.schema_components(MESSAGES, ref_template="#/$defs/{name}")
    for part in parts.values():
        _explain(part)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mekuri",
        "description": "What travels between a table server and its clients. docs/view.md is the guide.",
        "anyOf": list(messages),
        "$defs": parts,
    }


def _explain(part: dict[str, Any]) -> None:
    """Add the attributes in a struct's docstring to its schema, as the descriptions of its fields."""
    told = part["description"]
    part["description"] = " ".join(_ATTRIBUTES.sub("", inspect.cleandoc(told)).split())
    for name, says in attributes(told).items():
        part["properties"][name].setdefault("description", says)


def attributes(docstring: str) -> dict[str, str]:
    """Return the description of each attribute in a class's docstring, as one line."""
    found = _ATTRIBUTES.search(inspect.cleandoc(docstring))
    rows = _ATTRIBUTE.findall(found[1] if found else "")
    return {name: " ".join(says.split()) for names, says in rows for name in names.split(", ")}


def schema_text() -> str:
    """Return the schema as the text of `docs/view.schema.json`."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
