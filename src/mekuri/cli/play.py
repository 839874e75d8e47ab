"""The commands that play in the terminal: `mekuri menu`, `mekuri play` and `mekuri join`."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from mekuri import games
from mekuri.bots import names_for
from mekuri.cards.given import typed
from mekuri.cli.arguments import (
    LangOption,
    Options,
    Overwrite,
    Preset,
    app,
    chosen_game,
    complain,
    language,
    need_terminal,
)
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.rulebook import Lang
from mekuri.files import check_new, is_taken, write_file
from mekuri.match.game import Game

if TYPE_CHECKING:
    from mekuri.protocol.table import AskTerm
    from mekuri.terminal.base.remote import RemotePlay

CardNames = Annotated[str, Parameter(help="The set of card names to show; if left out, number and suit or the game's first.")]
RecordFile = Annotated[
    Path | None, Parameter(help="Write the record of the match to this new file; of others after it, to FILE-2, FILE-3.")
]
Pace = Annotated[float, Parameter(help="Seconds between two things happening on the table.")]
SeatingOption = Annotated[Literal["order", "lot"], Parameter(help="Whether all sit as named, or lots are drawn for the seats.")]
DealerOption = Annotated[str, Parameter(help="Who deals first: lot, you, or the number of a seat, counted from 1.")]
PersonName = Annotated[str, Parameter(name="--name", help="Your name, as the others at the table see it.")]


@app.command(name="menu")
def show_menu(*, lang: LangOption = None) -> None:
    """Open the menu of the games in the terminal."""
    from mekuri.terminal.screens.home import home_app

    need_terminal()
    home_app(language(lang)).run()


@app.command
def play(
    name: str,
    /,
    *,
    server: Annotated[str, Parameter(help="Play at a table on this server, such as http://localhost:8413.")] = "",
    option: Options = (),
    preset: Preset = "default",
    seats: Annotated[
        tuple[str, ...],
        Parameter(
            consume_multiple=True,
            negative=(),
            help="Who sits where: you, a bot's name, or on a server open, which is a seat for a person with the link.",
        ),
    ] = (),
    seating: SeatingOption = "order",
    dealer: DealerOption = "lot",
    person: PersonName = "",
    days: Annotated[int, Parameter(help="Play turn by turn on the server, with so many days a move: 1 to 14.")] = 0,
    late: Annotated[Literal["bot", "end"], Parameter(help="With --days: a bot plays for who is late, or all ends.")] = "bot",
    public: Annotated[bool, Parameter(negative=(), help="List the table on the server while a seat is free.")] = False,
    lang: LangOption = None,
    names: CardNames = "",
    seed: Annotated[str | None, Parameter(help="Equal seeds give equal deals.")] = None,
    record: RecordFile = None,
    overwrite: Overwrite = False,
    pace: Pace = 0.9,
) -> None:
    """Play a match at a table in the terminal: against bots, or on a server with others."""
    from mekuri.terminal.base.local import ask_table, local_play, seats_of
    from mekuri.terminal.base.translate import check_names

    named = tuple(who for entry in seats for who in entry.split(","))
    chosen, match_options = chosen_game(name, preset, option, len(named) or None)
    _, entry = games.look_up(name)
    sitting = named or seats_of(chosen)
    _check_seats(chosen, sitting, server)
    check_names(chosen.id, chosen.rulebook, names)
    if server and seed is not None:
        raise OptionError("a server deals from its own secret and everybody's cut, not from a seed: leave out --seed")
    if server and (seating, dealer) == ("lot", "you"):
        raise OptionError("the server draws lots for the seats: name lot or the number of a seat as dealer, not you")
    if not server and (person or public or days):
        raise OptionError("--name, --public and --days are for a table on a server: name it with --server")
    if not server and seating == "lot":
        sitting, seating = tuple(Random(seed and typed(seed)).sample(sitting, len(sitting))), "order"
    term = _term(days, late, sitting) if days else None
    asked = ask_table(
        chosen,
        sitting,
        match_options,
        _first_dealer(dealer, sitting),
        entry.id if entry else None,
        seating=seating,
        public=public,
        term=term,
    )
    need_terminal()
    check_record(record, overwrite)
    if server:
        from mekuri.terminal.base.online import make_table

        making = make_table(server, asked, sitting.index("you"), person, pace)
    else:
        making = local_play(asked, pace, seed)
    asyncio.run(play_at(making, lang, names, record, overwrite))


@app.command
def join(
    link: str,
    /,
    *,
    person: PersonName = "",
    watch: Annotated[bool, Parameter(negative=(), help="Only watch.")] = False,
    lang: LangOption = None,
    names: CardNames = "",
    record: RecordFile = None,
    overwrite: Overwrite = False,
    pace: Pace = 0.9,
) -> None:
    """Sit down at the table of a link, take back your seat there, or watch."""
    from mekuri.terminal.base.online import join_table

    need_terminal()
    check_record(record, overwrite)
    asyncio.run(play_at(join_table(link, person, names, watch, pace), lang, names, record, overwrite))


async def play_at(
    making: Coroutine[Any, Any, RemotePlay], lang: Lang | None, names: str, record: Path | None, overwrite: bool
) -> None:
    """Play at a table and at the tables of its rematches, then write the records of the matches.

    Args:
        making: returns the match.
        lang: the language; None for that of the system.
        names: the set of card names; empty for plain names.
        record: the file for the first match's record; None for no records.
        overwrite: whether files that are there already are replaced.

    Raises:
        MekuriError: the connection has failed, or a record cannot be fetched.
    """
    from mekuri.terminal.base.texts import say
    from mekuri.terminal.screens.table import table_app

    play, spoken = await making, language(lang)
    table = table_app(play, spoken, names)
    await table.run_async()
    if table.failure:
        raise MekuriError(table.failure)
    last = _all_played(play)[-1]
    if last.you is not None and not last.over and not last.left and last.link:
        print(say("line.back", spoken, link=last.link))
    for file, each in _records(record, play, overwrite):
        await _write_record(each, file, spoken, overwrite)


def _all_played(first: RemotePlay) -> list[RemotePlay]:
    """Return a match and its rematches, in order."""
    played = [first]
    while played[-1].next:
        played.append(played[-1].next)
    return played


def _records(first: Path | None, play: RemotePlay, overwrite: bool) -> Iterator[tuple[Path, RemotePlay]]:
    """Yield the record's file for each match: the given one, then numbered ones. None if no file is given.

    Numbers whose files are there already are left out, so that no record is lost, unless they are to be overwritten. Each file must
    be written before the next one is asked for.
    """
    if first is None:
        return
    number = 0
    for each in _all_played(play):
        file = wanted = _numbered(first, number := number + 1)
        while is_taken(file) and not overwrite:
            file = _numbered(first, number := number + 1)
        if file != wanted:
            complain(f"{wanted} is there already and stays as it is: the record goes to {file}")
        yield file, each


def _numbered(first: Path, number: int) -> Path:
    return first.with_stem(f"{first.stem}-{number}") if number > 1 else first


async def _write_record(play: RemotePlay, file: Path, lang: Lang, overwrite: bool) -> None:
    """Write the record of a match to a file, and print the command that verifies it, if its deals were committed to."""
    from mekuri.terminal.base.texts import say

    try:
        write_file(file, await play.record() + b"\n", overwrite)
    except MekuriError as error:
        raise MekuriError(f"{file} is not written: {error}") from error
    if play.commitment:
        check = f"mekuri verify {shlex.quote(str(file))} --commitment {play.commitment}"
        print(say("line.verify", lang, command=check))


def _first_dealer(text: str, sitting: tuple[str, ...]) -> int | None:
    """Return the index of the seat that deals first, from the option's value; None for a lot. The option counts seats from 1."""
    known: dict[str, int | None] = {"lot": None, **{str(seat + 1): seat for seat in range(len(sitting))}}
    if "you" in sitting:
        known["you"] = sitting.index("you")
    text = typed(text)
    if text not in known:
        you = "you, " if "you" in known else ""
        raise OptionError(f"the first dealer is lot, {you}or a seat from 1 to {len(sitting)}, not {text}")
    return known[text]


def _term(days: int, late: Literal["bot", "end"], sitting: tuple[str, ...]) -> AskTerm:
    """Return the term of a table that is played turn by turn. Raises OptionError if it cannot be played so."""
    from mekuri.protocol.table import AskTerm

    if not 1 <= days <= 14:
        raise OptionError(f"a move may take 1 to 14 days, not {days}")
    if "open" not in sitting:
        raise OptionError("days a move are for people who play with each other: leave a seat open, as --seats you open")
    return AskTerm(days=days, late=late)


def _check_seats(chosen: Game, sitting: tuple[str, ...], server: str) -> None:
    known = names_for(chosen.contract)
    for who in sitting:
        if who == "open" and not server:
            raise OptionError("a seat is open for others at a table on a server: name it with --server")
        if who not in ("you", "open", *known):
            raise OptionError(f"nobody called {who} can sit here: name you, {', '.join(known)}")
    if sitting.count("you") > 1:
        raise OptionError("only one seat can be yours: hands are hidden")
    if server and "you" not in sitting:
        raise OptionError("name the seat that is yours: you; others may be open, or a bot's")


def check_record(record: Path | None, overwrite: bool) -> None:
    """Raise OSError if the file of a record cannot be written, before the match begins. None is no file."""
    if record:
        check_new(record, overwrite)
