"""The table, with its prompt, its score and its log. It shows views, offers the choices they hold, and says why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from mekuri.cards import card_text
from mekuri.engine.contract import DRIVER
from mekuri.engine.contract import Text as GameText
from mekuri.engine.errors import MekuriError
from mekuri.match.view import Event, View
from mekuri.protocol.texts import all_texts
from mekuri.terminal import render, scores
from mekuri.terminal.app import MekuriApp
from mekuri.terminal.ask import AskScreen, FreeScreen, SayScreen
from mekuri.terminal.board import Board
from mekuri.terminal.cards import Face
from mekuri.terminal.ended import Ended
from mekuri.terminal.help import HelpScreen
from mekuri.terminal.keybar import KeyBar
from mekuri.terminal.log import LogView
from mekuri.terminal.play import Play, Refusal
from mekuri.terminal.prose import broken
from mekuri.terminal.rulescreen import RulesScreen
from mekuri.terminal.sheet import LogScreen, ResultScreen, ScoreScreen, SheetScreen
from mekuri.terminal.texts import Lang
from mekuri.terminal.translate import Translator
from mekuri.terminal.yaku import YakuScreen
from mekuri.terminal.zone import CardZone, WordZone

WIDE = 104  # columns from which the score, the yaku in reach and the log stand beside the table
LEAST_PROMPT = 2  # rows
ROOMY, FEW = 24, 4  # rows of a screen, and seats, with which the last move stands beside the question
MOVE = 3  # things of one move that are told there, such as a card laid, one turned up, and a choice


def table_app(play: Play, lang: Lang = "en", names: str = "") -> MekuriApp:
    """A table for a match, wherever it is played, and for those that follow it.

    Args:
        play: the match. Where nobody is `you` the table plays by itself.
        lang: the language to begin with.
        names: the set of card names, among the game's; its first if empty.
    """
    return MekuriApp(lang, lambda: TableScreen(play, names), play.pace)


class TableScreen(Ended):
    """A table, and the match being played on it.

    Attributes:
        move: what whoever moved last has done, thing by thing.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"pick({i})", show=False) for i, key in enumerate(render.DIGITS)),
        Binding("question_mark,h,f1", "help", show=False),
        Binding("r", "rules", show=False),
        Binding("l", "log", show=False),
        Binding("s", "score", show=False),
        Binding("y", "yaku", show=False),
        Binding("n", "names", show=False),
        Binding("t", "talk", show=False),
        Binding("q,escape,ctrl+c", "leave", show=False),
        Binding("enter,space", "hurry", show=False),
    ]

    def __init__(self, play: Play, names: str = "") -> None:
        super().__init__()
        self.play = play
        self.names = names  # the set of card names; the game's first if empty
        self.view: View | None = None
        self.cloth = Board(play.you or 0, play.you is not None, id="cloth")
        self._log: list[GameText] = []
        self._before: View | None = None  # the table before the person last acted: what has moved since is marked
        self._face: Face | None = None  # what the cursor or the mouse points at
        self.move: list[GameText] = []
        self._mover: int | None = None  # whose that was
        self._accounts: list[str] = []  # each seat's, which stand beside the names; none where the title has all
        self._refusal: Refusal | None = None
        self._notice = ""

    def compose(self) -> ComposeResult:
        """The title; the table with its prompt; the side with score and log; the keys."""
        with Horizontal(id="title"):
            yield Static(id="title-left")
            yield Static(id="title-right")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="gathering")
                yield self.cloth
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
        """Sit down."""
        self.run_worker(self.play.run(self), exclusive=True)
        self.set_interval(0.5, self._count_down)

    @property
    def translator(self) -> Translator:
        """How this table is spoken of."""
        return Translator(self.play.book, self.lang, self.play.seats, self.names, self.play.people)

    # --- the stage of the play ---

    def begin_round(self) -> None:
        """A new deal: cards as large as there is room for, and an empty log, but for what was told before the first."""
        if self.view:
            self._log = []
        self.view = self._before = self._face = self._mover = None
        self.move = []
        self.cloth.start_round()

    def show_events(self, events: Sequence[Event], view: View) -> None:
        """Show what has happened next, and the table as it then stood."""
        self._log += [event.text for event in events]
        for event in events:
            self._note_move(event)
        mine = any(event.seat == self.play.you for event in events)
        if self.play.you is None or self._before is None or mine:
            self._before = self.view
        if self.view is None or view.legal != self.view.legal:
            self._face = None
        self.view, self._refusal, self._notice = view, None, ""
        self._draw()
        if view.legal:
            self.call_after_refresh(self._offer)

    def _note_move(self, event: Event) -> None:
        """Keep what whoever moved last has done, with what the driver has done after it, such as a card that is turned up."""
        if event.seat not in (self._mover, DRIVER):
            self._mover, self.move = event.seat, []
        self.move = [*self.move, event.text][-MOVE:]

    @property
    def _roomy(self) -> bool:
        """Whether the last move stands beside the question, and need not stand in the log below it as well."""
        return self.size.height >= ROOMY and len(self.play.seats) <= FEW

    def note(self, text: GameText) -> None:
        """Note in the log something that has not changed the table."""
        self._log.append(text)
        self._draw()

    def show_news(self) -> None:
        """Show again what stands around the cards."""
        self._draw()
        if isinstance(self.mekuri.screen, SheetScreen | ResultScreen):
            self.mekuri.screen.show_news()

    def another(self, play: Play) -> TableScreen:
        """A table for another match, with the same names of the cards."""
        return TableScreen(play, self.names)

    def break_off(self, reason: str) -> None:
        """End, and leave the reason to whoever has started the table."""
        self.mekuri.failure = reason
        self.mekuri.exit()

    def _offer(self) -> None:
        """Bring the cursor to where there is something to choose, unless the person is reading the log."""
        zone = self.cloth.offered() or self.query_one("#words", WordZone)
        if zone.faces and not isinstance(self.focused, LogView) and self.view and self.view.legal:
            if not (zone.face and zone.face.legal):
                zone.cursor = next(i for i, face in enumerate(zone.faces) if face.legal)
            zone.focus()
            zone.point_at(zone.cursor)

    # --- drawing ---

    def retext(self) -> None:
        """The language or the names of the cards have changed."""
        self._draw()

    def on_resize(self) -> None:
        """More or less room."""
        self.set_class(self.size.width >= WIDE, "wide")
        self.set_class(self._roomy, "roomy")
        self.query_one("#log", LogView).can_focus = self.size.width >= WIDE
        self._draw()

    def _draw(self) -> None:
        view, translator, play = self.view, self.translator, self.play
        if not self.query("#gathering"):
            return  # all is being closed while something still happens
        gathering = self.query_one("#gathering", Static)
        gathering.display = view is None and bool(play.link)
        self.cloth.display = not gathering.display
        keys = "gather.keys" if gathering.display else "table.keys" if play.you is not None else "table.watch-keys"
        yaku = f"  {self.say('table.yaku-key')}" if view and play.book.yaku else ""
        self.query_one("#keys", KeyBar).show(self.say(keys) + yaku)
        if view is None and not gathering.display:
            return
        with self.app.batch_update():
            self._draw_title(view, translator)
            self.query_one("#log-title", Static).update(render.titled(self.say("table.log")))
            self.query_one("#log", LogView).show([translator.text(text) for text in self._log])
            if view is None:
                gathering.update(render.gathering(play, translator))
                return
            self._draw_cards(view, translator)
            self.query_one("#score", Static).update(render.titled(self.say("table.score"), scores.score_lines(view, translator)))
            self.set_class(not view.score and not any(view.scores), "no-score")
            self._draw_goals(view, translator)
        self.call_after_refresh(self.cloth.fit)

    def _draw_goals(self, view: View, translator: Translator) -> None:
        """What each seat works towards, at the side; where there is no side, in one line with what seats have counted up."""
        if view.goals:
            told = render.titled(self.say("table.goals"), scores.goal_lines(view, translator, brief=True))
        else:
            told = render.titled(self.say("table.near"), scores.near_lines(view, translator, 8))
        self.query_one("#near", Static).update(told)
        self.set_class(not view.goals and (view.you is None or not self.play.contract.yaku), "no-near")
        line = "" if self.has_class("wide") else scores.score_line(view, translator, self.size.width)
        self.query_one("#standing", Static).update(Text(line, no_wrap=True))
        self.query_one("#standing", Static).display = bool(line)

    def _draw_title(self, view: View | None, translator: Translator) -> None:
        """The game and the accounts, as far as there is room for them: all, or one's own, for which the game's line is cut."""
        left, room = render.title(self.play, view, translator), self.size.width - 2
        least = self.size.width // 3  # cells
        right, every = render.title_accounts(self.play, translator, max(room - left.cell_len - 3, least)) if view else ("", False)
        left.truncate(room - cell_len(right) - 3 if right else room, overflow="ellipsis")
        self._accounts = [] if every else render.stakes(self.play.ledger)
        self.query_one("#title-left", Static).update(left, layout=False)
        self.query_one("#title-right", Static).update(right)

    def _draw_cards(self, view: View, translator: Translator) -> None:
        """The cards, and what the one pointed at would do."""
        _, feet = render.preview(view, self._action(self._face), translator)
        self.cloth.show(view, translator, feet, render.moved(self._before, view), self._accounts)
        words = self.query_one("#words", WordZone)
        words.show(render.word_faces(view, translator), "  ")
        words.display = bool(words.faces)
        self._draw_prompt(view, translator)

    def _draw_prompt(self, view: View, translator: Translator) -> None:
        prompt = self.query_one("#prompt", Static)
        told = self._prompt(
            view, translator, prompt.size.width or self.size.width
        )  # it is as wide as nothing before it is laid out
        rows = told.plain.count("\n") + 1
        prompt.update(told, layout=max(rows, LEAST_PROMPT) != prompt.size.height)

    def _prompt(self, view: View, translator: Translator, width: int) -> Text:
        """Whose turn it is and what is asked, and a line for what the cursor points at; or why something is forbidden."""
        if self._refusal:
            return broken(render.refusal(self._refusal, translator), width, hang=4)
        asked = broken(render.prompt(view, translator, self.play), width, hang=2).append("\n")
        if self.move and self._roomy:
            last = broken(Text(f"  {' '.join(map(translator.text, self.move))}"), width, hang=2)
            asked = last.append("\n").append_text(asked)
        if self._notice or self._face is None:
            return asked.append_text(broken(Text(f"  {self._notice}"), width, hang=2))
        return asked.append_text(render.detail(self._face, view, self._action(self._face), translator))

    def _count_down(self) -> None:
        """While the table waits only so long: how long still."""
        if self.view and self.play.seconds_left is not None:
            self._draw_prompt(self.view, self.translator)

    # --- what the person does ---

    def _action(self, face: Face | None) -> str:
        """What choosing a face does, in notation; empty where it does nothing."""
        if face is None:
            return ""
        action = face.name if face.card is None else card_text(face.card)
        # A card that may be played may have its like elsewhere on the table: that one does nothing.
        return "" if not face.legal and (face.card is None or self._may(action)) else action

    def _may(self, action: str) -> bool:
        return self.view is not None and any(choice.action == action for choice in self.view.legal)

    @on(CardZone.Pointed)
    def _point_at(self, message: CardZone.Pointed) -> None:
        """Show what is pointed at, and what it would take."""
        face = message.face
        if face is None and isinstance(self.focused, CardZone):
            face = self.focused.face
        if self.view and face != self._face:
            self._face, self._refusal, self._notice = face, None, ""
            with self.app.batch_update():
                self._draw_cards(self.view, self.translator)

    @on(CardZone.Chosen)
    def _choose(self, message: CardZone.Chosen) -> None:
        """Play, or say why not."""
        action = self._action(message.face)
        if self.play.you is None or not action or not self.view:
            self.play.hurry()
            return
        self.run_worker(self._act(action, message.face), group="act")

    async def _act(self, action: str, face: Face) -> None:
        """Play; show why not where it is refused."""
        refusal = await self.play.choose(action)
        if refusal:
            self._refusal, self._face = refusal, face
            self._draw()

    def action_hurry(self) -> None:
        """Enter where there is nothing to choose: do not wait for what is being shown."""
        self.play.hurry()

    def action_pick(self, index: int) -> None:
        """A digit: a card of the hand, or a word where words are all there is; before the match somebody's seat, to be freed."""
        if self.view is None:
            self._ask_to_free(index)
            return
        words = self.query_one("#words", WordZone)
        zone = words if words.faces and words.faces[0].key else self.cloth.hand()
        if zone and index < len(zone.faces):
            zone.focus()
            zone.point_at(index)

    def _ask_to_free(self, seat: int) -> None:
        """Ask once, then free somebody's seat."""
        if not self.play.frees(seat):
            return

        async def free(keep_out: bool) -> None:
            try:
                await self.play.free(seat, keep_out)
            except MekuriError as error:
                self.notify(str(error))

        def answered(keep_out: bool | None) -> None:
            if keep_out is not None:
                self.run_worker(free(keep_out), group="act")

        asked = self.say("gather.free-asked", name=self.translator.player(seat))
        self.mekuri.push_screen(FreeScreen(asked, self.say("gather.free-keys")), answered)

    def action_names(self) -> None:
        """The next set of card names that the game has."""
        tables = self.play.book.tables["names"]
        names = list(tables)
        self.names = names[(names.index(self.names or names[0]) + 1) % len(names)]
        self._notice, self._refusal = self.say("table.names", title=tables[self.names]["title"][self.lang]), None
        self._draw()

    def notice(self, told: str) -> None:
        """Tell something beside what is asked, until something else happens."""
        self._notice, self._refusal = told, None
        self._draw()

    def action_talk(self) -> None:
        """Say something to the others, or hear them no more, or again."""
        if not self.play.talks:
            return

        async def tell(said: str) -> None:
            try:
                await self.play.say(said)
            except MekuriError as error:
                self.notify(str(error))

        def answered(said: str | None) -> None:
            if said == SayScreen.HUSH:
                self.play.hears = not self.play.hears
                self.notify(self.say("talk.heard" if self.play.hears else "talk.unheard"))
            elif said:
                self.run_worker(tell(said), group="act")

        texts = all_texts()
        sayings = [(f"{kind}.{key}", words[self.lang]) for kind in ("stamps", "phrases") for key, words in texts[kind].items()]
        self.mekuri.push_screen(SayScreen(sayings, self.say("talk.keys")), answered)

    def action_log(self) -> None:
        """To the log, and back."""
        log = self.query_one("#log", LogView)
        if not self.has_class("wide"):
            self.mekuri.push_screen(LogScreen(self._log, lambda: self.translator))
        elif self.focused is log:
            self.set_focus(None)
            self._offer()
        else:
            log.focus()

    def action_help(self) -> None:
        """What the keys do and how cards are drawn."""
        self.mekuri.push_screen(HelpScreen())

    def action_rules(self) -> None:
        """The rule book, at the clause that was cited."""
        self.mekuri.push_screen(RulesScreen(self.play.contract, self._refusal.clause if self._refusal else ""))

    def action_score(self) -> None:
        """The score so far, from what this viewer sees."""
        if self.view:
            self.mekuri.push_screen(ScoreScreen(self.play, self.view, lambda: self.translator))

    def action_yaku(self) -> None:
        """The yaku of this table, on one page."""
        if self.view and self.play.book.yaku:
            self.run_worker(self._show_yaku(self.view), group="act")

    async def _show_yaku(self, view: View) -> None:
        try:
            worths = await self.play.worths()
        except MekuriError as error:
            self.notice(str(error))
        else:
            self.mekuri.push_screen(YakuScreen(view, worths, lambda: self.translator))

    def action_leave(self) -> None:
        """Ask once, then leave. From the log back to the table."""
        if isinstance(self.focused, LogView):
            self.action_log()
        else:
            self.mekuri.push_screen(AskScreen(self.say(self.play.leaving), self.say("quit.keys")), self._answer)

    def _answer(self, leave: bool | None) -> None:
        if leave:
            self.run_worker(self._leave(), group="act")

    async def _leave(self) -> None:
        await self.play.leave()
        self.leave()

    def leave(self) -> None:
        """Go back to where the table was entered."""
        self.workers.cancel_node(self)
        while self.mekuri.screen is not self:
            self.mekuri.pop_screen()
        if self.mekuri.screen_stack[1] is self:
            self.mekuri.exit()
        else:
            self.dismiss()
