"""Texts and zones of Sakura: the pack, the checks of positions, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.compiled import bit, has
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.fishing import common_zones, complete_stock, course_event, gained, groups, need_laid
from mekuri.games.sakura.options import Hiki
from mekuri.games.sakura.rules import FIELDS, GAJI, HANDS, hikis, left_for_gaji
from mekuri.games.sakura.scoring import GROUPS
from mekuri.games.sakura.state import Phase, SakuraState, Word


# sakura.cards.pack
def pack(options: object) -> list[int]:
    """The forty-eight cards, whatever the options."""
    return list(range(48))


def complete(s: SakuraState) -> None:
    """Refuse a position that lacks what its phase needs."""
    complete_stock(s, s.phase == Phase.DEAL, HANDS[s.seats] * s.seats + FIELDS[s.seats])
    need_laid(s, s.phase in (Phase.CHOOSE, Phase.CHOOSE_TURNED), on_field=False)
    need(s.dead & ~bit(GAJI) == 0 and (s.laid != GAJI or s.dead == 0), "only the gaji is out of play, and not while it is played")
    need(s.dead == 0 or s.phase not in (Phase.DEAL, Phase.SET_ASIDE), "the gaji is dealt before it is out of play")
    hands = 0
    for seat in range(s.seats):
        hands |= s.hand[seat]
    need(s.shown & ~hands == 0, "shown cards lie in a hand")
    need((s.gaji_by == 0) == (s.gaji_month == 0), "gaji_by and gaji_month go together")
    need(s.phase != Phase.PLAY or s.hand[s.turn] != 0, "the seat whose turn it is has a card to play")
    need(s.phase != Phase.TURN_UP or s.stock > 0, "there is no stock to turn up a card from")
    need(s.phase not in (Phase.PLAY, Phase.CHOOSE, Phase.HIKI) or s.stock > 0, "a turn ends with a card of the stock")
    need(s.phase != Phase.AWARD or left_for_gaji(s) != 0, "there is nothing on the field to award")
    need(s.phase not in (Phase.DEALER_TAKES, Phase.GATHER) or groups(s.field, 4) != 0, "there are no four of a month to take")
    need(s.phase != Phase.SET_ASIDE or has(s.field, GAJI) == 1, "the gaji does not lie on the field")
    need(s.phase != Phase.HIKI or hikis(s, s.turn) & s.hand[s.turn] != 0, "the seat sees no four of a month")
    if s.phase == Phase.HIKI:
        s.shown |= hikis(s, s.turn) & s.hand[s.turn]


def why(s: SakuraState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase not in (Phase.PLAY, Phase.CHOOSE, Phase.CHOOSE_TURNED, Phase.HIKI) or seat != s.turn:
        return None
    if action >= FIRST_WORD:
        if s.phase != Phase.PLAY:
            return None
        return Refusal("no-hiki-here" if s.hiki == Hiki.OFF else "no-hiki", {})
    if s.phase == Phase.PLAY:
        return Refusal("not-in-hand", {})
    if s.phase == Phase.HIKI:
        return Refusal("choose-month", {})
    return Refusal("not-a-match" if has(s.field, action) else "choose-first", {"card": s.laid})


def prompt(h: SakuraState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.phase == Phase.PLAY:
        return Text("prompts.play-or-hiki" if hikis(h, seat) else "prompts.play", {})
    return Text("prompts.month", {}) if h.phase == Phase.HIKI else Text("prompts.choose", {"card": h.laid})


def event(before: SakuraState, after: SakuraState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    if before.phase == Phase.HIKI or (before.phase == Phase.PLAY and action == Word.HIKI):
        if after.phase == Phase.HIKI:
            return Text("events.hikis", {"seat": seat, "cards": after.shown & ~before.shown})
        return Text("events.hiki", {"seat": seat, "cards": gained(before, after, seat)})
    if course := course_event(before, after, action, Phase):
        return course
    if before.phase == Phase.DEAL:
        order = [(before.dealer + 1 + step) % before.seats for step in range(before.seats)]
        hands = [(f"hand-{seat}", HANDS[before.seats]) for seat in order]
        return Text("events.deal", {"seat": before.dealer, **packets(*hands, ("field", FIELDS[before.seats]))})
    if before.phase == Phase.SET_ASIDE:
        return Text("events.set-aside", {"cards": bit(GAJI)})
    if before.phase == Phase.DEALER_TAKES:
        return Text("events.dealer-takes", {"seat": before.dealer, "cards": gained(before, after, before.dealer)})
    if before.phase == Phase.GATHER:
        return Text("events.gather-four", {})
    winner = before.gaji_by - 1
    return Text("events.award", {"seat": winner, "cards": gained(before, after, winner)})


def zones(h: SakuraState) -> list[Zone]:
    """The places on the table. Captures lie by value: twenties, tens, fives, chaff."""
    dead = [Zone("dead", None, "dead", "row", each(h.dead))] if h.dead else []
    return [*common_zones(h, _by_value), *dead]


# sakura.cards.points
def _by_value(cards: int) -> tuple[int, ...]:
    return tuple(card for group in GROUPS.values() for card in each(cards & group))
