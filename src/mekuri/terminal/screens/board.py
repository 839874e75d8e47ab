"""The board of a table: the widget that shows all zones of a view.

The other seats are at the top, the common cards in the middle, and the viewer's own seat is at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Grid, Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from mekuri.cards import card_text
from mekuri.engine.contract import Zone
from mekuri.match.view import View
from mekuri.terminal.base.cards import Face
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.screens import render, seats
from mekuri.terminal.screens.zone import CardZone, Cut

LEAST_SLOT, MOST_SLOT = 9, 15  # cells from one card's edge to the next one's
LEAST_HEIGHT, FAIR_HEIGHT, MOST_HEIGHT = 3, 4, 7
SEAT_WIDTH = 40  # cells of a seat where several stand side by side
IN_ONE_COLUMN = 4  # seats that stand one below the other
ROOMS = ("#open", "#others", "#mine")  # the containers of zones


def _columns(width: int, others: int) -> int:
    """Return the number of columns in which the other seats stand: one, unless there are more than `IN_ONE_COLUMN` of them."""
    return max(1, width // SEAT_WIDTH) if others > IN_ONE_COLUMN else 1


def _to_play_from(hands: Sequence[Zone], view: View) -> Zone | None:
    """Return the hand of a seat that is drawn large: the first with a legal card, else the first with any card."""
    legal = {choice.action for choice in view.legal}
    playable = (zone for zone in hands if any(card is not None and card_text(card) in legal for card in zone.cards))
    return next(playable, next((zone for zone in hands if zone.count), hands[0] if hands else None))


class Board(VerticalScroll, can_focus=False):
    """The widget that shows all zones of a view. It knows no rules.

    Attributes:
        near_side: the seat whose cards are drawn at the lower edge.
        open_hand: whether that seat's hand is drawn large, to be played from; False for a spectator.
    """

    def __init__(self, near_side: int, open_hand: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.near_side = near_side
        self.open_hand = open_hand
        self._card_height = MOST_HEIGHT
        self._piles = CardZone(id="piles")
        self._zones: dict[str, dict[str, CardZone]] = {room: {} for room in ROOMS}  # all that there ever were, by room and id
        self._amounts = ""

    def compose(self) -> ComposeResult:
        """Yield the containers of the zones. The zones' own widgets are added when a view first has them."""
        yield Grid(id="others")
        yield Static(id="amounts")
        with Horizontal(id="middle"):
            yield self._piles
            yield Vertical(id="open")
        yield Vertical(id="mine")

    def start_round(self) -> None:
        """Reset the size of the cards for a new round."""
        self._card_height = MOST_HEIGHT
        for zone in self._all():
            zone.start_again()

    def _all(self) -> list[CardZone]:
        """Return all zones but the piles, the viewer's own last."""
        return [zone for room in ROOMS for zone in self._zones[room].values()]

    def show(
        self, view: View, translator: Translator, feet: dict[int, str], fresh: Iterable[render.Lying], accounts: Sequence[str] = ()
    ) -> None:
        """Show a view.

        Args:
            view: the view.
            translator: the texts and names of the table.
            feet: the word in the lower edge of a card, by card.
            fresh: the cards that have moved, to be marked.
            accounts: each seat's accounts as text, for the label of the seat; empty if the title shows them.
        """
        drawing = render.Drawing(view, translator, feet, frozenset(fresh), accounts, self._room(accounts))
        shown = {*self._show_middle(view, drawing), *self._show_seats(view, drawing)}
        for zone in {*self._all()} - shown:
            zone.show(())
            zone.display = False

    def _room(self, accounts: Sequence[str]) -> int:
        """Return how many cells wider a seat's label becomes to hold its accounts; 0 if a column is too narrow for that."""
        widest = max(map(cell_len, accounts), default=0)
        across = self.size.width // _columns(self.size.width, len(accounts) - 1)
        return widest if across >= SEAT_WIDTH + widest else 0

    def _show_middle(self, view: View, drawing: render.Drawing) -> Iterator[CardZone]:
        """Show the zones without a seat: the amounts, the piles, the cards to choose from drawn large and all others small."""
        amounts = "\n".join(render.amount(name, n, drawing.translator) for name, n in view.middle.items())
        if amounts != self._amounts:
            self._amounts = amounts
            widget = self.query_one("#amounts", Static)
            widget.display = bool(amounts)
            widget.update(amounts)
        common = [zone for zone in view.zones if zone.owner is None]
        piles = [drawing.pile(zone) for zone in common if render.is_pile(zone) and zone.count]
        self._piles.show(piles)
        self._piles.display = bool(piles)  # without a card it would still be as high as one
        for zone in (zone for zone in common if not render.is_pile(zone)):
            large = zone.kind in ("field", "offer")
            label = "" if large else render.place_label(zone, drawing.translator)
            yield self._shown(f"zone-{zone.id}", "#open", large, drawing.cards(zone), label)

    def _show_seats(self, view: View, drawing: render.Drawing) -> Iterator[CardZone]:
        """Show the zones of each seat, the next to play first. The zones at the near side come last, with the hand drawn large."""
        count = len(drawing.translator.seats)
        places = {seat: [zone for zone in view.zones if zone.owner == seat] for seat in range(count)}
        others = [seat for seat in render.around(self.near_side, count) if places[seat]]
        dense, apart = len(others) > IN_ONE_COLUMN, len(others) == 1
        for seat in others:
            label, found = seats.block(seat, places[seat], drawing, named=True, dense=dense, apart=apart)
            yield self._shown(f"seat-{seat}", "#others", False, found, label, apart)
        mine = places[self.near_side]
        hands = [zone for zone in mine if zone.kind == "hand" and self.open_hand]
        hands = [zone for zone in hands if zone.count or not seats.unusual(zone, drawing.translator)]
        large = _to_play_from(hands, view)
        rest = [zone for zone in mine if zone not in hands or (zone is not large and zone.count)]
        if rest:
            label, found = seats.block(self.near_side, rest, drawing, named=not self.open_hand, apart=apart)
            yield self._shown(f"seat-{self.near_side}", "#mine", False, found, label, apart)
        if large:
            widget = self._shown("hand", "#mine", True, drawing.cards(large, keys=True))
            widget.add_class("hand")
            yield widget

    def _shown(self, id: str, room: str, large: bool, found: list[Face], label: str = "", apart: bool = False) -> CardZone:
        """Show cards in the widget with an id, which is created when it is first needed. The hand at the near side stays last."""
        widget = self._zones[room].get(id) or self._made(id, room, large)
        widget.apart = apart
        widget.display = True
        widget.show(found, label)
        return widget

    def _made(self, id: str, room: str, large: bool) -> CardZone:
        widget = CardZone("cards" if large else "chips", steady=large and id != "hand", id=id)
        self.query_one(room).mount(widget, before=self._zones[room].get("hand"))
        self._zones[room][id] = widget
        return widget

    def hand(self) -> CardZone | None:
        """Return the widget of the hand at the near side; None while there is none."""
        return self._zones["#mine"].get("hand")

    def offered(self) -> CardZone | None:
        """Return the first zone with a card that may be chosen; None if there is none.

        The viewer's own hand comes first, then the middle, then the zones of the seats.
        """
        hand = self.hand()
        zones = (*([hand] if hand else []), self._piles, *self._all())
        return next((zone for zone in zones if any(face.legal for face in zone.faces)), None)

    # --- how large cards are drawn ---

    def _drawn(self, drawn: str, room: str = "") -> list[CardZone]:
        """Return the visible zones that are drawn as large cards (`cards`) or as small ones (`chips`), without the piles."""
        found = self._zones[room].values() if room else self._all()
        return [zone for zone in found if zone.drawn == drawn and zone.display]

    def fit(self) -> None:
        """Draw the cards as large as the board allows, and centre the middle in the rows that are left over.

        The height of the cards may shrink during a round and grows again only with the next round or after a resize.
        """
        width, height = self.scrollable_content_region.size
        if not width:
            return
        piles, cards = self._piles, self._drawn("cards")
        slot = max(LEAST_SLOT, min(width // 8, MOST_SLOT))
        gap = 1 if slot > 10 else 0
        alone = not self._drawn("cards", "#open")  # no large cards lie beside the piles
        sizes = dict.fromkeys(cards, slot) | {piles: MOST_SLOT if alone else slot}
        for zone, size in sizes.items():
            zone.cut = Cut(size - gap, zone.cut.height, gap, zone.cut.lift)
        aside = 0
        if piles.faces:
            aside = width if alone else slot * (1 if len(piles.faces) < 3 else 2) + 1
        small = self._small_rows(width, aside)
        if small + self._rows(aside, width) * FAIR_HEIGHT > height:  # no room to reserve rows for cards that have left
            self._card_height = FAIR_HEIGHT
            for zone in cards:
                zone.start_again()
        rows = self._rows(aside, width)
        while self._card_height > LEAST_HEIGHT and small + rows * self._card_height > height:
            self._card_height -= 1
        spare = height - small - rows * self._card_height
        hands = sum(zone.rows(width) for zone in self._drawn("cards", "#mine"))
        lift = 1 if spare >= hands else 0
        piles.styles.width = aside
        for zone, size in sizes.items():
            zone.resize_cards(Cut(size - gap, self._card_height, gap, lift if zone.has_class("hand") else 0))
        spare = max(0, spare - lift * hands)
        self.query_one("#middle").styles.margin = (spare // 2, 0, spare - spare // 2, 0)
        self.call_after_refresh(self._keep_in_sight)

    def _keep_in_sight(self) -> None:
        """Scroll to the focused zone, if not everything fits on the board."""
        focused = self.screen.focused
        if focused and self in focused.ancestors:
            self.scroll_to_widget(focused, animate=False)
            if isinstance(focused, CardZone):
                focused.keep_in_sight()

    def _small_rows(self, width: int, aside: int) -> int:
        """Return how many rows the zones drawn small take, and set the number of columns of the other seats."""
        others = self._drawn("chips", "#others")
        columns = _columns(width, len(others))
        self.query_one("#others", Grid).styles.grid_size_columns = columns
        tall = [zone.rows(width // columns) for zone in others]
        across = sum(max(tall[at : at + columns]) for at in range(0, len(tall), columns))
        middle = sum(zone.rows(width - aside) for zone in self._drawn("chips", "#open"))
        amounts = self.query_one("#amounts", Static).size.height
        return across + amounts + middle + sum(zone.rows(width) for zone in self._drawn("chips", "#mine"))

    def _rows(self, aside: int, width: int) -> int:
        """Return how many rows of large cards there are, with the piles beside the middle."""
        piles = self._piles
        hands = sum(zone.rows(width) for zone in self._drawn("cards", "#mine"))
        middle = sum(zone.rows(width - aside) for zone in self._drawn("cards", "#open"))
        return hands + max(middle, piles.rows(aside) if piles.faces else 0)

    def on_resize(self) -> None:
        """Compute the size of the cards anew."""
        self._card_height = MOST_HEIGHT
        self.call_after_refresh(self.fit)
