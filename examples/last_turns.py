"""State exactly how much a bot loses in the last turns of a round to the best response to it.

    python examples/last_turns.py mushi greedy             # over the 100 positions of `last_turns.txt`
    python examples/last_turns.py hiyoko kakuo --count 10
    python examples/last_turns.py --write                   # make the positions anew

A position is the point of a round between greedy bots at which the last turns begin. One seat, the responder, knows how the other
plays. All worlds are played that the responder may be in, so the figures of a position are exact but for rounding. The interval is
that of the positions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

import mekuri
from mekuri.bots import Budget, Seen, find
from mekuri.engine.chance import stream
from mekuri.engine.contract import hand_size
from mekuri.lab.bestresponse import Against, Response
from mekuri.match.round import Round

FILE = Path(__file__).with_suffix(".txt")
POSITIONS = 100
PLAYOUTS, SEED = 100, 0  # of a bot that searches


@dataclass(frozen=True)
class Last:
    """The last turns of a game.

    Attributes:
        turns: how many turns are left, of both seats together.
        responds: 0 if the responder is the seat that acts first; 1 if it is the other one.
        cut: whether a round may go on after these turns; it is then cut off, and brings nothing.
        held: the most cards that the responder may not see in the other hand.
    """

    turns: int
    responds: int
    cut: bool = False
    held: int = 3


LAST = {"mushi": Last(6, 1), "hiyoko": Last(4, 0, cut=True, held=2), "tensho": Last(3, 0)}


def self_play(name: str) -> Iterator[str]:
    """Yield a position of each round between greedy bots in which the seat that begins the last turns has a choice."""
    game, bot, last = mekuri.game(name), find("greedy"), LAST[name]
    for number in range(1 << 20):
        round, chance = game.deal("last turns", number % 2, number), stream("last turns", name, number)
        decisions: list[tuple[Round, int]] = []
        while not round.over:
            seat = round.waiting[0]
            decisions.append((round.copy(), seat))
            round.play(bot.choose(Seen(round.hidden(seat), seat), chance, Budget()), seat)
        for before, seat in decisions:
            s = before._state
            left = round._state.turns - s.turns + 1 if last.cut else sum(hand_size(s, one) for one in range(2))
            if left == last.turns and s.turns > 0:
                if len(before.choices(seat)) > 1 and hand_size(s, 1 - (seat ^ last.responds)) <= last.held:
                    yield before.position
                break


def write() -> None:
    """Write the positions of all games."""
    lines = [f"{name} {position}" for name in LAST for position, _ in zip(self_play(name), range(POSITIONS), strict=False)]
    FILE.write_text("\n".join(lines) + "\n")


def positions(name: str) -> list[Round]:
    """Return the rounds of a game that stand at its positions."""
    lines = (line.split(" ", 1) for line in FILE.read_text().splitlines())
    return [mekuri.game(name).position(text) for game, text in lines if game == name]


def respond(name: str, bot: str, count: int = POSITIONS, playouts: int = PLAYOUTS) -> list[Response]:
    """Find the best response to a bot at the first positions of a game."""
    last, against, found = LAST[name], Against(find(bot), Budget(playouts), SEED), []
    for round in positions(name)[:count]:
        seat = round.waiting[0] ^ last.responds
        found.append(against.respond(round, seat, last.turns if last.cut else None))
    return found


def half_width(values: list[float]) -> float | None:
    """Return half the width of the 95 % interval of a mean; None for a single value."""
    return 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def summary(name: str, bot: str, found: list[Response]) -> dict[str, Any]:
    """Return the means over positions, each with half the width of its 95 % interval."""
    columns = {
        "own": [one.own for one in found],
        "lost": [one.best - one.own for one in found],
        "open": [one.ceiling - one.own for one in found],
    }
    means = {key: [fmean(values), half_width(values)] for key, values in columns.items()}
    sums = {
        "hands": sum(one.hands for one in found),
        "sets": sum(one.sets for one in found),
        "asked": sum(one.asked for one in found),
    }
    losses = columns["lost"]
    ends = {"most": max(losses), "with a loss": sum(loss > 1e-9 for loss in losses)}
    return {"game": name, "bot": bot, "positions": len(found), **means, **ends, **sums}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=[*LAST])
    parser.add_argument("bot", nargs="?", default="greedy")
    parser.add_argument("--count", type=int, default=POSITIONS)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.write:
        write()
    if given.game:
        begun = process_time()
        responses = respond(given.game, given.bot, given.count, given.playouts)
        print(json.dumps(summary(given.game, given.bot, responses) | {"processor s": round(process_time() - begun, 1)}))
