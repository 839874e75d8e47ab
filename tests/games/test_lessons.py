"""The lessons: each is playable, rightly and wrongly, at every beat; faults are reported by file and beat."""

import re
import tomllib
from pathlib import Path

import pytest

from mekuri import games
from mekuri.engine import lesson as written
from mekuri.engine import tables
from mekuri.engine.lesson import FILE, FIRST, Lesson, preset_of
from mekuri.engine.rulebook import rulebook
from mekuri.engine.validation import faults
from mekuri.match.lesson import LessonError, play_lesson
from mekuri.testing import CheckFailure, lessons
from tests.helpers.tables import USUAL, each_game
from tests.helpers.unfinished import changed, moved

MOST, FEWEST = 9, 5  # beats: a game of chance has few


def lesson(name: str) -> Lesson:
    found = written.lesson(games.find(name))
    assert found
    return found


@each_game
def test_lesson_is_playable_and_shows_no_hidden_card(name: str) -> None:
    lessons.played(games.find(name))
    lessons.seen_by_one(games.find(name))


@each_game
def test_lesson_covers_a_whole_round(name: str) -> None:
    contract = games.find(name)
    taught = play_lesson(contract)
    assert FEWEST <= len(taught) <= MOST
    views = [view for beat in taught for view in (beat.view, *(event.view for answer in beat.answers for event in answer.events))]
    assert any(view.over for view in views)
    assert all(view.you == lesson(name).seat for view in views)
    assert any(not answer.right for beat in taught for answer in beat.answers)


@each_game
def test_lesson_cites_clauses_of_the_rule_book(name: str) -> None:
    contract = games.find(name)
    taught, clauses = lesson(name), rulebook(contract).clauses
    assert len(taught.minute) == 4
    for cited in (*(scene.clauses for scene in taught.minute), *(beat.clauses for beat in taught.beats)):
        assert cited
        assert set(cited) <= clauses.keys()


@each_game
def test_first_match_preset_is_short(name: str) -> None:
    contract = games.find(name)
    assert preset_of(contract) == FIRST
    assert FIRST in rulebook(contract).tables["presets"]


def beat_with(name: str, *keys: str) -> tuple[str, str]:
    """Return the id of a beat that has these keys, and the value of the first key."""
    rows = tables.written(games.find(name).folder / FILE)
    assert rows
    found = next(row for row in rows["beats"] if all(key in row for key in keys))
    return found["id"], found[keys[0]]


def test_malformed_lesson_is_reported_by_file_and_beat(tmp_path: Path) -> None:
    clause = lesson(USUAL).beats[0].clauses[0]
    id, play = beat_with(USUAL, "play")
    wrong = {
        (clause, "no.such.clause"): "cites a clause no.such.clause",
        ("[[beats]]\nid", "[[beats]]\nsaid = 1\nid"): "has said, which says nothing there",
        (f'play = "{play}"', 'point = "8H"\nplay = "8H"'): "asks for play and point",
        ('glow = "', 'glow = "77Z '): "has glow",
        ('id = "', 'name = "'): "lacks id",
        ("position =", "place ="): "lacks a position to begin with",
        ('asks = { en = "', 'asks = { fr = "'): "lacks en",
    }
    for change, says in wrong.items():
        found = faults(changed(USUAL, tmp_path, FILE, *change))
        reported = [fault for fault in found if says in fault]
        assert reported, says
        assert all(str(tmp_path / FILE) in fault and re.search(r"\[(beats|minute) ", fault) for fault in reported)
    number = f'play = "{play}"', f'play = "{play}"\ncount = "x"\nnumbers = [1]'
    assert f"[beats {id}]" in "".join(faults(changed(USUAL, tmp_path, FILE, *number)))
    (tmp_path / FILE).write_text("beats = [", encoding="utf-8")
    assert "is no TOML" in "".join(faults(moved(games.find(USUAL), tmp_path)))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("play", "12K", "takes 12K for right"),
        ("position", "phase nowhere", "phase is one of"),
        ("glow", "12K", "points out 12K"),
        ("places", '["attic"]', "points out attic"),
    ],
)
def test_illegal_lesson_is_reported_by_file_and_beat(tmp_path: Path, key: str, value: str, says: str) -> None:
    rows = tomllib.loads((games.find(USUAL).folder / FILE).read_text(encoding="utf-8"))["beats"]
    first = next(row["id"] for row in rows if key in row)
    text = (games.find(USUAL).folder / FILE).read_text(encoding="utf-8")
    begin = text.index(f'id = "{first}"')
    line = next(line for line in text[begin:].splitlines() if line.startswith(f"{key} = "))
    contract = changed(USUAL, tmp_path, FILE, line, f"{key} = {value}" if value.startswith("[") else f'{key} = "{value}"')
    with pytest.raises(LessonError, match=says) as error:
        play_lesson(contract)
    assert str(tmp_path / FILE) in str(error.value)
    assert f"[beats {first}]" in str(error.value)


def test_answer_without_a_text_is_found(tmp_path: Path) -> None:
    id, _ = beat_with(USUAL, "right")
    says = next(beat for beat in lesson(USUAL).beats if beat.id == id).right["en"]
    with pytest.raises(CheckFailure, match="nothing is said"):
        lessons.played(changed(USUAL, tmp_path, FILE, says, ""))


def test_game_without_a_lesson_is_complete(tmp_path: Path) -> None:
    contract = moved(games.find(USUAL), tmp_path)
    assert faults(contract) == []
    assert written.lesson(contract) is None
    assert play_lesson(contract) == ()
    lessons.played(contract)
    lessons.seen_by_one(contract)
