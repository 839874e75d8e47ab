"""Shards done by the nodes of a Ray cluster."""

from __future__ import annotations

import importlib
import importlib.util
import os
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import mekuri
from mekuri.engine.errors import MekuriError
from mekuri.lab.remote import Job, attempt, settle
from mekuri.lab.shards import Done, Lost, Pool, Row, Run

ANSWER = 5.0  # seconds in which an address must take a connection
JOIN = 30.0  # seconds in which the peer must prove to be a Ray cluster
EMPTY = 120.0  # seconds for which a run without nodes waits for one
_LOOK = 2.0  # seconds between two looks at how many processors there are
_AHEAD = 2  # shards that are handed in for each processor: one is done, one waits at the node
_PROBE = "import sys; from mekuri.lab.cluster import _connect; _connect(sys.argv[1])"


class NoRay(MekuriError):
    """Ray is not installed."""


class NoCluster(MekuriError):
    """There is no Ray cluster at an address, or none that can be joined, or no node of it is left."""


@dataclass(frozen=True)
class Cluster:
    """The executor that does shards on all nodes of a Ray cluster, one for each processor at a time.

    A worker or a node that dies costs the shards that it was at; nodes may come and go while a run goes on. Mekuri must be
    installed on every node in the same version, and so must games and bots of other packages. If this process has joined a
    cluster already (`ray.init`), the run uses that one and does not leave it.

    Attributes:
        address: as for `ray.init`: `HOST:PORT`, `ray://HOST:PORT`, `auto` for a cluster that runs on this machine, or `local` for
            one that is started on it for the run.
    """

    address: str

    @contextmanager
    def open(self, run: Run, done: Done) -> Iterator[Pool]:
        """Begin with a run; see `mekuri.lab.shards.Executor`.

        Raises:
            NoRay: Ray is not installed.
            NoCluster: no cluster answers at the address, or it has no processors.
        """
        ray = _ray()
        joined = ray.is_initialized()
        if not joined:
            _join(self.address)
        pool = None
        try:
            pool = _Cluster(ray, run, done)
            yield pool
        finally:
            if pool:
                pool.close()
            if not joined:
                ray.shutdown()


class _Cluster:
    """The pool of `Cluster`. Handles are Ray's object references."""

    def __init__(self, ray: Any, run: Run, done: Done) -> None:
        self._ray, self._run, self._done = ray, run, done
        # A shard is handed in again by `play_shards`, which counts how often. Ray would begin one that kills its workers for ever.
        self._attempt = ray.remote(max_retries=0, num_cpus=1)(attempt)
        self._job = Job(run)
        self._numbers: dict[Any, int] = {}
        self._looked = -_LOOK
        self._processors = 0
        if not self._look():
            raise NoCluster("the Ray cluster has no processors: start a node with some, such as ray start --num-cpus 4")

    @property
    def room(self) -> int:
        return _AHEAD * max(1, self._look())

    def submit(self, number: int) -> Any:
        handle = self._attempt.remote(self._job.packed, self._job.version, self._job.about, number)
        self._numbers[handle] = number
        return handle

    def wait(self, handles: Collection[Any]) -> Collection[Any]:
        empty = None
        while True:
            found, _ = self._ray.wait(list(handles), num_returns=1, timeout=_LOOK)
            if found:
                # The others that are done by now are taken at the same time.
                found, _ = self._ray.wait(list(handles), num_returns=len(handles), timeout=0)
                return list(found)
            if self._look():
                empty = None
            elif empty is None:
                empty = time.monotonic()
            elif time.monotonic() - empty > EMPTY:
                raise NoCluster("no node of the Ray cluster is left: start some, and run the same again")

    def row(self, handle: Any) -> Row:
        number = self._numbers.pop(handle)
        errors = self._ray.exceptions
        try:
            outcome = self._ray.get(handle)
        except (errors.RayTaskError, errors.RuntimeEnvSetupError) as error:
            # `attempt` raises nothing, so the worker has not even found it.
            reason = str(error).strip().splitlines()[-1]
            raise NoCluster(f"a node cannot run Mekuri ({reason}): install mekuri {mekuri.__version__} on every node") from None
        except errors.RayError as error:
            raise Lost(str(error).strip().splitlines()[0]) from None
        row = settle(number, outcome)
        self._done(self._run.units(number))
        return row

    def close(self) -> None:
        """Take back what is not done."""
        if not self._ray.is_initialized():
            return  # the cluster has been left before, and to ask it for anything would look for another one
        for handle in self._numbers:
            with suppress(self._ray.exceptions.RayError):
                self._ray.cancel(handle, force=True)

    def _look(self) -> int:
        """Return how many processors the cluster has: looked up now and then, because nodes come and go."""
        now = time.monotonic()
        if now - self._looked >= _LOOK:
            self._looked = now
            self._processors = int(self._ray.cluster_resources().get("CPU", 0))
        return self._processors


def _ray() -> Any:
    """Return the module `ray`. Raises NoRay if it is not installed."""
    if importlib.util.find_spec("ray") is None:
        raise NoRay('Ray is not installed: pip install "mekuri[ray]"')
    # Mekuri sends no usage statistics by default. A user who wants to send them sets this to 1.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    return importlib.import_module("ray")


def _join(address: str) -> None:
    """Join the cluster at an address, or start one.

    If the address does not answer, Ray ends the process after minutes, so another process tries it first. Ray's client gives up by
    itself, and a connection just before may kill its server (Ray's issue 63202), so it is not tried.
    """
    if address.startswith("ray://"):
        _parted(address)
        try:
            with warnings.catch_warnings(action="ignore"):  # they say again what the error says
                _connect(address)
        except (ConnectionError, ImportError) as error:
            _ray().shutdown()  # else it would take every later address for one of a client
            reason = str(error).strip() or type(error).__name__
            raise NoCluster(f"the Ray cluster {address} cannot be joined: {reason.splitlines()[0]}") from None
        return
    if address != "local":
        if address != "auto":
            _knock(address)
        _try(address)
    _connect(address)


def _try(address: str) -> None:
    """Raise NoCluster where another process cannot join the cluster at an address."""
    try:
        tried = subprocess.run([sys.executable, "-c", _PROBE, address], capture_output=True, text=True, timeout=JOIN, check=False)
    except subprocess.TimeoutExpired:
        raise NoCluster(f"the server at {address} did not prove to be a Ray cluster within {JOIN:.0f} s") from None
    if tried.returncode:
        if address == "auto" and "ConnectionError" in tried.stderr:
            raise NoCluster("no Ray cluster runs on this machine: ray start --head starts one")
        lines = [line for line in tried.stderr.strip().splitlines() if line.strip()]
        raise NoCluster(f"the Ray cluster {address} cannot be joined: {lines[-1] if lines else 'it did not say why'}")


def _knock(address: str) -> None:
    """Raise NoCluster where an address is none, or takes no connection."""
    try:
        socket.create_connection(_parted(address), ANSWER).close()
    except OSError as error:
        raise NoCluster(f"no answer from {address} ({error}): is it the address that ray start --head printed?") from None


def _parted(address: str) -> tuple[str, int]:
    """Return the host and the port of an address. Raises NoCluster if it is malformed."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise NoCluster(f"a Ray cluster is HOST:PORT, ray://HOST:PORT, auto or local, not {address or 'nothing'}")
    return host.strip("[]"), int(port)


def _connect(address: str) -> None:
    """Join the cluster at an address, or start one."""
    ray = _ray()
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    if address.startswith("ray://"):
        quiet = {}  # they would be meant for the cluster
    elif address == "local":
        quiet["include_dashboard"] = False
    ray.init(address=address, **quiet)
