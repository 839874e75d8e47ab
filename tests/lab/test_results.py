"""Results as Parquet: an interrupted run resumes, another run and a damaged file are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri.lab import shards
from mekuri.lab.arena import Arena
from mekuri.lab.processes import Processes
from mekuri.lab.review import ReviewRun
from mekuri.lab.shards import Threads, play_shards
from mekuri.lab.simulate import Simulating, simulate
from mekuri.protocol.coding import to_builtins
from mekuri.testing.records import played
from tests.helpers.sharded import Squares

results = pytest.importorskip("mekuri.lab.results")
parquet: Any = pytest.importorskip("pyarrow.parquet")

MUSHI = mekuri.game("mushi")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def attempts(tmp_path: Path) -> Path:
    made = tmp_path / "attempts"
    made.mkdir()
    return made


def test_only_missing_shards_are_done(folder: Path, attempts: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        list(play_shards(Squares(9, attempts, bad=6), Threads(1), results.Results(folder)))
    progress: list[int] = []
    run = Squares(9, attempts)
    rows = dict(play_shards(run, Threads(1), results.Results(folder), progress.append))
    assert rows == {i: {"square": i * i, "checksum": i * i} for i in range(9)}
    assert sum(progress) == 9
    assert [len(run.begun(number)) for number in range(6)] == [1] * 6
    assert len(run.begun(6)) == 2


def test_complete_results_start_no_worker(folder: Path, attempts: Path) -> None:
    run = Squares(9, attempts)
    first = dict(play_shards(run, Processes(2), results.Results(folder)))
    begun = len(list(attempts.iterdir()))
    assert dict(play_shards(run, Processes(2), results.Results(folder))) == first
    assert len(list(attempts.iterdir())) == begun


def test_another_run_is_refused(folder: Path) -> None:
    simulate(MUSHI, 50, 1, plain=True, results=results.Results(folder))
    for reason, run in [
        ('seed="1" there and seed="2" here', Simulating(MUSHI, 50, 2)),
        ("rounds=50 there and rounds=51 here", Simulating(MUSHI, 51, 1)),
        ('game="mushi" there and game="isuri" here', Simulating(mekuri.game("isuri"), 50, 1)),
        ('verb="simulate" there and verb="arena" here', Arena(MUSHI, ("greedy", "random"), 50, 1)),
    ]:
        with pytest.raises(results.OtherRun, match=f"{reason}; give the arguments of that run, or another folder"):
            results.Results(folder).open(run)


def test_results_of_another_version_of_the_rules_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(MUSHI, 50, 1, plain=True, results=results.Results(folder))
    monkeypatch.setattr(shards, "version_of", lambda contract: "another")
    with pytest.raises(results.OtherRun, match=r"rules=.* there and rules=\"another\" here"):
        results.Results(folder).open(Simulating(MUSHI, 50, 1))


def test_plain_and_compiled_are_one_run(folder: Path) -> None:
    plain = simulate(MUSHI, 50, 1, plain=True, results=results.Results(folder))
    assert simulate(MUSHI, 50, 1, results=results.Results(folder)).counts == plain.counts


@pytest.mark.parametrize("how", ["cut", "empty", "other"])
def test_damaged_file_is_named(folder: Path, attempts: Path, how: str) -> None:
    run = Squares(9, attempts)
    list(play_shards(run, Threads(1), results.Results(folder)))
    file = min(folder.glob("*.parquet"))
    whole = file.read_bytes()
    file.write_bytes({"cut": whole[:-20], "empty": b"", "other": b"something else"}[how])
    with pytest.raises(results.ResultsError, match=f"{file.name} is damaged .*: delete it, and run the same again"):
        list(play_shards(run, Threads(1), results.Results(folder)))
    file.unlink()
    assert len(dict(play_shards(run, Threads(1), results.Results(folder)))) == 9


def test_partial_file_is_ignored(folder: Path, attempts: Path) -> None:
    folder.mkdir()
    part = folder / ".0000000-00000000.parquet.part"
    part.write_bytes(b"PAR1")
    assert results.Results(folder).open(Squares(9, attempts)) == {}
    assert not part.exists()


def test_other_files_are_kept(folder: Path, attempts: Path) -> None:
    folder.mkdir()
    foreign = folder / "mine.parquet"
    parquet.write_table(results.Results(folder)._arrow.table({"a": [1]}), foreign)
    with pytest.raises(results.ResultsError, match=r"mine.parquet holds no results of Mekuri: name another folder"):
        results.Results(folder).open(Squares(9, attempts))
    assert foreign.exists()


def test_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(results.ResultsError, match="is a file"):
        results.Results(tmp_path / "file")


@pytest.mark.every_days(4)
def test_columns_are_counts_by_name(folder: Path) -> None:
    simulation = simulate(MUSHI, 3000, 1, plain=True, results=results.Results(folder)).to_dict()
    table = parquet.read_table(folder)
    assert json.loads(table.schema.metadata[b"mekuri"])["verb"] == "simulate"
    columns = {name: sum(table[name].to_pylist()) for name in table.column_names}
    assert columns["rounds"] == 3000
    assert {name: columns[f"ending_{name}"] for name in simulation["endings"]} == simulation["endings"]
    assert {name: columns[f"yaku_{name}"] for name in simulation["yaku"]} == {
        name: row["rounds"] for name, row in simulation["yaku"].items()
    }
    assert columns["returns_0"] / 3000 == simulation["returns"]["mean"][0]


def test_arena_and_review_are_resumed(folder: Path, tmp_path: Path) -> None:
    arena = Arena(MUSHI, ("greedy", "random"), 6, 2)
    scores = arena.play(results=results.Results(folder))
    assert arena.play(results=results.Results(folder)) == scores == arena.play()
    record = played(mekuri.game("isuri"), seed=1, rounds=1).record().to_json().encode()

    def reviewed() -> Any:
        run = ReviewRun(record, playouts=4, plain=True)
        return to_builtins(run.play(results=results.Results(tmp_path / "review"))[1].found())

    assert reviewed() == reviewed()
