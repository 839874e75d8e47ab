"""The shortcuts of the table on keyboards of other countries, and while an input method writes."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from playwright.async_api import expect
from textual import events
from textual.keys import _character_to_key

import mekuri
from mekuri.terminal.screens.help import HelpScreen
from mekuri.terminal.screens.rules import RulesScreen
from mekuri.terminal.screens.table import TableScreen
from mekuri.terminal.screens.zone import CardZone
from tests.helpers.page.fixtures import Staged, stage, staged
from tests.helpers.page.opening import Open
from tests.helpers.page.tour import FACES
from tests.helpers.screens import on_screen, solo, table_of, until_asked
from tests.helpers.time import until

AT_ONCE = pytest.mark.asyncio(loop_scope="session")


class Recorded(NamedTuple):
    """A press as browsers report it.

    Attributes:
        keyboard: which keyboard writes so.
        key, code: the sign that it writes, and the place of the key by the American keyboard.
        does: the number of the card that it picks, from 1; or `help`, `read`, `info` of the card with the focus; or nothing.
        held: what is held with it, as fields of the event.
    """

    keyboard: str
    key: str
    code: str
    does: int | str
    held: Mapping[str, bool] = MappingProxyType({})


SHIFT = {"shiftKey": True}
ALT_GR = {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}
RECORDED = [
    Recorded("American", "1", "Digit1", 1),
    Recorded("American", "!", "Digit1", "", SHIFT),
    Recorded("American", "?", "Slash", "help", SHIFT),
    Recorded("American", "1", "Digit1", "", {"ctrlKey": True}),
    Recorded("American", "1", "Digit1", "", {"metaKey": True}),
    Recorded("American", "1", "Digit1", "", {"altKey": True}),
    Recorded("French", "&", "Digit1", 1),
    Recorded("French", "1", "Digit1", 1, SHIFT),
    Recorded("French", "é", "Digit2", 2),
    Recorded("French", "2", "Digit2", 2, SHIFT),
    Recorded("French", "(", "Digit5", 5),
    Recorded("French, Caps Lock", "3", "Digit3", 3),
    Recorded("French", "?", "KeyM", "help", SHIFT),
    Recorded("French", "^", "BracketLeft", ""),
    Recorded("French", "{", "Digit4", "", ALT_GR),
    Recorded("French, bépo", '"', "Digit1", 1),
    Recorded("French, bépo", "à", "KeyZ", ""),
    Recorded("Czech", "+", "Digit1", 1),
    Recorded("Czech", "1", "Digit1", 1, SHIFT),
    Recorded("Czech", "ě", "Digit2", 2),
    Recorded("Czech", "š", "Digit3", 3),
    Recorded("Czech", "?", "Comma", "help", SHIFT),
    Recorded("Czech", "~", "Digit1", "", ALT_GR),
    Recorded("Slovak", "Dead", "Equal", ""),
    Recorded("German", "1", "Digit1", 1),
    Recorded("German", "?", "Minus", "help", SHIFT),
    Recorded("German", "/", "Digit7", "", SHIFT),
    Recorded("Lithuanian", "ą", "Digit1", 1),
    Recorded("Lithuanian", "1", "Digit1", 1, ALT_GR),
    Recorded("Dvorak", "f", "KeyY", "read"),
    Recorded("Dvorak", "u", "KeyF", ""),
    Recorded("Dvorak", "?", "BracketLeft", "help", SHIFT),
    Recorded("Dvorak for programmers", "[", "Digit2", 2),
    Recorded("Russian", "а", "KeyF", "read"),
    Recorded("Russian", "?", "Digit7", "help", SHIFT),
    Recorded("Greek", "η", "KeyH", "read"),
    Recorded("Hebrew", "כ", "KeyF", "read"),
    Recorded("Arabic", "١", "Digit1", 1),
    Recorded("Arabic", "؟", "Slash", "help", SHIFT),
    Recorded("Turkish", "ı", "KeyI", "info"),
    Recorded("Korean", "ㄹ", "KeyF", "read"),
    Recorded("Thai", "ๅ", "Digit1", 1),
    Recorded("Japanese", "1", "Digit1", 1),
    Recorded("Japanese, full width", "２", "Digit2", 2),
    Recorded("Japanese, full width", "ｆ", "KeyF", "read"),
    Recorded("Japanese, full width", "？", "Slash", "help", SHIFT),
    Recorded("Japanese, kana", "ぬ", "Digit1", 1),
    Recorded("Japanese, kana", "は", "KeyF", "read"),
    Recorded("Japanese, input method", "Process", "Digit3", 3),
    Recorded("Japanese, composing", "Process", "Digit3", "", {"isComposing": True}),
    Recorded("Japanese, composing", "1", "Digit1", "", {"isComposing": True}),
    Recorded("Number pad", "2", "Numpad2", 2),
    Recorded("Number pad, no Num Lock", "ArrowDown", "Numpad2", ""),
    Recorded("Number pad, no Num Lock", "End", "Numpad1", ""),
    Recorded("Persian number pad", "۳", "Numpad3", 3),
]

# The number of the card that a press leads to; else whether the page takes the press. For `info` a card has the focus.
PRESSED = """([press, does]) => {
  const cards = [...document.querySelectorAll(".mine.hand li button")];
  document.activeElement.blur();
  if (does === "info") cards[0].focus();
  const event = new KeyboardEvent("keydown", { ...press, bubbles: true, cancelable: true });
  (document.activeElement ?? document.body).dispatchEvent(event);
  const at = cards.indexOf(document.activeElement) + 1;
  return does === "info" || !at ? event.defaultPrevented : at;
}"""
FIFTH = ".mine.hand li:nth-child(5) button"
DIALOGS = {"help": "dialog[open] kbd", "info": "dialog[open] .panel"}


def arguments(press: Recorded) -> list[Any]:
    """Return the arguments of PRESSED."""
    return [{"key": press.key, "code": press.code, **press.held}, press.does]


def expected(press: Recorded) -> int | bool:
    """Return what PRESSED gives back."""
    return press.does if isinstance(press.does, int) else bool(press.does)


def asked() -> Staged:
    """Return a table at which a card of the hand is to be played."""
    return next(each for each in staged(FACES, 2) if each.name.startswith("prompts.play"))


@pytest.mark.every_days(4)
@AT_ONCE
async def test_shortcuts_work_on_many_keyboards(open_page: Open, subtests: pytest.Subtests) -> None:
    page = await open_page(None, once=True)
    await page.goto(await stage(page.context, asked()))
    await page.locator(FIFTH).wait_for()
    for press in RECORDED:
        with subtests.test(keyboard=press.keyboard, key=press.key, held=list(press.held)):
            assert await page.evaluate(PRESSED, arguments(press)) == expected(press)
            if press.does in DIALOGS:
                await expect(page.locator(DIALOGS[str(press.does)]).first).to_be_visible()
                await page.keyboard.press("Escape")
                await expect(page.locator("dialog")).to_have_count(0)


IN_TERMINAL = [  # what is written, and the screen or the number of the card that it leads to
    ("2", 2),  # also with Shift on a French or Czech keyboard
    ("２", 2),
    ("ふ", 2),  # kana
    ("R", RulesScreen),  # with Caps Lock
    ("к", RulesScreen),  # Russian
    ("К", RulesScreen),
    ("ρ", RulesScreen),  # Greek
    ("ר", RulesScreen),  # Hebrew
    ("す", RulesScreen),
    ("ｒ", RulesScreen),
    ("？", HelpScreen),
    ("؟", HelpScreen),
]


def led(table: TableScreen, leads: object) -> bool:
    """Whether a key has led to a screen, or to a card of the hand by its number."""
    if isinstance(leads, int):
        return isinstance(table.focused, CardZone) and table.focused.cursor == leads - 1
    return type(table.app.screen) is leads


@pytest.mark.every_days(4)
async def test_terminal_understands_other_keyboards(subtests: pytest.Subtests) -> None:
    game = mekuri.game(FACES)
    async with on_screen(await solo(game)) as (app, pilot):
        assert await until_asked(pilot)
        table = table_of(app)
        for written, leads in IN_TERMINAL:
            with subtests.test(written=written):
                await pilot.press("1")
                app.post_message(events.Key(_character_to_key(written), written))  # as it is read from a terminal
                await until(partial(led, table, leads))
                if leads in (RulesScreen, HelpScreen):
                    await pilot.press("escape")
                    await until(lambda: app.screen is table)
        assert app.screen is table
