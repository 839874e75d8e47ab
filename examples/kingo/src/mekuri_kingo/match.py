"""The match rules of Kingo: the next dealer, and the change of the ledger by a round. The engine has all other rules of a match."""

from __future__ import annotations

from collections.abc import Mapping

from mekuri_kingo.scoring import first_winner, returns
from mekuri_kingo.state import KingoState


def next_dealer(s: KingoState) -> int:
    """Return the winner, who deals next; of several the nearest to the dealer's right."""
    # kingo.match.next-dealer, kingo.showdown.nearest
    return first_winner(s)


def tally(s: KingoState, seat: int) -> Mapping[str, int]:
    """Return the stones that a seat has won or lost in the round."""
    # kingo.match.result: places go by them
    return {"stones": returns(s, seat)}
