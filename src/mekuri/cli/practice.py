"""The command that asks a person about their own mistakes with spaced repetition: `mekuri practice`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mekuri.bots import names_for
from mekuri.bots.review import PLAYOUTS, SOUND, Review, Reviewing
from mekuri.cli.arguments import LangOption, app, in_terminal, language
from mekuri.engine.compiled import available
from mekuri.engine.errors import MekuriError, RecordError
from mekuri.engine.rulebook import Lang
from mekuri.lab.review import prepare
from mekuri.match.match import Match
from mekuri.match.replay import replay

if TYPE_CHECKING:
    from mekuri.terminal.printed.practice import Mistake, Notebook

_ROUNDS = 30  # the most rounds that are reviewed in one run
_MOST = 500  # the most mistakes in the notebook


@app.command
def practice(
    *records: Path,
    seat: Annotated[int | None, Parameter(help="Yours, counted from 0; the first in which no bot of ours sat if left out.")] = None,
    playouts: Annotated[int, Parameter(help="How many rounds are played out for each decision.")] = PLAYOUTS,
    lang: LangOption = None,
) -> None:
    """Ask your own mistakes again, at growing intervals: those in records or folders of them, given now or before."""
    from mekuri.terminal.printed.practice import Notebook

    notebook, spoken = Notebook(), language(lang)
    desk = _Desk(playouts, {})
    left = _search(notebook, list(_found(records)), seat, desk)
    _ask(notebook, desk, spoken)
    _say_left(notebook, left, spoken)


@dataclass
class _Desk:
    """A cache of reviews, so that each round is judged once.

    Attributes:
        playouts: the number of rounds played out for each decision.
        judged: the reviews by the record's digest, the round's number from 1, and the seat.
    """

    playouts: int
    judged: dict[tuple[str, int, int], Review]

    def review(self, match: Match, digest: str, number: int, seat: int) -> Review:
        from mekuri.terminal.printed.lab import progress_bar

        key = digest, number, seat
        if key not in self.judged:
            if available():
                prepare(match.game.contract)
            one = Reviewing(match.finished[number - 1], seat, self.playouts)
            with progress_bar(one.total, plain=True) as progress:
                while one.done < one.total:
                    one.step()
                    progress(1)
            self.judged[key] = one.found(number)
        return self.judged[key]


def now() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


# --- Looking for mistakes ---


def _found(named: tuple[Path, ...]) -> Iterator[tuple[Path, bytes, Match]]:
    """Return the records among these files and in these folders, newest first, with their bytes and their matches.

    Files in a folder that are no records are skipped; a named file that is none raises MekuriError.
    """
    files = [(file, named_so) for path in named for file, named_so in _files(path)]
    for file, named_so in sorted(dict(files).items(), key=lambda pair: -pair[0].stat().st_mtime_ns):
        body = file.read_bytes()
        try:
            yield file, body, replay(body)
        except MekuriError:
            if named_so:
                raise


def _files(path: Path) -> list[tuple[Path, bool]]:
    return [(file, False) for file in path.glob("*.json") if file.is_file()] if path.is_dir() else [(path, True)]


def _search(notebook: Notebook, found: list[tuple[Path, bytes, Match]], asked: int | None, desk: _Desk) -> int:
    """Review rounds that have not been reviewed, at most `_ROUNDS`, and put their mistakes into the notebook.

    Args:
        notebook: the notebook.
        found: the records, with their bytes and matches.
        asked: the person's seat, from 0; None to find it in each match.
        desk: the reviews.

    Returns:
        The number of rounds that are left to be reviewed; 0 if the notebook is full.
    """
    rounds = []
    for file, body, match in found:
        seat = _seat(match) if asked is None else asked
        if not 0 <= seat < match.game.seats:
            raise MekuriError(f"{file}: {match.game.id} has seats 0 to {match.game.seats - 1}, not {seat}")
        numbers = [] if match.practice else range(len(match.finished), 0, -1)
        rounds += [(file, _digest(body), match, number, seat) for number in numbers]
    unseen = [one for one in rounds if not notebook.searched(one[1], one[3], one[4])]
    for file, digest, match, number, seat in unseen[:_ROUNDS]:
        if len(notebook) >= _MOST:
            return 0
        moments = desk.review(match, digest, number, seat).moments
        mistakes = [moment.number for moment in moments if moment.label != SOUND]
        notebook.keep(file, digest, number, seat, mistakes[: _MOST - len(notebook)], now())
    return len(unseen[_ROUNDS:])


def _seat(match: Match) -> int:
    """Return the first seat whose player is no bot of the game; 0 where all are bots."""
    bots = names_for(match.game.contract)
    return next((seat for seat, name in enumerate(match.players) if name not in bots), 0)


def _digest(body: bytes) -> str:
    return sha256(body).hexdigest()[:16]


# --- Asking ---


def _ask(notebook: Notebook, desk: _Desk, lang: Lang) -> None:
    """Ask the questions that are due, if in a terminal.

    Mistakes whose records are gone are skipped; decisions that a review no longer calls mistakes are dropped from the notebook.
    """
    from mekuri.terminal.base.texts import say
    from mekuri.terminal.printed.practice import ask_again
    from mekuri.terminal.printed.review import telling_of

    if not in_terminal():
        return
    due = notebook.due(now())
    for left, mistake in reversed(list(enumerate(reversed(due)))):
        match = _match(mistake)
        if match is None:
            continue
        judged = desk.review(match, mistake.digest, mistake.round, mistake.seat)
        moment = next((one for one in judged.moments if one.number == mistake.number), None)
        if moment is None or moment.label == SOUND:  # a newer version of the judge judges otherwise
            notebook.drop(mistake)
            continue
        telling = telling_of(match, judged, lang)
        title = say("practice.left", lang, game=telling.translator.game(), n=mistake.round, left=left)
        grade = ask_again(telling, moment, title, input)
        if grade is None:
            return
        print(say("practice.days", lang, n=notebook.grade(mistake, grade, now())), end="\n\n")


def _match(mistake: Mistake) -> Match | None:
    """Return the match of a mistake; None if its record is gone or the file has changed."""
    with suppress(OSError, RecordError):
        body = Path(mistake.file).read_bytes()
        if _digest(body) == mistake.digest:
            return replay(body)
    return None


def _say_left(notebook: Notebook, rounds: int, lang: Lang) -> None:
    """Print how many questions are due, or when the next is, how many lack their records, and how many rounds are unreviewed."""
    from mekuri.terminal.base.texts import say

    due = notebook.due(now())
    gone = sum(_match(one) is None for one in due)
    days = notebook.next_due(now())
    if len(due) > gone:
        print(say("practice.due", lang, n=len(due) - gone))
    elif days is not None:
        print(say("practice.next", lang, n=days))
    else:
        print(say("practice.none", lang))
    if gone:
        print(say("practice.gone", lang, n=gone))
    if rounds:
        print(say("practice.more", lang, n=rounds))
