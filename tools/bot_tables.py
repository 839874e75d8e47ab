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

from mekuri import games
from mekuri.bots import Budget, UnknownBot, find
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
        matches: a line each: the two bots that play each other, in all games that both of them play.
        games, pairs, seed: what they play.
        playouts: the budgets of an action, each played by itself. The table has the greatest.
        milliseconds: that an action may take at most, if it is bounded.
    """

    id: str
    matches: list[list[str]]
    games: list[str]
    pairs: int
    seed: str
    playouts: list[int]
    milliseconds: int | None = None

    def runs(self) -> list[dict[str, Any]]:
        """What is to be played, each as it stands in the results without its scores."""
        asked = {"milliseconds": self.milliseconds, "pairs": self.pairs, "seed": self.seed}
        return [
            {"game": name, "playouts": number, **asked, "bots": bots}
            for name in self.games
            for number in sorted(self.playouts)
            for bots in self.matches
            if all(plays(bot, name) for bot in bots)
        ]


def plays(bot: str, game: str) -> bool:
    """Whether a bot plays a game."""
    try:
        find(bot, games.find(game))
    except UnknownBot:
        return False
    return True


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
    most = max(one.playouts)
    runs = {(run["game"], *run["bots"]): run for run in one.runs() if run["playouts"] == most}
    names = " | ".join(map(str.capitalize, one.games))
    head = [f"| the first, against the second | {names} |", "|---" * (len(one.games) + 1) + "|"]
    rows = []
    for first, second in one.matches:
        played = [runs.get((name, first, second)) for name in one.games]
        cells = ["-" if run is None else cell(found(run, results)) for run in played]
        rows.append(f"| `{first}`, `{second}` | {' | '.join(cells)} |")
    time = "" if one.milliseconds is None else f" in at most {one.milliseconds} ms"
    return "\n".join([*head, *rows, "", f"{one.pairs} deals with {most} play-outs{time}, seed `{one.seed}`."])


def cell(scores: list[dict[str, Any]] | None) -> str:
    """The share of decided pairs that the first has won, with its interval; how many were tied; what a round brought it."""
    if scores is None:
        return "not played"
    [score] = scores
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
            told: dict[int, list[Score]] = {}
            for run in one.runs():
                if run["game"] == name:
                    told.setdefault(run["playouts"], []).extend(map(score_of, found(run, results) or []))
            if any(told.values()):
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
