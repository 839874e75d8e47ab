"""The menu of all games: one key, and a round is dealt."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from mekuri import games
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnfinishedGame
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.match.game import game
from mekuri.table.table import Table
from mekuri.terminal.app import MekuriApp, Page
from mekuri.terminal.cards import Face, Look, draw_card, join
from mekuri.terminal.keybar import KeyBar
from mekuri.terminal.local import LocalPlay, seats_of, solo_table
from mekuri.terminal.prose import Prose
from mekuri.terminal.render import DIGITS
from mekuri.terminal.texts import say


def home_app(lang: Lang = "en", pace: float = 0.9) -> MekuriApp:
    """The menu of all games, and from there every table, rule book and option."""
    return MekuriApp(lang, HomeScreen, pace)


def masthead(lang: Lang) -> Text:
    """The name of the house: three cards, and what it is."""
    cards = [draw_card(Face(None, "", kana, legal=True), 6, 3, Look.PLAIN, False) for kana in "めくり"]
    rows = join(cards, 1, Look.PLAIN.ground)
    for row, told, style in zip(rows, ("app.title", "app.motto", "home.choose"), ("bold", "", ""), strict=True):
        row.append("   ").append(say(told, lang), style)
    return Text("\n").join(rows)


class GameCard(Static, can_focus=True):
    """A game on the menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", show=False),
        Binding("down,right", "app.focus_next", show=False),
        Binding("up,left", "app.focus_previous", show=False),
    ]

    class Chosen(Message):
        """The game is to be played."""

        def __init__(self, contract: Contract) -> None:
            super().__init__()
            self.contract = contract

    def __init__(self, contract: Contract, number: int) -> None:
        super().__init__()
        self.contract = contract
        self._number = number

    def speak(self, lang: Lang) -> None:
        """Say the name and the line about the game."""
        tables = rulebook(self.contract).tables
        self.border_title = Text(tables["name"][lang], "bold")
        self.border_subtitle = Text(f"[{DIGITS[self._number]}]") if self._number < len(DIGITS) else ""
        self.update(Prose(tables["summary"][lang]))

    def action_choose(self) -> None:
        """Enter."""
        self.post_message(self.Chosen(self.contract))

    def on_click(self, event: events.Click) -> None:
        """A click deals."""
        self.action_choose()


class LeftOut(Static):
    """A game that is installed and not on the menu, and why."""

    def __init__(self, error: UnfinishedGame) -> None:
        super().__init__()
        self._error = error

    def speak(self, lang: Lang) -> None:
        """Say which it is."""
        self.update(Prose(say("home.left-out", lang, game=self._error.game, why=self._error.why)))


class HomeScreen(Page[None]):
    """The menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"pick({i})", show=False) for i, key in enumerate(DIGITS)),
        Binding("o", "options", show=False),
        Binding("r", "rules", show=False),
        Binding("question_mark,h,f1", "help", show=False),
        Binding("q,escape", "app.quit", show=False),
    ]

    def compose(self) -> ComposeResult:
        """The name of the house, the games, what is left out of them, the keys."""
        yield Static(id="masthead")
        with VerticalScroll(id="games", can_focus=False):
            for number, name in enumerate(games.names()):
                yield GameCard(games.find(name), number)
        for error in games.left_out():
            yield LeftOut(error)
        yield KeyBar(id="keys")

    def on_resize(self) -> None:
        """More or less room."""
        self.set_class(self.size.width >= 100, "wide")

    def on_mount(self) -> None:
        """Stand at the first game."""
        self.retext()
        self.query(GameCard).first().focus()

    def retext(self) -> None:
        """In the language spoken."""
        self.query_one("#masthead", Static).update(masthead(self.lang))
        for told in (*self.query(GameCard), *self.query(LeftOut)):
            told.speak(self.lang)
        self.query_one("#keys", KeyBar).show(self.say("home.keys"))

    def _here(self) -> Contract:
        focused = self.focused
        return (focused if isinstance(focused, GameCard) else self.query(GameCard).first()).contract

    @on(GameCard.Chosen)
    def _chosen(self, message: GameCard.Chosen) -> None:
        chosen = game(message.contract.id)
        self.play(solo_table(chosen, seats_of(chosen), {}))

    def play(self, table: Table) -> None:
        """Sit down to a match."""
        from mekuri.terminal.table import TableScreen

        self.mekuri.push_screen(TableScreen(LocalPlay(table, self.mekuri.pace)))

    def action_pick(self, index: int) -> None:
        """A digit: that game."""
        cards = list(self.query(GameCard))
        if index < len(cards):
            cards[index].focus()
            cards[index].action_choose()

    def action_options(self) -> None:
        """Choose how the game is played, then play."""
        from mekuri.terminal.options import Choices, OptionsScreen

        contract = self._here()

        def chosen(choices: Choices | None) -> None:
            if choices:
                self.play(choices.table(contract.id))

        self.mekuri.push_screen(OptionsScreen(contract), chosen)

    def action_rules(self) -> None:
        """The rule book of the game where one stands."""
        from mekuri.terminal.rulescreen import RulesScreen

        self.mekuri.push_screen(RulesScreen(self._here()))

    def action_help(self) -> None:
        """What the keys do."""
        from mekuri.terminal.help import HelpScreen

        self.mekuri.push_screen(HelpScreen())
