"""A view turned into what is drawn: the faces of a place's cards, its label, and what stands beside the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from mekuri.cards import card_text, each
from mekuri.engine.contract import SheetLine, Zone
from mekuri.engine.rulebook import JOINT
from mekuri.match.view import View
from mekuri.terminal.cards import BACK, Face
from mekuri.terminal.play import Play, Refusal
from mekuri.terminal.prose import Prose
from mekuri.terminal.voice import Voice, sign, signs

LABEL = 20  # cells of a label before small cards
TURN, NO_TURN = "▶ ", "  "
DIGITS = "1234567890"


def is_pile(zone: Zone) -> bool:
    """Whether a place is drawn as one pile with its number of cards."""
    return zone.owner is None and zone.layout == "stack"


def places(view: View) -> dict[int, str]:
    """Where each visible card lies."""
    return {card: zone.id for zone in view.zones for card in zone.cards if card is not None}


def moved(before: View | None, now: View) -> set[int]:
    """The cards that lie elsewhere than before; none after a deal, when all of them do."""
    was = places(before) if before else {}
    return {card for card, place in places(now).items() if was.get(card) != place} if was else set()


def card_faces(zone: Zone, view: View, voice: Voice, feet: dict[int, str], fresh: Iterable[int], keys: bool) -> list[Face]:
    """The cards of a place. `feet` are the words at their feet; `keys` says whether digits pick them."""
    legal = {choice.action for choice in view.legal}
    faces = []
    for i, card in enumerate(zone.cards):
        if card is None:
            faces.append(Face(None, BACK * 2, voice.say("table.face-down")))
            continue
        faces.append(
            Face(
                card,
                sign(card),
                voice.card(card),
                key=DIGITS[i] if keys and i < len(DIGITS) else "",
                legal=card_text(card) in legal,
                foot=feet.get(card, ""),
                fresh=card in fresh,
            )
        )
    return faces


def pile_face(zone: Zone, voice: Voice) -> Face:
    """A pile: how many cards it has, and the one on top where that lies open."""
    top = zone.cards[-1] if zone.cards else None
    name = voice.place(zone) if top is None else f"{sign(top)} {voice.place(zone)}"
    return Face(None, str(zone.count), name, pile=True)


def word_faces(view: View, voice: Voice) -> list[Face]:
    """The choices that are not cards. Digits pick them where there is no card to pick."""
    words = [choice for choice in view.legal if choice.text.id != "card"]
    digits = len(words) == len(view.legal)
    return [
        Face(None, voice.text(choice.text), choice.action, key=DIGITS[i] if digits else "", legal=True)
        for i, choice in enumerate(words)
    ]


def player_tag(seat: int, view: View, voice: Voice) -> str:
    """A player's name, with a mark for the turn."""
    return f"{TURN if seat in view.waiting else NO_TURN}{voice.player(seat)}"


def label(zone: Zone, view: View, voice: Voice, first: bool) -> str:
    """What stands before small cards: the player, at the first place of a seat, or else the place; and how many cards."""
    told = player_tag(zone.owner, view, voice) if first and zone.owner is not None else f"{NO_TURN}{voice.place(zone)}"
    if cell_len(told) > LABEL - 4:
        told = set_cell_size(told, LABEL - 5) + "…"
    return set_cell_size(told, LABEL - 4) + f"{zone.count:>3} "


def preview(view: View, action: str, voice: Voice) -> tuple[str, dict[int, str]]:
    """What an action would do, in words, and at the feet of the cards."""
    for choice in view.legal:
        if choice.action == action:
            told: list[str] = []
            feet: dict[int, str] = {}
            if choice.takes:
                # A card chosen on the table is itself what is taken: its foot says so, and its name need not stand twice.
                if choice.takes != 1 << choice.text.args.get("card", 0):
                    told.append(voice.say("table.takes", cards=voice.cards(choice.takes)))
                feet |= dict.fromkeys(each(choice.takes), voice.say("marks.taken"))
            if choice.choices:
                told.append(voice.say("table.chooses", cards=voice.cards(choice.choices)))
                feet |= dict.fromkeys(each(choice.choices), voice.say("marks.either"))
            if not feet and choice.text.id == "card":
                told.append(voice.say("table.takes-nothing"))
            return " · ".join(told), feet
    return "", {}


def score_lines(lines: Iterable[SheetLine], voice: Voice) -> RenderableType:
    """The score so far, beside the table."""
    table = Table.grid(expand=True, padding=(0, 1, 0, 0))
    table.add_column(ratio=1)
    table.add_column(justify="right")
    seat = None
    for line in sorted(lines, key=lambda line: line.seat):
        if line.seat != seat:
            table.add_row(Text(voice.player(line.seat), "bold"), "")
            seat = line.seat
        table.add_row(Padding(Prose(voice.text(line.text)), (0, 0, 0, 1)), f"{line.points:+d}" if line.points else "")
    return table


def near_lines(view: View, voice: Voice, most: int = 99) -> RenderableType:
    """The yaku in the viewer's reach, those that lack least first."""
    near = sorted(view.near, key=lambda n: n.missing.bit_count())[:most]
    table = Table.grid(expand=True, padding=(0, 1, 0, 0))
    table.add_column(ratio=1)
    table.add_column(justify="right")
    for one in near:
        table.add_row(Prose(str(voice.book.yaku[one.yaku]["name"][voice.lang])), voice.say("table.needs", cards=signs(one.missing)))
    if not near:
        table.add_row(voice.say("table.near-none"), "")
    return table


def titled(heading: str, body: RenderableType = "") -> RenderableType:
    """A part of the side of the table under its heading."""
    return Group(Text(heading, "bold"), Rule(characters="─", style="dim"), *([body] if body else []))


def title(play: Play, view: View | None, voice: Voice) -> Text:
    """The game, which round it is, and who deals or what is amiss."""
    told = Text().append(voice.game(), "bold")
    if view:
        round = voice.say("table.round-of" if play.rounds else "table.round", n=play.number, m=play.rounds)
        told.append(f"  {round}")
    trouble = play.trouble(voice)
    if trouble:
        return told.append("  ").append(trouble, "reverse")
    return told.append("  " + (voice.say("table.deals", name=voice.player(view.dealer)) if view else voice.say("gather.title")))


def ledger_line(ledger: Sequence[Mapping[str, int]], voice: Voice) -> str:
    """Every seat's accounts."""
    return "   ".join(f"{voice.player(seat)} {voice.account(accounts)}" for seat, accounts in enumerate(ledger))


def gathering(play: Play, voice: Voice) -> RenderableType:
    """Before a match: the link for a friend, and who sits where."""
    seats = Table.grid(padding=(0, 2, 0, 0))
    for seat in range(len(play.seats)):
        told = Text(voice.player(seat), "bold")
        if seat != play.you and play.absent(seat):
            told.append(f"  {voice.say('gather.away')}", "not bold")
        seats.add_row(f"  {voice.say('gather.seat', n=seat + 1)}", told)
    return Group(
        Text(voice.say("gather.share")),
        Text(),
        Text(f"  {play.link}", "bold", overflow="fold"),
        Text(),
        Text(voice.say("gather.how")),
        Text(f"  mekuri join {play.link}", overflow="fold"),
        Text(),
        seats,
    )


def prompt(view: View, voice: Voice, play: Play) -> Text:
    """Whose turn it is, and what is asked."""
    told = Text(NO_TURN)
    if play.sending:
        return told.append(f"{voice.say('table.sending')} …", "bold")
    if view.over:
        told.append(voice.say("table.round-over"), "bold")
        if play.awaited:
            names = JOINT[voice.lang].join(map(voice.player, play.awaited))
            told.append(f"  {voice.say('table.waiting', name=names)} …")
        return told
    if view.prompt:
        return Text(TURN).append(f" {voice.say('table.your-turn')} ", "reverse bold").append(f"  {voice.text(view.prompt)}", "bold")
    if play.you is None:
        told.append(f"{voice.say('table.watching')} · ")
    waiting = [seat for seat in view.waiting if seat < len(voice.seats)]
    return told.append(f"{voice.say('table.thinking', name=voice.player(waiting[0]))} …" if waiting else voice.say("table.dealing"))


def refusal(refused: Refusal, voice: Voice) -> RenderableType:
    """Why something is forbidden, and the clause that says so where it is the rules that do."""
    told = Text().append(f"× {voice.text(refused.text)}", "bold")
    if refused.clause:
        told.append(f"\n  {voice.say('table.rule', clause=refused.clause)}")
    return Padding(Prose(told, hang=2), (0, 0, 0, len(NO_TURN)))


def detail(face: Face, view: View, action: str, voice: Voice) -> Text:
    """What is pointed at, and what choosing it would do."""
    told = Text(NO_TURN)
    if face.pile:
        return told.append(face.name, "bold").append(f"  {voice.say('table.count', count=face.sign)}")
    if face.card is None:
        return told.append(face.sign if face.legal else face.name, "bold")
    told.append(f"{face.sign} {face.name}", "bold")
    if face.legal:
        return told.append(f"  {preview(view, action, voice)[0]}")
    return told.append(f"  {voice.say('table.not-now')}" if view.legal else "")
