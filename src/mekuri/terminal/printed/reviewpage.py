"""Reviews as one HTML page without scripts or other files."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mekuri.bots.review import Moment, Review
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.printed.review import COLUMNS, Telling, every

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; background: #f7f2e6; color: #1f1b16; }
h1, h2, h3 { line-height: 1.3; }
svg { display: block; width: 100%; max-width: 36rem; height: auto; }
.number { white-space: nowrap; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: start; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #8886; vertical-align: top; }
.wide { overflow-x: auto; }
details { margin: .5rem 0 1.5rem; padding: .2rem .8rem; border-inline-start: 3px solid #b03a2e; }
summary { cursor: pointer; min-height: 24px; font-weight: 600; }
footer { margin-top: 2rem; font-size: .875rem; }
@media (prefers-color-scheme: dark) { body { background: #1d1a16; color: #efe8d8; } details { border-color: #e0705f; } }
"""


def review_page(tellings: Sequence[Telling]) -> str:
    """Return the HTML page of the reviews of one or more rounds of a match."""
    first = tellings[0]
    lang, game = first.translator.lang, escape(first.translator.game())
    body = "\n".join(map(_round, tellings))
    return f"""<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{game}</title>
<style>{_STYLE}</style>
<main>
{body}
</main>
</html>
"""


def _round(telling: Telling) -> str:
    translator, found = telling.translator, telling.found

    def say(key: str, **args: object) -> str:
        return escape(translator.say(f"review.{key}", **args))

    parts = [f"<section><h1>{escape(telling.title())}</h1>"]
    if found.moments:
        parts.append(f"<h2>{say('first')}</h2>")
        parts += [_moment(telling, moment) for moment in telling.first]
    rows = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in telling.parts())
    parts.append(f"<h2>{say(found.verdict)}</h2><p>{escape(telling.ended())}</p><table>{rows}</table>")
    parts += [f"<p>{escape(note)}</p>" for note in telling.notes()]
    for head, events in telling.luck():
        parts.append(f"<p><strong>{escape(head)}</strong></p><ul>{''.join(f'<li>{escape(one)}</li>' for one in events)}</ul>")
    if found.moments:
        head = "".join(f'<th scope="col">{say(one)}</th>' for one in COLUMNS)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in every(telling))
        parts.append(f"<h2>{say('chart')}</h2>{chart(found, translator)}")
        table = f"<table><caption>{say('all')}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        parts.append(f'<div class="wide" tabindex="0" role="region" aria-label="{say("all")}">{table}</div>')
    parts.append(f"<footer>{escape(telling.judge())}</footer></section>")
    return "\n".join(parts)


def _cell(text: str) -> str:
    """Return a cell of the table. A number is not broken over two lines."""
    number = ' class="number"' if text[-1:].isdigit() else ""
    return f"<td{number}>{escape(text)}</td>"


def _moment(telling: Telling, moment: Moment) -> str:
    """Return a decision as a question, with the answer in a closed `details` element."""
    translator = telling.translator
    places = "".join(f"<li>{escape(place)}: {escape(cards)}</li>" for place, cards in telling.places(moment))
    actions = " · ".join(telling.action(moment, choice.action) for choice in moment.choices)
    answer = "".join(f"<p>{escape(line)}</p>" for line in telling.answer(moment))
    return (
        f"<h3>{escape(translator.say('review.question', n=moment.number))}</h3><ul>{places}</ul>"
        f"<p>{escape(translator.say('review.choices', actions=actions))}</p>"
        f"<details><summary>{escape(translator.say('review.answer'))}</summary>{answer}</details>"
    )


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
