"""`mekuri puzzles` asks in a terminal and keeps the solved ones; `mekuri mine` writes a file."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mekuri import bots, games
from mekuri.bots.puzzles import Exact, mine
from mekuri.cli import puzzles as command
from mekuri.engine.puzzles import Puzzle, Puzzles, puzzles
from mekuri.protocol import puzzles as wire
from mekuri.terminal.base import kept
from tests.helpers.commands import run_command, type_answers
from tests.helpers.tables import GAMES

Patch = pytest.MonkeyPatch
Run = Callable[..., tuple[int, str, str]]
PUZZLED = [name for name in GAMES if puzzles(games.find(name))]
GAME = PUZZLED[0]
LACKING = next(name for name in GAMES if name not in PUZZLED)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> None:
    """A player with an empty data folder."""
    monkeypatch.setattr(kept, "kept_file", (tmp_path / "data").joinpath)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: Patch) -> Run:
    """A function that runs a command and types answers. It returns the output with single spaces."""

    def command(*words: object, answers: list[str] | None = None) -> tuple[int, str, str]:
        type_answers(monkeypatch, answers)
        status, out, err = run_command(capsys, *words)
        return status, " ".join(out.split()), err

    return command


def found() -> Puzzles:
    of_game = puzzles(games.find(GAME))
    assert of_game
    return of_game


def of(more: bool) -> Puzzle:
    """Return the first puzzle with a second try, or without, whose tempting action is wrong."""
    return next(one for one in found().puzzles if one.tempts != one.best and (len(one.costs) > 1) == more)


def test_without_terminal_prints_number_of_solved(run: Run) -> None:
    assert run("puzzles", GAME, "--lang", "en") == (
        0,
        f"0 of {len(found().puzzles)} puzzles of {GAME.capitalize()} are solved.",
        "",
    )


def test_solved_puzzle_is_kept_and_skipped(run: Run, tmp_path: Path) -> None:
    one, two = found().puzzles[:2]
    status, out, _ = run("puzzles", GAME, "--lang", "en", answers=[one.best, "q"])
    assert status == 0
    assert "The judge agrees." in out
    assert f"in {one.sure} of {found().deals} possible arrangements" in out
    assert "1 of" in out.rpartition("?")[2]
    _, out, _ = run("puzzles", GAME, "--lang", "en", answers=["q"])
    assert f"puzzle 2 of {len(found().puzzles)}" in out
    _, out, _ = run("puzzles", GAME, "--again", "--lang", "en", answers=["q"])
    assert f"puzzle 1 of {len(found().puzzles)}" in out
    _, out, _ = run("puzzles", GAME, "--lang", "ja", answers=[two.best, "q"])
    assert "見立ても同じ" in out
    (tmp_path / "data" / "puzzles.json").write_text("{", encoding="utf-8")
    assert "is broken: delete it" in run("puzzles", GAME)[2]
    (tmp_path / "data" / "puzzles.json").write_text('{"mekuri": 2}', encoding="utf-8")
    assert "newer Mekuri" in run("puzzles", GAME)[2]


@pytest.mark.parametrize("more", [True, False])
def test_second_try_needs_more_than_two_choices(run: Run, monkeypatch: Patch, more: bool) -> None:
    puzzle = of(more)
    monkeypatch.setattr(wire, "puzzles", lambda contract: wire.Puzzles(game=GAME, puzzles=[head(puzzle)]))
    answers = [puzzle.tempts, "no such card", "q"] if more else [puzzle.tempts, "q"]
    status, out, _ = run("puzzles", GAME, "--lang", "en", answers=answers)
    assert status == 0
    assert ("You have a second try." in out) == more
    assert "The best choice was" in out
    assert ("Your choice costs" in out) != more, "an empty answer is no choice"
    assert "0 of 1 puzzles" in out


def head(puzzle: Puzzle) -> wire.PuzzleHead:
    return wire.PuzzleHead(id=puzzle.id, level=puzzle.level)


def test_game_without_puzzles_is_refused(run: Run) -> None:
    assert run("puzzles", LACKING) == (2, "", f"mekuri: there are no puzzles of {LACKING}\n")


@pytest.mark.every_days(4)
def test_mining_writes_file_of_game(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(command, "available", lambda: False)
    monkeypatch.setattr(mine, "_PLAYED", bots.Budget(2))
    monkeypatch.setattr(mine, "_FIRST_LOOK", bots.Budget(10))
    monkeypatch.setattr(mine, "_FOUND", bots.Budget(2))
    monkeypatch.setattr(mine, "_SECOND_LOOK", 2)
    monkeypatch.setattr(mine, "is_clear", lambda found, open: open > 0)
    monkeypatch.setattr(mine, "deals", lambda *_: [])
    monkeypatch.setattr(mine, "sure", lambda *_: 100)
    monkeypatch.setattr(mine, "exactly", lambda *_: Exact(0, 0, True))
    monkeypatch.setattr(mine, "holds", lambda *_: True)
    file = tmp_path / "puzzles.toml"
    status, out, err = run("mine", GAME, "--rounds", 40, "--worlds", 4, "--most", 2, "--into", file)
    assert (status, out) == (0, "")
    assert "of 40 rounds have a puzzle" in err
    assert file.read_text(encoding="utf-8").count("[[puzzles]]") in (1, 2)
    _, out, _ = run("mine", GAME, "--rounds", 40, "--worlds", 4, "--most", 2)
    assert out == " ".join(file.read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--rounds", 0), "rounds is 1 or more, not 0"),
        (("--rounds", 1, "--most", 0), "most is 1 or more, not 0"),
        (("--rounds", 1, "--into", "no/such/folder/file"), "there is no folder no/such/folder"),
        (("--rounds", 1, "--preset", "nothing"), "nothing"),
    ],
)
def test_invalid_mining_is_refused(run: Run, words: tuple[object, ...], says: str) -> None:
    status, out, err = run("mine", GAME, *words)
    assert (status, out) == (2, "")
    assert says in err
    assert "no levels" in run("mine", LACKING, "--rounds", 1)[2]
