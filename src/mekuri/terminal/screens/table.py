"""The screen of a table: the board with its prompt, its scores and its log, and the keys to play with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from string import ascii_lowercase
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.visual import VisualType
from textual.widgets import Static

from mekuri.cards import card_text
from mekuri.engine.contract import DRIVER
from mekuri.engine.contract import Text as GameText
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Lang
from mekuri.match.view import Happening, View
from mekuri.protocol.texts import all_texts
from mekuri.terminal.base.cards import Face
from mekuri.terminal.base.play import Play, Refusal, RoundResult
from mekuri.terminal.base.prose import broken
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.base.trying import TryPlay
from mekuri.terminal.screens import render, scores
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.ask import YES_OR_NO, AskScreen
from mekuri.terminal.screens.board import Board
from mekuri.terminal.screens.coach import Coached
from mekuri.terminal.screens.help import HelpScreen
from mekuri.terminal.screens.review import ReviewScreen
from mekuri.terminal.screens.rules import RulesScreen
from mekuri.terminal.screens.sheet import LogScreen, ResultScreen, ScoreScreen, SheetScreen, TrySheet
from mekuri.terminal.screens.widgets import KeyBar, LogView
from mekuri.terminal.screens.yaku import YakuScreen
from mekuri.terminal.screens.zone import CardZone, WordZone

HUSH = "hush"  # the answer that switches the messages of other players off or on
WIDE = 104  # columns from which the scores, the yaku in reach and the log are shown beside the board
LEAST_PROMPT, ROOMY_PROMPT = 2, 4  # least rows of the prompt, and with the last move above it; as in style.tcss
MOST_PROMPT = 6  # most rows of it, likewise
ROOMY, FEW = 24, 4  # least rows of the screen, and most seats, with which the last move is shown above the prompt
MOVE = 3  # most events of the last move shown there, such as a card played, a card drawn, and a choice


def table_app(play: Play, lang: Lang = "en", names: str = "") -> MekuriApp:
    """Return the application with the screen of a table as its first screen.

    Args:
        play: the match. For a spectator it is shown without anything to choose.
        lang: the first language.
        names: the set of card names; empty for plain names.
    """
    return MekuriApp(lang, lambda: TableScreen(play, names), play.pace)


def _cut(text: Text, most: int) -> Text:
    """Return at most `most` first rows of a text, with an ellipsis if more were cut. Each ends with a line break."""
    rows = list(text.split("\n", allow_blank=True))
    if len(rows) > most > 0:
        rows[most - 1].right_crop(1)
        rows[most - 1].append("…")
    return Text("\n").join([*rows[: max(most, 0)], Text()])


class TableScreen(Coached):
    """The screen on which a match is played or watched. It shows views and offers their actions. It knows no rules.

    Attributes:
        play: the match.
        names: the set of card names; empty for plain names.
        view: the view that is shown; None before the first.
        board: the zones of all seats.
        move: the texts of the last move's events, at most `MOVE` of them.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *((key, f"pick({i})") for i, key in enumerate(render.DIGITS)),
        ("question_mark,h,f1", "help"),
        ("r", "rules"),
        ("l", "log"),
        ("s", "score"),
        ("y", "yaku"),
        ("n", "names"),
        ("t", "talk"),
        ("b", "settle"),
        ("q,escape,ctrl+c", "leave"),
        ("enter,space", "hurry"),
        # Before the list of words, which needs no paging, takes them.
        Binding("pageup", "page(-1)", priority=True),
        Binding("pagedown", "page(1)", priority=True),
    ]

    def __init__(self, play: Play, names: str = "") -> None:
        super().__init__()
        self.play = play
        self.names = names  # the set of card names; empty for plain names
        self.view: View | None = None
        self._sides: tuple[int, ...] = ()  # those of the last view
        self.board = Board(play.you or 0, play.you is not None, id="board")
        self._log: list[GameText] = []
        self._before: View | None = None  # the view before the player's last action: cards that have moved since are marked
        self._face: Face | None = None  # the card or word that the cursor or the mouse points at
        self.move: list[GameText] = []
        self._mover: int | None = None  # the seat that made the last move
        self._accounts: list[str] = []  # each seat's accounts beside the names; empty if the title has them all
        self._refusal: Refusal | None = None
        self._notice = ""
        self._drawn: dict[str, object] = {}  # the values from which each text around the board was made

    def compose(self) -> ComposeResult:
        """Yield the title; the board with words, scores and prompt; the side with scores and log; the key bar."""
        with Horizontal(id="title"):
            yield Static(id="title-left")
            yield Static(id="title-right")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="gathering")
                yield self.board
                with VerticalScroll(id="choices", can_focus=False):
                    yield WordZone(id="words")
                yield Static(id="standing")
                yield Static(id="prompt")
            with Vertical(id="side"):
                yield Static(id="score")
                yield Static(id="near")
                yield Static(id="log-title")
                yield LogView(id="log")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Start the match."""
        self.run_worker(self.play.run(self), exclusive=True)
        self.set_interval(0.5, self._count_down)

    @property
    def translator(self) -> Translator:
        """The texts and names of this table, in the current language."""
        return Translator(self.play.book, self.lang, self.play.seats, self.names, self.play.people, sides=self._sides)

    # --- the stage of the play ---

    def begin_round(self) -> None:
        """Prepare the board for a new round and empty the log, except for lines from before the first round."""
        if self.view:
            self._log = []
        self.view = self._before = self._face = self._mover = None
        self.move = []
        self.board.start_round()

    def show_events(self, events: Sequence[Happening], view: View) -> None:
        """Show the next events and the view after the last, and focus a zone with something to choose."""
        self._log += [event.text for event in events]
        for event in events:
            self._note_move(event)
        mine = any(event.seat == self.play.you for event in events)
        if self.play.you is None or self._before is None or mine:
            self._before = self.view
        if self.view is None or view.legal != self.view.legal:
            self._face = None
        self.view, self._sides, self._refusal, self._notice = view, view.sides, None, ""
        self._draw()
        if view.legal:
            self.call_after_refresh(self._offer)

    def _note_move(self, event: Happening) -> None:
        """Keep an event of the last move. Events of the driver, such as drawing a card, belong to the move before them."""
        if event.seat not in (self._mover, DRIVER):
            self._mover, self.move = event.seat, []
        self.move = [*self.move, event.text][-MOVE:]

    @property
    def _roomy(self) -> bool:
        """Whether the last move is shown above the prompt. Then it need not be shown in the log below as well."""
        return self.size.height >= ROOMY and len(self.play.seats) <= FEW

    def note(self, text: GameText) -> None:
        """Add a line to the log for something that has not changed the cards."""
        self._log.append(text)
        self._draw()

    def show_news(self) -> None:
        """Redraw the screen and a window over it with the state of the match."""
        self._draw()
        if isinstance(self.mekuri.screen, SheetScreen | ResultScreen):
            self.mekuri.screen.show_news()

    async def end_round(self, result: RoundResult) -> None:
        """Show the score sheet until it is closed.

        For a spectator it closes by itself after ten times the pace, and is not shown at all if the pace is 0.
        """
        if isinstance(self.play, TryPlay):
            await self._end_try(self.play, result)
        elif self.play.you is not None or self.play.pace > 0:
            seconds = self.play.pace * 10 if self.play.you is None else 0
            await self.mekuri.push_screen_wait(SheetScreen(self.play, result, lambda: self.translator, seconds, self._review))

    async def _end_try(self, play: TryPlay, result: RoundResult) -> None:
        """Show the result of a retry, then return to the review, or start the retry again."""
        screen = TrySheet(play, result, lambda: self.translator)
        await self.mekuri.push_screen_wait(screen)
        self._go_on(play.afresh() if screen.again else None)

    async def end_match(self) -> None:
        """Show the result of the match, then leave the table, or open the next match with the same players."""
        screen = ResultScreen(self.play, lambda: self.translator)
        await self.mekuri.push_screen_wait(screen)
        self._go_on(screen.next)

    def _go_on(self, play: Play | None) -> None:
        """Open the next match, or leave the table if there is none."""
        if play:
            self.mekuri.switch_screen(self.another(play))
        else:
            self.leave()

    def _review(self, number: int) -> None:
        """Open the review of a finished round, by its number."""
        finished = self.play.finished(number)
        if finished:
            self.mekuri.push_screen(ReviewScreen(finished, lambda: self.translator, self.another))

    def another(self, play: Play) -> TableScreen:
        """Return a screen for another match, with the same set of card names."""
        return TableScreen(play, self.names)

    def break_off(self, reason: str) -> None:
        """Close the application and keep the reason, for the command to print."""
        self.mekuri.failure = reason
        self.mekuri.exit()

    def _offer(self) -> None:
        """Focus a zone with something to choose, unless the player is reading the log."""
        if not self.display:
            return  # the screen is being closed
        zone = self.board.offered() or self.query_one("#words", WordZone)
        if zone.faces and not isinstance(self.focused, LogView) and self.view and self.view.legal:
            if not (zone.face and zone.face.legal):
                zone.cursor = next(i for i, face in enumerate(zone.faces) if face.legal)
            zone.focus()
            zone.point_at(zone.cursor)

    # --- drawing ---

    def retext(self) -> None:
        """Redraw all texts, after a change of the language or of the card names."""
        self._draw()

    def on_resize(self) -> None:
        """Set the classes `wide` and `roomy` for the new size, and redraw."""
        self.set_class(self.size.width >= WIDE, "wide")
        self.set_class(self._roomy, "roomy")
        self.query_one("#log", LogView).can_focus = self.size.width >= WIDE
        self._draw()

    def _draw(self) -> None:
        view, translator, play = self.view, self.translator, self.play
        if not self.display or not self.query("#gathering"):
            return  # the screen is being closed while events still arrive: some of its parts may be gone, and others not yet
        gathering = self.query_one("#gathering", Static)
        gathering.display = view is None and bool(play.link)
        self.board.display = not gathering.display
        keys = "gather.keys" if gathering.display else "table.keys" if play.you is not None else "table.watch-keys"
        yaku = f"  {self.say('table.yaku-key')}" if view and play.book.yaku else ""
        self.show_keys(self.say(keys) + yaku)
        if view is None and not gathering.display:
            return
        with self.app.batch_update():
            self._draw_title(view, translator)
            wide = self.has_class("wide")
            if wide:
                self._put("log-title", self.lang, lambda: render.titled(self.say("table.log")))
            if wide or not self._roomy:
                self.query_one("#log", LogView).show([translator.text(text) for text in self._log])
            if view is None:
                gathering.update(render.gathering(play, translator))
                return
            self._draw_cards(view, translator)
            if wide:
                self._draw_side(view, translator)
            line = "" if wide else scores.score_line(view, translator, self.size.width)
            self._put("standing", line, lambda: Text(line, no_wrap=True), layout=False)
            self.query_one("#standing", Static).display = bool(line)
        self.call_after_refresh(self.board.fit)

    def _put(self, id: str, of: object, content: Callable[[], VisualType], layout: bool = True) -> None:
        """Set the text with an id, unless it was made of equal values before: the layout of the screen takes long."""
        if id not in self._drawn or self._drawn[id] != of:
            self._drawn[id] = of
            self.query_one(f"#{id}", Static).update(content(), layout=layout)

    def _draw_side(self, view: View, translator: Translator) -> None:
        """Draw the score and the goals beside the board."""

        def near() -> VisualType:
            if view.goals:
                return render.titled(self.say("table.goals"), scores.goal_lines(view, translator, brief=True))
            return render.titled(self.say("table.near"), scores.near_lines(view, translator, 8))

        def score() -> VisualType:
            return render.titled(self.say("table.score"), scores.score_lines(view, translator))

        self._put("score", (view.score, view.scores, translator), score)
        self._put("near", (view.goals, view.near, view.you, translator), near)
        self.set_class(not view.score and not any(view.scores), "no-score")
        self.set_class(not view.goals and (view.you is None or not self.play.contract.yaku), "no-near")

    def _draw_title(self, view: View | None, translator: Translator) -> None:
        """Draw the title with the accounts: every seat's or the player's own, for which the game's name and round may be cut."""
        left, room = render.title(self.play, view, translator), self.size.width - 2
        least = self.size.width // 3  # cells kept for the accounts
        right, every = render.title_accounts(self.play, translator, max(room - left.cell_len - 3, least)) if view else ("", False)
        left.truncate(room - cell_len(right) - 3 if right else room, overflow="ellipsis")
        self._accounts = [] if every else render.stakes(self.play.ledger)
        self._put("title-left", (left.plain, left.spans), lambda: left, layout=False)
        self._put("title-right", right, lambda: right)

    def _draw_cards(self, view: View, translator: Translator) -> None:
        """Draw the cards, with the effect of the card pointed at."""
        _, feet = render.preview(view, self._action(self._face), translator)
        self.board.show(view, translator, feet, render.moved(self._before, view), self._accounts)
        words = self.query_one("#words", WordZone)
        words.show(render.word_faces(view, translator), "  ")
        words.display = bool(words.faces)
        self._draw_prompt(view, translator)

    def _draw_prompt(self, view: View, translator: Translator) -> None:
        prompt = self.query_one("#prompt", Static)
        text = self._prompt(view, translator, prompt.size.width or self.size.width)  # its width is 0 before its first layout
        rows = max(text.plain.count("\n") + 1, ROOMY_PROMPT if self._roomy else LEAST_PROMPT)
        self._put("prompt", (text.plain, text.spans), lambda: text, layout=rows != prompt.size.height)

    def _prompt(self, view: View, translator: Translator, width: int) -> Text:
        """Return the prompt and a line about the card pointed at, or why an action was refused."""
        if self._refusal:
            return broken(render.refusal(self._refusal, translator), width, hang=4)
        asked = _cut(broken(render.prompt(view, translator, self.play), width, hang=2), MOST_PROMPT - 1)
        if self.move and self._roomy:
            last = broken(Text(f"  {' '.join(map(translator.text, self.move))}"), width, hang=2)
            asked = _cut(last, MOST_PROMPT - 1 - asked.plain.count("\n")).append_text(asked)
        if self._notice or self._face is None:
            return asked.append_text(broken(Text(f"  {self._notice}"), width, hang=2))
        return asked.append_text(broken(render.detail(self._face, view, self._action(self._face), translator), width, hang=2))

    def _count_down(self) -> None:
        """Redraw the seconds that are left while a window is open."""
        if self.view and self.play.seconds_left is not None:
            self._draw_prompt(self.view, self.translator)

    # --- what the player does ---

    def _action(self, face: Face | None) -> str:
        """Return the notation of the action that choosing a face sends; empty if it sends none."""
        if face is None:
            return ""
        action = face.name if face.card is None else card_text(face.card)
        # With several packs a legal card may also be in another zone, where it does nothing.
        return "" if not face.legal and (face.card is None or self._may(action)) else action

    def _may(self, action: str) -> bool:
        return self.view is not None and any(choice.action == action for choice in self.view.legal)

    @on(CardZone.Pointed)
    def _point_at(self, message: CardZone.Pointed) -> None:
        """Show the card pointed at, and which cards it would capture."""
        face = message.face
        if face is None and isinstance(self.focused, CardZone):
            face = self.focused.face
        if self.view and face != self._face:
            self._face, self._refusal, self._notice = face, None, ""
            with self.app.batch_update():
                self._draw_cards(self.view, self.translator)

    @on(CardZone.Chosen)
    def _choose(self, message: CardZone.Chosen) -> None:
        """Play the action of the chosen card or word."""
        action = self._action(message.face)
        if self.play.you is None or not action or not self.view:
            self.play.hurry()
            return
        self.run_worker(self._act(action, message.face), group="act")

    async def _act(self, action: str, face: Face) -> None:
        """Play an action, and show why if it is refused."""
        refusal = await self.play.choose(action)
        if refusal:
            self._refusal, self._face = refusal, face
            self._draw()

    def action_hurry(self) -> None:
        """Show the remaining events without pauses."""
        self.play.hurry()

    def action_pick(self, index: int) -> None:
        """Point at the card of the hand, or the word, with this index from 0; before a match, ask whether to free the seat."""
        if self.view is None:
            self._ask_to_free(index)
            return
        words = self.query_one("#words", WordZone)
        zone = words if words.faces and words.faces[0].key else self.board.hand()
        if zone and index < len(zone.faces):
            zone.focus()
            zone.point_at(index)

    def _do(self, work: Awaitable[None]) -> None:
        """Send a request in the background, and show why if it fails."""

        async def run() -> None:
            try:
                await work
            except MekuriError as error:
                self.notify(str(error))

        self.run_worker(run(), group="act")

    def _ask_to_free(self, seat: int) -> None:
        """Ask whether to free a seat, then free it."""
        if not self.play.frees(seat):
            return

        def answered(keep_out: bool | None) -> None:
            if keep_out is not None:
                self._do(self.play.free(seat, keep_out))

        asked = self.say("gather.free-asked", name=self.translator.player(seat))
        answers = {"enter": False, "k": True, "escape": None, "n": None, "q": None}
        self.mekuri.push_screen(AskScreen(asked, self.say("gather.free-keys"), answers), answered)

    def action_names(self) -> None:
        """Switch to the game's next set of card names."""
        book = self.play.book
        sets = ["", *book.names] if book.tables["names"][book.names[0]]["plain"] else list(book.names)
        self.names = sets[(sets.index(self.names or sets[0]) + 1) % len(sets)]
        title = book.tables["names"][self.names]["title"][self.lang] if self.names else self.say("table.names-plain")
        self._notice, self._refusal = self.say("table.names", title=title), None
        self._draw()

    def notice(self, message: str) -> None:
        """Show a message below the prompt until the next event or message."""
        self._notice, self._refusal = message, None
        self._draw()

    def action_talk(self) -> None:
        """Say something to the other people, or switch their messages off or on."""
        if not self.play.talks:
            return

        def answered(said: str | None) -> None:
            if said == HUSH:
                self.play.hears = not self.play.hears
                self.notify(self.say("talk.heard" if self.play.hears else "talk.unheard"))
            elif said:
                self._do(self.play.say(said))

        texts = all_texts()
        messages = [(f"{kind}.{key}", words[self.lang]) for kind in ("stamps", "phrases") for key, words in texts[kind].items()]
        keyed = list(zip(ascii_lowercase, messages, strict=False))
        lines = "\n".join(f"{key}  {text}" for key, (_, text) in keyed)
        answers = {**{key: id for key, (id, _) in keyed}, "exclamation_mark": HUSH, "escape": None}
        self.mekuri.push_screen(AskScreen(lines, self.say("talk.keys"), answers), answered)

    def action_settle(self) -> None:
        """Ask how to go on without players who do not act, or take the player's own seat back from a bot."""

        play = self.play

        def answered(bot: bool | None) -> None:
            if bot is not None:
                self._do(play.settle(end=not bot))

        if play.replaced:
            self._do(play.return_to_seat())
        elif play.you in play.stopping and not play.slow:
            self._do(play.play_on())
        elif play.slow:
            asked = self.say("slow.asked", name=", ".join(map(self.translator.player, play.slow)))
            answers = {"enter": True, "e": False, "escape": None, "n": None, "q": None}
            self.mekuri.push_screen(AskScreen(asked, self.say("slow.keys"), answers), answered)

    def action_log(self) -> None:
        """Focus the log, or the board again; on a narrow screen, open the log as a window."""
        log = self.query_one("#log", LogView)
        if not self.has_class("wide"):
            self.mekuri.push_screen(LogScreen(self._log, lambda: self.translator))
        elif self.focused is log:
            self.set_focus(None)
            self._offer()
        else:
            log.focus()

    def action_page(self, by: int) -> None:
        """Scroll the board, or the focused log, a page up (-1) or down (1)."""
        scrolled = self.focused if isinstance(self.focused, LogView) else self.board
        scrolled.scroll_relative(y=by * scrolled.size.height, animate=False)

    def action_help(self) -> None:
        """Open the help."""
        self.mekuri.push_screen(HelpScreen())

    def action_rules(self) -> None:
        """Open the rule book, at the clause of the last refusal if there is one."""
        self.mekuri.push_screen(RulesScreen(self.play.contract, self._refusal.clause if self._refusal else "", self.names))

    def action_score(self) -> None:
        """Open the score so far, as this viewer sees it."""
        if self.view:
            self.mekuri.push_screen(ScoreScreen(self.play, self.view, lambda: self.translator))

    def action_yaku(self) -> None:
        """Open the list of the yaku of this table."""
        if self.view and self.play.book.yaku:
            self.run_worker(self._show_yaku(self.view), group="act")

    async def _show_yaku(self, view: View) -> None:
        worths = await self._fetched(self.play.worths())
        if worths is not None:
            self.mekuri.push_screen(YakuScreen(view, worths, lambda: self.translator))

    def action_leave(self) -> None:
        """Ask whether to leave the table, then leave. From the log, return to the board."""
        if isinstance(self.focused, LogView):
            self.action_log()
        else:
            self.mekuri.push_screen(AskScreen(self.say(self.play.leaving), self.say("quit.keys"), YES_OR_NO), self._answer)

    def _answer(self, leave: bool | None) -> None:
        if leave:
            self.run_worker(self._leave(), group="act")

    async def _leave(self) -> None:
        await self.play.leave()
        self.leave()

    def leave(self) -> None:
        """Return to the screen from which the table was opened, or close the application."""
        self.workers.cancel_node(self)
        while self.mekuri.screen is not self:
            self.mekuri.pop_screen()
        if self.mekuri.screen_stack[1] is self:
            self.mekuri.exit()
        else:
            self.dismiss()
