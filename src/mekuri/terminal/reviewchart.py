"""The chart of a review: the expected result at each decision with its interval, and the result at the end."""

from __future__ import annotations

from html import escape

from mekuri.bots.review import Review
from mekuri.terminal.translate import Translator

_WIDTH, _HEIGHT, _SIDE, _EDGE = 420, 220, 48, 24


def chart(found: Review, translator: Translator) -> str:
    """Return the chart as SVG in the colour of the surrounding text. The page needs the same figures as a table beside it."""
    points: list[tuple[float, float, float]] = [(one.value.mean, one.value.least, one.value.most) for one in found.moments]
    points.append((float(found.result),) * 3)
    low, high = min(0.0, *(least for _, least, _ in points)), max(0.0, *(most for _, _, most in points))
    room = high - low or 1.0

    def x(place: int) -> float:
        return _SIDE + (_WIDTH - _SIDE - _EDGE) * place / max(1, len(points) - 1)

    def y(value: float) -> float:
        return _EDGE + (_HEIGHT - 2 * _EDGE) * (high - value) / room

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-size="12" fill="currentColor">',
        f"<title>{escape(translator.say('review.chart'))}</title>",
    ]
    for value in sorted({low, 0.0, high}):
        line = f"M{_SIDE} {y(value):.1f}H{_WIDTH - _EDGE}"
        parts.append(f'<path d="{line}" stroke="currentColor" stroke-opacity="{0.6 if value == 0 else 0.2}"/>')
        parts.append(f'<text x="{_SIDE - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{f"{value:+.3g}" if value else 0}</text>')
    line = " ".join(f"{x(i):.1f},{y(mean):.1f}" for i, (mean, _, _) in enumerate(points))
    parts.append(f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/>')
    for i, (mean, least, most) in enumerate(points):
        label = found.moments[i].label if i < len(found.moments) else "fine"
        radius = {"fine": 3, "mistake": 5, "blunder": 7}[label]
        parts.append(
            f'<path d="M{x(i):.1f} {y(least):.1f}V{y(most):.1f}" stroke="currentColor" stroke-width="3" stroke-opacity="0.4"/>'
        )
        parts.append(f'<circle cx="{x(i):.1f}" cy="{y(mean):.1f}" r="{radius}"/>')
        number = str(i + 1) if i < len(found.moments) else escape(translator.say("review.end"))
        parts.append(f'<text x="{x(i):.1f}" y="{_HEIGHT - 4}" text-anchor="middle">{number}</text>')
    return "\n".join([*parts, "</svg>"])
