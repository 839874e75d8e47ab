"""A shard as another process does it, of this machine or of another one."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

import mekuri
from mekuri.engine.errors import MekuriError
from mekuri.lab.shards import Row, Run, ShardFailed, Worker

_LINES = 3  # the last lines of a traceback that an error tells


class WrongVersion(MekuriError):
    """A worker runs another version of Mekuri, or of a game's rules, than the process that started the run."""


class Job:
    """A run, packed for other processes.

    Attributes:
        packed: the run, pickled.
        version: the version of Mekuri.
        about: what the run is about, the digests of rules and bots included.

    Raises:
        MekuriError: the run has a bot that cannot be pickled.
    """

    def __init__(self, run: Run) -> None:
        try:
            self.packed = pickle.dumps(run)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            where = "define the functions of its bots at the top level of a module, or use threads"
            raise MekuriError(f"the run cannot be sent to other processes ({error}): {where}") from None
        self.version = mekuri.__version__
        self.about = run.about()


# Errors are sent as texts: those of some libraries, and of games, cannot be pickled.
Outcome = tuple[str, Any]

_worker: tuple[bytes, Worker] | None = None  # of the run that this process has last done a shard of


def attempt(sent: bytes, version: str, about: dict[str, Any], number: int) -> Outcome:
    """Do a shard, and return its outcome: the kind of it, and a row or a text.

    Args:
        sent, version, about: `packed`, `version` and `about` of the `Job`.
        number: the shard's number.
    """
    try:
        return "row", _worker_of(sent, version, about).play(number, _unheard)
    except WrongVersion as error:
        return "version", str(error)
    except MekuriError as error:
        return "refused", str(error)
    except Exception as error:
        lines = traceback.format_exception(error)
        return "failed", " ".join("".join(lines[-_LINES:]).split())


def settle(number: int, outcome: Outcome) -> Row:
    """Return the row of an outcome.

    Raises:
        WrongVersion: the worker of the shard runs another version.
        MekuriError: it was refused, such as by a bot that fails.
        ShardFailed: there is a fault in Mekuri, in a game or in a bot.
    """
    kind, value = outcome
    match kind:
        case "row":
            row: Row = value
            return row
        case "version":
            raise WrongVersion(value)
        case "refused":
            raise MekuriError(value)
        case _:
            raise ShardFailed(f"shard {number} cannot be done, by a fault of the program: {value}")


def _worker_of(sent: bytes, version: str, about: dict[str, Any]) -> Worker:
    global _worker  # noqa: PLW0603 - what is compiled and allocated for a run serves all its shards in this process
    if _worker and _worker[0] == sent:
        return _worker[1]
    if version != mekuri.__version__:
        raise WrongVersion(f"a worker has Mekuri {mekuri.__version__}, and this is {version}: install {version} on every node")
    try:
        run: Run = pickle.loads(sent)
    except (ImportError, AttributeError) as error:
        raise WrongVersion(f"a worker lacks what the run is made of ({error}): install the same packages on every node") from None
    if (ours := run.about()) != about:
        differing = ", ".join(key for key in about if ours.get(key) != about[key])
        raise WrongVersion(f"a worker has other rules or bots ({differing}): install the same games and bots on every node")
    if _worker:
        _worker[1].close()
        _worker = None
    run.prepare()
    worker = run.worker()
    _worker = sent, worker
    return worker


def _unheard(_: int) -> None:
    """Ignore progress: the process that started the run counts a shard when it is done."""
