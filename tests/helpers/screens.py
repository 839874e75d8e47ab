"""Matches against bots without and with a screen, the content of a screen, and waiting for it."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from io import StringIO

from rich.console import Console, RenderableType
from textual.app import App
from textual.containers import VerticalScroll
from textual.pilot import Pilot

import mekuri
from mekuri.cards import card_text
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import Lang
from mekuri.match.game import Game
from mekuri.match.view import Happening, View
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.table import Table
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play, seats_of
from mekuri.terminal.base.play import Play, RoundResult
from mekuri.terminal.base.translate import YOU, Translator
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.table import TableScreen, table_app
from mekuri.terminal.screens.zone import CardZone
from tests.helpers.time import until

SMALL, LARGE, TINY = (80, 24), (120, 40), (60, 20)


async def solo(
    game: Game | str, opponent: str = "greedy", seed: int = 3, pace: float = 0, first_dealer: int | None = None, **options: object
) -> LocalPlay:
    """Return a match of a person in the first seat against bots, of one round by default.

    Args:
        game: the game, or its name.
        opponent: the bot.
        seed: the seed of the deals.
        pace: seconds between two events shown.
        first_dealer: the seat that deals first; None for a lot.
        options: match options.
    """
    game = mekuri.game(game) if isinstance(game, str) else game
    return await local_play(ask_table(game, seats_of(game, opponent), {"rounds": 1} | options, first_dealer), pace, seed)


def translator_of(game: Game | str, lang: Lang = "en", *others: str) -> Translator:
    """Return the texts of a table of a person in the first seat and other players, by default bots."""
    game = mekuri.game(game) if isinstance(game, str) else game
    return Translator(game.rulebook, lang, (YOU, *(others or ["greedy"] * (game.seats - 1))))


def printed(*parts: RenderableType, width: int = 100) -> str:
    """Return what a console of a width prints."""
    console = Console(file=StringIO(), width=width)
    console.print(*parts)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


class SilentStage:
    """A stage that draws nothing and goes on at once.

    Attributes:
        events: the events that were shown.
        views: the view after each of the shows.
        results: the results of the rounds.
        ended: whether the match is over.
    """

    def __init__(self) -> None:
        self.events: list[Happening] = []
        self.views: list[View] = []
        self.results: list[RoundResult] = []
        self.ended = False

    def begin_round(self) -> None: ...

    def show_events(self, events: Sequence[Happening], view: View) -> None:
        self.events += events
        self.views.append(view)

    def note(self, text: Text) -> None: ...

    def show_news(self) -> None: ...

    async def end_round(self, result: RoundResult) -> None:
        self.results.append(result)

    async def end_match(self) -> None:
        self.ended = True

    def break_off(self, reason: str) -> None:
        raise AssertionError(reason)


@asynccontextmanager
async def on_screen(
    play: Play, lang: Lang = "en", names: str = "", size: tuple[int, int] = SMALL
) -> AsyncIterator[tuple[MekuriApp, Pilot[None]]]:
    """Show a table on a screen of a size, and return the application and its pilot."""
    app = table_app(play, lang, names)
    async with app.run_test(size=size) as pilot:
        yield app, pilot


def table_of(app: MekuriApp) -> TableScreen:
    """Return the topmost screen of a table."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, TableScreen))


def screen_text(app: App[None]) -> str:
    """Return the content of the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def play_on(play: LocalPlay, done: Callable[[], bool]) -> None:
    """Play without a screen until a condition holds: bots as they choose, the person the first legal action."""

    def command(table: Table, at: int) -> None:
        while not done():
            if turn := commands.bot_turn(table, at):
                commands.bot_answer(table, at, turn, commands.think(turn))
            else:
                action = table.running.legal_for(0)[0]
                commands.play(table, str(table.maker), wire.AskAction(version=table.version(0), action=action), at)

    await play._here.desk.tables.run(play.id, command)
    play._after = ""  # it is shown as it stands then


async def until_asked(pilot: Pilot[None]) -> bool:
    """Wait until the person is asked for an action. Returns False where another screen has come instead."""
    app = pilot.app
    while isinstance(screen := app.screen, TableScreen):
        focused = screen.focused
        asked = screen.view and screen.view.legal and not screen.play.sending
        if asked and isinstance(focused, CardZone) and focused.face and focused.face.legal:
            return True
        await asyncio.sleep(0.004)
    await pilot.pause()
    return False


async def play_card(pilot: Pilot[None]) -> None:
    """Play the card at the cursor, and wait for the new view: else the next key might play it once more."""
    assert isinstance(pilot.app, MekuriApp)
    table = table_of(pilot.app)
    view = table.view
    await pilot.press("enter")
    try:
        await until(lambda: table.view is not view)
    except TimeoutError as late:
        late.add_note(f"After Enter at {pilot.app.focused!r} the view is the same:\n{screen_text(pilot.app)}")
        raise


async def play_through(pilot: Pilot[None]) -> None:
    """Play the card at the cursor until the person is asked no more."""
    while await until_asked(pilot):
        await play_card(pilot)


def place_of(table: TableScreen, action: str) -> tuple[CardZone, int]:
    """Return where a legal action is drawn: a zone and the index of its face."""
    for zone in table.query(CardZone):
        for i, face in enumerate(zone.faces):
            if face.legal and action == (face.name if face.card is None else card_text(face.card)):
                return zone, i
    raise AssertionError(f"{action} is not on the table")


def illegal_place(table: TableScreen) -> tuple[CardZone, int] | None:
    """Return where a card lies that is not legal: a zone and the index of its face; None where there is none."""
    places = [(zone, i, face) for zone in table.query(CardZone) for i, face in enumerate(zone.faces)]
    legal = {face.card for _, _, face in places if face.legal}
    return next(((zone, i) for zone, i, face in places if face.card is not None and face.card not in legal), None)


async def read_paper(pilot: Pilot[None]) -> str:
    """Return the whole text of a modal window, scrolling through it, without white space and edges."""
    await until(lambda: pilot.app.screen.query(VerticalScroll))  # a screen is there before what is on it
    paper = pilot.app.screen.query_one(VerticalScroll)
    text = ""
    paper.scroll_home(animate=False)
    while True:
        await pilot.pause()
        text += re.sub(r"[\s┃]", "", screen_text(pilot.app))
        if paper.scroll_y >= paper.max_scroll_y:
            return text
        paper.scroll_relative(y=paper.size.height // 2, animate=False)
