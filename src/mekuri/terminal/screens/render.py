"""Conversion of a view for drawing: the faces of cards, the labels of zones, and the texts around the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from mekuri.cards import card_text, each
from mekuri.engine.contract import SheetLine, Zone
from mekuri.match.view import Legal, View
from mekuri.terminal.base.cards import BACK, Face, shorten
from mekuri.terminal.base.play import Play, Refusal
from mekuri.terminal.base.texts import when
from mekuri.terminal.base.translate import Translator, sign

LABEL = 22  # width in cells of the label before small cards
PLACE = 26  # most cells of a zone's name beside its cards; the whole name is shown while a card is pointed at
TURN, NO_TURN = "▶ ", "  "
DIGITS = "1234567890"
NAMES = (20, 14, 10, 7)  # widths in cells of a name in the line of all accounts, tried in this order
Lying = tuple[int, str, int | None]  # a card, and the id and the owner of its zone


def is_pile(zone: Zone) -> bool:
    """Return whether a zone is drawn as one pile with its number of cards."""
    return zone.layout == "stack"


def around(seat: int, count: int) -> list[int]:
    """Return the other of `count` seats in playing order, beginning after `seat`."""
    return [(seat + step) % count for step in range(1, count)]


def lying(view: View) -> set[Lying]:
    """Return every visible card with its zone. A game with several packs may have one card in several zones."""
    return {(card, zone.id, zone.owner) for zone in view.zones for card in zone.cards if card is not None}


def moved(before: View | None, now: View) -> set[Lying]:
    """Return the cards that have changed their zone; empty if no card was visible before, as after a deal."""
    was = lying(before) if before else set()
    return lying(now) - was if was else set()


@dataclass(frozen=True)
class Drawing:
    """A view with all that is needed to draw its cards.

    Attributes:
        view: the view.
        translator: the texts and names of the table.
        feet: the word in the lower edge of a card, by card.
        fresh: the cards that have moved.
        accounts: each seat's accounts as text, to be drawn beside the name; empty if they are shown elsewhere.
        room: how many cells wider than `LABEL` a seat's label is for its accounts.
    """

    view: View
    translator: Translator
    feet: Mapping[int, str]
    fresh: frozenset[Lying]
    accounts: Sequence[str] = ()
    room: int = 0

    @cached_property
    def _legal(self) -> set[str]:
        return {choice.action for choice in self.view.legal}

    @cached_property
    def _held(self) -> set[int | None]:
        return {card for zone in self.view.zones if _is_own_hand(zone, self.view) for card in zone.cards}

    def cards(self, zone: Zone, keys: bool = False) -> list[Face]:
        """Return the cards of a zone.

        Args:
            zone: the zone.
            keys: whether the first ten cards are picked by digits.
        """
        return [self._face(zone, card, DIGITS[i] if keys and i < len(DIGITS) else "") for i, card in enumerate(zone.cards)]

    def pile(self, zone: Zone) -> Face:
        """Return a pile as one face: its top card, or its back, with the number of cards."""
        place, top, height = self.translator.place(zone), zone.cards[-1], len(zone.cards)
        if top is None:
            return Face(None, str(height), place, place=place, pile=height)
        return replace(self._face(zone, top), place=place, pile=height)

    def _face(self, zone: Zone, card: int | None, key: str = "") -> Face:
        if card is None:
            place = self.translator.place(zone) if zone.owner is None else ""
            name = place or self.translator.say("table.face-down")
            return Face(None, BACK * 2, name, place=place, covered=zone.layout == "cloth")
        # A card of the hand is legal there only: with several packs an equal card may be in another zone.
        here = card not in self._held or _is_own_hand(zone, self.view)
        return Face(
            card,
            sign(card),
            self.translator.card(card),
            key=key,
            legal=here and card_text(card) in self._legal,
            foot=self.feet.get(card, ""),
            fresh=(card, zone.id, zone.owner) in self.fresh,
        )


def _is_own_hand(zone: Zone, view: View) -> bool:
    return zone.kind == "hand" and zone.owner is not None and zone.owner == view.you


def drawn_cards(view: View) -> set[int]:
    """Return the cards that can be pointed at: all visible ones, but of a pile only the top card."""
    drawn = (zone.cards[-1:] if is_pile(zone) else zone.cards for zone in view.zones)
    return {card for cards in drawn for card in cards if card is not None}


def word_faces(view: View, translator: Translator) -> list[Face]:
    """Return the legal actions that are not cards on the table.

    Digits pick them if no other action is legal and there are at most ten.
    """
    drawn = drawn_cards(view)
    words = [choice for choice in view.legal if choice.text.args.get("card") not in drawn]
    digits = len(words) == len(view.legal) <= len(DIGITS)
    return [_word_face(choice, translator, DIGITS[i] if digits else "") for i, choice in enumerate(words)]


def _word_face(choice: Legal, translator: Translator, key: str) -> Face:
    text = choice.text
    if text.id == "card":  # a card that is not on the table, such as a number to be named
        return Face(text.args["card"], sign(text.args["card"]), translator.text(text), key=key, legal=True)
    return Face(None, translator.text(text), choice.action, key=key, legal=True)


def place_label(zone: Zone, translator: Translator) -> str:
    """Return the label before small cards: the zone's name, its number of cards, and the stake on it."""
    return _counted(translator.place(zone), number(zone)) + stake(zone, translator)


def place_name(zone: Zone, translator: Translator) -> str:
    """Return the name of a zone beside its cards, with an ellipsis if it is too long."""
    return shorten(translator.place(zone), PLACE)


def amount(name: str, count: int, translator: Translator) -> str:
    """Return an amount in the middle of the table, laid out like the label of a zone."""
    return _counted(translator.table("zones", name), str(count))


def _counted(place: str, count: str) -> str:
    label = f"{NO_TURN}{shorten(place, PLACE)}"
    return set_cell_size(label, max(LABEL - 4, cell_len(label))) + f"{count:>3} "


def number(zone: Zone) -> str:
    """Return the number of cards of a zone; empty if it is hidden."""
    return "" if zone.count is None else str(zone.count)


def stake(zone: Zone, translator: Translator) -> str:
    """Return the stake on the cards of a zone; empty if there is none."""
    return f"{translator.say('table.staked', n=zone.stake)} " if zone.stake else ""


def preview(view: View, action: str, translator: Translator) -> tuple[str, dict[int, str]]:
    """Return the effect of an action.

    Args:
        view: the view.
        action: the notation of the action.
        translator: the texts and names of the table.

    Returns:
        A sentence, and the word for the lower edge of each affected card; both empty if the action is not legal.
    """
    for choice in view.legal:
        if choice.action == action:
            sentences: list[str] = []
            feet: dict[int, str] = {}
            if choice.takes:
                # If a card on the table captures just itself, its foot says so, and its name is not repeated.
                if choice.takes != 1 << choice.text.args.get("card", 0):
                    sentences.append(translator.say("table.takes", cards=translator.cards(choice.takes)))
                feet |= dict.fromkeys(each(choice.takes), translator.say("marks.taken"))
            if choice.choices:
                sentences.append(translator.say("table.chooses", cards=translator.cards(choice.choices)))
                feet |= dict.fromkeys(each(choice.choices), translator.say("marks.either"))
            if not feet and choice.text.id == "card" and any(zone.kind == "captured" for zone in view.zones):
                sentences.append(translator.say("table.takes-nothing"))
            return " · ".join(sentences), feet
    return "", {}


def titled(heading: str, body: RenderableType = "") -> RenderableType:
    """Return a heading with a rule below, and a text under it."""
    return Group(Text(heading, "bold"), Rule(characters="─", style="dim"), *([body] if body else []))


def title(play: Play, view: View | None, translator: Translator) -> Text:
    """Return the game's name, the round, and the dealer or what is wrong at the table."""
    text = Text().append(translator.game(), "bold")
    if view:
        round = translator.say("table.round-of" if play.rounds else "table.round", n=play.number, m=play.rounds)
        text.append(f"  {round}" + (f" · {translator.say('coach.practice')}" if play.practice else ""))
    trouble = play.trouble(translator)
    if trouble:
        return text.append("  ").append(trouble, "reverse")
    return text.append(
        "  " + (translator.say("table.deals", name=translator.player(view.dealer)) if view else translator.say("gather.title"))
    )


def ledger_line(ledger: Sequence[Mapping[str, int]], translator: Translator) -> str:
    """Return the accounts of every seat, or side, in one line, with their names."""
    return "   ".join(f"{translator.party(seat)} {translator.account(ledger[seat])}" for seat in translator.speakers)


def title_accounts(play: Play, translator: Translator, width: int) -> tuple[str, bool]:
    """Return the accounts for the title in at most `width` cells: every seat's, else the player's own, else nothing.

    The names of the accounts are left out first, then the players' names are cut; numbers are never cut.

    Returns:
        The line, and whether it has every seat's accounts; empty and True if no seat has any accounts.
    """
    if not any(play.ledger):
        return "", True
    numbers = stakes(play.ledger)
    every = [ledger_line(play.ledger, translator)]
    every += ["   ".join(f"{translator.player(seat, most)} {numbers[seat]}" for seat in translator.speakers) for most in NAMES]
    own = []
    if play.you is not None:
        you = translator.player(play.you)
        own = [f"{you} {translator.account(play.ledger[play.you])}", f"{you} {numbers[play.you]}"]
    lines = [*((line, True) for line in every), *((line, False) for line in own)]
    return next(((line, all) for line, all in lines if cell_len(line) <= width), ("", False))


def stakes(ledger: Sequence[Mapping[str, int]]) -> list[str]:
    """Return every seat's accounts as numbers without names."""
    return [" · ".join(map(str, accounts.values())) for accounts in ledger]


def gathering(play: Play, translator: Translator) -> RenderableType:
    """Return the text before a match begins: the link for others, the seats, and the first dealer."""
    seats = Table.grid(padding=(0, 2, 0, 0))
    for seat in range(len(play.seats)):
        player = Text(translator.player(seat), "bold")
        if seat != play.you and play.absent(seat):
            player.append(f"  {translator.say('gather.away')}", "not bold")
        if play.kept_for(seat):
            player.append(f"  {translator.say('gather.kept', name=play.kept_for(seat))}", "not bold")
        place = translator.say("gather.by-lot") if play.by_lot(seat) else translator.say("gather.seat", n=seat + 1)
        if play.frees(seat):
            player.append(f"  {translator.say('gather.free', n=seat + 1)}", "not bold")
        seats.add_row(f"  {place}", player)
    named = play.first_dealer
    dealer = translator.say("gather.dealer-by-lot") if named is None else translator.say("gather.first-dealer", n=named + 1)
    return Group(
        Text(translator.say("gather.share")),
        Text(),
        Text(f"  {play.link}", "bold", overflow="fold"),
        Text(),
        Text(translator.say("gather.how")),
        Text(f"  mekuri join {play.link}", overflow="fold"),
        Text(),
        seats,
        Text(),
        Text(dealer),
    )


def prompt(view: View, translator: Translator, play: Play) -> Text:
    """Return whose turn it is, and the question to the player if it is the player's."""
    text = Text(NO_TURN)
    if play.sending:
        return text.append(f"{translator.say('table.sending')} …", "bold")
    if view.over:
        text.append(translator.say("sheet.stop-own" if play.you in play.stopping else "table.round-over"), "bold")
        if play.awaited:
            text.append(f"  {translator.say('table.waiting', name=translator.players(play.awaited))}{_until(play, translator)} …")
        return text
    window = _until(play, translator)
    if view.prompt:
        yours = f" {translator.say('table.your-turn')}{window} "
        text = Text(TURN).append(yours, "reverse bold").append(f"  {translator.text(view.prompt)}", "bold")
        return text.append("".join(f"  {_weighed(line, view, translator)}" for line in view.decision))
    if play.you is None:
        text.append(f"{translator.say('table.watching')} · ")
    waiting = [seat for seat in view.waiting if seat < len(translator.seats)]
    why = f"{translator.text(view.waits)} " if view.waits else ""
    thinking = f"{why}{translator.say('table.thinking', name=translator.players(waiting))}{window} …" if waiting else ""
    return text.append(thinking or translator.say("table.dealing"))


def _weighed(line: SheetLine, view: View, translator: Translator) -> str:
    """Return a line of a decision's sheet, with the name of a seat that is not the viewer's."""
    name = "" if line.seat == view.you else f"{translator.party(line.seat)}: "
    return f"{name}{translator.text(line.text)}{f' {line.points:+}' if line.points else ''}"


def _until(play: Play, translator: Translator) -> str:
    """Return the deadline of the table: a date, the seconds of a window, or nothing."""
    if play.due is not None:
        return f" · {translator.say('table.until', when=when(play.due, translator.lang))}"
    return "" if play.seconds_left is None else f" · {translator.say('table.seconds', n=play.seconds_left)}"


def refusal(refused: Refusal, translator: Translator) -> Text:
    """Return why an action is refused, with the clause if a rule forbids it."""
    text = Text(NO_TURN).append(f"× {translator.text(refused.text)}", "bold")
    if refused.clause:
        text.append(f"\n    {translator.say('table.rule', clause=refused.clause)}")
    return text


def detail(face: Face, view: View, action: str, translator: Translator) -> Text:
    """Return the name of the face that is pointed at, and the effect of choosing it.

    Args:
        face: the face.
        view: the view.
        action: the notation of the action that choosing the face sends; empty for none.
        translator: the texts and names of the table.
    """
    text = Text(NO_TURN)
    if face.pile and face.card is None:
        return text.append(face.name, "bold").append(f"  {translator.say('table.count', count=face.pile)}")
    if face.card is None:
        means = translator.table("meanings", action, " ") if face.legal else " "
        return text.append(face.sign if face.legal else face.name, "bold").append(f"  {means}".rstrip())
    text.append(f"{face.sign} {face.name}", "bold")
    if face.pile:
        text.append(f"  {face.place}, {translator.say('table.count', count=face.pile)}")
    if face.legal:
        return text.append(f"  {preview(view, action, translator)[0]}")
    return text.append(f"  {translator.say('table.not-now')}" if view.legal else "")
