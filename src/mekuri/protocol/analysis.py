"""Messages with the analysis of a decision and the explanation of a move."""

from __future__ import annotations

import msgspec

from mekuri.bots import Weighed
from mekuri.engine.contract import Text


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The expected value of each action of a decision, from all that its seat could know.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat that decides.
        version: the seat's version at the decision.
        actions: the legal actions, best first, except actions that only take back a part of a choice.
        facts: the reasons why the best action is better than the second best.
        part: the kind of the best action, as a hint that does not name it; null where the server sends none.
    """

    table: str
    round: int
    seat: int
    version: int
    actions: tuple[Weighed, ...]
    facts: tuple[Text, ...]
    part: Text | None = None


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """An explanation of a seat's move: from all that the viewer who asks can know, or from all cards when the round is over.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the seat that moved.
        version: the version of the viewer who asks.
        text: the event's text.
        reasons: the reasons: the yaku that it made, brought within reach or denied, and how good it was in deals that agree with
            all that the viewer has seen, each judged by what that seat would have seen in it.
    """

    table: str
    round: int
    seat: int
    version: int
    text: Text
    reasons: tuple[Text, ...]
