"""The report of a comparison of rules: as HTML, as Markdown, as JSON, and as plots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from mekuri.bots.figures import Estimate
from mekuri.engine.measured import estimate_text, percent_text
from mekuri.engine.rulebook import rulebook
from mekuri.lab.compare import MEASURES, Comparison, Measured
from mekuri.lab.plot import intervals
from mekuri.lab.shards import checksum_text, seed_text

Table = tuple[str, list[str], list[list[str]]]
"""A table: its title, the heads of its columns, and its rows."""

CALLED = {
    "dealer": "dealer's points",
    "points": "points of the best seat",
    "dealer_wins": "rounds that the dealer wins",
    "undecided": "rounds without a winner",
    "turns": "turns",
    "actions": "actions",
    "decisions": "decisions",
}
"""The measures, as tables call them."""
_SHARES = ("dealer_wins", "undecided")  # the measures that are shares of the rounds
_DIFFERENCES = ("dealer", "points", "dealer_wins", "decisions")
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}svg{max-width:40rem}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:right}"
    "td:first-child,th:first-child{text-align:left}"
)


def files(comparison: Comparison, left_out: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a report, as texts by their names: HTML, Markdown, plots, all figures, and those for a rule book.

    Args:
        comparison: the comparison.
        left_out: why options or presets were left out, by name.
    """
    id, drawn = comparison.run.base.id, plots(comparison)
    return {
        f"{id}.md": _markdown(comparison, left_out, list(drawn)),
        f"{id}.html": _html(comparison, left_out, drawn),
        f"{id}.json": json.dumps(comparison.to_dict() | {"left_out": dict(left_out)}, indent=1) + "\n",
        f"{id}-measured.json": _by_line(comparison.effects()),
        **drawn,
    }


def _by_line(effects: dict[str, Any]) -> str:
    """Return the figures for a rule book as JSON, a line for each variant."""
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in effects["effects"].items())
    return f"{json.dumps(effects | {'effects': {}})[:-2]}\n{rows}\n}}}}\n"


def tables(comparison: Comparison) -> list[Table]:
    """Return the tables of a report: for each bot the base rules, the differences from them, and the yaku, endings and redeals."""
    return [table for measured in comparison.measured.values() for table in _tables(measured)]


def plots(comparison: Comparison) -> dict[str, str]:
    """Return the plots of a report, as SVG by file name."""
    drawn, id = {}, comparison.run.base.id
    for bot, (base, *others) in comparison.measured.items():
        for measure in ("dealer", "decisions") if others else ():
            estimates = {_names(one): one.difference(measure) for one in others}
            found = {name: (one.least, one.mean, one.most) for name, one in estimates.items()}
            title = f"{CALLED[measure].capitalize()} a round, more than by default ({bot})"
            drawn[f"{id}-{bot}-{measure}.svg"] = intervals(title, found)
        scores = {_names(one): one.score for one in (base, *others)}
        won = {name: (one.interval[0], one.share, one.interval[1]) for name, one in scores.items() if one and one.share is not None}
        if (of_base := won.get(_names(base))) and others:
            title = f"Skill: the share of decided deal pairs that {bot} wins from greedy bots"
            drawn[f"{id}-{bot}-skill.svg"] = intervals(title, won, of_base[1])
    return drawn


def _names(one: Measured) -> str:
    return ", ".join(one.variant.names)


def _tables(measured: tuple[Measured, ...]) -> Iterator[Table]:
    base, *others = measured
    by = f"{base.bot}, {base.rounds:,} deals"
    rows = [[CALLED[measure], mean_text(base.mean(measure), measure, "-")] for measure in MEASURES]
    rows.append(["standard deviation of the dealer's points", f"{base.deviation:.2f}"])
    if base.score:
        rows.append(["deal pairs won from greedy bots", skill_text(base)])
    yield f"The default rules: {by}", ["a round", "mean ± 95 %"], rows
    if others:
        columns = ["more than by default", *(CALLED[measure] for measure in _DIFFERENCES), "deviation", "changed", "another winner"]
        found = [
            [
                _names(one),
                *(mean_text(one.difference(measure), measure) for measure in _DIFFERENCES),
                f"{one.deviation:.2f}",
                percent_text(one.changed),
                percent_text(one.decided),
                *([skill_text(one)] if one.score else []),
            ]
            for one in others
        ]
        yield f"The same deals by other rules: {by}", [*columns, *(["won from greedy"] if base.score else [])], found
    found = []
    for kind, shares in base.shares().items():
        for id, share in shares.items():
            each = ((one, one.shares()[kind][id]) for one in others)
            moved = [f"{_names(one)}: {percent_text(other)}" for one, other in each if other != share]
            found.append([f"{kind}: {id}", percent_text(share), "; ".join(moved)])
    yield f"Share of the rounds: {by}", ["", "by default", "by other rules"], found


def mean_text(one: Estimate, measure: str, sign: str = "+") -> str:
    """Return the estimated mean of a measure with its interval, a share in per cent; 0 if the value was always 0.

    Args:
        one: the estimate.
        measure: the measure, one of `MEASURES`.
        sign: "+" for differences, "-" for amounts; see `estimate_text`.
    """
    times, unit = (100, " %") if measure in _SHARES else (1, "")
    return estimate_text(times * float(one.mean), times * float(one.most - one.mean), sign) + unit


def skill_text(one: Measured) -> str:
    """Return the share of the decided deal pairs that the bot has won from greedy bots, with its interval."""
    score = one.score
    if score is None or score.share is None:
        return "-"
    least, most = score.interval
    return f"{score.share:.1%} [{100 * least:.1f}-{100 * most:.1f}], {score.tied} tied"


def _about(comparison: Comparison) -> list[str]:
    """Return what a reader must know to make the same report again, a sentence each."""
    run = comparison.run
    about = [
        f"Greedy bots play {run.rounds:,} deals of each variant, seed {seed_text(run.seed)}, {run.base.seats} seats; seat 0 deals."
    ]
    if len(run.bots) > 1:
        thinks = f"{run.budget.playouts} play-outs for an action" if run.budget.playouts else "no limit of play-outs"
        about.append(
            f"{run.bots[1]}, the strongest bot of the game, plays {run.pairs:,} of them with itself, and against greedy bots "
            f"in every seating: {thinks}. "
            f"It wins a pair if its return is above an average seat's; the share is of decided pairs."
        )
    about.append(
        "Differences are means over the same deals, those of shares in percentage points. Intervals hold 95 %. "
        "A deal is changed if any seat's return is another one."
    )
    return [*about, f"Checksum {checksum_text(comparison.checksum)}."]


def _notes(comparison: Comparison, left_out: Mapping[str, str]) -> list[str]:
    """Return what the names of the variants stand for in the rule book, and why others were left out, a line each."""
    texts, notes = rulebook(comparison.run.base.contract).tables, []
    for name in (name for one in comparison.run.variants[1:] for name in one.names):
        option, _, value = name.partition("=")
        if value:
            row = texts["options"][option]
            meant = [row["title"]["en"], *([row["values"][value]["en"]] if value in row.get("values", ()) else [])]
        else:
            meant = [texts["presets"][name.removeprefix("preset ")]["en"]]
        notes.append(f"{name}: {': '.join(meant)}")
    return [*notes, *(f"{name} is left out: {why}." for name, why in left_out.items())]


def _title(comparison: Comparison) -> str:
    return f"{rulebook(comparison.run.base.contract).tables['name']['en']}: what each option changes"


def _markdown(comparison: Comparison, left_out: Mapping[str, str], drawn: list[str]) -> str:
    """Return the report as Markdown, with links to the plots."""
    lines = [f"# {_title(comparison)}", "", " ".join(_about(comparison)), "", *(f"![{name}]({name})\n" for name in drawn)]
    for title, columns, rows in tables(comparison):
        lines += [f"## {title}", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
        lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
        lines.append("")
    return "\n".join([*lines, *(f"* {line}" for line in _notes(comparison, left_out))]).rstrip() + "\n"


def _html(comparison: Comparison, left_out: Mapping[str, str], drawn: Mapping[str, str]) -> str:
    """Return the report as one HTML file, with the plots inside."""
    title = escape(_title(comparison))
    head = f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    parts = [head, f"<h1>{title}</h1>", f"<p>{escape(' '.join(_about(comparison)))}</p>", *drawn.values()]
    for name, columns, rows in tables(comparison):
        cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
        heads = "".join(f"<th>{escape(column)}</th>" for column in columns)
        parts += [f"<h2>{escape(name)}</h2>", f"<table><tr>{heads}</tr>", *(f"<tr>{row}</tr>" for row in cells), "</table>"]
    if notes := _notes(comparison, left_out):
        parts.append(f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in notes)}</ul>")
    return "\n".join([*parts, "</html>", ""])
