"""The puzzles: each is playable, greed finds the tempting answers, and faults are reported by file and puzzle."""

import re
from collections import Counter
from pathlib import Path

import pytest

from mekuri import bots, games
from mekuri.bots.puzzles import CLEAR, DEALS, NEARLY_ALL
from mekuri.engine.puzzles import FILE, Puzzle, Puzzles, file_text, puzzles
from mekuri.engine.validation import faults
from mekuri.match.puzzle import PuzzleError, set_up
from mekuri.testing import CheckFailure
from mekuri.testing import puzzles as checks
from tests.helpers.tables import GAMES, each_game
from tests.helpers.unfinished import changed, moved

FEWEST, MOST = 20, 40
PUZZLED = [name for name in GAMES if puzzles(games.find(name))]
GAME = PUZZLED[0]


def mined(name: str) -> Puzzles:
    found = puzzles(games.find(name))
    assert found
    return found


def first(name: str = GAME) -> Puzzle:
    return mined(name).puzzles[0]


@each_game
def test_puzzles_are_playable_and_show_no_hidden_card(name: str) -> None:
    checks.played(games.find(name))
    checks.shown(games.find(name))
    checks.seen_by_one(games.find(name))


def test_games_of_skill_have_puzzles() -> None:
    of_skill = [name for name in GAMES if bots.levels(games.find(name))]
    assert of_skill == PUZZLED


@pytest.mark.parametrize("name", PUZZLED)
def test_puzzles_are_enough_clear_and_sorted_by_level(name: str) -> None:
    contract, found = games.find(name), mined(name)
    assert FEWEST <= len(found.puzzles) <= MOST
    assert found.ruleset == contract.version, f"mine them anew: mekuri mine {name}"
    levels = [puzzle.level for puzzle in found.puzzles]
    assert levels == sorted(levels)
    assert [-sum(puzzle.finds.values()) for puzzle in found.puzzles] == sorted(-sum(one.finds.values()) for one in found.puzzles)
    assert len({puzzle.id for puzzle in found.puzzles}) == len(found.puzzles)
    assert found.deals == DEALS
    answers = Counter(re.sub(r"^(\d+)[HIOK]$", r"\1", puzzle.best) for puzzle in found.puzzles)
    assert max(answers.values()) <= len(found.puzzles) // 4 + 1, "the answer would be known before the table is looked at"
    for puzzle in found.puzzles:
        assert all(cost - half >= CLEAR * puzzle.open - 0.001 for cost, half in puzzle.costs.values())  # figures are rounded
        assert puzzle.sure >= NEARLY_ALL * found.deals
        assert [*puzzle.finds] == [level.who for level in bots.levels(contract)]


@pytest.mark.parametrize("name", PUZZLED)
def test_puzzle_file_is_written_back_unchanged(name: str) -> None:
    assert file_text(name, mined(name)) == (games.find(name).folder / FILE).read_text(encoding="utf-8")


def test_malformed_puzzle_is_reported_by_file_and_puzzle(tmp_path: Path) -> None:
    puzzle, version = first(), mined(GAME).ruleset
    wrong = {
        (f"ruleset = {version}", f"ruleset = {version + 1}"): "mine it again",
        ('preset = "', 'preset = "no-'): "is of a preset",
        ("tries = ", "tried = "): "has tried, which says nothing there",
        (f"level = {puzzle.level}", "level = 9"): "has the level 9",
        (f"seat = {puzzle.seat}", "seat = 15"): "has seat = 15",
        (f'id = "{puzzle.id}"', f'id = "{mined(GAME).puzzles[1].id}"'): "has the id of another",
        (f'packs = ["{puzzle.packs[0]}', f'packs = ["77Z {puzzle.packs[0]}'): "has a pack that is none",
        (f'best = "{puzzle.best}"', f'best = "{min(puzzle.costs)}"'): "has costs of other choices",
        (f"sure = {puzzle.sure}", "sure = -1"): "has no number for sure",
        ("hint = { id", "hint = { ido"): "has a hint that is no text",
        (f'players = ["{puzzle.players[0]}", ', "players = ["): "players: the game has",
    }
    for change, says in wrong.items():
        reported = [fault for fault in faults(changed(GAME, tmp_path, FILE, *change)) if says in fault]
        assert reported, says
        assert all(str(tmp_path / FILE) in fault for fault in reported)
    assert re.search(r"\[puzzles \w+\]", reported[0])
    (tmp_path / FILE).write_text("puzzles = [", encoding="utf-8")
    assert "is no TOML" in "".join(faults(moved(games.find(GAME), tmp_path)))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('actions = "', 'actions = "0:nothing ', "nothing"),
        ("seat = ", "seat = 1 #", "is not waited for"),
        ('packs = ["', 'packs = ["1H ', "does not hold the cards"),
    ],
)
def test_unplayable_puzzle_is_reported_by_file_and_puzzle(tmp_path: Path, old: str, new: str, says: str) -> None:
    puzzle = next(one for one in mined(GAME).puzzles if one.seat == 0)
    text = (games.find(GAME).folder / FILE).read_text(encoding="utf-8")
    begin = text.index(puzzle.id)
    (tmp_path / FILE).write_text(text[:begin] + text[begin:].replace(old, new, 1), encoding="utf-8")
    contract = moved(games.find(GAME), tmp_path)
    found = puzzles(contract)
    assert found
    with pytest.raises(PuzzleError, match=says) as error:
        set_up(contract, found, next(one for one in found.puzzles if one.id == puzzle.id))
    assert str(tmp_path / FILE) in str(error.value)
    assert f"[puzzles {puzzle.id}]" in str(error.value)


def test_wrong_tempting_answer_is_found(tmp_path: Path) -> None:
    puzzle, path = next(one for one in mined(GAME).puzzles if one.tempts != one.best), games.find(GAME).folder / FILE
    text = path.read_text(encoding="utf-8")
    begin = text.index(puzzle.id)
    wrong = text[begin:].replace(f'tempts = "{puzzle.tempts}"', f'tempts = "{puzzle.best}"', 1)
    contract = moved(games.find(GAME), tmp_path)
    (tmp_path / FILE).write_text(text[:begin] + wrong, encoding="utf-8")
    with pytest.raises(CheckFailure, match="greed does not find the answer"):
        checks.played(contract)


def test_game_without_puzzles_is_complete(tmp_path: Path) -> None:
    contract = moved(games.find(GAME), tmp_path)
    assert faults(contract) == []
    assert puzzles(contract) is None
    checks.played(contract)
