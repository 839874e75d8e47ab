"""The widgets of a zone and of the words: drawn cards with a cursor, keys and mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.widget import Widget

from mekuri.terminal.base.cards import Face, Look, draw_back, draw_card, draw_chip, draw_cloth, join

Drawn = Literal["cards", "chips"]
LOOK = [field.name for field in fields(Look)]


@dataclass(frozen=True)
class Cut:
    """The size in which cards are drawn, in cells and rows.

    Attributes:
        width: the width of a card in cells.
        height: the height of a card in rows.
        gap: the cells between two cards.
        lift: the rows by which a legal card is raised.
    """

    width: int = 10
    height: int = 4
    gap: int = 0
    lift: int = 0


class CardZone(Widget, can_focus=True):
    """The widget of a zone, and one stop of the Tab key. Arrow keys move its cursor, Enter chooses a card, a click does both.

    Attributes:
        drawn: `cards` for large cards, `chips` for small ones in a row of text.
        steady: whether its height stays that of the most rows it has had in a round.
        faces: the cards.
        cursor: the index of the card under the cursor.
        label: the text before small cards.
        cut: the size of large cards.
        apart: whether a small card with a label begins a new row.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("left", "move(-1)"),
        ("right", "move(1)"),
        ("up", "row(-1)"),
        ("down", "row(1)"),
        ("home", "move(-99)"),
        ("end", "move(99)"),
        ("enter,space", "choose"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "zone--paper",
        "zone--faint",
        "zone--accent",
        "zone--back",
        "zone--ground",
        "zone--mark",
        "zone--cloth",
    }

    class Pointed(Message):
        """Sent when the cursor or the mouse points at another card; `face` is None if it points at none."""

        def __init__(self, zone: CardZone, face: Face | None) -> None:
            super().__init__()
            self.zone = zone
            self.face = face

    class Chosen(Message):
        """Sent when a card has been chosen."""

        def __init__(self, zone: CardZone, face: Face) -> None:
            super().__init__()
            self.zone = zone
            self.face = face

    def __init__(self, drawn: Drawn = "cards", *, steady: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.drawn = drawn
        self.steady = steady  # whether its height stays that of the most rows it has had
        self.faces: tuple[Face, ...] = ()
        self.cursor = 0
        self.label = ""
        self.cut = self._drawn_cut = Cut()
        self.apart = False  # whether a small card with a label begins a row
        self._most_rows = 1
        self._boxes: list[Region] = []
        self._pointed: Face | None = None

    def show(self, faces: Sequence[Face], label: str = "") -> None:
        """Show other cards. The cursor stays on its card if that is still there."""
        at = self.face
        if at and at.card is not None:
            self.cursor = next((i for i, face in enumerate(faces) if face.card == at.card), self.cursor)
        self.cursor = max(0, min(self.cursor, len(faces) - 1))
        if (tuple(faces), label) != (self.faces, self.label):
            self.faces, self.label = tuple(faces), label
            self.can_focus = bool(faces)
            size = self.content_size  # 0 before the first layout
            self.refresh(layout=not size.width or self.get_content_height(size, size, size.width) != size.height)

    def resize_cards(self, cut: Cut) -> None:
        """Draw the cards in another size."""
        if cut != self._drawn_cut:
            self.cut = self._drawn_cut = cut
            self.refresh(layout=True)

    def start_again(self) -> None:
        """Forget the most rows there were, for a new round."""
        self._most_rows = 1

    @property
    def face(self) -> Face | None:
        """The card under the cursor; None if there are no cards."""
        return self.faces[self.cursor] if self.cursor < len(self.faces) else None

    def box(self, index: int) -> Offset:
        """Return a point within a drawn card, in cells from the upper left corner of the widget."""
        return self._boxes[index].offset + Offset(2, self._boxes[index].height // 2)

    def point_at(self, index: int) -> None:
        """Move the cursor to a card; an index outside goes to the first or last."""
        if self.faces:
            self.cursor = max(0, min(index, len(self.faces) - 1))
            self.refresh()
            self._point(self.face)
            self.call_after_refresh(self.keep_in_sight)

    def keep_in_sight(self) -> None:
        """Scroll to the card under the cursor, in a zone that has more rows than can be seen at once."""
        scrolled = next((each for each in self.ancestors if isinstance(each, VerticalScroll)), None)
        if scrolled and self.cursor < len(self._boxes):
            within = self.region.offset - scrolled.content_region.offset + scrolled.scroll_offset
            box = self._boxes[self.cursor]
            if not self.cursor:
                box = box.union(Region(0, 0, 1, 1))  # with the label, which may stand above the first card
            scrolled.scroll_to_region(box.translate(within), animate=False)

    # --- drawing ---

    def rows(self, width: int) -> int:
        """Return how many rows of cards there are in a width in cells."""
        if self.drawn == "chips":
            return max((box.bottom for box in self.flow(width)), default=1)
        self._most_rows = max(-(-len(self.faces) // self._per_row(width)), self._most_rows if self.steady else 1)
        return self._most_rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of all rows, in lines of text."""
        rows = self.rows(width)
        return rows if self.drawn == "chips" else rows * (self.cut.height + self.cut.lift)

    def render(self) -> Text:
        """Return all rows as text, and note where each card is, for the mouse."""
        look = Look(*(self.get_component_rich_style(f"zone--{name}") for name in LOOK))
        lines = self.draw_chips(look) if self.drawn == "chips" else self._draw_cards(look)
        return Text("\n", end="", no_wrap=True, overflow="crop").join(lines)

    def _per_row(self, width: int) -> int:
        return max(1, (width + self.cut.gap) // (self.cut.width + self.cut.gap))

    def _draw_cards(self, look: Look) -> list[Text]:
        per_row, cut = self._per_row(self.content_size.width), self.cut
        self._boxes = []
        lines: list[Text] = []
        for start in range(0, len(self.faces), per_row):
            row = []
            for i, face in enumerate(self.faces[start : start + per_row], start):
                draw = draw_cloth if face.covered else draw_back if face.card is None else draw_card
                drawn = draw(face, cut.width, cut.height, look, self.has_focus and i == self.cursor)
                blank = [Text(" " * cut.width, look.ground)] * cut.lift
                raised = face.legal
                self._boxes.append(
                    Region((i - start) * (cut.width + cut.gap), len(lines) + (0 if raised else cut.lift), cut.width, cut.height)
                )
                row.append([*drawn, *blank] if raised else [*blank, *drawn])
            lines += join(row, cut.gap, look.ground)
        return lines

    def chip(self, face: Face, look: Look, cursor: bool) -> Text:
        """Return a small card."""
        return draw_chip(face, look, cursor)

    def _fitted_chip(self, face: Face, look: Look, cursor: bool, width: int) -> Text:
        """Return a small card that fits with its label into a width; one that does not is cut, with an ellipsis."""
        chip, most = self.chip(face, look, cursor), max(1, width - cell_len(face.label))
        if chip.cell_len > most:
            chip = chip.copy()
            chip.truncate(most, overflow="ellipsis")
        return chip

    def flow(self, width: int) -> list[Region]:
        """Return where each small card is drawn, behind the label, in as many rows as they need."""
        indent = cell_len(self.label)
        boxes: list[Region] = []
        x, y = indent, 0
        for face in self.faces:
            begins = bool(face.label) and self.apart
            size = cell_len(face.label) + self._fitted_chip(face, Look.PLAIN, False, width).cell_len
            if begins or (x + size > width and x > indent):
                x, y = 0 if begins else indent, y + 1
            if x + size > width and x:  # too wide to stand behind the label: below it
                x, y = max(0, width - size), max(y, 1)
            boxes.append(Region(x, y, size, 1))
            x += size + 1
        return boxes

    def draw_chips(self, look: Look) -> list[Text]:
        """Return the label and the small cards as lines."""
        width = self.content_size.width
        self._boxes = self.flow(width)
        lines = [Text() for _ in range(max((box.bottom for box in self._boxes), default=1))]
        lines[0].append(self.label, look.ground)
        for i, (face, box) in enumerate(zip(self.faces, self._boxes, strict=True)):
            line = lines[box.y]
            line.append(" " * (box.x - line.cell_len) + face.label, look.ground)
            line.append_text(self._fitted_chip(face, look, self.has_focus and i == self.cursor, width))
        return lines

    # --- keys and mouse ---

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()
        self._point(self.face)
        self.call_after_refresh(self.keep_in_sight)

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()
        self._point(None)

    def on_hide(self, hidden: events.Hide) -> None:
        """Keep the focus where the zone is shown again by now: a key would choose a card elsewhere."""
        if self.display:
            hidden.prevent_default()

    def action_move(self, by: int) -> None:
        """Move the cursor by a number of cards."""
        self.point_at(self.cursor + by)

    def action_row(self, by: int) -> None:
        """Move the cursor to the row above (-1) or below (1); from the first or last row, focus the zone before or after."""
        step = by * (self._per_row(self.content_size.width) if self.drawn == "cards" else len(self.faces) + 1)
        if 0 <= self.cursor + step < len(self.faces):
            self.point_at(self.cursor + step)
        elif by < 0:
            self.screen.focus_previous(CardZone)
        else:
            self.screen.focus_next(CardZone)

    def action_choose(self) -> None:
        """Choose the card under the cursor."""
        if self.face:
            self.post_message(self.Chosen(self, self.face))

    def _point(self, face: Face | None) -> None:
        self._pointed = face
        self.post_message(self.Pointed(self, face))

    def _at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        return next((i for i, box in enumerate(self._boxes) if offset and box.contains_point(offset)), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Point at the card under the mouse."""
        at = self._at(event)
        face = None if at is None else self.faces[at]
        if face != self._pointed:
            self._point(face)

    def on_leave(self) -> None:
        """Point at the card under the cursor again, or at none."""
        self._point(self.face if self.has_focus else None)

    def on_click(self, event: events.Click) -> None:
        """Choose the card that was clicked."""
        at = self._at(event)
        if at is not None:
            self.cursor = at
            self.refresh()
            self.post_message(self.Chosen(self, self.faces[at]))


class WordZone(CardZone):
    """The widget of the legal actions that are not cards, drawn as a row of buttons.

    The name of a word's face is the notation of its action, and the sign is its text.
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__("chips", id=id)

    def chip(self, face: Face, look: Look, cursor: bool) -> Text:
        """Return a button."""
        style = look.accent if cursor else look.paper
        text = Text("┃", style)
        if face.key:
            text.append(f" {face.key}", look.faint)
        text.append(f" {face.sign} ", style.chain(type(style)(reverse=cursor, bold=True)))
        return text.append("┃", style)
