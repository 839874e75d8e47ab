"""The modal windows over a table: the score so far, the sheet of a round or a retry, the result of the match, and the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from mekuri import bots
from mekuri.engine.contract import Text as GameText
from mekuri.engine.errors import MekuriError
from mekuri.match.view import View
from mekuri.terminal.base.play import Play, RoundResult
from mekuri.terminal.base.prose import Prose
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.base.trying import TryPlay
from mekuri.terminal.printed.sheet import sheet_table, signed
from mekuri.terminal.screens.app import Written
from mekuri.terminal.screens.scores import goal_lines, near_lines
from mekuri.terminal.screens.widgets import KeyBar

SEATS_ACROSS = 5
MOST_ACCOUNT, MOST_PLAYER = 16, 9  # most cells of an account's name and of a player's


def _heading(text: str) -> RenderableType:
    return Group(Rule(characters="─", style="dim"), Text(text, "bold"))


def ledger_table(play: Play, translator: Translator) -> RenderableType:
    """Return what each round changed for each seat, and the accounts of the match, in tables of at most `SEATS_ACROSS` seats."""
    seats = range(len(play.seats))
    tables = [_accounts(play, translator, seats[at : at + SEATS_ACROSS]) for at in range(0, len(seats), SEATS_ACROSS)]
    return Group(
        *(Padding(table, (0, 0, 1, 0)) for table in tables),
        *(Text(translator.account({name: value})) for name, value in play.accounts.items()),
    )


def _accounts(play: Play, translator: Translator, seats: Sequence[int]) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    unit = next((name for accounts in play.ledger for name in accounts), None)
    heading = (
        translator.say("result.round")
        if unit is None
        else translator.say("result.round-in", unit=translator.table("accounts", unit))
    )
    table.add_column(heading, max_width=MOST_ACCOUNT)
    for seat in seats:
        table.add_column(translator.player(seat, MOST_PLAYER), justify="right", no_wrap=True)
    for result in play.results:
        table.add_row(str(result.number), *(signed(result.change(seat)) for seat in seats))
    for name in dict.fromkeys(name for accounts in play.ledger for name in accounts):
        sums = (str(play.ledger[seat].get(name, 0)) for seat in seats)
        table.add_row(translator.table("accounts", name), *sums, style="bold")
    return table


def sitting(translator: Translator) -> RenderableType:
    """Return every seat in playing order with its player and, for a bot, the bot's description."""
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column()
    table.add_column(ratio=1)
    for seat in range(len(translator.seats)):
        table.add_row(f"{seat + 1}", Text(translator.player(seat), "bold"), Prose(_described(seat, translator)))
    return table


def _described(seat: int, translator: Translator) -> str:
    """Return a description of a seat's player: that of a bot, or that it is a person."""
    if translator.is_bot(seat):
        known = bots.known(translator.seats[seat])
        return translator.say("sitting.bot", help=bots.temper(known, translator.book)[translator.lang] if known else "")
    return translator.say("sitting.person") if seat in translator.people else ""


class Paper(Written, ModalScreen[None]):
    """Base class of a modal window with a title and text over the table. Enter closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,space,escape,q", "put_away"),
        ("g", "app.language"),
        ("d", "app.dark"),
        ("down,j", "scroll(1)"),
        ("up,k", "scroll(-1)"),
        ("pagedown", "scroll(10)"),
        ("pageup", "scroll(-10)"),
    ]

    def __init__(self, translator: Callable[[], Translator]) -> None:
        super().__init__()
        self._translator = translator  # returns the current texts and names

    @property
    def translator(self) -> Translator:
        """The texts and names of the table."""
        return self._translator()

    def compose(self) -> ComposeResult:
        """Yield the title, the text and the key bar."""
        with Vertical(classes="paper"):
            yield Static(self.heading(), markup=False, classes="heading")
            with VerticalScroll(can_focus=False):
                yield Static(self.content(), classes="text")
            yield KeyBar(self.keys())

    def keys(self) -> str:
        """Return the text of the key bar."""
        return self.translator.say("sheet.back")

    def show_news(self) -> None:
        """Redraw the window: the match may have ended meanwhile, or another player may have a wish."""
        if self.query(KeyBar):
            self.retext()

    def action_put_away(self) -> None:
        """Close the window."""
        self.dismiss()

    def action_scroll(self, by: int) -> None:
        """Scroll by a number of rows, up if it is negative."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)


class ScoreScreen(Paper):
    """The window with the score so far, the goals, the yaku in reach, the players of the seats, and the accounts of the match."""

    def __init__(self, play: Play, view: View, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._play = play
        self._view = view

    def heading(self) -> str:
        """Return the title of the window."""
        return self.translator.say("sheet.so-far")

    def content(self) -> RenderableType:
        """Return the score lines, the goals, the yaku in reach, the seats, and the accounts of the match."""
        parts = [sheet_table(self._view.score, self.translator)]
        if self._view.goals:
            parts += [_heading(self.translator.say("table.goals")), goal_lines(self._view, self.translator), Text()]
        if self._view.you is not None and self._play.contract.yaku:
            parts += [_heading(self.translator.say("table.near")), near_lines(self._view, self.translator), Text()]
        parts += [_heading(self.translator.say("sitting.title")), sitting(self.translator), Text()]
        return Group(*parts, _heading(self.translator.say("sheet.ledger")), ledger_table(self._play, self.translator))


class SheetScreen(Paper):
    """The window with the score sheet of a finished round."""

    BINDINGS: ClassVar[list[BindingType]] = [("e", "leave_off"), ("r", "cite"), ("v", "review")]

    def __init__(
        self,
        play: Play,
        result: RoundResult,
        translator: Callable[[], Translator],
        seconds: float = 0,
        review: Callable[[int], None] | None = None,
    ) -> None:
        """Prepare the window.

        Args:
            play: the match.
            result: the result of the round.
            translator: returns the texts and names of the table.
            seconds: after how many seconds the window closes by itself; 0 for never.
            review: opens the review of a round by its number; None if there is no review.
        """
        super().__init__(translator)
        self._review = review
        self._play = play
        self._result = result
        self._seconds = seconds
        self._cites = False  # whether each line names its clause

    def on_mount(self) -> None:
        """Start the timer that closes the window."""
        if self._seconds:
            self.set_timer(self._seconds, self.action_put_away)

    def heading(self) -> str:
        """Return the number of the round and how it ended."""
        result = self._result
        return f"{self.translator.say('sheet.title', n=result.number)} · {self.translator.table('endings', result.ending)}"

    def content(self) -> RenderableType:
        """Return who won, the score sheet, the accounts of the match, and the next dealer."""
        parts = [self.lines(), _heading(self.translator.say("sheet.ledger")), ledger_table(self._play, self.translator)]
        if self._wish:
            parts = [Text(self._wish, "bold"), Text(), *parts]
        dealer = self._result.next_dealer
        if dealer is not None:
            parts += [Text(), Text(self.translator.say("sheet.next-dealer", name=self.translator.player(dealer)))]
        return Group(*parts)

    def lines(self) -> RenderableType:
        """Return who won, and the score sheet."""
        result = self._result
        sheet = sheet_table(result.lines, self.translator, tuple(map(result.change, range(len(result.returns)))), self._cites)
        return Group(Text(self.translator.text(result.summary), "bold"), Text(), sheet) if result.summary else sheet

    @property
    def _wish(self) -> str:
        """The question of the players who would like to end the match here, or the wish of others to play on; empty for neither."""
        play, translator = self._play, self.translator
        if play.asked_to_stop:
            return translator.say("sheet.stop", name=translator.players(play.stopping))
        return translator.text(GameText("table.plays-on", {"name": translator.players(play.playing_on)})) if play.playing_on else ""

    def keys(self) -> str:
        """Return the text of the key bar, for the next round or the result of the match."""
        play = self._play
        if play.over:
            keys = self.translator.say("sheet.result")
        elif play.asked_to_stop:
            keys = self.translator.say("sheet.stop-keys")
        else:
            keys = self.translator.say(
                "sheet.next" if play.you is None else "sheet.next-only" if play.playing_on else "sheet.next-or-end"
            )
        return f"{keys}  {self.translator.say('sheet.review')}" if self._review and self._play.you is not None else keys

    def action_review(self) -> None:
        """Open the review of the round."""
        if self._review:
            self._review(self._result.number)

    def action_cite(self) -> None:
        """Show or hide the clauses of the lines."""
        self._cites = not self._cites
        self.retext()

    def action_leave_off(self) -> None:
        """Ask for this round to be the last of the match, or agree to that, and close the window."""
        play = self._play
        if play.you is not None and not play.over and (play.asked_to_stop or not play.playing_on):
            play.enough = True
            self.dismiss()

    def action_put_away(self) -> None:
        """Close the window. If other players ask to end the match, this answers that the player would play on."""
        self._play.enough = False if self._play.asked_to_stop else None
        self.dismiss()


class ResultScreen(Paper):
    """The window with the result of the match, and the player who wants to play again.

    Attributes:
        next: the match that the player goes on to; None if the player leaves.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("p", "play_again")]

    def __init__(self, play: Play, translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self.next: Play | None = None
        self._play = play
        self._trouble = ""  # why the next match could not be started
        self._going = False

    def heading(self) -> str:
        """Return the title of the window."""
        return f"{self.translator.game()} · {self.translator.say('result.title')}"

    def content(self) -> RenderableType:
        """Return the winner, and the accounts after every round."""
        lines = [Text(self.translator.text(self._play.outcome), "bold")]
        wishes = self._play.wishes
        if wishes is not None and wishes != self._play.you:
            lines.append(Text(self.translator.say("result.would-play", name=self.translator.player(wishes))))
        if self._trouble:
            lines.append(Text(f"× {self._trouble}", "bold"))
        return Group(*lines, Text(), ledger_table(self._play, self.translator))

    def keys(self) -> str:
        """Return the text of the key bar: to play again, if that is possible, or to leave."""
        return self.translator.say("result.keys-again" if self._play.can_go_on else "result.keys")

    def action_play_again(self) -> None:
        """Start the next match with the same players."""
        if self._play.can_go_on and not self._going:
            self._going = True
            self.run_worker(self._go_on())

    async def _go_on(self) -> None:
        try:
            self.next = await self._play.play_again()
        except MekuriError as error:
            self._going, self._trouble = False, str(error)
            self.retext()
        else:
            self.dismiss()


class LogScreen(Paper):
    """The window with all events of the round."""

    BINDINGS: ClassVar[list[BindingType]] = [("l", "put_away")]

    def __init__(self, log: Sequence[GameText], translator: Callable[[], Translator]) -> None:
        super().__init__(translator)
        self._log = log

    def on_mount(self) -> None:
        """Scroll to the end."""
        self.call_after_refresh(self.query_one(VerticalScroll).scroll_end, animate=False)

    def heading(self) -> str:
        """Return the title of the window."""
        return self.translator.say("table.log")

    def content(self) -> RenderableType:
        """Return one line for each event."""
        return Group(*(Prose(f"· {self.translator.text(text)}", hang=2) for text in self._log))


class TrySheet(SheetScreen):
    """The window with the score sheet of a retry.

    Attributes:
        again: whether the player wants another retry from the same decision.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("t", "once_more")]
    again = False

    def content(self) -> RenderableType:
        """Return what the retry and the round changed for the seat, and the score sheet of the retry."""
        assert isinstance(self._play, TryPlay)
        now, then = self._result.change(self._play.tried.seat), self._play.result
        return Group(Text(self.translator.say("try.brought", now=signed(now), then=signed(then)), "bold"), Text(), self.lines())

    def keys(self) -> str:
        """Return the text of the key bar: back to the review, or retry again."""
        return self.translator.say("try.keys")

    def action_once_more(self) -> None:
        """Close the window and retry from the same decision."""
        self.again = True
        self.action_put_away()
