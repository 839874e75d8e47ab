"""The commands of puzzles: `mekuri puzzles` asks them, and `mekuri mine` finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from mekuri import games
from mekuri.bots.puzzles import MOST, WORLDS, Mining
from mekuri.cli.arguments import LangOption, Overwrite, Preset, app, complain, in_terminal, language
from mekuri.engine.compiled import available
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.puzzles import file_text
from mekuri.files import check_new, write_file
from mekuri.lab.review import prepare
from mekuri.match.game import game


@app.command
def puzzles(
    name: str,
    /,
    *,
    again: Annotated[bool, Parameter(negative=(), help="Ask what you have solved as well.")] = False,
    lang: LangOption = None,
) -> None:
    """Ask puzzles of a game, the easiest first: in each, one choice is clearly the best. Solved ones are not asked again."""
    from mekuri.terminal.printed.puzzles import ask_puzzles

    ask_puzzles(games.look_up(name)[0], language(lang), input if in_terminal() else None, again)


@app.command
def mine(
    name: str,
    /,
    *,
    rounds: Annotated[int, Parameter(help="How many rounds the characters of the game play.")],
    seed: Annotated[str, Parameter(help="Equal seeds give equal puzzles.")] = "1",
    most: Annotated[int, Parameter(help="How many puzzles are kept.")] = MOST,
    worlds: Annotated[int, Parameter(help="In how many worlds every choice of a puzzle is tried.")] = WORLDS,
    preset: Preset = "default",
    into: Annotated[Path | None, Parameter(help="Write them into this file, such as puzzles.toml of the game's folder.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Find puzzles in rounds that bots play, and print them as the file puzzles.toml of a game."""
    from mekuri.terminal.printed.lab import progress_bar

    for option, value in (("rounds", rounds), ("most", most), ("worlds", worlds)):
        if value < 1:
            raise OptionError(f"{option} is 1 or more, not {value}")
    if into:
        check_new(into, overwrite)
    chosen = game(name, preset)
    mining = Mining(chosen, seed, rounds, worlds)
    if available():
        prepare(chosen.contract)
    with progress_bar(rounds, plain=False) as progress:
        while mining.done < mining.total:
            mining.step()
            progress(1)
    found = mining.puzzles(most)
    if not found.puzzles:
        raise MekuriError(
            f"none of {mining.looked} decisions in {rounds} rounds is a puzzle with an answer that is not obvious: play more"
        )
    text = file_text(chosen.id, found)
    if into:
        write_file(into, text, overwrite)
    else:
        print(text, end="")
    complain(f"{len(mining.found)} of {rounds} rounds have a puzzle among their {mining.looked} decisions")
