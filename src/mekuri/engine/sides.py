"""The sides of a game of partners, from the rule `side_of`."""

from __future__ import annotations

from collections.abc import Sequence

from mekuri.engine.contract import side_of
from mekuri.engine.fields import RoundState
from mekuri.engine.presentation import Text

__all__ = ["named", "partners", "sides", "speakers"]


def sides(s: RoundState) -> tuple[int, ...]:
    """Return the side of each seat; every seat has its own where nobody has a partner."""
    return tuple(int(side_of(s, seat)) for seat in range(s.seats))


def partners(sides: Sequence[int], seat: int) -> tuple[int, ...]:
    """Return the seats of a seat's side, with the seat itself, in order."""
    return tuple(other for other, side in enumerate(sides) if side == sides[seat])


def speakers(sides: Sequence[int], viewer: int | None = None) -> tuple[int, ...]:
    """Return one seat of each side, in order: the viewer of its own side, the first seat of every other.

    Args:
        sides: the side of each seat.
        viewer: the seat of the viewer; None for a spectator.
    """
    found = {side: seat for seat, side in reversed([*enumerate(sides)])}
    if viewer is not None:
        found[sides[viewer]] = viewer
    return tuple(sorted(found.values()))


def named(seats: Sequence[int], begins: bool = False) -> Text:
    """Return the names of the players of some seats, at least one, as a text.

    Args:
        seats: the seats.
        begins: whether the names begin a sentence, so that the reader is called `You` in place of `you`.
    """
    names = [Text("results.partner", {"seat": seat}) for seat in seats]
    text = names[-1]
    for i, name in enumerate(reversed(names[:-1])):
        last = begins and i == len(names) - 2
        text = Text(
            f"results.{'first' if last else 'and'}-partner{'s' if i else ''}",
            {**(name.args if last else {"who": name}), "rest": text},
        )
    return text
