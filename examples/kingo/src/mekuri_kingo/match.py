"""The match rules of Kingo: who deals next, and what a round changes in the ledger. All else is as in every game."""

from __future__ import annotations

from collections.abc import Mapping

from mekuri_kingo.scoring import first_winner, returns
from mekuri_kingo.state import KingoState


def next_dealer(s: KingoState) -> int:
    """Who has won; of several the nearest to the dealer's right."""
    # kingo.match.next-dealer, kingo.showdown.nearest
    return first_winner(s)


def tally(s: KingoState, seat: int) -> Mapping[str, int]:
    """The stones that a seat has won or lost in the round."""
    # kingo.match.result: places go by them
    return {"stones": returns(s, seat)}
