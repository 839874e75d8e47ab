"""The command that tests an installed game: `mekuri check`."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import Parameter

from mekuri.cli.arguments import app
from mekuri.engine.errors import UnfinishedGame


@app.command
def check(
    name: str,
    /,
    *,
    slow: Annotated[
        bool, Parameter(negative="--quick", help="Every preset and option, and more rounds: it takes minutes.")
    ] = False,
    seed: Annotated[int, Parameter(help="From which the rounds, positions and options come that are tried.")] = 0,
) -> None:
    """Run the checks that every game must pass on an installed game, one line each. The exit status is 1 if one fails."""
    from mekuri.testing import run

    failed = False
    try:
        for outcome in run(name, slow=slow, seed=seed):
            if outcome.failure:
                failed = True
                _tell("FAILED", outcome.name, *str(outcome.failure).splitlines())
            elif outcome.left_out:
                _tell("left out", outcome.name, outcome.left_out)
            else:
                _tell("ok", outcome.name, f"{outcome.says} ({outcome.seconds:.1f} s)")
    except UnfinishedGame as unfinished:
        failed = True
        _tell("FAILED", "whole", f"the game {unfinished.game} is left out everywhere:", *unfinished.faults)
    if failed:
        sys.exit(1)


def _tell(came: str, name: str, *lines: str) -> None:
    """Print the outcome of a check in one line, with further lines indented below it."""
    for number, line in enumerate(lines):
        head = f"{came:<9} {name:<12}" if number == 0 else " " * 22
        print(f"{head} {line}", flush=True)
