"""The choice of a game's options, of the match's, and of the opponent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from mekuri import bots
from mekuri.engine.contract import Contract
from mekuri.engine.errors import OptionError
from mekuri.engine.options import OptionInfo, info, value_text
from mekuri.engine.rulebook import rulebook
from mekuri.match.game import make_game
from mekuri.table.table import Table
from mekuri.terminal.app import Page
from mekuri.terminal.keybar import KeyBar
from mekuri.terminal.local import seats_of, solo_table
from mekuri.terminal.prose import Prose
from mekuri.terminal.rules import value_text as spoken
from mekuri.terminal.texts import called
from mekuri.terminal.translate import YOU

PRESET, OPPONENT, SEATS, DEALER = "preset", "opponent", "seats", "dealer"
LOT = "lot"  # drawn for the first dealer
OWN = ""  # the preset of one's own choices


def _usual(preset: Mapping[str, object], option: OptionInfo) -> str:
    """The value that an option has with a preset."""
    return value_text(preset.get(option.name, option.default))


@dataclass
class Choices:
    """What has been chosen: the opponent, how many play, and values of the game's and of the match's options, as text.

    `first_dealer` is a seat; None for a lot.
    """

    opponent: str
    seats: int
    first_dealer: int | None = None
    game: dict[str, str] = field(default_factory=dict)
    rounds: dict[str, str] = field(default_factory=dict)

    def table(self, name: str) -> Table:
        """The table that follows, with the person in the first seat. Raises OptionError where the choices make no sense."""
        game = make_game(name, "default", self.seats, self.game)
        return solo_table(game, seats_of(game, self.opponent), self.rounds, first_dealer=self.first_dealer)


class OptionRow(Static, can_focus=True):
    """An option and its value. Arrows change the value, of a number to what is offered; any number may be typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("backspace", "rub_out", show=False),
    ]

    class Changed(Message):
        """It has another value."""

        def __init__(self, row: OptionRow) -> None:
            super().__init__()
            self.row = row

    def __init__(self, option: OptionInfo, owner: str) -> None:
        super().__init__(classes="option")
        self.option = option
        self.owner = owner
        self.value = option.default

    def speak(self, title: str, value: str) -> None:
        """Show title and value, and that it can be changed."""
        named = self.value in (*self.option.values, *self.option.offered)
        told = Text(f"{title}  ").append(f"‹ {value} ›" if named else f"[ {value} ]", "bold")
        self.update(Prose(told, hang=2))

    def put(self, value: str) -> None:
        """Another value."""
        if value != self.value:
            self.value = value
            self.post_message(self.Changed(self))

    def action_turn(self, by: int) -> None:
        """The next value, or the next number."""
        values = self.option.values or self.option.offered
        if values:
            at = values.index(self.value) if self.value in values else 0
            self.put(values[(at + by) % len(values)])
        elif self.option.most and self.value.isdigit():
            self.put(str(max(self.option.least, min(int(self.value) + by, self.option.most))))

    def action_rub_out(self) -> None:
        """Take back the last character of a number, or a word whole."""
        if not self.option.values:
            self.put("" if self._is_word else self.value[:-1])

    def on_key(self, event: events.Key) -> None:
        """Type a number, or a row of numbers."""
        if not self.option.values and event.character and event.character in "0123456789,-":
            event.stop()
            self.put(event.character if self._is_word else self.value + event.character)

    @property
    def _is_word(self) -> bool:
        """Whether a word stands in place of a number."""
        return self.value in self.option.older.values()

    def on_click(self, event: events.Click) -> None:
        """A click turns to the next value."""
        self.action_turn(1)


def _dealers(seats: int) -> OptionInfo:
    """Who may deal first: seats are counted from 1, and the first is one's own."""
    return OptionInfo(DEALER, LOT, (LOT, *(str(seat + 1) for seat in range(seats))), 0, 0)


class OptionsScreen(Page[Choices | None]):
    """Every option of a game, with what it changes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "deal", show=False),
        Binding("escape,q", "back", show=False),
    ]

    def __init__(self, contract: Contract) -> None:
        super().__init__()
        self.contract = contract
        self.book = rulebook(contract)
        self._error = ""
        self._preset = next(iter(contract.presets))  # that was chosen last

    def compose(self) -> ComposeResult:
        """The options, the help of the one where one stands, the keys."""
        presets = OptionInfo(PRESET, next(iter(self.contract.presets)), (*self.contract.presets, OWN), 0, 0)
        opponents = OptionInfo(OPPONENT, bots.usual(self.contract), bots.names_for(self.contract), 0, 0)
        seats = OptionInfo(SEATS, str(self.contract.seats[0]), tuple(map(str, sorted(self.contract.seats))), 0, 0)
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
                yield OptionRow(option, "game")
        yield Static(id="option-help")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Stand at the first."""
        self.retext()
        self.query(OptionRow).first().focus()

    def retext(self) -> None:
        """In the language spoken."""
        name = str(self.book.tables["name"][self.lang])
        self.query_one("#page-title", Static).update(Text(f"{name} · {self.say('rules.options')}", "bold"))
        for row in self.query(OptionRow):
            row.speak(self._title(row), self._value(row))
        self.query_one("#keys", KeyBar).show(self.say("options.keys"))
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
        told = Text().append(f"× {self._error}\n" if self._error else "", "bold")
        if row.owner == PRESET and row.value:
            told.append(f"{self.book.tables['presets'][row.value][self.lang]}\n")
        if row.owner == OPPONENT:
            told.append("".join(f"{bot.help[self.lang]}\n" for bot in bots.about(self.contract) if bot.id == row.value))
        if row.owner in (PRESET, OPPONENT, SEATS, DEALER):
            told.append(self.say(f"options.{row.owner}-help"))
        else:
            told.append(self.book.tables["options"][row.option.name]["help"][self.lang])
        self.query_one("#option-help", Static).update(Prose(told))

    def on_descendant_focus(self) -> None:
        """Show the help of the option."""
        self._show_help()

    @on(OptionRow.Changed)
    def _changed(self, message: OptionRow.Changed) -> None:
        if message.row.owner == PRESET and message.row.value:
            before, self._preset = self.contract.presets[self._preset], message.row.value
            preset = self.contract.presets[self._preset]
            for row in self.query(OptionRow):
                # What somebody has chosen for the match stays.
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
            self.choices().table(self.contract.id)
        except OptionError as error:
            self._error = str(error)
        self.retext()

    def choices(self) -> Choices:
        """What stands in the rows."""
        found = Choices(bots.usual(self.contract), self.contract.seats[0])
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
        """Play with these, if they make sense."""
        if not self._error:
            self.dismiss(self.choices())

    def action_back(self) -> None:
        """Leave things as they are."""
        self.dismiss(None)
