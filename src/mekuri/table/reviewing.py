"""A finished round being reviewed beside the table: by machine code where there can be some, decision by decision."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from mekuri.bots import find, precompile
from mekuri.bots.analysis import prepared
from mekuri.bots.review import FEW, PLAYOUTS, Reviewing
from mekuri.match.round import Round
from mekuri.protocol import review as wire

T = TypeVar("T")

_LOOK = 0.25  # seconds between two looks whether machine code is there


class Do(Protocol):
    """Does what is dear where it holds up nobody."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """What the work comes to."""


async def reviewed(
    round: Round,
    number: int,
    seat: int,
    do: Do,
    pause: Callable[[int, int], Awaitable[object]],
    sleep: Callable[[float], Awaitable[object]],
) -> wire.Review:
    """A review as it travels.

    Args:
        round: what is reviewed.
        number: its number, from 1.
        seat: for whom.
        do: does what is dear.
        pause: is told before each decision how many have been judged, of how many, and may wait.
        sleep: waits for so many seconds.
    """
    contract = round.contract
    precompile.begin(contract, find("flat"))  # whose search it is
    precompile.begin_solver(contract)
    while precompile.making(contract):
        await sleep(_LOOK)
    few = () if prepared(contract) else FEW
    making = await do(lambda: Reviewing(round, seat, *(few or (PLAYOUTS,))))
    while making.done < making.total:
        await pause(making.done, making.total)
        await do(making.step)
    return await do(lambda: wire.review(making.found(), number))
