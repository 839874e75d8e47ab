"""The cloth: every place of a view where it belongs, the others across, the middle between, one's own cards at the near side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll

from mekuri.engine.contract import Zone
from mekuri.match.view import View
from mekuri.terminal import faces
from mekuri.terminal.voice import Voice
from mekuri.terminal.zone import CardZone, Cut

LEAST_SLOT, MOST_SLOT = 9, 15  # cells from one card's edge to the next one's
LEAST_HEIGHT, FAIR_HEIGHT, MOST_HEIGHT = 3, 4, 7


class Cloth(VerticalScroll, can_focus=False):
    """The places on the table. It shows a view and knows no rule.

    Attributes:
        near_side: the seat whose cards lie at the lower edge.
        open_hand: whether that seat's hand may be seen: somebody plays from it.
    """

    def __init__(self, near_side: int, open_hand: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self.near_side = near_side
        self.open_hand = open_hand
        self._card_height = MOST_HEIGHT

    def compose(self) -> ComposeResult:
        """Rooms for the places, which come when a view first has them."""
        yield Vertical(id="others")
        with Horizontal(id="middle"):
            yield CardZone(id="piles")
            yield Vertical(id="open")
        yield Vertical(id="mine")

    def start_round(self) -> None:
        """A new round: the cards may be large again."""
        self._card_height = MOST_HEIGHT
        for zone in self.query(CardZone):
            zone.start_again()

    def show(self, view: View, voice: Voice, feet: dict[int, str], fresh: Iterable[int]) -> None:
        """Lay out a view. `feet` are words at the feet of cards, `fresh` the cards that have moved."""
        piles = [faces.pile_face(zone, voice) for zone in view.zones if faces.is_pile(zone) and zone.count]
        self.query_one("#piles", CardZone).show(piles)
        tagged: set[int | None] = {None, self.near_side if self.open_hand else None}
        for zone in (zone for zone in view.zones if not faces.is_pile(zone)):
            widget = self._widget(zone)
            label = faces.label(zone, view, voice, zone.owner not in tagged) if widget.drawn == "chips" else ""
            tagged.add(zone.owner)
            widget.show(faces.card_faces(zone, view, voice, feet, fresh, widget.has_class("hand")), label)

    def _widget(self, zone: Zone) -> CardZone:
        """The widget of a place, made when a view first has it. One's own hand comes last."""
        found = self.query(f"#zone-{zone.id}")
        if found:
            return found.first(CardZone)
        mine = zone.owner == self.near_side
        hand = mine and zone.kind == "hand" and self.open_hand
        widget = CardZone("cards" if zone.owner is None or hand else "chips", steady=zone.owner is None, id=f"zone-{zone.id}")
        widget.set_class(hand, "hand")
        room = self.query_one("#open" if zone.owner is None else "#mine" if mine else "#others")
        hands = room.query(".hand")
        room.mount(widget, before=hands.first() if hands else None)
        return widget

    def hand(self) -> CardZone | None:
        """One's own hand."""
        return next(iter(self.query(".hand").results(CardZone)), None)

    def offered(self) -> CardZone | None:
        """A place with something to choose: one's own first, then the middle, then the others'."""
        for room in ("#mine", "#open", "#others"):
            for zone in self.query_one(room).query(CardZone):
                if any(face.legal for face in zone.faces):
                    return zone
        return None

    # --- how large cards are drawn ---

    def _drawn(self, drawn: str) -> Iterator[CardZone]:
        return (zone for zone in self.query(CardZone) if zone.drawn == drawn and zone.id != "piles")

    def fit(self) -> None:
        """Draw the cards as large as there is room for, and not larger again before the round is over; spread what room is left."""
        width, height = self.scrollable_content_region.size
        if not width:
            return
        slot = max(LEAST_SLOT, min(width // 8, MOST_SLOT))
        gap = 1 if slot > 10 else 0
        piles, cards = self.query_one("#piles", CardZone), list(self._drawn("cards"))
        for zone in (piles, *cards):
            zone.cut = Cut(slot - gap, zone.cut.height, gap, zone.cut.lift)
        aside = (slot * (1 if len(piles.faces) < 3 else 2) + 1) if piles.faces else 0
        chips = list(self._drawn("chips"))
        backs = [zone for zone in chips if zone.faces and all(face.card is None for face in zone.faces)]
        small = sum(zone.rows(width) // (zone.tall if zone in backs else 1) for zone in chips)
        if small + self._rows(aside, width) * FAIR_HEIGHT > height:  # too little room to keep any for cards that have gone
            self._card_height = FAIR_HEIGHT
            for zone in cards:
                zone.start_again()
        rows = self._rows(aside, width)
        hands = sum(zone.rows(width) for zone in cards if zone.has_class("hand"))
        while self._card_height > LEAST_HEIGHT and small + rows * self._card_height > height:
            self._card_height -= 1
        spare = height - small - rows * self._card_height
        lift = 1 if spare >= hands else 0
        piles.styles.width = aside
        for zone in (piles, *cards):
            zone.resize_cards(Cut(slot - gap, self._card_height, gap, lift if zone.has_class("hand") else 0))
        spare = max(0, spare - lift * hands)
        tall = 2 if spare >= 3 * len(backs) else 1
        for zone in backs:
            zone.resize_cards(zone.cut, tall)
            spare -= zone.rows(width) * (tall - 1) // tall
        self.query_one("#middle").styles.margin = (spare // 2, 0, spare - spare // 2, 0)

    def _rows(self, aside: int, width: int) -> int:
        """How many rows of cards there are, with the piles at the side of the middle."""
        piles = self.query_one("#piles", CardZone)
        hands = sum(zone.rows(width) for zone in self._drawn("cards") if zone.has_class("hand"))
        middle = sum(zone.rows(width - aside) for zone in self._drawn("cards") if not zone.has_class("hand"))
        return hands + max(middle, piles.rows(aside) if piles.faces else 0)

    def on_resize(self) -> None:
        """More or less room."""
        self._card_height = MOST_HEIGHT
        self.call_after_refresh(self.fit)
