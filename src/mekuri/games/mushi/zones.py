"""Texts and zones of Mushi: the pack, the checks of positions, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.compiled import has
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.fishing import common_zones, complete_stock, course_event, gained, groups, need_laid
from mekuri.games.mushi.rules import FORTY, ONI, RAIN, may_declare
from mekuri.games.mushi.scoring import GROUPS
from mekuri.games.mushi.state import Cause, MushiState, Phase, Word


def pack(options: object) -> list[int]:
    """The forty cards, whatever the options."""
    return [card for card in range(48) if has(FORTY, card)]


def complete(s: MushiState) -> None:
    """Refuse a position that lacks what its phase needs."""
    complete_stock(s, s.phase == Phase.DEAL, 24)
    need_laid(s, s.phase in (Phase.CHOOSE, Phase.CHOOSE_TURNED), on_field=False)
    need(s.shown & ~(s.hand[0] | s.hand[1]) == 0, "shown cards lie in a hand")
    need(s.phase != Phase.TURN_UP or s.stock > 0, "there is no stock to turn up a card from")
    need(s.phase != Phase.AWARD or s.field != 0, "there is nothing on the field to award")
    need(s.phase != Phase.ELDER_TAKES or groups(s.field, 4) != 0, "there are no four of a flower to take")


def why(s: MushiState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase not in (Phase.PLAY, Phase.CHOOSE, Phase.CHOOSE_TURNED) or seat != s.turn:
        return None
    if s.phase == Phase.PLAY:
        if action < FIRST_WORD:
            return Refusal("not-in-hand", {})
        return Refusal("late-declare" if s.declare_four and s.turns > 2 else "no-four", {})
    if action >= FIRST_WORD or not has(s.field, action):
        return Refusal("choose-first", {"card": s.laid})
    if s.laid == ONI:
        return Refusal("oni-target" if s.phase == Phase.CHOOSE else "oni-turned-target", {})
    return Refusal("oni-on-table", {}) if action == ONI else Refusal("not-a-match", {"card": s.laid})


def prompt(h: MushiState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.phase == Phase.PLAY:
        return Text("prompts.play-or-declare" if may_declare(h, seat) else "prompts.play", {})
    return Text("prompts.choose", {"card": h.laid})


def event(before: MushiState, after: MushiState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    if course := course_event(before, after, action, Phase):
        return course
    if action == Word.DECLARE:
        return Text("events.declare", {"seat": seat, "cards": after.shown})
    if before.phase == Phase.DEAL:
        # mushi.deal.packets
        hands = [(f"hand-{seat}", 4) for seat in (1 - before.dealer, before.dealer)]
        return Text("events.deal", {"seat": before.dealer, **packets(*[*hands, ("field", 4)] * 2)})
    if before.phase == Phase.ELDER_TAKES:
        return Text("events.elder-takes", {"seat": before.dealer, "cards": gained(before, after, before.dealer)})
    if before.phase == Phase.GATHER:
        causes = {
            Cause.FOUR_ON_TABLE: "four",
            Cause.THREE_RAIN: "three-rain",
            Cause.FOUR_IN_HAND: "declared",
            Cause.FOUR_PAIRS: "four-pairs",
        }
        # The seat whose turn it was has declared.
        return Text(f"events.gather-{causes[Cause(before.cause)]}", {"seat": before.turn})
    winner = 0 if gained(before, after, 0) else 1
    cards = gained(before, after, winner)
    kind = "award-rain" if cards & RAIN else "award-oni" if has(cards, ONI) else "award-unpaired"
    return Text(f"events.{kind}", {"seat": winner, "cards": cards})


def zones(h: MushiState) -> list[Zone]:
    """The places on the table. Captures lie by class: brights, animals, ribbons, chaff."""
    return common_zones(h, _by_class)


# mushi.cards.classes
def _by_class(cards: int) -> tuple[int, ...]:
    return tuple(card for group in GROUPS.values() for card in each(cards & group))
