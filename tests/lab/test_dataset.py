"""Datasets: each row is a decision of a round that the library deals, and equal runs leave equal files."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri.bots import Budget
from mekuri.engine.compiled import available
from mekuri.engine.errors import MekuriError
from mekuri.lab.processes import Processes
from mekuri.lab.shards import Threads
from tests.helpers.commands import run_command
from tests.helpers.tables import each_game

dataset = pytest.importorskip("mekuri.lab.dataset")
results = pytest.importorskip("mekuri.lab.results")
parquet: Any = pytest.importorskip("pyarrow.parquet")

MUSHI = mekuri.game("mushi")
PLAIN: dict[str, Any] = {"plain": True, "seed": 5}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file holds a few rounds."""
    for size in ("shortest", "longest"):
        monkeypatch.setattr(dataset.Collecting, size, {True: 3, False: 2})
    monkeypatch.setattr(dataset, "_TOGETHER", {True: 2, False: 2})


def written(run: Any, folder: Path, executor: Any = None) -> list[dict[str, Any]]:
    decisions = dataset.collect(run, dataset.Dataset(folder), executor or Threads(1))
    rows: list[dict[str, Any]] = parquet.read_table(folder / "decisions").to_pylist()
    assert len(rows) == decisions
    return rows


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.glob("**/*") if file.is_file()}


def assert_played(run: Any, rows: list[dict[str, Any]]) -> None:
    """Every row is what the round gives that the library deals, and no decision is left out."""
    left = iter(rows)
    for number in range(run.rounds):
        round, returns = run.game.deal(seed=run.seed, number=number), []
        while not round.over:
            seat = round.waiting[0]
            choices = round.choices(seat, undo=False)
            if len(choices) == 1:
                round.play(choices[0], seat)
                continue
            row = next(left)
            returns.append((row["return"], seat))
            assert row["observation"] == round.observation(seat)
            assert row["mask"] == sum(1 << action for action in choices)
            assert (row["seat"], row["round"], row["bot"]) == (seat, number, (number + seat) % len(run.bots))
            round.play(row["action"], seat)
        assert all(value == round.returns[seat] for value, seat in returns)
    assert next(left, None) is None


@pytest.mark.in_turn(3)
@each_game
def test_rows_are_the_rounds_that_the_library_deals(name: str, folder: Path, small: None) -> None:
    run = dataset.Collecting(mekuri.game(name), 4, bots=("greedy", "random"), **PLAIN)
    rows = written(run, folder)
    assert_played(run, rows)
    assert {row["bot"] for row in rows} == {0, 1}


def test_bot_that_searches_is_recorded_alike(folder: Path, small: None) -> None:
    run = dataset.Collecting(MUSHI, 3, bots=("suzu", "greedy"), budget=Budget(4), **PLAIN)
    assert_played(run, written(run, folder))
    with pytest.raises(results.OtherRun, match="playouts=4 there and playouts=5 here"):
        written(dataset.Collecting(MUSHI, 3, bots=("suzu", "greedy"), budget=Budget(5), **PLAIN), folder)


@pytest.mark.machine_code
@pytest.mark.skipif(not available(), reason="Numba is not installed")
@pytest.mark.every_days(4)
def test_equal_runs_leave_equal_files(tmp_path: Path) -> None:
    """Compiled and plain, in threads and processes."""
    for folder, executor, plain in (("a", Threads(2), False), ("b", Processes(2), False), ("c", Threads(1), True)):
        written(dataset.Collecting(MUSHI, 1010, bots=("greedy",), seed=5, plain=plain), tmp_path / folder, executor)
    first = contents(tmp_path / "a")
    assert len(first) == 3
    assert contents(tmp_path / "b") == contents(tmp_path / "c") == first


def test_broken_off_dataset_goes_on_to_the_same_files(folder: Path, small: None) -> None:
    run = dataset.Collecting(MUSHI, 8, **PLAIN)

    def stop(done: int) -> None:
        if (folder / "decisions" / "000001.parquet").exists():
            raise ZeroDivisionError("here the power fails")

    with pytest.raises(ZeroDivisionError):
        dataset.collect(run, dataset.Dataset(folder), Threads(1), stop)
    assert sorted(contents(folder)) == ["decisions/000000.parquet", "decisions/000001.parquet"]
    early = contents(folder)
    written(run, folder)
    whole = contents(folder)
    assert whole.items() > early.items()
    for name in whole:
        (folder / name).unlink()
    written(run, folder)
    assert contents(folder) == whole


def test_file_says_what_it_is(folder: Path) -> None:
    game = mekuri.game("hiyoko", must_play="all")
    written(dataset.Collecting(game, 2, bots=("greedy",), **PLAIN), folder)
    schema = parquet.read_schema(folder / "decisions" / "000000.parquet")
    about = json.loads(schema.metadata[b"mekuri"])
    assert (about["game"], about["ruleset"]) == ("hiyoko", game.version)
    assert (about["seed"], about["bots"], about["options"]["must_play"]) == ("5", ["greedy"], "all")
    layout = about["layout"]
    assert (layout["version"], layout["bytes"]) == (game.layout.version, schema.field("observation").type.byte_width)
    assert [part["name"] for part in layout["parts"]] == [part.name for part in game.layout.parts]
    assert {int(action) for action in about["actions"]} == {*game.actions}
    assert all(field.metadata[b"meaning"] for field in schema)


def test_datasheet_makes_the_dataset_again(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = dataset.Collecting(mekuri.game("hiyoko", must_play="all"), 2, bots=("greedy", "random"), **PLAIN)
    written(run, folder)
    sheet = (folder / "README.md").read_text(encoding="utf-8")
    command = sheet[sheet.index("\nmekuri dataset") + 1 :].partition("\n")[0]
    status, out, err = run_command(capsys, *command.split()[1:], "--plain", "--out", tmp_path / "again")
    assert (status, err) == (0, "")
    assert f"\n{out.split()[0]} decisions of 2 rounds of hiyoko, by greedy, random." in sheet
    assert contents(tmp_path / "again") == contents(folder)
    for part in run.game.layout.parts:
        assert f"| {part.name} | {part.first} | {part.size} | {part.meaning} |" in sheet


def test_other_contents_of_a_folder_are_refused(folder: Path, small: None) -> None:
    run = partial(dataset.Collecting, MUSHI, 5, **PLAIN)
    written(run(), folder)
    with pytest.raises(results.OtherRun, match=r'bots=.*"random".* there and bots=.*"greedy"'):
        written(run(bots=("greedy",)), folder)
    file = folder / "decisions" / "000001.parquet"
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(results.ResultsError, match=r"000001.parquet is damaged .*: delete it"):
        written(run(), folder)
    (folder / "README.md").write_text("mine", encoding="utf-8")
    with pytest.raises(results.ResultsError, match=r"README.md is another file: name another folder"):
        written(run(), folder)


def test_impossible_datasets_are_refused() -> None:
    for wrong in ({"rounds": 0}, {"rounds": 1, "bots": ()}, {"rounds": 1, "bots": ("nobody",)}):
        with pytest.raises(MekuriError):
            dataset.Collecting(MUSHI, **wrong)


def test_missing_pyarrow_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "pyarrow" else object())
    status, out, err = run_command(capsys, "dataset", "mushi", "--rounds", 2, "--out", tmp_path / "none")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert 'pip install "mekuri[parquet]"' in err
    assert not (tmp_path / "none").exists()
