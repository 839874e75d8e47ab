"""The main menu: the list of games, from which tables, rule books and options are opened."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from mekuri import games
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnfinishedGame
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.match.game import game
from mekuri.protocol.table import AskTable
from mekuri.terminal.base.cards import Face, Look, draw_card, join
from mekuri.terminal.base.local import ask_table, local_play, seats_of
from mekuri.terminal.base.prose import Prose
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.turns import Owed, owed
from mekuri.terminal.screens.app import MekuriApp, Page
from mekuri.terminal.screens.render import DIGITS
from mekuri.terminal.screens.widgets import KeyBar


def home_app(lang: Lang = "en", pace: float = 0.9) -> MekuriApp:
    """Return the application with the main menu as its first screen.

    Args:
        lang: the first language.
        pace: seconds between two events at a table.
    """
    return MekuriApp(lang, HomeScreen, pace)


def masthead(lang: Lang) -> Text:
    """Return the title of the menu: three cards with the name of Mekuri, and a line about it."""
    cards = [draw_card(Face(None, "", kana, legal=True), 6, 3, Look.PLAIN, False) for kana in "めくり"]
    rows = join(cards, 1, Look.PLAIN.ground)
    for row, id, style in zip(rows, ("app.title", "app.motto", "home.choose"), ("bold", "", ""), strict=True):
        row.append("   ").append(say(id, lang), style)
    return Text("\n").join(rows)


class GameCard(Static, can_focus=True):
    """One game, or one entry of a game, of the menu.

    Attributes:
        contract: the game's contract.
        entry: the id of the entry; None for the game itself.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space", "choose"),
        ("down,right", "app.focus_next"),
        ("up,left", "app.focus_previous"),
    ]

    class Chosen(Message):
        """Sent when the game has been chosen."""

        def __init__(self, card: GameCard) -> None:
            super().__init__()
            self.card = card

    def __init__(self, contract: Contract, number: int, entry: str | None = None) -> None:
        super().__init__()
        self.contract = contract
        self.entry = entry
        self._number = number

    @property
    def played(self) -> str:
        """The id under which the game is played here."""
        return self.entry or self.contract.id

    def speak(self, lang: Lang) -> None:
        """Show the game's name and its summary in a language."""
        tables = rulebook(self.contract, self.entry).tables
        self.border_title = Text(tables["name"][lang], "bold")
        self.border_subtitle = Text(f"[{DIGITS[self._number]}]") if self._number < len(DIGITS) else ""
        self.update(Prose(tables["summary"][lang]))

    def action_choose(self) -> None:
        """Choose this game."""
        self.post_message(self.Chosen(self))

    def on_click(self, event: events.Click) -> None:
        """Choose this game."""
        self.action_choose()


class LeftOut(Static):
    """A line about a game that is installed but cannot be played, with the reason."""

    def __init__(self, error: UnfinishedGame) -> None:
        super().__init__()
        self._error = error

    def speak(self, lang: Lang) -> None:
        """Show the game and the reason in a language."""
        self.update(Prose(say("home.left-out", lang, game=self._error.game, why=self._error.why)))


class HomeScreen(Page[None]):
    """The screen with the main menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *((key, f"pick({i})") for i, key in enumerate(DIGITS)),
        ("o", "options"),
        ("r", "rules"),
        ("question_mark,h,f1", "help"),
        ("q,escape", "app.quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._owed: list[Owed] = []

    def compose(self) -> ComposeResult:
        """Yield the title, the decisions owed on servers, the games, the games that cannot be played, and the key bar."""
        yield Static(id="masthead")
        yield Static(id="turns")
        with VerticalScroll(id="games", can_focus=False):
            for number, name in enumerate(games.names()):
                yield GameCard(games.find(name), number)
            for number, (contract, entry) in enumerate(games.entries().values(), len(games.names())):
                yield GameCard(contract, number, entry.id)
        for error in games.left_out():
            yield LeftOut(error)
        yield KeyBar(id="keys")

    def on_resize(self) -> None:
        """Set the class `wide` from 100 columns on."""
        self.set_class(self.size.width >= 100, "wide")

    def on_mount(self) -> None:
        """Fill in the texts and focus the first game."""
        self.retext()
        self.query(GameCard).first().focus()
        self.run_worker(self._ask_turns(), exit_on_error=False)

    async def _ask_turns(self) -> None:
        """Ask servers which decisions the player owes there, and show them above the games."""
        self._owed = (await owed()).owed
        self._show_turns()

    def _show_turns(self) -> None:
        self.put(
            "turns", Text("\n").join([Text(self.say("turns.title"), "bold"), *(Text(row.text(self.lang)) for row in self._owed)])
        )
        self.query_one("#turns").display = bool(self._owed)

    def retext(self) -> None:
        """Redraw all texts in the current language."""
        self.put("masthead", masthead(self.lang))
        for row in (*self.query(GameCard), *self.query(LeftOut)):
            row.speak(self.lang)
        self._show_turns()
        self.show_keys(self.say("home.keys"))

    def _here(self) -> GameCard:
        focused = self.focused
        return focused if isinstance(focused, GameCard) else self.query(GameCard).first()

    @on(GameCard.Chosen)
    def _chosen(self, message: GameCard.Chosen) -> None:
        chosen = game(message.card.played)
        self.play(ask_table(chosen, seats_of(chosen), {}, entry=message.card.entry))

    def play(self, asked: AskTable) -> None:
        """Make a table and play a match at it."""
        from mekuri.terminal.screens.table import TableScreen

        async def begin() -> None:
            self.mekuri.push_screen(TableScreen(await local_play(asked, self.mekuri.pace)))

        self.run_worker(begin(), group="play", exclusive=True)

    def action_pick(self, index: int) -> None:
        """Play the game with this number, from 0."""
        cards = list(self.query(GameCard))
        if index < len(cards):
            cards[index].focus()
            cards[index].action_choose()

    def action_options(self) -> None:
        """Choose the options of the focused game, then play it."""
        from mekuri.terminal.screens.options import Choices, OptionsScreen

        card = self._here()

        def chosen(choices: Choices | None) -> None:
            if choices:
                self.play(choices.asked(card.played, card.entry))

        self.mekuri.push_screen(OptionsScreen(card.contract, card.entry), chosen)

    def action_rules(self) -> None:
        """Open the rule book of the focused game."""
        from mekuri.terminal.screens.rules import RulesScreen

        self.mekuri.push_screen(RulesScreen(self._here().contract))

    def action_help(self) -> None:
        """Open the help."""
        from mekuri.terminal.screens.help import HelpScreen

        self.mekuri.push_screen(HelpScreen())
