"""The match rules of Hankan: what a round changes in the ledger."""

from __future__ import annotations

from mekuri.games.hankan.rules import returns
from mekuri.games.hankan.state import HankanState


# hankan.match.deal-passes
def next_dealer(s: HankanState) -> int:
    """The seat after the dealer, as each seat deals one pack."""
    return (s.dealer + 1) % s.seats


# hankan.match.result
def tally(s: HankanState, seat: int) -> dict[str, int]:
    """The chips that a seat has won or lost in the round."""
    return {"chips": returns(s, seat)}
