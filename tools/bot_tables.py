"""Write the tables and plots of `docs/bots.md` from the results of arenas of bots.

    python -m tools.bot_tables          # from docs/strength/results.json
    python -m tools.bot_tables --play   # first play what docs/strength/tables.toml asks for and the results lack

A table stands between `<!-- strength: ID -->` and `<!-- end -->`. A run whose game or number of pairs has changed in tables.toml is
played again, and results that tables.toml no longer asks for are dropped.
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
from mekuri.engine.rulebook import rulebook
from mekuri.lab.arena import CEILINGS, Arena, Score
from mekuri.lab.plot import plot
from mekuri.match.game import game

DOCS = Path(__file__).parent.parent / "docs"
FOLDER = DOCS / "strength"
_CEILING = "hands-open"


@dataclass(frozen=True)
class Asked:
    """A table that tables.toml asks for.

    Attributes:
        id: its id in `docs/bots.md`.
        matches: its rows, each the two bots that play each other in every game that both can play.
        games: the games.
        pairs: the deal pairs of a run; a dict where games differ.
        seed: the seed of a run.
        playouts: the numbers of play-outs for an action. Each is a run of its own, and the table shows the largest.
        milliseconds: the time limit for an action; None for none.
    """

    id: str
    matches: list[list[str]]
    games: list[str]
    pairs: int | dict[str, int]
    seed: str
    playouts: list[int]
    milliseconds: int | None = None

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs of the table, as they stand in the results but without scores."""
        asked = {"milliseconds": self.milliseconds, "seed": self.seed}
        return [
            {"game": name, "playouts": number, **asked, "pairs": self.pairs_of(name), "bots": bots}
            for name in self.games
            for number in sorted(self.playouts)
            for bots in self.matches
            if all(plays(bot, name) for bot in bots)
        ]

    def pairs_of(self, name: str) -> int:
        """Return the deal pairs of a run of a game."""
        return self.pairs if isinstance(self.pairs, int) else self.pairs[name]


def plays(bot: str, game: str) -> bool:
    """Return whether a bot can play a game."""
    try:
        _ = bot in CEILINGS or find(bot, games.find(game))
    except UnknownBot:
        return False
    return True


Results = list[dict[str, Any]]  # runs, each with its `scores` from the arena


def asked(folder: Path = FOLDER) -> list[Asked]:
    """Return the tables of tables.toml."""
    return [Asked(**row) for row in tomllib.loads((folder / "tables.toml").read_text("utf-8"))["tables"]]


def stored(folder: Path = FOLDER) -> Results:
    """Return the stored results."""
    found: Results = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def found(run: dict[str, Any], results: Results) -> list[dict[str, Any]] | None:
    """Return the scores of a run; None if it has not been played."""
    return next((one["scores"] for one in results if {**one, "scores": 0} == {**run, "scores": 0}), None)


def play(run: dict[str, Any]) -> list[dict[str, Any]]:
    """Play a run and return its scores."""
    arena = Arena(game(run["game"]), tuple(run["bots"]), run["pairs"], run["seed"], Budget(run["playouts"], run["milliseconds"]))
    arena.prepare()
    return [score.to_dict() for score in arena.play()]


def called(name: str) -> str:
    """Return the English name of a game."""
    return str(rulebook(games.find(name)).tables["name"]["en"])


def table(one: Asked, results: Results) -> str:
    """Return a table in Markdown: a row for each two bots, a column for each game."""
    most = max(one.playouts)
    runs = {(run["game"], *run["bots"]): run for run in one.runs() if run["playouts"] == most}
    names = " | ".join(map(called, one.games))
    head = [f"| the first, against the second | {names} |", "|---" * (len(one.games) + 1) + "|"]
    rows = []
    for first, second in one.matches:
        played = [runs.get((name, first, second)) for name in one.games]
        cells = ["-" if run is None else cell(found(run, results)) for run in played]
        rows.append(f"| `{first}`, `{second}` | {' | '.join(cells)} |")
    if _CEILING in (first for first, _ in one.matches):
        shares = [share_of_the_gap([found(runs[name, *bots], results) for bots in one.matches]) for name in one.games]
        rows.append(f"| share of the gap | {' | '.join(shares)} |")
    time = "" if one.milliseconds is None else f" in at most {one.milliseconds} ms"
    deals = one.pairs if isinstance(one.pairs, int) else ", ".join(f"{n} ({called(name)})" for name, n in one.pairs.items())
    return "\n".join([*head, *rows, "", f"{deals} deals with {most} play-outs{time}, seed `{one.seed}`."])


def share_of_the_gap(played: list[list[dict[str, Any]] | None]) -> str:
    """Return how much of what the ceiling, the last of some first bots, wins a round from the second one another one wins."""
    if None in played:
        return "not played"
    one, *_, ceiling = [scores[0]["mean"] for scores in played if scores]
    return f"{one / ceiling:.0%}".replace("%", " %")


def cell(scores: list[dict[str, Any]] | None) -> str:
    """Return the share of decided pairs that the first bot won with its interval, the pairs tied, and its mean in a round."""
    if scores is None:
        return "not played"
    [score] = scores
    share, (least, most) = score["share"], score["share_95"]
    text = "none decided" if share is None else f"{100 * share:.1f} % [{100 * least:.1f}-{100 * most:.1f}]"
    return f"{text}, {score['tied']} tied, {score['mean']:+.2f} ± {score['mean_95']:.2f}"


def written(text: str, results: Results, tables: list[Asked]) -> str:
    """Return the text of `docs/bots.md` with its tables replaced.

    Raises:
        ValueError: a table has no place in the text, or several.
    """
    for one in tables:
        before, after = f"<!-- strength: {one.id} -->\n", "\n<!-- end -->"
        made = f"{before}\n{table(one, results)}\n{after}"
        text, places = re.subn(f"{re.escape(before)}.*?{after}", made.replace("\\", r"\\"), text, flags=re.DOTALL)
        if places != 1:
            raise ValueError(f"docs/bots.md has {places} places for the table {one.id}")
    return text


def plots(results: Results, tables: list[Asked]) -> dict[str, str]:
    """Return the plots of tables with several numbers of play-outs, as SVG by file name."""
    drawn = {}
    for one in tables:
        for name in one.games if len(one.playouts) > 1 else ():
            points: dict[int, list[Score]] = {}
            for run in one.runs():
                if run["game"] == name:
                    points.setdefault(run["playouts"], []).extend(map(score_of, found(run, results) or []))
            if any(points.values()):
                drawn[f"{one.id}-{name}.svg"] = plot(f"{name}, {one.pairs} pairs", points)
    return drawn


def score_of(score: dict[str, Any]) -> Score:
    """Return a stored score with the fields that a plot needs."""
    return Score(*(score[name] for name in ("first", "second", "won", "lost", "tied")))


def main() -> None:
    """Play what `--play` asks for, and write tables and plots."""
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
