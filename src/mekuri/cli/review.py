"""The command that reviews the rounds of a record: `mekuri review`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mekuri.bots.review import PLAYOUTS
from mekuri.cards.given import typed
from mekuri.cli.arguments import LangOption, Overwrite, app, in_terminal, language
from mekuri.cli.shards import ProcessesOption, RayOption, ResultsOption, executor_of, kept_in
from mekuri.cli.streams import print_json
from mekuri.engine.errors import MekuriError
from mekuri.files import check_new, write_file
from mekuri.match.replay import replay

if TYPE_CHECKING:
    from mekuri.terminal.base.finished import Finished
    from mekuri.terminal.printed.review import Telling

PACE = 0.9  # seconds between two events of a retry


@app.command(name="review")
def show_reviews(
    file: Path,
    /,
    *,
    seat: Annotated[int, Parameter(help="For whom: a seat, counted from 0.")] = 0,
    number: Annotated[int | None, Parameter(name="--round", help="Which round, counted from 1; all if left out.")] = None,
    playouts: Annotated[int, Parameter(help="How many rounds are played out for each decision.")] = PLAYOUTS,
    plain: Annotated[bool, Parameter(negative=(), help="Run the uncompiled rules: slower, with the same review.")] = False,
    to_json: Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object for each round.")] = False,
    html: Annotated[Path | None, Parameter(help="Write a page of its own into this file.")] = None,
    overwrite: Overwrite = False,
    ask: Annotated[
        bool, Parameter(negative="--tell", help="Ask what you would play before showing the answer, in a terminal.")
    ] = True,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    results: ResultsOption = None,
    lang: LangOption = None,
) -> None:
    """Review the rounds of a record: the cost of each decision, by what could be known and in hindsight, and the luck."""
    from mekuri.lab.review import ReviewRun
    from mekuri.protocol.coding import to_builtins
    from mekuri.terminal.base.finished import FinishedHere
    from mekuri.terminal.printed.lab import progress_bar
    from mekuri.terminal.printed.review import show_review, telling_of
    from mekuri.terminal.printed.reviewpage import review_page

    record = file.read_bytes()
    match = replay(record)
    if not 0 <= seat < match.game.seats:
        raise MekuriError(f"{match.game.id} has seats 0 to {match.game.seats - 1}, not {seat}")
    rounds = dict(enumerate(match.finished, 1))
    if not rounds:
        raise MekuriError("no round of this record is over: only a finished round is reviewed")
    if number is not None and number not in rounds:
        raise MekuriError(f"the record has rounds 1 to {len(rounds)} that are over, not {number}")
    if html:
        check_new(html, overwrite)
    chosen = {n: round for n, round in rounds.items() if number in (None, n)}
    run = ReviewRun(record, seat, tuple(chosen), playouts, plain)
    executor, kept = executor_of(processes, ray), kept_in(results)
    with progress_bar(run.shards, plain) as progress:
        if not (processes or ray):
            run.prepare()
        made = run.play(executor, kept, progress)
    if to_json:
        for n, one in made.items():
            print_json(to_builtins(one.found(n)))
    if to_json and not html:
        return
    tellings = [telling_of(match, one.found(n), language(lang)) for n, one in made.items()]
    if html:
        write_file(html, review_page(tellings), overwrite)
        return
    asked = input if ask and in_terminal() else None
    for telling in tellings:
        show_review(telling, asked)
        if asked:
            _offer_to_try(telling, FinishedHere(chosen[telling.found.round], telling.found.round, seat), asked)


def _offer_to_try(telling: Telling, finished: Finished, ask: Callable[[str], str]) -> None:
    """Ask for the number of a decision, and let the round be played on differently from it, until the answer is empty."""
    from mekuri.terminal.base.trying import TryPlay
    from mekuri.terminal.screens.table import table_app

    moments = {str(moment.number): moment for moment in telling.found.moments}
    while moments and (given := typed(ask(telling.translator.say("review.try"))).strip()):
        if given in moments:
            play = TryPlay(finished, moments[given], telling.events, telling.found.result, PACE)
            table_app(play, telling.translator.lang).run()
