"""Finished matches of a log."""

import json

from mekuri.desk.stores import Stores
from mekuri.table.log import NewMatch, Row
from tests.helpers.server.stores import ROOT
from tests.helpers.tables import USUAL

ENDED = 5_000  # when they end, in milliseconds since the epoch


def finished(id: str, person: str, *returns: int, at: int = ENDED) -> NewMatch:
    """A match that is over, with one person and a bot: what each round brought the person."""
    rounds = [{"packs": [id], "actions": "", "returns": [points, -points], "sheet": []} for points in returns]
    end = {"why": "played", "winners": [0], "record": json.dumps({"players": ["person", "random"], "rounds": rounds})}
    opened = [Row(2 + n, "open", None, {}, at=3) for n in range(len(returns))]
    rows = [Row(0, "sit", 0, {}, at=1, person=person), Row(1, "round", None, {}, at=2), *opened]
    return NewMatch(id, USUAL, ROOT, person, False, [*rows, Row(99, "end", None, end, at=at)], "over")


async def with_person(store: Stores, *ids: str) -> None:
    for id in ids:
        await store.add_person(id, f"token of {id}", id.title())
