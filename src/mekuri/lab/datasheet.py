"""The datasheet of a dataset: what it holds, how to read it, how it was made, and what it is not for."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any

HEAD = "# Dataset of "

COLUMNS = {
    "observation": "what the seat may know, as bytes",
    "mask": "the legal actions as a set: bit a is 1 if action a is legal",
    "action": "the action that the bot took, as a number",
    "return": "the return of this seat at the end of the round",
    "seat": "the seat that chose",
    "round": "the number of the round, which is dealt by `game.deal(seed, number=round)`",
    "bot": "the place of the bot that chose in the list of bots, from 0",
}
"""The columns of a dataset, and what they hold."""

_SHEET = """{head}{game}

{decisions:,} decisions of {rounds:,} rounds of {game}, by {bots}. Written by `mekuri dataset` of Mekuri {version}.

## What it holds

Each row is one decision. The rows of a round stand together, in the order of play. A seat that had one legal action has no row, and
neither has the dealing of cards. Actions that only take back another are not offered and not in the mask.

{columns}

## How to read it

The files in `decisions` are one table, and any program that reads Parquet reads it. The metadata of each file hold under the key
`mekuri`, as JSON, what this page says.

```python
import numpy as np
import pyarrow.parquet as pq

table = pq.read_table("decisions")
observations = np.frombuffer(b"".join(table["observation"].to_pylist()), np.uint8).reshape(-1, {bytes})
masks = (table["mask"].to_numpy()[:, None] >> np.arange(64) & 1).astype(bool)
```

## How it was made

```
{command}
```

Seat s of round i has the bot at place i + s modulo the number of bots. Seat 0 deals every round. The same command with the same
versions writes the same files, also after an interruption.

{made}

## What it is not for

The decisions are those of bots. They say nothing about how people play, and a bot that searches gives another dataset with another
budget. An observation holds what the seat may know and nothing of other hands or of the order of the stock. It shows the table as
it is, not how it came to be. The data name no person.

## Observations

Layout {layout}. All is relative to the seat that chooses: its own values come first, and seats are counted from it.

{parts}

## Actions

{actions}
"""


def datasheet(about: dict[str, Any], decisions: int) -> str:
    """Return the datasheet as Markdown.

    Args:
        about: what the dataset follows from, as its run states it.
        decisions: the number of its rows.
    """
    layout, bots = about["layout"], about["bots"]
    words = ["mekuri", "dataset", about["game"], "--rounds", str(about["rounds"]), "--seed", about["seed"]]
    words += ["--seats", str(about["seats"]), "--bots", ",".join(bots)]
    words += ["--playouts", str(about["playouts"])] if about["playouts"] else []
    options = [f"{name}={value}" for name, value in about["options"].items()]
    words += ["--option", *options] if options else []
    left_out = ("verb", "layout", "actions", "options")
    made = {name: value for name, value in about.items() if name not in left_out and value not in (None, {})}
    return _SHEET.format(
        head=HEAD,
        game=about["game"],
        rounds=about["rounds"],
        version=about["mekuri"],
        decisions=decisions,
        bots=", ".join(bots),
        bytes=layout["bytes"],
        layout=layout["version"],
        command=shlex.join(words),
        columns=_table(("column", "what it holds"), COLUMNS.items()),
        made=_table(("", ""), ((name, _text(value)) for name, value in made.items())),
        parts=_table(
            ("name", "first byte", "bytes", "meaning"),
            ((part["name"], part["first"], part["bytes"], part["meaning"]) for part in layout["parts"]),
        ),
        actions=_table(("number", "action"), about["actions"].items()),
    )


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [" | ".join(head), " | ".join("---" for _ in head), *(" | ".join(map(str, row)) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines)
