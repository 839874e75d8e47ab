"""Lessons: how a game is learned by playing it, beat by beat, and what it is in one minute: the file `lesson.toml` of its folder.

The file is described in `docs/lesson-format.md`. What an answer comes to is not written in it: the rules say that.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from mekuri.cards import parse_row
from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import Words
from mekuri.engine.tables import Table

FILE = "lesson.toml"
FIRST = "first"  # the preset of a first match, where a game has it
# What a number that is asked for is: what the round brings the seat, what it has counted up, or what its lines of the sheet count.
Counts = Literal["returns", "scored", "lines"]

_KINDS = ("play", "point", "count")
_TEXTS = ("says", "asks", "right", "wrong")
_KEYS = {"id", "clauses", "glow", "places", "position", "score", "then", "numbers", "others", *_KINDS, *_TEXTS}
_SCENE = {"says", "clauses", "cards"}
_LESSON = {"seats", "seat", "minute", "beats"}
_OTHERS = {"answers", "says"}


@dataclass(frozen=True)
class Scene:
    """One of the few sentences that say in one minute what a game is, the clauses that say so too, and the cards it speaks of."""

    says: Words
    clauses: tuple[str, ...]
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Beat:
    """A step of a lesson: what is said, what lies on the table, what is asked, and what is said of an answer.

    Attributes:
        id: of the beat, within its lesson.
        says: what is told.
        clauses: those that say so too.
        glow: the cards that are pointed out.
        places: the zones that are pointed out.
        score: whether is seen what seats work towards and have counted up, once that has been told.
        position: what lies on the table; if empty it goes on from where the beat before has ended.
        asks: what is asked; empty where nothing is.
        play: the actions that are right.
        point: the action whose captures, or the cards among which it lets one choose, are to be pointed at.
        count: what the number is that is asked for.
        numbers: those that are offered.
        right: what is said of a right answer.
        wrong: what is said of any other; empty where there is none.
        others: what is said of certain others, by the answer.
        then: what others do after a right answer, each `seat:action`.
    """

    id: str
    says: Words
    clauses: tuple[str, ...]
    glow: tuple[int, ...]
    places: tuple[str, ...]
    score: bool
    position: str
    asks: Words
    play: tuple[str, ...]
    point: str
    count: Counts | None
    numbers: tuple[int, ...]
    right: Words
    wrong: Words
    others: Mapping[str, Words]
    then: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """A lesson: how many play, in which seat the learner sits, the game in one minute, and its beats.

    It is played by the preset `first`, where the game has one.
    """

    seats: int | None
    seat: int
    minute: tuple[Scene, ...]
    beats: tuple[Beat, ...]


@cache
def lesson(contract: Contract) -> Lesson | None:
    """The lesson of a whole game; None where it has none."""
    rows = written(contract.folder / FILE)
    if rows is None:
        return None
    minute = tuple(Scene(row["says"], tuple(row["clauses"]), tuple(parse_row(row.get("cards", "")))) for row in rows["minute"])
    return Lesson(rows.get("seats"), rows.get("seat", 0), minute, tuple(map(_beat, rows["beats"])))


def written(path: Path) -> dict[str, Any] | None:
    """The file as it is written; None where there is none."""
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def preset_of(contract: Contract) -> str:
    """The preset of a first match, and of the lesson: `first` where the game has one."""
    return FIRST if FIRST in contract.presets else "default"


def _beat(row: Mapping[str, Any]) -> Beat:
    return Beat(
        id=row["id"],
        says=row["says"],
        clauses=tuple(row["clauses"]),
        glow=tuple(parse_row(row.get("glow", ""))),
        places=tuple(row.get("places", ())),
        score=row.get("score", False),
        position=row.get("position", ""),
        asks=row.get("asks", {}),
        play=tuple(row.get("play", "").split()),
        point=row.get("point", ""),
        count=row.get("count"),
        numbers=tuple(row.get("numbers", ())),
        right=row.get("right", {}),
        wrong=row.get("wrong", {}),
        others={answer: other["says"] for other in row.get("others", ()) for answer in other["answers"].split()},
        then=tuple(row.get("then", "").split()),
    )


# --- Whether it is whole ---


def check_lesson(contract: Contract, told: Table, clauses: Iterable[str]) -> None:
    """Look through a lesson as it is written. Whether its positions and answers are right is seen when it is played."""
    known = set(clauses)
    told.only(_LESSON)
    seats = told.rows.get("seats", contract.seats[0])
    if seats not in contract.seats:
        told.wrong(f"has seats = {seats!r}: the game has {', '.join(map(str, contract.seats))}")
    elif told.rows.get("seat", 0) not in range(seats):
        told.wrong(f"has seat = {told.rows['seat']!r}: seats are 0 to {seats - 1}")
    for scene in told.array("minute"):
        scene.only(_SCENE)
        scene.text("says")
        scene.cited(known)
        scene.cards("cards")
    ids: set[str] = set()
    for number, beat in enumerate(told.array("beats")):
        id = beat.string("id")
        if id in ids:
            beat.wrong("has the id of another beat")
        ids.add(id)
        if not number and "position" not in beat.rows:
            beat.wrong("is the first, and lacks a position to begin with")
        _check_beat(beat, known)


def _check_beat(beat: Table, clauses: set[str]) -> None:
    beat.only(_KEYS)
    beat.text("says")
    beat.cited(clauses)
    beat.cards("glow")
    beat.listed("places", str)
    if not isinstance(beat.rows.get("score", False), bool):
        beat.wrong("has a score that is neither true nor false")
    asked = [kind for kind in _KINDS if kind in beat.rows]
    if len(asked) > 1:
        beat.wrong(f"asks for {' and '.join(asked)}: ask for one")
    if asked:
        for key in ("asks", "right", *(["wrong"] if "wrong" in beat.rows else [])):
            beat.text(key)
        if asked != ["count"]:
            beat.string(asked[0])
    else:
        for key in sorted(beat.rows.keys() & {"asks", "right", "wrong", "others", "then", "numbers"}):
            beat.wrong(f"has {key}, and asks for nothing: say {', '.join(_KINDS)}")
    if asked == ["count"]:
        if beat.rows["count"] not in get_args(Counts):
            beat.wrong(f"counts {beat.rows['count']!r}: there are {', '.join(get_args(Counts))}")
        if len(set(beat.listed("numbers", int))) < 2:
            beat.wrong("offers no two numbers to choose from: write numbers = [...]")
    for key in ("position", "then"):
        if key in beat.rows:
            beat.string(key)
    for row in beat.listed("others", dict):
        other = beat.within(f"[others of {beat.rows.get('id', '?')}]", row)
        other.only(_OTHERS)
        other.string("answers")
        other.text("says")
