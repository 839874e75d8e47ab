"""The JSON Schema of all messages: `python -m mekuri.protocol.schema > docs/view.schema.json`.

It is made from the structs of this package and from the dataclasses of `SHOWN`. Docstrings or `descriptions.toml` describe them.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import tomli

from mekuri.bots import Reply, Weighed, figures
from mekuri.bots.analysis import YakuOf
from mekuri.bots.review import Choice, Hindsight, Luck, Moment, Review
from mekuri.engine import bot, presentation
from mekuri.engine import lesson as written
from mekuri.engine.fields import ATTRIBUTES, attributes
from mekuri.match import lesson as taught
from mekuri.match import view
from mekuri.protocol import analysis, daily, games, guests, lesson, played, practice, push, puzzles, review, table
from mekuri.protocol.coding import schema_of

# Dataclasses that messages contain. Most are declared in lower packages.
SHOWN: tuple[Any, ...] = (
    presentation.Text,
    presentation.Zone,
    presentation.Line,
    presentation.Near,
    presentation.Goal,
    presentation.Counted,
    presentation.Worth,
    view.Legal,
    view.Refused,
    view.View,
    view.Happening,
    bot.Crest,
    games.Option,
    games.ExampleText,
    written.Scene,
    written.Welcome,
    taught.Beat,
    taught.LessonAnswer,
    YakuOf,
    Reply,
    Weighed,
    figures.Estimate,
    Choice,
    Hindsight,
    Moment,
    Luck,
    Review,
)
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


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages. `anyOf` lists the messages; `$defs` holds each struct by its name."""
    messages, parts = components(MESSAGES)
    for name, part in parts.items():
        _explain(name, part)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mekuri",
        "description": "What travels between a table server and its clients. docs/view.md is the guide.",
        "anyOf": list(messages),
        "$defs": parts,
    }


def components(messages: Iterable[type]) -> tuple[tuple[dict[str, Any], ...], dict[str, dict[str, Any]]]:
    """Return the schemas of messages, and those of all their parts by the names of these on the wire."""
    roots, parts = msgspec.json.schema_components(messages, schema_hook=schema_of, ref_template="#/$defs/{name}")
    for kind in SHOWN:
        for field in dataclasses.fields(kind) if kind.__name__ in parts else ():
            properties = parts[kind.__name__]["properties"]
            known = properties.pop(field.name)  # msgspec tells of optional fields last, and makes no defaults
            made = {} if field.default_factory is dataclasses.MISSING else {"default": field.default_factory()}
            properties[field.name] = known | made
    return roots, parts


@cache
def _descriptions() -> dict[str, Any]:
    return tomli.loads(Path(__file__).with_name("descriptions.toml").read_text(encoding="utf-8"))


def _explain(name: str, part: dict[str, Any]) -> None:
    """Add the descriptions of a message and its fields to its schema: from its docstring, or from `descriptions.toml`."""
    says = part["description"]
    bases = [base.__doc__ or "" for kind in SHOWN if kind.__name__ == name for base in kind.__mro__[:0:-1]]
    about = _descriptions().get(name) or {"about": ATTRIBUTES.sub("", inspect.cleandoc(says)), "fields": attributes(*bases, says)}
    part["description"] = " ".join(about["about"].split()).replace("None", "null")
    for field, meaning in about["fields"].items():
        part["properties"][field].setdefault("description", meaning.replace("None", "null"))


def schema_text() -> str:
    """Return the schema as the text of `docs/view.schema.json`."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
