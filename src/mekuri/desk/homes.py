"""Where tables live: each table has one process as its home, which alone holds it in memory and writes its rows.

A desk of one process is the home of all its tables. A server may be one of several processes over one database; then
`mekuri.server.cluster` finds the home of each table, and hands on what concerns the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from mekuri.desk.stream import Stream
from mekuri.engine.errors import MekuriError

P = ParamSpec("P")
T = TypeVar("T")

Elsewhere = Mapping[str, Collection[str]]  # by table, the people who wait at it at other processes


class NotHere(MekuriError):
    """This process is not the home of a table.

    Attributes:
        home: the process that is; None where that is not known, as where this one has no lease.
    """

    def __init__(self, home: Any = None) -> None:
        super().__init__("this table is kept by another process")
        self.home = home


class Homes:
    """The processes among which the tables are shared out: here one alone, which is the home of every table.

    `mekuri.server.cluster.peers.Peers` is the subclass for several processes over one database.
    """

    @property
    def elsewhere(self) -> Elsewhere:
        """The people who wait at each listed table at other processes."""
        return {}

    @property
    def valid(self) -> bool:
        """Whether this process may act for its tables now."""
        return True

    async def need_home(self, table: str) -> None:
        """Make this process the home of a table, if it has none that is alive. Raises NotHere where another process is the home."""

    def dropped(self, table: str) -> None:
        """Note that a table is not in memory any more."""

    async def offer(self, table: str) -> None:
        """Offer a table that cannot be read here to the other processes, if there are any."""

    async def do(self, desk: Any, name: str, args: tuple[Any, ...], there: NotHere, unfollowed: bool) -> Any:
        """Run a function about a table at the table's home.

        Args:
            desk: the desk of this process, which may have become the home meanwhile.
            name: the name of the function, one of `AT_HOME`.
            args: its arguments after the desk, of which the first is the table.
            there: the error by which it was refused here.
            unfollowed: whether a home of another version is asked for the table only if nobody follows it.

        Raises:
            ProblemError: the request is refused, or no home answers.
        """
        raise there

    async def follow(self, stream: Stream, table: str, there: NotHere) -> None:
        """Let a stream follow a table at the table's home, or here if this process has become its home. Raises as `do`."""
        raise there

    def unfollow(self, stream: Stream) -> None:
        """Let a stream follow no table at other processes any more."""


Function = Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]  # the first argument is the desk, the second the id of a table

AT_HOME: dict[str, Callable[..., Awaitable[Any]]] = {}  # by name, the functions as they are run by the home


def at_home(function: Function[P, T], unfollowed: bool = False) -> Function[P, T]:
    """Let a function of a desk, whose next argument is the id of a table, be run by the process that is the home of that table.

    It may be run more than once, where a process is lost before it answers: it must do the same as if it was run once, as for a
    request that is sent again. Arguments and result travel in msgpack.

    Args:
        function: the function.
        unfollowed: whether a home of another version gives the table up only if nobody follows it.

    Raises:
        TypeError: a function of the same name is marked already.
    """
    name, parameters = function.__name__, signature(function)
    if name in AT_HOME:
        raise TypeError(f"two functions are called {name}: other processes could not tell them apart")
    AT_HOME[name] = function

    @wraps(function)
    async def routed(desk: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await function(desk, *args, **kwargs)
        except NotHere as there:
            given = parameters.bind(desk, *args, **kwargs)
            given.apply_defaults()
            found: T = await desk.homes.do(desk, name, given.args[1:], there, unfollowed)
            return found

    return routed
