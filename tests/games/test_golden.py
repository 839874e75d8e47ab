"""One round of every game at every preset, written out: what every seat and a spectator sees after everything that happens.

A file in tests/golden holds each step with its event, then the new or changed lines of the views (`str(view)`), each with its
viewers: `01-` stands for seats 0 and 1 and a spectator. Unchanged lines are not repeated, and removed lines are not mentioned; a
checksum over all views stands at the end. After a change of what is shown, `pytest --golden-write` writes the files anew; `git
diff` then shows what people will see differently.
"""

from collections.abc import Callable
from hashlib import sha256

import mekuri
from mekuri import bots
from mekuri.cards import cards_text
from mekuri.engine.contract import DRIVER
from mekuri.engine.rulebook import Rulebook
from mekuri.match.draw import sheet_parts
from mekuri.match.round import Chronicle
from mekuri.match.view import View
from mekuri.protocol.coding import encode
from tests.helpers.tables import every_preset

MOST_LINES = 800


def play(round: mekuri.Round) -> None:
    """Play a round: seat 0 is greedy, the others choose at random."""
    players = [bots.bot("random" if seat else "greedy", f"seat {seat}") for seat in range(round.game.seats)]
    while not round.over:
        seat = round.waiting[0]
        round.play(players[seat].choose(round.hidden(seat), seat), seat)


def story_of(round: mekuri.Round) -> list[str]:
    """Play a round and describe it as its viewers saw it, step by step."""
    book = round.game.rulebook
    viewers: list[int | None] = [*range(round.game.seats), None]
    marks = [*map(str, range(round.game.seats)), "-"]
    lines = [f"Whoever sees a line stands before it: {', '.join(f'seat {mark}' for mark in marks[:-1])}, - a spectator.", ""]
    nothing: list[list[str]] = [[] for _ in viewers]
    # If a seat takes the first action, show the views before it.
    views = [] if round.history else [round.view(viewer) for viewer in viewers]
    before = [text_of(view, book) for view in views] or nothing
    lines += changed(nothing, before, marks)
    play(round)
    chronicle = Chronicle(round)
    for number, (seat, action) in enumerate(round.history, 1):
        events = chronicle.step(viewers)  # not all may have seen it
        lines.append(f"{number} {'driver' if seat == DRIVER else f'seat {seat}'} {round.action_text(action)}")
        entries = {viewer: f"{event.action or '?'}: {book.render(event.text, 'en')}" for viewer, event in events.items()}
        lines += changed(nothing, [[entries[viewer]] if viewer in entries else [] for viewer in viewers], marks, "> ")
        shown = [
            text_of(events[viewer].view, book) if viewer in events else old for viewer, old in zip(viewers, before, strict=True)
        ]
        lines += changed(before, shown, marks)
        before = shown
        views += [event.view for event in events.values()]
    sent = b"".join(encode(view).replace(b',"sides":[]', b"") for view in views)  # empty since before it was a field
    return [*lines, "", f"SHA-256 of all that stands in all views: {sha256(sent).hexdigest()}"]


def text_of(view: View, book: Rulebook) -> list[str]:
    """Return the lines of a view, and its data beyond the text."""
    return [*str(view).splitlines(), *more_of(view, book)]


def more_of(view: View, book: Rulebook) -> list[str]:
    """What each action would take or choose from, the running score, and the yaku in reach."""
    takes = [f"{legal.action} takes {cards_text(legal.takes)}" for legal in view.legal if legal.takes]
    choices = [f"{legal.action} chooses from {cards_text(legal.choices)}" for legal in view.legal if legal.choices]
    found = [f"  {'; '.join(takes + choices)}"] if takes or choices else []
    for seat, lines in sheet_parts(view.score):
        score = [f"{book.render(line.text, 'en')} {line.points or ''}".strip() for line in lines]
        found.append(f"Score {seat}       {'; '.join(score)}")
    if view.near:
        found.append(f"Near          {'; '.join(f'{near.yaku} lacks {cards_text(near.missing)}' for near in view.near)}")
    return found


def changed(before: list[list[str]], after: list[list[str]], marks: list[str], sign: str = "") -> list[str]:
    """The lines that some viewer sees now and did not see before, each once, with the marks of those viewers."""
    seen: dict[str, str] = {}
    for old, new, mark in zip(before, after, marks, strict=True):
        for line in new:
            if line not in old:
                seen[line] = seen.get(line, "") + mark
    return [f"  {''.join(mark if mark in who else ' ' for mark in marks)} {sign}{line}" for line, who in seen.items()]


@every_preset
def test_play_through_matches_its_golden_file(name: str, preset: str, golden: Callable[[str, str], None]) -> None:
    game = mekuri.game(name, preset)
    match = game.match(seed=f"golden {name} {preset}")
    round = match.round
    story = story_of(round)
    match.next_round()
    checksum = sha256(match.record().to_json().encode()).hexdigest()
    lines = [
        repr(game),
        *story,
        "",
        f"Ending: {game.rulebook.text_of(f'endings.{round.ending}', 'en')}",
        str(round.score_sheet()),
        "",
        f"Next dealer: seat {round.next_dealer}",
        f"Accounts: {match.ledger}",
        f"SHA-256 of the record: {checksum}",
    ]
    assert len(lines) < MOST_LINES
    golden(f"{name}-{preset}.txt", "\n".join(lines) + "\n")
