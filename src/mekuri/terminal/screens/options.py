"""The screen on which a game's options, the match options, the number of seats, the first dealer and the opponent are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from mekuri import bots
from mekuri.engine.contract import Contract
from mekuri.engine.errors import OptionError
from mekuri.engine.options import OptionInfo, info, value_text
from mekuri.engine.rulebook import rulebook
from mekuri.match.game import make_game
from mekuri.protocol.table import AskTable
from mekuri.terminal.base.local import ask_table, seats_of
from mekuri.terminal.base.prose import Prose
from mekuri.terminal.base.texts import called
from mekuri.terminal.base.translate import YOU
from mekuri.terminal.printed.rules import value_text as spoken
from mekuri.terminal.screens.app import Page
from mekuri.terminal.screens.widgets import KeyBar

PRESET, OPPONENT, SEATS, DEALER = "preset", "opponent", "seats", "dealer"
LOT = "lot"  # the value of the first dealer who is drawn by lot
OWN = ""  # the value of the preset row if the options match no preset


def _usual(preset: Mapping[str, object], option: OptionInfo) -> str:
    """Return the value of an option in a preset, or its default."""
    return value_text(preset.get(option.name, option.default))


@dataclass
class Choices:
    """The choices made on the options screen.

    Attributes:
        opponent: the name of a bot.
        seats: the number of seats.
        first_dealer: the seat that deals first; None for a lot.
        game: the values of the game's options, as text by name.
        rounds: the values of the match options, as text by name.
    """

    opponent: str
    seats: int
    first_dealer: int | None = None
    game: dict[str, str] = field(default_factory=dict)
    rounds: dict[str, str] = field(default_factory=dict)

    def asked(self, name: str, entry: str | None = None) -> AskTable:
        """Return the request for a table with these choices, with the player in the first seat.

        Args:
            name: the id of the game.
            entry: the id of the entry under whose name it is played; None for its own name.

        Raises:
            OptionError: an option has no such value, or the choices contradict each other.
        """
        game = make_game(name, "default", self.seats, self.game)
        return ask_table(game, seats_of(game, self.opponent), self.rounds, self.first_dealer, entry)


class OptionRow(Static, can_focus=True):
    """A row with one option and its value. The arrow keys change the value; a number may also be typed.

    Attributes:
        option: the option.
        owner: the group of the option: `match`, `game`, or the row's own name for all others.
        value: the value as text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("right", "turn(1)"),
        ("left", "turn(-1)"),
        ("down", "app.focus_next"),
        ("up", "app.focus_previous"),
        ("backspace", "rub_out"),
    ]

    class Changed(Message):
        """Sent when the value has changed."""

        def __init__(self, row: OptionRow) -> None:
            super().__init__()
            self.row = row

    def __init__(self, option: OptionInfo, owner: str) -> None:
        super().__init__(classes="option")
        self.option = option
        self.owner = owner
        self.value = option.default

    def speak(self, title: str, value: str) -> None:
        """Show a title and the name of the value."""
        named = self.value in (*self.option.values, *self.option.offered)
        row = Text(f"{title}  ").append(f"‹ {value} ›" if named else f"[ {value} ]", "bold")
        self.update(Prose(row, hang=2))

    def put(self, value: str) -> None:
        """Set another value and send Changed."""
        if value != self.value:
            self.value = value
            self.post_message(self.Changed(self))

    def action_turn(self, by: int) -> None:
        """Go `by` values further, or change the number by it."""
        values = self.option.values or self.option.offered
        if values:
            at = values.index(self.value) if self.value in values else 0
            self.put(values[(at + by) % len(values)])
        elif self.option.most and self.value.isdigit():
            self.put(str(max(self.option.least, min(int(self.value) + by, self.option.most))))

    def action_rub_out(self) -> None:
        """Delete the last character of a number, or a whole word."""
        if not self.option.values:
            self.put("" if self._is_word else self.value[:-1])

    def on_key(self, event: events.Key) -> None:
        """Add a typed character to a number or a row of numbers."""
        if not self.option.values and event.character and event.character in "0123456789,-":
            event.stop()
            self.put(event.character if self._is_word else self.value + event.character)

    @property
    def _is_word(self) -> bool:
        """Whether the value is a word that stands for a number."""
        return self.value in self.option.older.values()

    def on_click(self, event: events.Click) -> None:
        """Go to the next value."""
        self.action_turn(1)


def _dealers(seats: int) -> OptionInfo:
    """Return the option of the first dealer: a lot, or a seat counted from 1."""
    return _one_of(DEALER, LOT, (LOT, *(str(seat + 1) for seat in range(seats))))


def _one_of(name: str, default: str, values: tuple[str, ...]) -> OptionInfo:
    return OptionInfo(name, default, values, least=0, most=0, row=False, offered=(), older={})


class OptionsScreen(Page[Choices | None]):
    """The screen with every option of a game. Its result is the choices, or None if it is left without playing."""

    BINDINGS: ClassVar[list[BindingType]] = [("enter", "deal"), ("escape,q", "back")]

    def __init__(self, contract: Contract, entry: str | None = None) -> None:
        """Make the screen for a game, or for its entry with this id, whose own options take precedence over a preset's."""
        super().__init__()
        self.contract = contract
        self.book = rulebook(contract, entry)
        self._own = self.book.entries[entry].options if entry else {}
        self._error = ""
        self._preset = next(iter(contract.presets))  # the preset that was chosen last

    def compose(self) -> ComposeResult:
        """Yield the rows, the help of the focused option, and the key bar."""
        presets = _one_of(PRESET, next(iter(self.contract.presets)), (*self.contract.presets, OWN))
        opponents = _one_of(OPPONENT, bots.weakest(self.contract), bots.names_for(self.contract))
        seats = _one_of(SEATS, str(self.contract.seats[0]), tuple(map(str, sorted(self.contract.seats))))
        yield Static(id="page-title")
        with VerticalScroll(id="page", can_focus=False):
            yield OptionRow(opponents, OPPONENT)
            if len(seats.values) > 1:
                yield OptionRow(seats, SEATS)
            yield OptionRow(_dealers(self.contract.seats[0]), DEALER)
            for option in info(self.contract.match_options):
                yield OptionRow(option, "match")
            yield OptionRow(presets, PRESET)
            for option in info(self.contract.options):
                row = OptionRow(option, "game")
                row.value = self._own.get(option.name, option.default)
                yield row
        yield Static(id="option-help")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fill in the texts and focus the first row."""
        self.retext()
        self.query(OptionRow).first().focus()

    def retext(self) -> None:
        """Redraw all texts in the current language."""
        name = str(self.book.tables["name"][self.lang])
        self.put("page-title", Text(f"{name} · {self.say('rules.options')}", "bold"))
        for row in self.query(OptionRow):
            row.speak(self._title(row), self._value(row))
        self.show_keys(self.say("options.keys"))
        self._show_help()

    def _title(self, row: OptionRow) -> str:
        own = row.owner in (PRESET, OPPONENT, SEATS, DEALER)
        return self.say(f"options.{row.owner}") if own else str(self.book.tables["options"][row.option.name]["title"][self.lang])

    def _value(self, row: OptionRow) -> str:
        if row.owner == OPPONENT:
            name, level = called(row.value, self.lang), bots.level(row.value, self.contract)
            return self.say("options.level", name=name, n=level, of=len(bots.levels(self.contract))) if level else name
        if row.owner == SEATS:
            return row.value
        if row.owner == DEALER:
            return self._dealer(row.value)
        if row.owner == PRESET:
            return row.value or self.say("options.own")
        return spoken(row.option, row.value, self.book, self.lang)

    def _dealer(self, seat: str) -> str:
        if seat == LOT:
            return self.say("options.lot")
        return called(YOU, self.lang) if seat == "1" else self.say("gather.seat", n=seat)

    def _show_help(self) -> None:
        row = self.focused
        if not isinstance(row, OptionRow):
            return
        help = Text().append(f"× {self._error}\n" if self._error else "", "bold")
        if row.owner == PRESET and row.value:
            help.append(f"{self.book.tables['presets'][row.value][self.lang]}\n")
        if row.owner == OPPONENT and (bot := bots.known(row.value)):
            help.append(f"{bots.temper(bot, self.book)[self.lang]}\n")
        if row.owner in (PRESET, OPPONENT, SEATS, DEALER):
            help.append(self.say(f"options.{row.owner}-help"))
        else:
            help.append(self.book.tables["options"][row.option.name]["help"][self.lang])
        self.put("option-help", Prose(help))

    def on_descendant_focus(self) -> None:
        """Show the help of the focused option."""
        self._show_help()

    @on(OptionRow.Changed)
    def _changed(self, message: OptionRow.Changed) -> None:
        if message.row.owner == PRESET and message.row.value:
            before, self._preset = self.contract.presets[self._preset], message.row.value
            preset = {**self.contract.presets[self._preset], **self._own}
            for row in self.query(OptionRow):
                # A match option that the player has changed stays as it is.
                if row.owner == "game" or (row.owner == "match" and row.value == _usual(before, row.option)):
                    row.value = _usual(preset, row.option)
        elif message.row.owner == "game":
            next(row for row in self.query(OptionRow) if row.owner == PRESET).value = OWN
        elif message.row.owner == SEATS:
            dealer = next(row for row in self.query(OptionRow) if row.owner == DEALER)
            dealer.option = _dealers(int(message.row.value))
            dealer.value = dealer.value if dealer.value in dealer.option.values else LOT
        self._error = ""
        try:
            self.choices().asked(self.contract.id)
        except OptionError as error:
            self._error = str(error)
        self.retext()

    def choices(self) -> Choices:
        """Return the values of all rows."""
        found = Choices(bots.weakest(self.contract), self.contract.seats[0])
        for row in self.query(OptionRow):
            if row.owner == OPPONENT:
                found.opponent = row.value
            elif row.owner == SEATS:
                found.seats = int(row.value)
            elif row.owner == DEALER:
                found.first_dealer = None if row.value == LOT else int(row.value) - 1
            elif row.owner != PRESET:
                (found.game if row.owner == "game" else found.rounds)[row.option.name] = row.value
        return found

    def action_deal(self) -> None:
        """Close the screen with the choices, unless they contradict each other."""
        if not self._error:
            self.dismiss(self.choices())

    def action_back(self) -> None:
        """Close the screen without choices."""
        self.dismiss(None)
