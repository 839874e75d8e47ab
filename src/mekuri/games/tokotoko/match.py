"""The match rules of Tokotoko: what a round changes in the ledger, and the chips that stay in the pot between two rounds."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence

from mekuri.engine.contract import Text
from mekuri.games.tokotoko.options import TokotokoMatch
from mekuri.games.tokotoko.rules import returns
from mekuri.games.tokotoko.state import TokotokoState


# tokotoko.match.deal-passes
def next_dealer(s: TokotokoState) -> int:
    """The seat after the dealer."""
    return (s.dealer + 1) % s.seats


# tokotoko.match.result
def tally(s: TokotokoState, seat: int) -> dict[str, int]:
    """The chips that a seat has won or lost in the round."""
    return {"chips": returns(s, seat)}


# tokotoko.pot.odd-chips
def accounts(s: TokotokoState) -> Mapping[str, int]:
    """The change in the chips that could not be shared and stay in the pot, in an account of no seat."""
    return {"odd": s.left - s.odd}


def pay_out(
    options: TokotokoMatch, s: TokotokoState, accounts: Sequence[MutableMapping[str, int]], pot: MutableMapping[str, int]
) -> Text | None:
    """Pay the chips left in the pot to the seat that has won last, as the match ends."""
    left = pot.get("odd", 0)
    if left == 0 or s.last_winner == 0:
        return None
    pot["odd"] = 0
    accounts[s.last_winner - 1]["chips"] += left
    return Text("events.pay-left", {"seat": s.last_winner - 1, "n": left})


def carry(
    s: TokotokoState, options: TokotokoMatch, accounts: Sequence[MutableMapping[str, int]], last: TokotokoState | None
) -> None:
    """Write the chips that stay in the pot, and whether this round is the last, into a new round."""
    s.number = last.number + 1 if last else 1
    s.odd = last.left if last else 0
    s.last_winner = last.last_winner if last else 0
    s.last = int(s.number == options.rounds)
