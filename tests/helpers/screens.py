"""The content of a screen, and waiting for it."""

import asyncio
import re
from collections.abc import Callable

from textual.app import App
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from mekuri.cards import card_text
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.table import Table
from mekuri.table.time import REAL
from mekuri.terminal.base.translate import YOU
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.table import TableScreen
from mekuri.terminal.screens.zone import CardZone
from tests.helpers.patience import PATIENCE
from tests.helpers.time import until

SMALL, LARGE, TINY = (80, 24), (120, 40), (60, 20)


def table_of(app: MekuriApp) -> TableScreen:
    """Return the topmost screen of a table."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, TableScreen))


def screen_text(app: App[None]) -> str:
    """Return the content of the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def play_on(table: Table, done: Callable[[], bool]) -> None:
    """Play at a table without a screen until a condition holds: bots as they choose, the person the first legal action."""
    while not done():
        if turn := commands.bot_turn(table, REAL.now()):
            commands.bot_answer(table, REAL.now(), turn, commands.think(turn))
        else:
            action = table.running.legal_for(0)[0]
            commands.play(table, YOU, wire.AskAction(version=table.version(0), action=action), REAL.now())
    table.history.pending.clear()  # it is shown as it stands then


async def until_asked(pilot: Pilot[None]) -> bool:
    """Wait until the person is asked for an action. Returns False where another screen has come instead."""
    app = pilot.app
    async with asyncio.timeout(PATIENCE):
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
