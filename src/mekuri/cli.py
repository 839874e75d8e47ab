"""The command `mekuri`."""

from __future__ import annotations

import asyncio
import json
import locale
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, ArgumentCollection, CycloptsError, Parameter, UnusedCliTokensError
from cyclopts.config import Env, Toml

from mekuri import __version__, games
from mekuri.bots import names_for, usual
from mekuri.cards import NotationError
from mekuri.cards.art.packs import UnknownPack
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.options import info
from mekuri.engine.rulebook import LANGUAGES, Lang, rulebook
from mekuri.match.game import Game, game, make_game
from mekuri.match.replay import OlderVersion, replay
from mekuri.match.verify import verify
from mekuri.server.settings import Settings

if TYPE_CHECKING:
    from mekuri.protocol.table import AskTable
    from mekuri.terminal.remote import RemotePlay

app = App(
    name="mekuri",
    version=__version__,
    help="Traditional Japanese card games. Without a command: their page, in your browser. In the terminal: `mekuri menu`.",
)

LangOption = Annotated[Literal["en", "ja"] | None, Parameter(help="Language: en or ja.")]
Options = Annotated[
    tuple[str, ...],
    Parameter(name="--option", consume_multiple=True, negative=(), help="Options of the game or the match, as name=value."),
]
Preset = Annotated[str, Parameter(help="A named set of options.")]
CardNames = Annotated[str, Parameter(help="Which of the game's sets of card names to show.")]
RecordFile = Annotated[
    Path | None, Parameter(help="Write the record of the match to this file; of others after it, to FILE-2, FILE-3.")
]
Pace = Annotated[float, Parameter(help="Seconds between two things happening on the table.")]
SeatingOption = Annotated[Literal["order", "lot"], Parameter(help="Whether all sit as named, or lots are drawn for the seats.")]
DealerOption = Annotated[str, Parameter(help="Who deals first: lot, you, or the number of a seat, counted from 1.")]
PersonName = Annotated[str, Parameter(name="--name", help="Your name, as the others at the table see it.")]
Port = Annotated[int, Parameter(help="The port to listen at.")]
Database = Annotated[str | None, Parameter(help="The file of all tables, or a database's URL; the user's data if left out.")]
_SETTINGS = Settings()


@app.default
def open_house(
    *,
    port: Port = 8413,
    database: Database = None,
    browse: Annotated[bool, Parameter(name="--open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve tables on this machine, and open their page in the browser. Where Mekuri runs already, only open its page."""
    from mekuri.server.run import serve as run

    run("127.0.0.1", port, Settings(database=database), browse)


@app.command
def serve(
    *,
    host: Annotated[str, Parameter(help="The address to listen at; 0.0.0.0 for every network.")] = "127.0.0.1",
    port: Port = 8413,
    settings: Annotated[Settings, Parameter(name="*")] = _SETTINGS,
) -> None:
    """Serve tables for people and bots.

    What is not given here is taken from the environment (MEKURI_SERVE_GRACE and so on), then from the file that MEKURI_SETTINGS
    names, or the user's mekuri/settings.toml, under [serve]. Times are in seconds.
    """
    from mekuri.server.run import serve as run

    run(host, port, settings)


def _settings_file(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Settings out of a file. Raises OptionError where it cannot be read or names what there is not."""
    from platformdirs import user_config_path

    named = os.environ.get("MEKURI_SETTINGS")
    file = Path(named) if named else user_config_path("mekuri", appauthor=False) / "settings.toml"
    try:
        Toml(file, must_exist=named is not None)(app, commands, arguments)
    except CycloptsError as error:
        raise OptionError(f"{file}: {error}") from None


app["serve"].config = (Env("MEKURI_"), _settings_file)


@app.command(name="menu")
def show_menu(*, lang: LangOption = None) -> None:
    """Open the menu of the games in the terminal."""
    from mekuri.terminal.home import home_app

    _need_terminal()
    home_app(_language(lang)).run()


@app.command(name="games")
def list_games(*, lang: LangOption = None) -> None:
    """List the games."""
    chosen = _language(lang)
    for name in games.names():
        book = rulebook(games.find(name)).tables
        print(f"{name:<12} {book['name'][chosen]}: {book['summary'][chosen]}")
    _tell_left_out()


@app.command
def rules(name: str, /, *, lang: LangOption = None) -> None:
    """Print the rule book of a game: its clauses, where each comes from, its yaku and its options."""
    from rich.console import Console

    from mekuri.terminal.rules import rules_text

    Console().print(rules_text(games.find(name), _language(lang)))


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
            help="Who sits where: you, a bot's name, or on a server open, which is a seat for whoever has the link.",
        ),
    ] = (),
    seating: SeatingOption = "order",
    dealer: DealerOption = "lot",
    person: PersonName = "",
    public: Annotated[bool, Parameter(negative=(), help="List the table on the server while a seat is free.")] = False,
    lang: LangOption = None,
    names: CardNames = "",
    seed: Annotated[str | None, Parameter(help="Equal seeds give equal deals.")] = None,
    record: RecordFile = None,
    pace: Pace = 0.4,
) -> None:
    """Play a match at a table in the terminal: against bots, or on a server with others."""
    from mekuri.terminal.table import play_app
    from mekuri.terminal.voice import check_names

    named = tuple(who for told in seats for who in told.split(","))
    chosen, match_options = _game(name, preset, option, len(named) or None)
    sitting = named or ("you", *[usual(chosen.contract)] * (chosen.seats - 1))
    _check_seats(chosen, sitting, server)
    check_names(chosen.id, chosen.rulebook, names)
    if server:
        from mekuri.terminal.online import make_table

        if seed is not None:
            raise OptionError("a server deals from its own secret and everybody's cut, not from a seed: leave out --seed")
        if (seating, dealer) == ("lot", "you"):
            raise OptionError("the server draws lots for the seats: name lot or the number of a seat as dealer, not you")
        asked = _asked(chosen, preset, option, sitting, seating, _first_dealer(dealer, sitting), public)
        _need_terminal()
        _check_writable(record)
        made = make_table(server, asked, sitting.index("you"), person, pace)
        _play_at(asyncio.run(made), lang, names, record)
        return
    if person or public:
        raise OptionError("--name and --public are for a table on a server: name it with --server")
    if seating == "lot":
        sitting = tuple(Random(seed).sample(sitting, len(sitting)))
    match = chosen.match(seed, sitting, _first_dealer(dealer, sitting), **match_options)
    _need_terminal()
    _check_writable(record)
    try:
        play_app(match, sitting, _language(lang), names, pace).run()
    finally:
        if record:
            record.write_text(match.record().to_json() + "\n", encoding="utf-8")


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
    pace: Pace = 0.4,
) -> None:
    """Sit down at the table of a link, take your seat there back, or watch."""
    from mekuri.terminal.online import join_table

    _need_terminal()
    _check_writable(record)
    _play_at(asyncio.run(join_table(link, person, names, watch, pace)), lang, names, record)


@app.command(name="replay")
def show_replay(
    file: Path,
    /,
    *,
    seat: Annotated[int | None, Parameter(help="As this seat saw it; a spectator's view if left out.")] = None,
    lang: LangOption = None,
) -> None:
    """Replay the record of a match: everything that happened, and the score sheets."""
    from mekuri.terminal.replay import show_match, show_stored

    text = file.read_bytes()
    try:
        match = replay(text)
    except OlderVersion as older:
        show_stored(text, str(older))
        return
    show_match(match, seat, _language(lang))


@app.command(name="verify")
def show_verification(
    file: Path,
    /,
    *,
    commitment: Annotated[str | None, Parameter(help="The commitment as you noted it before the match.")] = None,
) -> None:
    """Verify that the packs of a recorded match follow from the opened secrets and the players' cuts."""
    print(verify(file.read_bytes(), commitment))


@app.command
def simulate(
    name: str,
    /,
    *,
    rounds: Annotated[int, Parameter(help="How many rounds.")],
    seed: Annotated[str, Parameter(help="Equal seeds give equal rounds.")] = "0",
    seats: Annotated[int | None, Parameter(help="How many seats play.")] = None,
    bot: Annotated[str, Parameter(help="The bot in every seat.")] = "random",
    option: Options = (),
    preset: Preset = "default",
    plain: Annotated[bool, Parameter(negative=(), help="Run the uncompiled rules: slower, with the same checksum.")] = False,
    threads: Annotated[int | None, Parameter(help="Threads for compiled rules; all cores if left out.")] = None,
    to_json: Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Play many rounds with bots and print what they came to."""
    from mekuri.lab.simulate import simulate as run
    from mekuri.terminal.simulation import progress_bar, show_simulation

    chosen, match_options = _game(name, preset, option, seats)
    if match_options:
        raise OptionError(f"{next(iter(match_options))} is an option of a match, and a simulation plays single rounds")
    with progress_bar(rounds, plain) as progress:
        result = run(chosen, rounds, seed, bot, plain=plain, threads=threads, progress=progress)
    if to_json:
        print(json.dumps(result.to_dict()))
    else:
        show_simulation(result)


@app.command(name="cards")
def write_files(
    *,
    pack: Annotated[str, Parameter(help="Which pack.")] = "ise",
    out: Annotated[Path | None, Parameter(help="The folder; if left out, one called as the pack, here.")] = None,
    marks: Annotated[Literal["none", "latin", "kanji"], Parameter(help="Marks in the corners, for who learns the cards.")] = "none",
    sprite: Annotated[bool, Parameter(negative=(), help="All in one file for web pages, marks too, as symbols by name.")] = False,
) -> None:
    """Write a drawn pack as SVG files, to print or to use elsewhere."""
    from mekuri.cards.art import find_pack, write_cards, write_sprite

    found, folder = find_pack(pack), out or Path(pack)
    files = write_sprite(found, folder) if sprite else write_cards(found, folder, marks)
    print(f"{len(files)} files are in {folder} now, one of them the licence of the drawings, {files[-1].name}")


@app.command
def warm() -> None:
    """Compile the rules of every game ahead, so that nothing has to wait for it later."""
    from mekuri.lab.simulate import simulate as run

    for name in games.names():
        result = run(game(name), 1)
        print(f"{name:<12} {result.compile_seconds:.1f} s")
    _tell_left_out()


def _asked(
    chosen: Game,
    preset: str,
    told: tuple[str, ...],
    sitting: tuple[str, ...],
    seating: Literal["order", "lot"],
    first_dealer: int | None,
    public: bool,
) -> AskTable:
    """What a server is asked for: a table with a seat for the person called `you`."""
    from mekuri.protocol.table import AskTable

    options, match_options = _options(chosen.id, told)
    return AskTable(
        game=chosen.id,
        preset=preset,
        options=options,
        match_options=match_options,
        seats=["person" if who in ("you", "open") else who for who in sitting],
        public=public,
        seating=seating,
        first_dealer=first_dealer,
    )


def _play_at(play: RemotePlay, lang: Lang | None, names: str, record: Path | None) -> None:
    """Play at a table on a server, and on at others with the same people; then fetch the records."""
    from mekuri.terminal.table import table_app
    from mekuri.terminal.texts import say

    table = table_app(play, _language(lang), names)
    table.run()
    if table.failure:
        raise MekuriError(table.failure)
    played = [play]
    while played[-1].next:
        played.append(played[-1].next)
    last = played[-1]
    if last.you is not None and not last.over and not last.left:
        print(say("line.back", _language(lang), link=last.link))
    if record:
        for number, each in enumerate(played, 1):
            _fetch_record(each, record if number == 1 else record.with_stem(f"{record.stem}-{number}"), _language(lang))


def _fetch_record(play: RemotePlay, file: Path, lang: Lang) -> None:
    """Write the record of a match on a server, and say how it is verified."""
    from mekuri.terminal.online import fetch_record
    from mekuri.terminal.texts import say

    try:
        file.write_bytes(asyncio.run(fetch_record(play)) + b"\n")
    except MekuriError as error:
        raise MekuriError(f"{file} is not written: {error}") from error
    if play.commitment:
        check = f"mekuri verify {shlex.quote(str(file))} --commitment {play.commitment}"
        print(say("line.verify", lang, command=check))


def _options(name: str, told: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Options written name=value: those of the game, and those of the match."""
    of_match = {option.name for option in info(games.find(name).match_options)}
    options: dict[str, str] = {}
    match_options: dict[str, str] = {}
    for pair in told:
        key, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"an option is written name=value, not {pair}")
        key = key.strip().replace("-", "_")
        (match_options if key in of_match else options)[key] = value.strip()
    return options, match_options


def _game(name: str, preset: str, told: tuple[str, ...], seats: int | None = None) -> tuple[Game, dict[str, Any]]:
    """A game with its options, and those options that are the match's."""
    options, match_options = _options(name, told)
    return make_game(name, preset, seats, options), match_options


def _first_dealer(told: str, sitting: tuple[str, ...]) -> int | None:
    """The seat that deals first; None for a lot. Here, as on every screen, seats are counted from 1."""
    known: dict[str, int | None] = {"lot": None, **{str(seat + 1): seat for seat in range(len(sitting))}}
    if "you" in sitting:
        known["you"] = sitting.index("you")
    if told not in known:
        you = "you, " if "you" in known else ""
        raise OptionError(f"the first dealer is lot, {you}or a seat from 1 to {len(sitting)}, not {told}")
    return known[told]


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


def _check_writable(record: Path | None) -> None:
    """What cannot be written is refused before the first card."""
    if record:
        new = not record.exists()
        record.open("a", encoding="utf-8").close()
        if new:
            record.unlink()


def _language(lang: Lang | None) -> Lang:
    """The language asked for, or the system's where Mekuri speaks it."""
    if lang:
        return lang
    system = (locale.getlocale()[0] or "en")[:2].lower()
    return next((known for known in LANGUAGES if known == system), LANGUAGES[0])


def _need_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise MekuriError("this needs a terminal; try: mekuri games, mekuri rules, mekuri simulate")


def _complain(message: str) -> None:
    print(f"mekuri: {' '.join(message.split())}", file=sys.stderr)


def _tell_left_out() -> None:
    """Of all games some may be left out, and that is no failure."""
    for error in games.left_out():
        _complain(str(error))


def _fail(message: str) -> None:
    _complain(message)
    sys.exit(2)


def _not_understood(*words: str) -> None:
    _fail(f"{' '.join(words)}: not understood; see mekuri --help")


def main(words: Sequence[str] | None = None) -> None:
    """Run the command, with the words of the command line unless others are given.

    Every refusal is one line on standard error, with exit status 2.
    """
    words = sys.argv[1:] if words is None else words
    try:
        if words and not words[0].startswith("-") and words[0] not in list(app):
            _not_understood(words[0])  # else --help behind it would be taken for that of all commands
        app(words, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has left. Nothing more can be told, not even when the interpreter empties its buffers.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except UnusedCliTokensError as error:
        _not_understood(*error.unused_tokens or ())
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (CycloptsError, MekuriError, NotationError, UnknownPack) as error:
        _fail(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
