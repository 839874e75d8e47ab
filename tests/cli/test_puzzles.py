"""`mekuri puzzles` asks in a terminal and keeps what is solved; `mekuri mine` writes a file."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mekuri import bots, cli, games
from mekuri.bots.puzzles import Exact, mine
from mekuri.cli import puzzles as command
from mekuri.engine.puzzles import Puzzle, Puzzles, puzzles
from mekuri.protocol import puzzles as wire
from mekuri.terminal.base import kept
from tests.helpers.tables import GAMES

Patch = pytest.MonkeyPatch
Run = Callable[..., tuple[int, str, str]]
PUZZLED = [name for name in GAMES if puzzles(games.find(name))]
GAME = PUZZLED[0]
LACKING = next(name for name in GAMES if name not in PUZZLED)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> None:
    """A person of their own."""
    monkeypatch.setattr(kept, "kept_file", (tmp_path / "data").joinpath)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: Patch) -> Run:
    """Run a command, typing some answers where there are any: its exit status, and what it has printed."""

    def command(*words: object, answers: list[str] | None = None) -> tuple[int, str, str]:
        asked: Iterator[str] = iter(answers or [])
        monkeypatch.setattr("builtins.input", lambda prompt: (print(prompt), next(asked))[1])
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: answers is not None, raising=False)
        try:
            cli.main([*map(str, words)])
            status = 0
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
        out, err = capsys.readouterr()
        return status, " ".join(out.split()), err

    return command


def found() -> Puzzles:
    told = puzzles(games.find(GAME))
    assert told
    return told


def of(more: bool) -> Puzzle:
    """The first puzzle with a second try, or without, whose answer is not what tempts."""
    return next(one for one in found().puzzles if one.tempts != one.best and (len(one.costs) > 1) == more)


def test_without_a_terminal_it_says_how_many_are_solved(run: Run) -> None:
    assert run("puzzles", GAME, "--lang", "en") == (
        0,
        f"0 of {len(found().puzzles)} puzzles of {GAME.capitalize()} are solved.",
        "",
    )


def test_what_is_solved_is_kept_and_not_asked_again(run: Run, tmp_path: Path) -> None:
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
def test_there_are_two_tries_where_there_are_more_than_two_choices(run: Run, monkeypatch: Patch, more: bool) -> None:
    puzzle = of(more)
    monkeypatch.setattr(wire, "puzzles", lambda contract: wire.Puzzles(game=GAME, puzzles=[head(puzzle)]))
    answers = [puzzle.tempts, "no such card", "q"] if more else [puzzle.tempts, "q"]
    status, out, _ = run("puzzles", GAME, "--lang", "en", answers=answers)
    assert status == 0
    assert ("You have a second try." in out) == more
    assert "The best choice was" in out
    assert ("Your choice costs" in out) != more, "whoever does not know has chosen nothing"
    assert "0 of 1 puzzles" in out


def head(puzzle: Puzzle) -> wire.PuzzleHead:
    return wire.PuzzleHead(id=puzzle.id, level=puzzle.level)


def test_a_game_without_puzzles_says_so(run: Run) -> None:
    assert run("puzzles", LACKING) == (2, "", f"mekuri: there are no puzzles of {LACKING}\n")


@pytest.mark.every_days(4)
def test_mining_writes_the_file_of_a_game(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
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
def test_what_cannot_be_mined_is_refused(run: Run, words: tuple[object, ...], says: str) -> None:
    status, out, err = run("mine", GAME, *words)
    assert (status, out) == (2, "")
    assert says in err
    assert "no levels" in run("mine", LACKING, "--rounds", 1)[2]
