"""The commands that show or write installed material: games, bots, rule books, lessons, records and cards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from mekuri import bots, games
from mekuri.cli.arguments import LangOption, Overwrite, app, language, tell_left_out
from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import rulebook
from mekuri.match.replay import OlderVersion, replay
from mekuri.match.verify import verify


@app.command(name="games")
def list_games(
    word: Annotated[str, Parameter(help="List only games with this in one of their names, in any language.")] = "",
    /,
    *,
    lang: LangOption = None,
) -> None:
    """List the games, each followed by its variants that have names of their own."""
    chosen = language(lang)
    found = games.with_name(word)
    for id in found:
        contract, entry = games.look_up(id)
        book = rulebook(contract, entry.id if entry else None).tables
        print(f"{id:<12} {book['name'][chosen]}: {book['summary'][chosen]}")
    tell_left_out()
    if not found:
        games.look_up(word)  # raises an error that suggests other names


@app.command(name="bots")
def list_bots(*, lang: LangOption = None) -> None:
    """List the bots, with the games of each bot that does not play all. A number is a character's level, 1 the weakest."""
    chosen = language(lang)
    here = [games.find(name) for name in games.names()]
    own = dict.fromkeys(bot for contract in here for bot in contract.bots)
    for bot in (*bots.CHARACTERS, *own, *(one for one in bots.installed() if one.games), *bots.of_every_game()):
        played = ", ".join(_played(bot, here))
        weights = f" (weights {bot.weights})" if bot.weights else ""
        print(f"{bot.id:<12} {bot.name[chosen]}{f' ({played})' if played else ''}: {bot.help[chosen]}{weights}")
    tell_left_out()


def _played(bot: bots.About, here: list[Contract]) -> list[str]:
    """Return the names of the games that a bot plays, with its level if it has one; empty if it plays every game."""
    if bot in bots.CHARACTERS:
        levels = ((contract, bots.level(bot.id, contract)) for contract in here)
        return [f"{contract.id} {level} of {len(bots.levels(contract))}" for contract, level in levels if level]
    known = [contract.id for contract in here]
    return [game if game in known else f"{game}, which is not here" for game in bot.games or ()]


@app.command
def rules(
    name: str,
    /,
    *,
    names: Annotated[str, Parameter(help="Which of the game's sets of card names to show; the first if left out.")] = "",
    sources: Annotated[bool, Parameter(negative=(), help="Where each clause comes from, and all options.")] = False,
    examples: Annotated[bool, Parameter(negative=(), help="Worked examples of each clause, drawn as cards.")] = False,
    lang: LangOption = None,
) -> None:
    """Print the rules of a game: in one minute, in short, and clause by clause."""
    from rich.console import Console

    from mekuri.terminal.base.translate import check_names
    from mekuri.terminal.printed.rules import rules_text

    contract, entry = games.look_up(name)
    names = names or (entry.names if entry else "")
    check_names(contract.id, rulebook(contract), names)
    text = rules_text(contract, language(lang), names, sources=sources, examples=examples, entry=entry.id if entry else None)
    Console(highlight=False).print(text)


@app.command
def learn(name: str, /, *, lang: LangOption = None) -> None:
    """Learn a game by playing it, step by step, with typed answers."""
    from mekuri.terminal.printed.lesson import teach

    contract, entry = games.look_up(name)
    teach(contract, language(lang), entry=entry.id if entry else None)


@app.command(name="replay")
def show_replay(
    file: Path,
    /,
    *,
    seat: Annotated[int | None, Parameter(help="As this seat saw it; a spectator's view if left out.")] = None,
    lang: LangOption = None,
) -> None:
    """Replay the record of a match: all events, and the score sheets."""
    from mekuri.terminal.printed.replay import show_match, show_stored

    text = file.read_bytes()
    try:
        match = replay(text)
    except OlderVersion as older:
        show_stored(text, str(older))
        return
    show_match(match, seat, language(lang))


@app.command(name="verify")
def show_verification(
    file: Path,
    /,
    *,
    commitment: Annotated[str | None, Parameter(help="The commitment as you noted it before the match.")] = None,
) -> None:
    """Verify that the packs of a recorded match follow from the opened secrets and the players' cuts."""
    print(verify(file.read_bytes(), commitment))


@app.command(name="cards")
def write_files(
    *,
    pack: Annotated[str, Parameter(help="Which pack.")] = "ise",
    out: Annotated[Path | None, Parameter(help="The folder; if left out, one called as the pack, here.")] = None,
    marks: Annotated[Literal["none", "latin", "kanji"], Parameter(help="Marks in the corners, for who learns the cards.")] = "none",
    sprite: Annotated[bool, Parameter(negative=(), help="All in one file for web pages, marks too, as symbols by name.")] = False,
    overwrite: Overwrite = False,
) -> None:
    """Write a drawn pack as SVG files, to print or to use elsewhere."""
    from mekuri.cards.art import find_pack, write_cards, write_sprite

    found, folder = find_pack(pack), out or Path(pack)
    files = write_sprite(found, folder, overwrite) if sprite else write_cards(found, folder, marks, overwrite)
    print(f"{len(files)} files are in {folder} now, one of them the licence of the drawings, {files[-1].name}")
