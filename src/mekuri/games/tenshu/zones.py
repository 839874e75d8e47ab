"""Texts and zones of Tenshu: the pack, the check of options, the window, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from mekuri.cards import EXTRA, NONE, each
from mekuri.engine.compiled import bit, has, rule
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone, waiting
from mekuri.engine.errors import OptionError
from mekuri.games.dealing import packets
from mekuri.games.fishing import captured_zone, field_zone, gained, hand_zone, laying_event, newly_seen, stock_zone
from mekuri.games.tenshu.options import DealOrder, Notta, NottaPass, OnifudaOnField, ServantCard, TenshuOptions
from mekuri.games.tenshu.play import servant_may_pass
from mekuri.games.tenshu.seats import is_active, is_servant
from mekuri.games.tenshu.state import PILE, Cause, Ending, Phase, TenshuState, Word


def pack(options: TenshuOptions) -> list[int]:
    """All 49 cards, whatever the options."""
    # tenshu.cards.forty-nine
    return list(range(EXTRA + 1))


def check(options: TenshuOptions) -> None:
    """Refuse options that allow a shout which can never come, and options that contradict each other. Raises OptionError."""
    if options.notta == Notta.ONIFUDA_ON_FIELD and options.onifuda_on_field == OnifudaOnField.REDEAL:
        raise OptionError(
            "notta=onifuda-on-field never comes to pass where such a deal is thrown in (onifuda_on_field=redeal): choose notta=off"
        )
    if options.pass_forfeits and options.servant_declines:
        raise OptionError(
            "pass_forfeits=yes makes the first pass final, servant_declines=yes lets the servant pass every time: choose one"
        )


def window(s: TenshuState) -> int:
    """The word that silence means: a pass while "Notta!" may be shouted, else NONE."""
    return Word.PASS if s.phase == Phase.NOTTA else NONE


def unspoken(s: TenshuState) -> bool:
    """Whether a waiting table takes a pass from silence only."""
    return s.notta_pass == NottaPass.SILENCE


@rule
def secret(s: TenshuState) -> bool:
    """Whether actions stay hidden now until all seats have acted."""
    return False


# --- Refusals ---


def why(s: TenshuState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase == Phase.NOTTA:
        return _why_no_answer(s, seat)
    if s.phase == Phase.PILES:
        return Refusal("choose-pile-first" if s.right_size[seat] else "pile-chosen" if is_active(s, seat) else "not-active", {})
    if not has(waiting(s), seat):
        return None
    if s.phase == Phase.CHOOSE:
        on_field = action < FIRST_WORD and has(s.field, action)
        of_three = "onifuda-set" if s.laid == EXTRA else "not-a-match"
        return Refusal(of_three if on_field else "choose-first", {"card": s.laid})
    if s.phase == Phase.ONIFUDA:
        return Refusal("onifuda-first", {})
    if s.phase == Phase.TRIPLE:
        return Refusal("triple-first", {})
    if s.phase == Phase.EXCHANGE:
        fourth = action < FIRST_WORD and has(s.hand[seat], action)
        return Refusal("exchange-fourth" if fourth else "exchange-first", {})
    if s.phase == Phase.ACCEPT:
        return Refusal("accept-first", {})
    return _why_not_played(s, seat, action)


def _why_no_answer(s: TenshuState, seat: int) -> Refusal:
    if not is_active(s, seat):
        return Refusal("not-active", {})
    return Refusal("dealer-shouts" if seat == s.dealer else "answered" if has(s.answered, seat) else "answer-first", {})


def _why_not_played(s: TenshuState, seat: int, action: int) -> Refusal | None:
    if action < FIRST_WORD:
        return Refusal("not-in-hand", {})
    if action == Word.PILE:
        return Refusal("no-pile", {})
    if action == Word.PASS:
        return Refusal("servant-must-play" if s.phase == Phase.SERVANT and not servant_may_pass(s) else "must-play", {})
    return None


# --- Prompts and events ---


def prompt(h: TenshuState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.phase == Phase.PLAY:
        if h.hand[seat] == 0:
            return Text("prompts.play-pile", {})
        return Text("prompts.play" if h.pile_size[seat] else "prompts.play-hand", {})
    if h.phase == Phase.CHOOSE:
        return Text("prompts.choose", {"card": h.laid})
    if h.phase == Phase.SERVANT:
        may_pass = "prompts.servant-once" if h.pass_forfeits else "prompts.servant"
        return Text(may_pass if servant_may_pass(h) else "prompts.servant-last", {})
    if h.phase == Phase.NOTTA:
        return Text("prompts.notta-or-silence" if unspoken(h) else "prompts.notta", {})
    names = {
        Phase.ACCEPT: "accept",
        Phase.ONIFUDA: "onifuda",
        Phase.TRIPLE: "triple",
        Phase.PILES: "piles",
        Phase.EXCHANGE: "exchange",
    }
    return Text(f"prompts.{names[Phase(h.phase)]}", {})


def event(before: TenshuState, after: TenshuState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it, with the cry at Taikosan."""
    done = _event(before, after, seat, action)
    # tenshu.end.taikosan
    if after.phase == Phase.OVER and after.ending == Ending.TAIKOSAN:
        return Text("events.yoroshii", {**done.args, "done": done, "caller": _player(after.winner - 1)})
    return done


def _player(seat: int) -> Text:
    """A text that names a second player within a text that is about another."""
    return Text("players.name", {"seat": seat})


def _event(before: TenshuState, after: TenshuState, seat: int, action: int) -> Text:
    phase = before.phase
    if phase in (Phase.PLAY, Phase.SERVANT):
        if action == Word.PILE:
            return Text("events.pile", {"seat": seat})
        if action == Word.PASS:
            return Text("events.servant-forfeits" if after.forfeited else "events.servant-passes", {"seat": seat})
        return laying_event("play", before, after, action)
    if phase == Phase.TURN_UP:
        return laying_event("turn", before, after, newly_seen(before, after).bit_length() - 1)
    if phase == Phase.CHOOSE:
        cards = gained(before, after, seat) & ~bit(before.laid)
        return Text("events.choose", {"seat": seat, "card": before.laid, "cards": cards})
    if phase == Phase.AWARD:
        owner = next(owner for owner in range(after.seats) if gained(before, after, owner))
        return Text("events.award", {"seat": owner, "cards": after.awarded})
    return _event_before_play(before, after, seat, action)


def _event_before_play(before: TenshuState, after: TenshuState, seat: int, action: int) -> Text:
    phase, dealer = before.phase, before.dealer
    cards = gained(before, after, dealer)
    if phase == Phase.CUT:
        return _cut_event(after)
    if phase == Phase.ACCEPT:
        return Text("events.refuse" if action == Word.PASS else "events.accept", {"seat": seat})
    if phase == Phase.DEAL:
        # With servants the pack has been cut before, when one of them found a card.
        return (
            Text("events.deal", {"seat": dealer, **_packets(after)})
            if before.servant
            else Text("events.cut-and-deal", _who_cuts(before) | {"seat": dealer, **_packets(after)})
        )
    if phase == Phase.GATHER:
        causes = {Cause.FOUR_ON_FIELD: "four", Cause.ONIFUDA_ON_FIELD: "onifuda", Cause.THREE_YAKU: "three-yaku"}
        return Text(f"events.gather-{causes[Cause(before.cause)]}", {"seat": dealer})
    if phase == Phase.SET_ASIDE:
        return Text("events.set-aside", {"cards": after.dead})
    if phase == Phase.TAKE_FOUR:
        return Text("events.take-four", {"seat": dealer, "cards": cards})
    if phase == Phase.TAKE_ONIFUDA:
        return Text("events.take-onifuda-alone", {"seat": dealer, "card": EXTRA})
    if phase == Phase.ONIFUDA:
        return Text("events.take-onifuda", {"seat": dealer, "card": EXTRA, "cards": cards & ~bit(EXTRA)})
    if phase == Phase.TRIPLE:
        return Text("events.triple", {"seat": dealer, "cards": cards, "card": action})
    if phase == Phase.NOTTA:
        return Text("events.notta" if action == Word.NOTTA else "events.no-notta", {"seat": seat})
    if phase == Phase.PILES:
        return Text("events.piles", {"seat": seat})
    if phase == Phase.EXCHANGE:
        return Text("events.exchange", {"seat": dealer, "card": action})
    return Text("events.swap", {"seat": before.shouted[before.swaps] - 1})


def _cut_event(after: TenshuState) -> Text:
    args = _who_cuts(after) | {"seat": after.servant - 1}
    if not after.served:
        return Text("events.no-servant-card", args)
    if after.servant_card == ServantCard.HIDDEN:
        return Text("events.servant-card-hidden", args)
    return Text("events.servant-card", args | {"card": after.shown.bit_length() - 1})


# tenshu.deal.shuffle
def _who_cuts(s: TenshuState) -> dict[str, Any]:
    """The dealer, who shuffles, and the fourth player, who cuts."""
    seats = [(s.dealer + i) % s.seats for i in range(s.seats)]
    return {"dealer": _player(s.dealer), "cutter": _player([seat for seat in seats if is_active(s, seat)][-1])}


# --- The places on the table ---


def zones(h: TenshuState) -> list[Zone]:
    """The zones of all hands, the piles and captures of the seats that play, the field, and the stock and dead cards, if any."""
    playing = [seat for seat in range(h.seats) if is_active(h, seat) or is_servant(h, seat)]
    found = [hand_zone(h, seat) if is_active(h, seat) else _servant_zone(h, seat) for seat in range(h.seats)]
    for seat in playing:
        if h.right_size[seat]:
            found.append(_pile_zone("left", "offer", h, seat))
            found.append(_pile_zone("right", "offer", h, seat))
        elif is_active(h, seat):
            found.append(_pile_zone("pile", "pile", h, seat))
    found.append(field_zone(h))
    if h.stock:
        found.append(stock_zone(h))
    if h.dead:
        found.append(Zone("dead", None, "dead", "row", each(h.dead)))
    return [*found, *(captured_zone(h, seat) for seat in playing)]


# tenshu.deal.packets, tenshu.deal.eight-on-field
def _packets(h: TenshuState) -> dict[str, str]:
    """The packets of the deal, as the argument of its text."""
    seats = [(h.dealer + 1 + i) % h.seats for i in range(h.seats)]
    piles = [f"{side}-{seat}" for seat in seats if is_active(h, seat) for side in ("left", "right")]
    if h.deal_order != DealOrder.NARA:
        return packets(*((pile, PILE) for pile in piles), ("field", 9))
    threes, twos = ([("field", 3), *((pile, cards) for pile in piles)] for cards in (3, 2))
    return packets(*threes, *twos, ("field", 3))


def _servant_zone(h: TenshuState, seat: int) -> Zone:
    """The hand zone of a seat that is not active. Its id tells the seat's role: a servant with or without its card, or out."""
    zone = hand_zone(h, seat)
    if has(h.out, seat):
        name = "out"
    elif zone.count or (h.servant == seat + 1 and h.phase == Phase.CUT):
        name = "servant"
    else:
        name = "servant-done" if is_servant(h, seat) else "empty-servant"
    return replace(zone, id=f"{name}-{seat}")


def _pile_zone(name: str, kind: Literal["pile", "offer"], h: TenshuState, seat: int) -> Zone:
    """A face-down pile, the bottom card first."""
    row, size = (h.right_pile, h.right_size) if name == "right" else (h.pile, h.pile_size)
    cards = row[seat * PILE : seat * PILE + size[seat]]
    return Zone(f"{name}-{seat}", seat, kind, "stack", tuple(None if card == NONE else card for card in cards))
