"""The options by which commands do their work in shards: the executor, and the folder of the results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mekuri.engine.errors import OptionError

if TYPE_CHECKING:
    from mekuri.lab.results import Results
    from mekuri.lab.shards import Executor

ProcessesOption = Annotated[int | None, Parameter(help="Do it in so many processes of this machine.")]
RayOption = Annotated[
    str | None, Parameter(help="Do it on a Ray cluster: HOST:PORT, ray://HOST:PORT, auto for the one running here, or local.")
]
ResultsOption = Annotated[
    Path | None, Parameter(help="Keep what is done in this folder, as Parquet. The same command goes on from there.")
]


def executor_of(processes: int | None, ray: str | None, threads: int | None = None) -> Executor | None:
    """Return the executor of the shards; None for the default threads of this process.

    Raises:
        OptionError: more than one kind is asked for.
    """
    if (processes is not None) + (ray is not None) + (threads is not None) > 1:
        raise OptionError("--threads, --processes and --ray are three ways to do the same work: give one of them")
    if processes is not None:
        from mekuri.lab.processes import Processes

        return Processes(processes)
    if ray is not None:
        from mekuri.lab.cluster import Cluster

        return Cluster(ray)
    if threads is not None:
        from mekuri.lab.shards import Threads

        return Threads(threads)
    return None


def kept_in(folder: Path | None) -> Results | None:
    """Return the place where results are kept; None if no folder is given."""
    if folder is None:
        return None
    from mekuri.lab.results import Results

    return Results(folder)
