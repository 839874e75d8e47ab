"""Lessons: short steps that teach a game by playing it, and the game in one minute, read from `lesson.toml` in its folder.

`docs/lesson-format.md` describes that file. It does not say what an answer leads to, as the rules work that out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from mekuri.cards import Card, parse_row
from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import Words
from mekuri.engine.tables import Table, written

FILE = "lesson.toml"
FIRST = "first"  # the id of the preset for a first match, where a game has one
# The meaning of a number that a beat asks for: a seat's returns, its points so far, or the points of its lines of the score sheet.
Counts = Literal["returns", "scored", "lines"]

_KINDS = ("play", "point", "count")
_TEXTS = ("says", "asks", "right", "wrong")
_KEYS = {"id", "clauses", "glow", "places", "position", "score", "then", "numbers", "others", *_KINDS, *_TEXTS}
_SCENE = {"says", "clauses", "cards"}
_LESSON = {"seats", "seat", "minute", "beats", "welcome"}
_WELCOME = {"says", "next"}
_OTHERS = {"answers", "says"}


@dataclass(frozen=True)
class Scene:
    """A sentence of the game in one minute, with the cards that it mentions, and the ids of the clauses that it rests on."""

    says: Words
    cards: tuple[Card, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Beat:
    """A step of a lesson: a text, a position on the table, and mostly a question with replies to its answers.

    Attributes:
        id: the beat's id, unique in its lesson.
        says: the text of the beat.
        clauses: ids of the clauses that the text rests on.
        glow: the cards that are pointed out.
        places: the ids of the zones that are pointed out.
        score: whether the goals and points of the seats are shown, once the text has been shown.
        position: the position on the table; empty to go on from the end of the beat before.
        asks: the question; empty where nothing is asked.
        play: the right actions, if the learner is asked to play.
        point: the action in question, if the learner is asked to point: at the cards that it captures, or lets one choose from.
        count: the meaning of the number, if the learner is asked for one; else None.
        numbers: the numbers that are offered as answers.
        right: the reply to a right answer.
        wrong: the reply to a wrong answer; empty where there is none.
        others: replies to certain wrong answers, by answer.
        then: the actions of other seats after a right answer, each as `seat:action`.
    """

    id: str
    says: Words
    clauses: tuple[str, ...]
    glow: tuple[Card, ...]
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
class Welcome:
    """How the first page shows the first beat: a line below its question, and the id of the beat at which the lesson goes on."""

    says: Words
    next: str


@dataclass(frozen=True)
class Lesson:
    """A lesson of a game. It is played with the preset `first`, where the game has one.

    Attributes:
        seats: the number of seats; None for the game's usual number.
        seat: the learner's seat.
        minute: the game in one minute.
        beats: the steps, in order.
        welcome: the first beat as a newcomer meets it on the first page; None where it is not for that.
    """

    seats: int | None
    seat: int
    minute: tuple[Scene, ...]
    beats: tuple[Beat, ...]
    welcome: Welcome | None = None


@cache
def lesson(contract: Contract) -> Lesson | None:
    """The lesson of a game whose files have been checked; None where it has none."""
    rows = written(contract.folder / FILE)
    if rows is None:
        return None
    minute = tuple(Scene(row["says"], _cards(row, "cards"), tuple(row["clauses"])) for row in rows["minute"])
    welcome = Welcome(**rows["welcome"]) if "welcome" in rows else None
    return Lesson(rows.get("seats"), rows.get("seat", 0), minute, tuple(map(_beat, rows["beats"])), welcome)


def preset_of(contract: Contract) -> str:
    """The id of the preset for a first match and for the lesson: `first` where the game has it, else `default`."""
    return FIRST if FIRST in contract.presets else "default"


def _cards(row: Mapping[str, Any], key: str) -> tuple[Card, ...]:
    return tuple(map(Card, parse_row(row.get(key, ""))))


def _beat(row: Mapping[str, Any]) -> Beat:
    return Beat(
        id=row["id"],
        says=row["says"],
        clauses=tuple(row["clauses"]),
        glow=_cards(row, "glow"),
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


# --- Checking ---


def check_lesson(contract: Contract, table: Table, clauses: Iterable[str]) -> None:
    """Report the faults of a written `lesson.toml` to its table. Positions and answers are not checked: tests play them.

    Args:
        contract: the game.
        table: the table of the whole file.
        clauses: the ids of all clauses of the rule book.
    """
    known = set(clauses)
    table.only(_LESSON)
    seats = table.rows.get("seats", contract.seats[0])
    if seats not in contract.seats:
        table.wrong(f"has seats = {seats!r}: the game has {', '.join(map(str, contract.seats))}")
    elif table.rows.get("seat", 0) not in range(seats):
        table.wrong(f"has seat = {table.rows['seat']!r}: seats are 0 to {seats - 1}")
    for scene in table.array("minute"):
        scene.only(_SCENE)
        scene.text("says")
        scene.cited(known)
        scene.cards("cards")
    beats = table.different("beats")
    for number, beat in enumerate(beats):
        if not number and "position" not in beat.rows:
            beat.wrong("is the first, and lacks a position to begin with")
        _check_beat(beat, known)
    if welcome := table.rows.get("welcome"):
        row = table.within("[welcome]", welcome)
        row.only(_WELCOME)
        row.text("says")
        if row.string("next") not in [beat.rows.get("id") for beat in beats]:
            row.wrong(f"goes on at {welcome['next']}, which is no beat")
        if "play" not in table.rows["beats"][0]:
            row.wrong("welcomes with the first beat, which does not ask for an action: write play = ... there")


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
