"""Full-width digits and letters, as a Japanese keyboard types them, count as the usual ones (NFKC)."""

from io import StringIO
from typing import Any
from unicodedata import name

import pytest
from rich.console import Console
from textual import events
from textual.pilot import Pilot

import mekuri
from mekuri import NotationError, games
from mekuri.bots.review import Choice
from mekuri.cards import parse_card, parse_cards, parse_row
from mekuri.cards.given import typed
from mekuri.cli.admin import _seconds
from mekuri.cli.arguments import parse_options
from mekuri.cli.play import _first_dealer
from mekuri.engine.chance import stream
from mekuri.engine.contract import Text
from mekuri.engine.options import info
from mekuri.match.lesson import play_lesson
from mekuri.terminal.printed.lesson import teach
from mekuri.terminal.printed.review import chosen
from mekuri.terminal.screens.ask import AskScreen
from mekuri.terminal.screens.help import HelpScreen
from mekuri.terminal.screens.home import HomeScreen, home_app
from mekuri.terminal.screens.options import OptionRow, OptionsScreen
from mekuri.terminal.screens.table import TableScreen
from tests.helpers.tables import GAMES, USUAL, each_game

WIDE = {ord(one): ord(one) + 0xFEE0 for one in map(chr, range(0x21, 0x7F))} | {0x20: 0x3000}


def wide(text: str) -> str:
    """Return a text as a Japanese keyboard types it."""
    return text.translate(WIDE)


def test_notation_reads_full_width_signs() -> None:
    assert wide("7I") == "７Ｉ"
    assert parse_card("７Ｉ") == parse_card("7I")
    assert parse_row(wide("12H ? g")) == parse_row("12H ? g")
    assert parse_cards("１ｈ １ｉ") == parse_cards("1H 1I")
    assert typed("ｱｷ Ａ") == "アキ A"
    for wrong in ("７Ｘ", "七Ｉ", "①Ｈ", "７²Ｈ", "²Ｈ"):
        with pytest.raises(NotationError):
            parse_card(wrong)


@each_game
def test_positions_and_options_read_full_width_signs(name: str) -> None:
    game = mekuri.game(name)
    rounds = [game.deal(seed=given) for given in (7, "7", "７")]
    assert len({round.position for round in rounds}) == 1
    position = rounds[0].position
    assert game.position(wide(position), seed="７").position == position
    action = rounds[0].legal[0]
    rounds[2].play(wide(action.upper()))
    rounds[0].play(action)
    assert rounds[0].position == rounds[2].position
    for option in info(games.find(name).options):
        chosen: dict[str, Any] = {option.name: wide(option.default)}
        assert mekuri.game(name, **chosen).options == game.options


def test_seeds_read_full_width_signs() -> None:
    assert stream("ｓｅｅｄ　７") == stream("seed 7")
    assert stream("seed", "７") != stream("seed", "7"), "cuts are what they are"
    assert stream("７".encode()) != stream("7")


def test_command_line_reads_full_width_signs() -> None:
    assert parse_options(USUAL, ("ｒｏｕｎｄｓ＝３",)) == ({}, {"rounds": "３"})
    assert mekuri.game(USUAL).match_options({"rounds": "３"}) == mekuri.game(USUAL).match_options({"rounds": 3})
    assert _first_dealer("２", ("you", "greedy")) == 1
    assert _seconds("１２ｈ") == 12 * 3600


def test_typed_answers_read_full_width_signs() -> None:
    choices = [Choice(action=action, text=Text(f"words.{action}")) for action in ("7I", "pass")]
    assert [chosen(choices, given) for given in ("１", "２ ", "７ｉ", "ｐａｓｓ", "３")] == ["7I", "pass", "7I", "pass", None]


def test_lesson_reads_full_width_answers() -> None:
    """Every beat by the notation of its right answer, and the last by a full-width q."""
    contract = next(games.find(name) for name in GAMES if play_lesson(games.find(name)))
    beats = play_lesson(contract)
    right = [next((wide(answer.answer) for answer in beat.answers if answer.right), "") for beat in beats]
    given = iter([*right[:-1], "ｑ"])
    console = Console(file=StringIO(), width=100)
    teach(contract, "en", lambda prompt: next(given), console)
    assert next(given, None) is None, "each answer was taken at once"
    assert isinstance(console.file, StringIO)
    assert f"{len(beats)}/{len(beats)}" in console.file.getvalue()


async def _press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys as a terminal reports them: by name, and full-width ones with the character that was typed."""
    for key in keys:
        if key.isascii():
            await pilot.press(key)
        else:
            named = key if key.isalnum() else name(key).lower().replace(" ", "_")
            pilot.app.post_message(events.Key(named, key))
            await pilot.press("f12")  # does nothing, after the other


async def test_terminal_keys_read_full_width_signs() -> None:
    app = home_app(pace=0)
    async with app.run_test() as pilot:
        await _press(pilot, "？")
        assert isinstance(app.screen, HelpScreen)
        await _press(pilot, "ｑ", "ｏ")
        assert isinstance(app.screen, OptionsScreen)
        row = next(row for row in app.screen.query(OptionRow) if row.option.most and not row.option.values)
        row.focus()
        row.value = ""
        await _press(pilot, "１", "２")
        assert row.value == "12"
        await _press(pilot, "escape", "１")
        assert isinstance(app.screen, TableScreen)
        await _press(pilot, "ｑ")
        if isinstance(app.screen, AskScreen):
            await _press(pilot, "ｙ")
        assert isinstance(app.screen, HomeScreen)
