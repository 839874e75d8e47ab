"""Runs in shards on a real Ray cluster of several nodes on this machine, which the test starts: workers and nodes die midway."""

import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri import cli
from mekuri.lab import cluster as lab
from mekuri.lab.cluster import Cluster, NoCluster
from mekuri.lab.processes import Processes
from mekuri.lab.remote import WrongVersion
from mekuri.lab.results import Results
from mekuri.lab.shards import TRIES, ShardFailed, ShardLost, play_shards
from mekuri.lab.simulate import simulate
from mekuri.testing.records import played
from tests.helpers.server.ports import free_port
from tests.helpers.sharded import Squares, wait_for

pytestmark = pytest.mark.slow
MUSHI = mekuri.game("mushi")
MEMORY = 80_000_000  # bytes of each node's store of objects, about the least that Ray takes
NODE = {"num_cpus": 1, "object_store_memory": MEMORY}


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    """Ray contacts no host, and writes no key to the user's folder."""
    pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        yield


@pytest.fixture(scope="class")  # Ray keeps one cluster at a time in mind
def nodes(ray: None) -> Iterator[Any]:
    """A cluster of two nodes with a processor each."""
    from ray.cluster_utils import Cluster as Nodes

    head = NODE | {"include_dashboard": False, "ray_client_server_port": free_port()}
    found = Nodes(initialize_head=True, head_node_args=head)
    try:
        found.add_node(**NODE)
        yield found
    finally:
        found.shutdown()


def vanish(nodes: Any, node: Any) -> None:
    """Kill all processes of a node, as in a power failure."""
    raylet = node.all_processes["raylet"][0].process.pid
    workers = [int(pid) for children in Path(f"/proc/{raylet}/task").glob("*/children") for pid in children.read_text().split()]
    nodes.remove_node(node, allow_graceful=False)
    for worker in workers:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


@pytest.fixture
def executor(nodes: Any) -> Cluster:
    return Cluster(nodes.address)


def workers(nodes: Any) -> list[int]:
    """The processes that are at a shard, on all nodes."""
    raylets = {info.process.pid for node in nodes.list_all_nodes() for info in node.all_processes["raylet"]}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in raylets and "ray::attempt" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


class TestEquality:
    def test_simulation_on_nodes_equals_one_thread(self, executor: Cluster) -> None:
        one = simulate(MUSHI, 1_000_000, 7, threads=1)
        progress: list[int] = []
        assert simulate(MUSHI, 1_000_000, 7, executor=executor, progress=progress.append).counts == one.counts
        assert sum(progress) == 1_000_000
        assert simulate(MUSHI, 1_000_000, 7, executor=Processes(8)).counts == one.counts

    @pytest.mark.parametrize(
        "words",
        [
            ("simulate", "tensho", "--rounds", "5000", "--bot", "greedy", "--json"),
            ("arena", "mushi", "flat", "greedy", "random", "--pairs", "12", "--playouts", "8", "--json"),
            ("lab", "mushi", "misdeal", "--rounds", "3000", "--pairs", "4", "--playouts", "8", "--json"),
            ("review", "RECORD", "--playouts", "40", "--json"),
        ],
        ids=lambda words: words[0],
    )
    def test_commands_print_the_same_on_a_cluster(
        self, executor: Cluster, words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        record = tmp_path / "record.json"
        record.write_text(played(MUSHI, seed=1, rounds=2).record().to_json(), encoding="utf-8")
        words = tuple(str(record) if word == "RECORD" else word for word in words)
        printed = []
        for more in ((), ("--processes", "8"), ("--ray", executor.address), ("--ray", executor.address, "--results")):
            cli.main([*words, *more, *([str(tmp_path / "kept")] if "--results" in more else [])])
            lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
            printed.append([{key: value for key, value in line.items() if key != "seconds"} for line in lines])
        assert printed == [printed[0]] * 4
        assert printed[0]
        assert list((tmp_path / "kept").glob("*.parquet"))

    def test_dataset_of_a_cluster_equals_that_of_threads(self, executor: Cluster, tmp_path: Path) -> None:
        written = []
        for name, more in (("threads", ()), ("cluster", ("--ray", executor.address))):
            folder = tmp_path / name
            cli.main(["dataset", "mushi", "--rounds", "400", "--bots", "greedy", "--out", str(folder), *more])
            written.append({file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()})
        assert written[0] == written[1]
        assert any(file.suffix == ".parquet" for file in written[0])

    def test_run_through_a_ray_client(self, nodes: Any, tmp_path: Path) -> None:
        address = f"ray://127.0.0.1:{nodes.head_node._ray_params.ray_client_server_port}"
        assert simulate(MUSHI, 5000, 7, executor=Cluster(address)).counts == simulate(MUSHI, 5000, 7).counts
        with pytest.raises(WrongVersion, match=r"a worker lacks what the run is made of .*No module named 'tests'"):
            list(play_shards(Squares(1, tmp_path), Cluster(address)))


class TestLost:
    def test_killed_worker_loses_only_its_shard(self, nodes: Any, executor: Cluster) -> None:
        killed: list[int] = []

        def kill(_: int) -> None:
            while not killed:
                for worker in workers(nodes)[:1]:
                    os.kill(worker, signal.SIGKILL)
                    killed.append(worker)

        assert simulate(MUSHI, 20_000_000, 7, executor=executor, progress=kill).checksum == simulate(MUSHI, 20_000_000, 7).checksum
        assert killed

    def test_lost_shard_is_retried(self, executor: Cluster, tmp_path: Path) -> None:
        run = Squares(9, tmp_path, deadly=3, deaths=TRIES - 1)
        assert {number: row["square"] for number, row in play_shards(run, executor)} == {i: i * i for i in range(9)}
        assert [len(run.begun(number)) for number in range(9)] == [TRIES if number == 3 else 1 for number in range(9)]

    def test_lost_shard_is_retried_a_limited_number_of_times(self, executor: Cluster, tmp_path: Path) -> None:
        with pytest.raises(ShardLost, match=f"shard 3 was begun {TRIES} times"):
            list(play_shards(Squares(9, tmp_path, deadly=3, deaths=99), executor))

    def test_run_after_its_cluster_is_gone_joins_no_other(self, executor: Cluster, tmp_path: Path) -> None:
        import ray

        rows = play_shards(Squares(9, tmp_path), executor)
        next(rows)
        ray.shutdown()
        del rows
        assert not ray.is_initialized()

    def test_fault_of_a_shard_is_not_retried(self, executor: Cluster, tmp_path: Path) -> None:
        run = Squares(9, tmp_path, bad=3)
        with pytest.raises(ShardFailed, match="ZeroDivisionError: a fault"):
            list(play_shards(run, executor))
        assert len(run.begun(3)) == 1

    def test_removed_node_loses_only_its_shards(self, nodes: Any, executor: Cluster, tmp_path: Path) -> None:
        """Each of three nodes is at a shard when one of them goes; none goes on before."""
        third = nodes.add_node(**NODE)
        attempts, gate = tmp_path / "attempts", tmp_path / "gate"
        attempts.mkdir()
        run = Squares(12, attempts, gate=gate)

        def remove() -> None:
            wait_for(lambda: len({process for number in range(12) for process in run.begun(number)}) == 3)
            vanish(nodes, third)
            gate.touch()

        with ThreadPoolExecutor(1) as beside:
            removing = beside.submit(remove)
            rows = dict(play_shards(run, executor, Results(tmp_path / "kept")))
            removing.result()
        assert {number: row["square"] for number, row in rows.items()} == {i: i * i for i in range(12)}
        assert sorted(len(run.begun(number)) for number in range(12)) == [1] * 11 + [2]
        assert len(dict(play_shards(run, Cluster("nobody:1"), Results(tmp_path / "kept")))) == 12  # nothing is left to be done


class TestNoCluster:
    def test_closed_address_is_reported(self, tmp_path: Path) -> None:
        pytest.importorskip("ray")
        with pytest.raises(NoCluster, match=f"no answer from 127.0.0.1:{(port := free_port())}"):
            list(play_shards(Squares(1, tmp_path), Cluster(f"127.0.0.1:{port}")))

    def test_server_that_is_no_cluster_is_reported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It takes connections and says nothing: the wait has an end."""
        pytest.importorskip("ray")
        monkeypatch.setattr(lab, "JOIN", 1.0)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            with pytest.raises(NoCluster, match=f"the server at {address} did not prove to be a Ray cluster within 1 s"):
                list(play_shards(Squares(1, tmp_path), Cluster(address)))

    def test_machine_without_a_cluster_is_reported(self, ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """In Ray's words: here another test may have one."""
        said = subprocess.CompletedProcess([], 1, "", "ConnectionError: Could not find any running Ray instance.")
        monkeypatch.setattr(subprocess, "run", lambda *words, **named: said)
        with pytest.raises(NoCluster, match="no Ray cluster runs on this machine: ray start --head starts one"):
            list(play_shards(Squares(1, tmp_path), Cluster("auto")))

    def test_ray_client_without_a_server_is_reported(self, tmp_path: Path) -> None:
        pytest.importorskip("ray")
        address = f"ray://127.0.0.1:{free_port()}"
        with pytest.raises(NoCluster, match=f"the Ray cluster {address} cannot be joined: .*timeout"):
            list(play_shards(Squares(1, tmp_path), Cluster(address)))

    @pytest.mark.parametrize("address", ["nobody", "nobody:", ":6379", "nobody:99999", "", "ray://nobody"])
    def test_malformed_address_is_refused(self, tmp_path: Path, address: str) -> None:
        pytest.importorskip("ray")
        with pytest.raises(NoCluster, match="a Ray cluster is HOST:PORT"):
            list(play_shards(Squares(1, tmp_path), Cluster(address)))

    def test_cluster_without_processors_is_reported(self, ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """From the beginning, and when the only node that has some goes while it is at a shard."""
        from ray.cluster_utils import Cluster as Nodes

        monkeypatch.setattr(lab, "EMPTY", 1.0)
        nodes = Nodes(initialize_head=True, head_node_args=NODE | {"num_cpus": 0, "include_dashboard": False})
        try:
            with pytest.raises(NoCluster, match="the Ray cluster has no processors: start a node with some"):
                list(play_shards(Squares(1, tmp_path), Cluster(nodes.address)))
            node = nodes.add_node(**NODE)
            run = Squares(1, tmp_path, gate=tmp_path / "never")

            def remove() -> None:
                wait_for(lambda: run.begun(0))
                vanish(nodes, node)

            with ThreadPoolExecutor(1) as beside:
                removing = beside.submit(remove)
                with pytest.raises(NoCluster, match="no node of the Ray cluster is left: start some, and run the same again"):
                    list(play_shards(run, Cluster(nodes.address)))
                removing.result()
        finally:
            nodes.shutdown()

    def test_no_thread_is_left_over(self) -> None:
        """The cluster has been left each time."""
        ray = pytest.importorskip("ray")
        assert not ray.is_initialized()
        assert threading.active_count() < 20
