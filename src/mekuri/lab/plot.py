"""Plots as SVG: the strength of bots against their budget, and estimates with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

from mekuri.lab.arena import Score

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 400, 56, 200, 40, 48
_ROW = 18  # the height of a row of estimates
_INKS = ("#1b4f72", "#b03a2e", "#1e8449", "#7d3c98", "#b9770e", "#34495e")


def plot(title: str, found: Mapping[int, Sequence[Score]]) -> str:
    """Return an SVG of scores, with a line for every two bots and budgets on a logarithmic scale.

    Args:
        title: the title of the plot.
        found: the scores at each budget, by play-outs for an action.
    """
    budgets = sorted(found)
    pairs = list(dict.fromkeys((score.first, score.second) for budget in budgets for score in found[budget]))
    parts = _sheet(title, _HEIGHT)
    for share in range(0, 101, 25):
        y = _y(share / 100)
        ink = "#777" if share == 50 else "#ddd"
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{ink}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{share} %</text>')
    for budget in budgets:
        x = _x(budget, budgets)
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{budget:,}</text>')
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 10}" text-anchor="middle">play-outs for an action</text>'
    )
    for place, pair in enumerate(pairs):
        scores = [(budget, score) for budget in budgets for score in found[budget] if (score.first, score.second) == pair]
        parts += _line(scores, budgets, _INKS[place % len(_INKS)], place)
    return "\n".join([*parts, "</svg>", ""])


def intervals(title: str, found: Mapping[str, Sequence[float]], by: float = 0) -> str:
    """Return an SVG of estimates, a row for each: its name, a point and its 95 % interval, which is grey if `by` lies within it.

    Args:
        title: the title of the plot.
        found: by their names, the estimates as (least, mean, most).
        by: the value that they are compared with, drawn as a darker line.
    """
    names, bottom = _WIDTH // 2, _TOP + _ROW * len(found)
    least, most = min(by, *(one[0] for one in found.values())), max(by, *(one[2] for one in found.values()))
    scale = (_WIDTH - names - 24) / (most - least or 1)
    parts = _sheet(title, bottom + _BOTTOM)
    for value in dict.fromkeys((least, by, most)):
        x, ink = names + scale * (value - least), "#777" if value == by else "#ddd"
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}" stroke="{ink}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value:.3g}</text>')
    for place, (name, (low, mean, high)) in enumerate(found.items()):
        y, ink = _TOP + _ROW * (place + 0.5), "#777" if low <= by <= high else _INKS[0]
        x1, x, x2 = (names + scale * (value - least) for value in (low, mean, high))
        sign = "" if by else "+"
        label = f"{mean:{sign}.4f} [{low:{sign}.4f} to {high:{sign}.4f}]"
        parts.append(f'<text x="{names - 12}" y="{y + 4:.1f}" text-anchor="end" fill="{ink}">{escape(name)}</text>')
        parts.append(f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{ink}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{ink}"><title>{label}</title></circle>')
    return "\n".join([*parts, "</svg>", ""])


def _sheet(title: str, height: int) -> list[str]:
    """Return the first SVG elements of a plot: the sheet and its title."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="24" font-size="15">{escape(title)}</text>',
    ]


def _line(scores: list[tuple[int, Score]], budgets: list[int], ink: str, place: int) -> list[str]:
    """Return the SVG elements of two bots: points with their intervals, a line through them, and their names."""
    parts, points = [], []
    for budget, score in scores:
        if score.share is not None:
            x, (least, most) = _x(budget, budgets), score.interval
            points.append(f"{x:.1f},{_y(score.share):.1f}")
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(least):.1f}" y2="{_y(most):.1f}" stroke="{ink}"/>')
            title = f"{budget:,}: {score.share:.1%} [{least:.1%} to {most:.1%}], {score.pairs} pairs, {score.tied} tied"
            parts.append(f'<circle cx="{x:.1f}" cy="{_y(score.share):.1f}" r="4" fill="{ink}"><title>{title}</title></circle>')
    parts.insert(0, f'<polyline points="{" ".join(points)}" fill="none" stroke="{ink}" stroke-width="2"/>')
    y = _TOP + 16 * (place + 1)
    name = escape(f"{scores[0][1].first} - {scores[0][1].second}")
    return [*parts, f'<text x="{_WIDTH - _RIGHT + 12}" y="{y}" fill="{ink}">{name}</text>']


def _x(budget: int, budgets: list[int]) -> float:
    wide = _WIDTH - _LEFT - _RIGHT
    if len(budgets) == 1:
        return _LEFT + wide / 2
    return _LEFT + 12 + (wide - 24) * log10(budget / budgets[0]) / log10(budgets[-1] / budgets[0])


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)
