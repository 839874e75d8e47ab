"""Making the review of a finished round decision by decision, with compiled rules where the game can be compiled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeVar

from mekuri.bots import find, precompile
from mekuri.bots.analysis import prepared
from mekuri.bots.review import FEW, PLAYOUTS, Review, Reviewing
from mekuri.match.round import Round

T = TypeVar("T")

_LOOK = 0.25  # seconds between two checks whether the rules have been compiled


class Do(Protocol):
    """A function that runs expensive work where it does not block the event loop, such as in a thread.

    The work can be pickled, for a function that runs it in another process.
    """

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """Run the work and return its result."""


async def reviewed(
    round: Round,
    number: int,
    seat: int,
    do: Do,
    pause: Callable[[int, int], Awaitable[object]],
    sleep: Callable[[float], Awaitable[object]],
) -> Review:
    """Review a finished round for one seat.

    Args:
        round: the round.
        number: the round's number, from 1.
        seat: the seat whose decisions are judged.
        do: runs expensive work without blocking the event loop.
        pause: called before each decision with the numbers of judged decisions and of all decisions; it may wait.
        sleep: waits for a number of seconds.

    Returns:
        The review.
    """
    contract = round.contract
    precompile.begin(contract, find("flat"))  # the bot whose search judges the decisions
    precompile.begin_solver(contract)
    while precompile.making(contract):
        await sleep(_LOOK)
    few = () if prepared(contract) else FEW
    making = await do(partial(_begun, round, seat, *(few or (PLAYOUTS,))))
    while (next := making.done) < making.total:
        await pause(next, making.total)
        making.take(next, await do(partial(making.judge, next)))
    return await do(partial(making.found, number))


def _begun(round: Round, seat: int, *budget: int) -> Reviewing:
    """Return a review of which no decision is judged, with the figures that all decisions need, so that no process repeats them."""
    making = Reviewing(round, seat, *budget)
    _ = making.wins
    return making
