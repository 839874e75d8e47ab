"""The tables of `docs/bots.md`, and plots, from what bots came to in the arena.

python -m tools.bot_tables          writes them from docs/strength/results.json
python -m tools.bot_tables --play   first plays what docs/strength/tables.toml asks for and the results lack

A table stands between `<!-- strength: ID -->` and `<!-- end -->`. Another game or another number of pairs in tables.toml is played
anew; what is not asked for any more is forgotten.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mekuri.bots import Budget
from mekuri.lab.arena import Arena, Score
from mekuri.lab.plot import plot
from mekuri.match.game import game

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "strength"


@dataclass(frozen=True)
class Asked:
    """One table.

    Attributes:
        id: its name in `docs/bots.md`.
        bots: each two of which play each other.
        games, pairs, seed: what they play.
        playouts: the budgets of an action, each played by itself. The table has the greatest.
        milliseconds: that an action may take at most, if it is bounded.
    """

    id: str
    bots: list[str]
    games: list[str]
    pairs: int
    seed: str
    playouts: list[int]
    milliseconds: int | None = None

    def runs(self) -> list[dict[str, Any]]:
        """What is to be played, each as it stands in the results without its scores."""
        asked = {"milliseconds": self.milliseconds, "pairs": self.pairs, "seed": self.seed, "bots": self.bots}
        return [{"game": name, "playouts": number, **asked} for name in self.games for number in sorted(self.playouts)]


Results = list[dict[str, Any]]  # runs, each with its `scores` as the arena tells them


def asked(folder: Path = FOLDER) -> list[Asked]:
    """The tables there are."""
    return [Asked(**told) for told in tomllib.loads((folder / "tables.toml").read_text("utf-8"))["tables"]]


def stored(folder: Path = FOLDER) -> Results:
    """What has been played."""
    found: Results = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def found(run: dict[str, Any], results: Results) -> list[dict[str, Any]] | None:
    """The scores of a run; None where it has not been played."""
    return next((one["scores"] for one in results if {**one, "scores": 0} == {**run, "scores": 0}), None)


def play(run: dict[str, Any]) -> list[dict[str, Any]]:
    """Play a run."""
    arena = Arena(game(run["game"]), tuple(run["bots"]), run["pairs"], run["seed"], Budget(run["playouts"], run["milliseconds"]))
    arena.prepare()
    return [score.to_dict() for score in arena.play()]


def table(one: Asked, results: Results) -> str:
    """A table: a line for each two bots, a column for each game."""
    columns = {run["game"]: found(run, results) for run in one.runs()}  # of equal games the last, which has most play-outs
    lines: dict[tuple[str, str], list[str]] = {}
    for scores in columns.values():
        for score in scores or []:
            lines.setdefault((score["first"], score["second"]), [])
    for pair, cells in lines.items():
        for scores in columns.values():
            cells.append(next((cell(score) for score in scores or [] if (score["first"], score["second"]) == pair), "not played"))
    names = [name.capitalize() for name in columns]
    head = [f"| the first, against the second | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    rows = [f"| `{first}`, `{second}` | {' | '.join(cells)} |" for (first, second), cells in lines.items()]
    time = "" if one.milliseconds is None else f" in at most {one.milliseconds} ms"
    return "\n".join([*head, *rows, "", f"{one.pairs} deals with {max(one.playouts)} play-outs{time}, seed `{one.seed}`."])


def cell(score: dict[str, Any]) -> str:
    """The share of decided pairs that the first has won, with its interval; how many were tied; what a round brought it."""
    share, (least, most) = score["share"], score["share_95"]
    told = "none decided" if share is None else f"{100 * share:.1f} % [{100 * least:.1f}-{100 * most:.1f}]"
    return f"{told}, {score['tied']} tied, {score['mean']:+.2f} ± {score['mean_95']:.2f}"


def written(text: str, results: Results, tables: list[Asked]) -> str:
    """The text with its tables as the results have them. Raises ValueError where a table has no place in it."""
    for one in tables:
        before, after = f"<!-- strength: {one.id} -->\n", "\n<!-- end -->"
        made = f"{before}\n{table(one, results)}\n{after}"
        text, places = re.subn(f"{re.escape(before)}.*?{after}", made.replace("\\", r"\\"), text, flags=re.DOTALL)
        if places != 1:
            raise ValueError(f"docs/bots.md has {places} places for the table {one.id}")
    return text


def plots(results: Results, tables: list[Asked]) -> dict[str, str]:
    """The plots of tables with several play-outs, by the names of their files."""
    drawn = {}
    for one in tables:
        for name in one.games if len(one.playouts) > 1 else ():
            at = {run["playouts"]: found(run, results) for run in one.runs() if run["game"] == name}
            told = {number: [score_of(score) for score in scores] for number, scores in at.items() if scores}
            if told:
                drawn[f"{one.id}-{name}.svg"] = plot(f"{name}, {one.pairs} pairs", told)
    return drawn


def score_of(told: dict[str, Any]) -> Score:
    """A score from what was stored of it, as far as a plot shows it."""
    return Score(*(told[name] for name in ("first", "second", "won", "lost", "tied")))


def main() -> None:
    """Write tables and plots."""
    tables, results = asked(), stored()
    if "--play" in sys.argv[1:]:
        kept: Results = []
        for run in [run for one in tables for run in one.runs()]:
            scores = found(run, results)
            if scores is None:
                print("playing", run, flush=True)
            kept.append({**run, "scores": play(run) if scores is None else scores})
        results = kept
        (FOLDER / "results.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    page = DOCS / "bots.md"
    page.write_text(written(page.read_text("utf-8"), results, tables), "utf-8")
    for name, drawing in plots(results, tables).items():
        (FOLDER / name).write_text(drawing, "utf-8")


if __name__ == "__main__":
    main()
