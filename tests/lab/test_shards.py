"""Runs in shards: by threads and by processes of this machine, with workers that die, fail and are resumed."""

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri.bots.review import review
from mekuri.engine.errors import MekuriError
from mekuri.lab import remote
from mekuri.lab.arena import Arena
from mekuri.lab.processes import Processes
from mekuri.lab.review import ReviewRun
from mekuri.lab.shards import TRIES, Done, Executor, Pool, Row, Run, ShardFailed, ShardLost, Threads, play_shards, summed
from mekuri.lab.simulate import Simulating, simulate
from mekuri.protocol.coding import to_builtins
from mekuri.testing.records import played
from tests.helpers.commands import run_command
from tests.helpers.folders import CHECKOUT
from tests.helpers.sharded import Squares, wait_for

MUSHI = mekuri.game("mushi")
EXECUTORS = (Threads(1), Threads(3), Processes(2))
each_executor = pytest.mark.parametrize("executor", EXECUTORS, ids=str)


def squares(number: int) -> dict[int, Row]:
    return {i: {"square": i * i, "checksum": i * i} for i in range(number)}


class AllAtOnce:
    """An executor whose shards end at the same time; the first has a fault and is reported first."""

    room = 5

    @contextmanager
    def open(self, run: Run, done: Done) -> Iterator[Pool]:
        yield self

    def submit(self, number: int) -> int:
        return number

    def wait(self, handles: Collection[int]) -> Collection[int]:
        return sorted(handles)

    def row(self, handle: int) -> Row:
        if handle == 0:
            raise ZeroDivisionError("a fault")
        return {"checksum": handle}


class TestPlayed:
    @each_executor
    def test_each_shard_is_done_once(self, executor: Executor, tmp_path: Path) -> None:
        progress: list[int] = []
        run = Squares(9, tmp_path)
        assert dict(play_shards(run, executor, progress=progress.append)) == squares(9)
        assert sum(progress) == 9
        assert [len(run.begun(number)) for number in range(9)] == [1] * 9

    @each_executor
    def test_only_requested_shards_are_done(self, executor: Executor, tmp_path: Path) -> None:
        run = Squares(99, tmp_path)
        assert {number for number, _ in play_shards(run, executor, numbers=[5, 7, 90])} == {5, 7, 90}

    @each_executor
    def test_caller_that_stops_early_ends_the_run(self, executor: Executor, tmp_path: Path) -> None:
        run = Squares(99, tmp_path)
        rows = play_shards(run, executor)
        next(rows)
        assert isinstance(rows, Iterator)
        rows.close()  # type: ignore[attr-defined]
        assert len(list(tmp_path.iterdir())) < 20

    @each_executor
    def test_refusal_of_a_shard_keeps_its_message(self, executor: Executor, tmp_path: Path) -> None:
        with pytest.raises(MekuriError, match=r"^this is refused$"):
            list(play_shards(Squares(9, tmp_path, refused=4), executor))

    def test_fault_of_a_process_is_reported_and_not_retried(self, tmp_path: Path) -> None:
        run = Squares(9, tmp_path, bad=4)
        with pytest.raises(ShardFailed, match=r"shard 4 cannot be done.*sharded.py.*ZeroDivisionError: a fault"):
            list(play_shards(run, Processes(2)))
        assert len(run.begun(4)) == 1

    def test_fault_in_a_thread_is_raised_unchanged(self, tmp_path: Path) -> None:
        with pytest.raises(ZeroDivisionError):
            list(play_shards(Squares(9, tmp_path, bad=4), Threads(2)))

    def test_finished_shards_survive_a_fault(self, tmp_path: Path) -> None:
        rows = play_shards(Squares(5, tmp_path), AllAtOnce())
        assert [next(rows)[0] for _ in range(4)] == [1, 2, 3, 4]
        with pytest.raises(ZeroDivisionError):
            next(rows)

    @pytest.mark.parametrize(("executor", "message"), [(Threads, "threads is 1 or more"), (Processes, "processes is 1 or more")])
    def test_no_shards_start_no_worker(self, executor: Callable[[int], Executor], message: str) -> None:
        with pytest.raises(MekuriError, match=message):
            executor(0)


class TestKilled:
    def test_killed_process_loses_only_its_shard(self, tmp_path: Path) -> None:
        run = Squares(9, tmp_path, deadly=3, deaths=TRIES - 1)
        assert dict(play_shards(run, Processes(2))) == squares(9)
        assert [len(run.begun(number)) for number in range(9)] == [TRIES if number == 3 else 1 for number in range(9)]

    def test_shard_that_kills_every_process_ends_the_run(self, tmp_path: Path) -> None:
        run = Squares(9, tmp_path, deadly=3, deaths=99)
        with pytest.raises(ShardLost, match=f"shard 3 was begun {TRIES} times"):
            list(play_shards(run, Processes(2)))
        assert len(run.begun(3)) == TRIES

    def test_idle_process_that_dies_is_replaced(self, tmp_path: Path) -> None:
        run = Squares(9, tmp_path)
        rows: dict[int, Row] = {}
        for number, row in play_shards(run, Processes(1)):
            rows[number] = row
            if number == 4:
                [process] = run.begun(4)
                os.kill(process, signal.SIGKILL)
        assert rows == squares(9)

    def test_no_process_is_left(self, tmp_path: Path) -> None:
        run = Squares(9, tmp_path)
        list(play_shards(run, Processes(3)))
        for process in {process for number in range(9) for process in run.begun(number)}:
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)

    def test_no_process_outlives_its_parent(self, tmp_path: Path) -> None:
        """Not even if the parent itself is killed."""
        code = (
            "from pathlib import Path\n"
            "from mekuri.lab.processes import Processes\n"
            "from mekuri.lab.shards import play_shards\n"
            "from tests.helpers.sharded import Squares\n"
            f"list(play_shards(Squares(2, Path({str(tmp_path)!r}), gate=Path('never')), Processes(2)))\n"
        )
        run = Squares(2, tmp_path)
        with subprocess.Popen([sys.executable, "-c", code], cwd=CHECKOUT) as starter:
            wait_for(lambda: run.begun(0) and run.begun(1))
            starter.kill()
        wait_for(lambda: not any(Path(f"/proc/{process}").exists() for process in (*run.begun(0), *run.begun(1))))


@pytest.mark.machine_code
class TestSimulated:
    @pytest.mark.every_days(4)
    def test_simulations_are_equal_with_every_executor(self, in_full: bool) -> None:
        one = simulate(MUSHI, 20_000, 7, threads=1)
        several = simulate(MUSHI, 20_000, 7, executor=Processes(8 if in_full else 3))
        assert several.counts == one.counts
        assert simulate(MUSHI, 20_000, 7, threads=3).counts == one.counts

    @pytest.mark.every_days(4)
    def test_searching_bot_runs_in_shards(self) -> None:
        one, two = (simulate(MUSHI, 3, 7, "suzu", executor=executor) for executor in (Threads(1), Processes(2)))
        assert one.counts == two.counts

    def test_shards_cover_each_round_once(self) -> None:
        for rounds in (1, 999, 1001, 32_000, 32_001, 123_456_789):
            run = Simulating(MUSHI, rounds)
            assert sum(run.units(number) for number in range(run.shards)) == rounds
            assert min(run.units(number) for number in range(run.shards)) > 0

    @pytest.mark.every_days(4)
    def test_checksum_is_the_sum_of_the_shards(self) -> None:
        run = Simulating(MUSHI, 5000, 3, plain=True)
        rows = dict(play_shards(run, Threads(1)))
        assert f"{summed(rows.values()) & (1 << 64) - 1:016x}" == simulate(MUSHI, 5000, 3).checksum
        assert sum(row["rounds"] for row in rows.values()) == 5000


class TestArena:
    @pytest.mark.every_days(4)
    @pytest.mark.in_turn(2)
    @pytest.mark.parametrize("until_clear", [False, True])
    def test_arena_scores_are_equal_with_every_executor(self, until_clear: bool) -> None:
        arena = Arena(MUSHI, ("greedy", "random", "suzu"), 60 if until_clear else 8, 3, mekuri.bots.Budget(4), until_clear)
        one = arena.play(executor=Threads(1))
        assert arena.play(executor=Processes(3)) == one
        assert len({score.checksum for score in one}) == 3
        if until_clear:
            assert one[0].pairs < 60

    def test_other_deal_has_another_checksum(self) -> None:
        scores = [Arena(MUSHI, ("greedy", "random"), 1, seed).play()[0] for seed in (1, 2)]
        assert scores[0].checksum != scores[1].checksum


class TestReviewed:
    def test_reviews_are_equal_with_every_executor(self) -> None:
        match = played(mekuri.game("hiyoko"), seed=1, rounds=2)
        run = ReviewRun(match.record().to_json().encode(), 1, (1, 2), 6, plain=True)
        made = {n: to_builtins(one.found(n)) for n, one in run.play(Processes(2)).items()}
        assert made == {n: to_builtins(review(match.finished[n - 1], 1, 6, number=n)) for n in (1, 2)}
        assert all(one["moments"] for one in made.values())

    def test_unknown_round_is_refused(self) -> None:
        record = played(mekuri.game("isuri"), seed=1, rounds=1).record().to_json().encode()
        with pytest.raises(MekuriError, match="rounds 1 to 1 that are over, not 2"):
            ReviewRun(record, 0, (2,))


class TestSent:
    @pytest.mark.parametrize("name", mekuri.games.names())
    def test_game_is_pickled_with_its_options(self, name: str) -> None:
        for preset in mekuri.games.find(name).presets:
            game = mekuri.game(name, preset)
            again = pickle.loads(pickle.dumps(Simulating(game, 1))).game
            assert (repr(again), again.options, again.preset, again.seats) == (repr(game), game.options, preset, game.seats)

    def test_worker_of_another_version_is_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        job = remote.Job(Simulating(MUSHI, 10))
        monkeypatch.setattr(mekuri, "__version__", "0.0.1")
        outcome = remote.attempt(job.packed, job.version, job.about, 0)
        with pytest.raises(remote.WrongVersion, match=f"a worker has Mekuri 0.0.1, and this is {job.version}: install"):
            remote.settle(0, outcome)

    def test_worker_with_other_rules_is_reported(self) -> None:
        job = remote.Job(Simulating(MUSHI, 10))
        outcome = remote.attempt(job.packed, job.version, job.about | {"rules": "others"}, 0)
        with pytest.raises(remote.WrongVersion, match=r"other rules or bots \(rules\)"):
            remote.settle(0, outcome)


class TestCommands:
    @pytest.fixture
    def run(self, capsys: pytest.CaptureFixture[str]) -> Any:
        return partial(run_command, capsys)

    @pytest.mark.every_days(4)
    def test_processes_give_the_same_output(self, run: Any) -> None:
        printed = []
        for words in ((), ("--processes", 2)):
            status, out, err = run("simulate", "mushi", "--rounds", 2500, "--json", *words)
            assert status == 0, err
            printed.append(json.loads(out) | {"seconds": 0})
        assert printed[0] == printed[1]

    def test_two_executors_at_once_are_refused(self, run: Any) -> None:
        status, _, err = run("simulate", "mushi", "--rounds", 9, "--processes", 2, "--ray", "auto")
        assert status == 2
        assert "give one of them" in err

    @pytest.mark.parametrize("verb", [("simulate", "mushi", "--rounds", 9), ("arena", "mushi", "greedy", "random")])
    @pytest.mark.parametrize(("option", "module", "extra"), [("--ray", "ray", "ray"), ("--results", "pyarrow", "parquet")])
    def test_missing_package_is_named(
        self, run: Any, verb: Any, option: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == module else object())
        status, out, err = run(*verb, option, "auto")
        assert (status, out) == (2, "")
        assert f'pip install "mekuri[{extra}]"' in err
        assert err.count("\n") == 1
