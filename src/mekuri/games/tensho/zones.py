"""Texts and zones of Tensho: the pack, the checks of options and positions, refusals, prompts, events, and the places on the table.

Those of its side games stand in `side_zones`.
"""

from __future__ import annotations

from mekuri.cards import number
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone, face_down
from mekuri.engine.errors import OptionError
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.fishing import common_zones, complete_stock, course_event, gained, groups, need_laid, same_number
from mekuri.games.tensho.deal import dealt_packets
from mekuri.games.tensho.hidden import field_face_down
from mekuri.games.tensho.options import FourOnField, Score, TenshoOptions, YakuSet
from mekuri.games.tensho.rules import SIX
from mekuri.games.tensho.side_games import rows_lie
from mekuri.games.tensho.side_zones import (
    check_side_games,
    complete_shoniban,
    complete_tokotoko,
    dead_dealt,
    dead_zones,
    row_zones,
    set_aside,
    side_event,
    side_prompt,
    why_aside,
)
from mekuri.games.tensho.state import Phase, TenshoState, Word

SETS = ("", "one", "two")


# tensho.cards.forty-five, tensho.research.reduced
def pack(options: TenshoOptions) -> list[int]:
    """The cards of the numbers in play; of the sixes only the clubs."""
    return [card for card in range(48) if number(card) in options.deck and (number(card) != 6 or card == SIX)]


def check(options: TenshoOptions) -> None:
    """Refuse a reduced game that cannot be dealt, and a value that no other option uses. Raises OptionError."""
    cards, needed = len(pack(options)), 4 * options.hand + options.field
    if cards < needed:
        raise OptionError(
            f"deck, hand and field do not fit: two hands, as large a stock and the field need {needed} cards, "
            f"and the numbers chosen have {cards}; choose more numbers, or a smaller hand or field"
        )
    quiet = sum(min(3, sum(number(card) == n for card in pack(options))) for n in options.deck)
    if options.four_on_field == FourOnField.REDEAL and options.field > quiet:
        raise OptionError(
            "field: every field would hold four of a number and be dealt again for ever; "
            "choose a smaller field, or four_on_field=dead"
        )
    if options.instant_points != 300 and options.score != Score.POINTS:
        raise OptionError("instant_points only counts with score=points")
    check_side_games(options, cards)


def complete(s: TenshoState) -> None:
    """Fill in the yaku set, which is the agreed one or else set one, and refuse a position that lacks what its phase needs."""
    if s.set == 0:
        s.set = s.yaku_set or int(s.phase not in (Phase.VOTE, Phase.DEAL))
    if s.phase in (Phase.TAKE_FOUR, Phase.TAKE_SIX, Phase.TRIPLE, Phase.TRIPLE_SECOND):
        s.turn = s.dealer
    need(s.yaku_set in (YakuSet.VOTE, s.set), "set is the one that the option yaku_set names")
    _complete_votes(s)
    complete_stock(s, s.phase in (Phase.VOTE, Phase.DEAL), s.field_cards + 2 * s.hand_cards)
    need_laid(s, s.phase in (Phase.CHOOSE, Phase.CHOOSE_TURNED, Phase.TRIPLE_SECOND), on_field=s.phase == Phase.TRIPLE_SECOND)
    elsewhere = s.dead | s.face_down | s.stack[0] | s.stack[1] | s.naka | s.oto | s.two[0] | s.two[1] | s.middle
    need(s.laid < 0 or has(elsewhere, s.laid) == 0, "the card laid lies elsewhere")
    need(s.phase not in (Phase.VOTE, Phase.DEAL) or s.dead == 0, "nothing is dead before the deal")
    need(s.phase != Phase.STACK or 0 not in s.stack, "both stacks hold cards")
    need(s.phase == Phase.STACK or s.stack == [0, 0], "there are stacks to choose from in the phase stack only")
    before_field = (Phase.STACK, Phase.BET, Phase.REVEAL)
    need(s.phase in before_field or s.face_down == 0, "the field lies face down in the phases stack, bet and reveal only")
    need(s.stack_held == [0, 0] and s.field_held == 0, "a position holds every card: write stack and face_down")
    before_play = (Phase.BET, Phase.REVEAL, Phase.SETTLE, Phase.TAKE_FOUR, Phase.TAKE_SIX, Phase.TRIPLE, Phase.TRIPLE_SECOND)
    need(s.phase not in before_play or 0 not in s.hand, "both hands hold cards")
    need(s.phase != Phase.TURN_UP or s.stock > 0, "there is no stock to turn up a card from")
    need(s.phase != Phase.TAKE_FOUR or groups(s.field, 4) != 0, "there are no four of a number to take")
    need(s.phase != Phase.TAKE_SIX or has(s.field, SIX) == 1, "the 6 of clubs is not on the field")
    complete_shoniban(s)
    complete_tokotoko(s)


def _complete_votes(s: TenshoState) -> None:
    voters = sum(bit(seat) for seat in range(2) if s.vote[seat])
    need(s.set > 0 or voters == s.voted, "voted is the set of seats that have a vote")
    need(s.phase != Phase.VOTE or (s.set == 0 and s.voted < 3), "a vote is open while no set is known and a seat has not voted")
    need(s.phase != Phase.DEAL or s.set > 0 or s.voted == 3, "before the deal either the set is known or both have voted")


def why(s: TenshoState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase == Phase.VOTE:
        return Refusal("voted" if has(s.voted, seat) else "vote-first", {})
    if s.phase in (Phase.PLAY, Phase.CHOOSE, Phase.CHOOSE_TURNED):
        if seat != s.turn:
            return None
        if s.phase == Phase.PLAY:
            return Refusal("not-in-hand", {})
        return Refusal("not-a-match" if action < FIRST_WORD and has(s.field, action) else "choose-first", {"card": s.laid})
    if s.phase == Phase.STACK:
        return Refusal("stack-first", {})
    if s.phase == Phase.TRIPLE_SECOND and seat == s.dealer and action < FIRST_WORD:
        same = s.field & same_number(s.laid) & ~bit(s.laid)
        return Refusal("nara-pair" if has(same, action) else "not-in-triple", {})
    if s.phase in (Phase.TRIPLE, Phase.TRIPLE_SECOND):
        return Refusal("not-in-triple" if seat == s.dealer and action < FIRST_WORD else "triple-first", {})
    return why_aside(s, seat, action)


def prompt(h: TenshoState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    again = "triple-again" if h.plays_second else "triple"
    names = {Phase.PLAY: "play", Phase.VOTE: "vote", Phase.STACK: "stack", Phase.TRIPLE: again}
    if h.phase in names:
        return Text(f"prompts.{names[Phase(h.phase)]}", {})
    if aside := side_prompt(h):
        return aside
    return Text("prompts.triple-second" if h.phase == Phase.TRIPLE_SECOND else "prompts.choose", {"card": h.laid})


def event(before: TenshoState, after: TenshoState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    phase, dealer = before.phase, before.dealer
    if course := course_event(before, after, action, Phase):
        return course
    if phase == Phase.VOTE:
        return Text("events.vote", {"seat": seat})
    if phase == Phase.DEAL:
        return _deal_event(before, after)
    if phase == Phase.STACK:
        return Text("events.stack", {"seat": seat, "word": action})
    if phase == Phase.REVEAL:
        return Text("events.reveal", {})
    if phase == Phase.GATHER:
        return Text("events.gather-four", {})
    if phase == Phase.TAKE_FOUR:
        return Text("events.take-four", {"seat": dealer, "cards": gained(before, after, dealer)})
    if phase == Phase.TAKE_SIX:
        return Text("events.take-six", {"seat": dealer, "card": SIX})
    if aside := side_event(before, after, seat, action):
        return aside
    if action == Word.DECLINE:
        return Text("events.decline", {"seat": seat})
    return Text("events.triple-take", {"seat": seat, "card": action})


def _deal_event(before: TenshoState, after: TenshoState) -> Text:
    args = {"seat": before.dealer, "set": Text(f"sets.{SETS[after.set]}", {}), **packets(*dealt_packets(after))}
    if before.set:
        return Text("events.deal", args)
    return Text("events.set-by-dealer" if after.overruled else "events.set-agreed", args)


def zones(h: TenshoState) -> list[Zone]:
    """The places on the table: the common ones, the stacks to choose from, the field face down, and the cards out of play.

    These are the dead cards, or, once Tokotoko is dealt from them, what the round has left over.
    """
    found = common_zones(h)
    if h.phase == Phase.STACK:
        sides = enumerate(("left", "right"))
        found += [Zone(f"stack-{side}", None, "offer", "stack", face_down(h.stack[i], h.stack_held[i])) for i, side in sides]
    if rows_lie(h) or h.phase == Phase.SETTLE:
        found[2:3] = row_zones(h)
    elif field_face_down(h):
        found[2] = Zone("field", None, "field", "grid", face_down(h.face_down, h.field_held))
    elif dead_dealt(h):
        found[:3] = dead_zones(h)
    # All cards that lie nowhere else are set aside.
    seen, aside = set_aside(h), count(h.deck) - sum(len(zone.cards) for zone in found)
    name = "left-over" if dead_dealt(h) else "dead"
    return [*found, Zone(name, None, "dead", "stack", face_down(seen, aside - count(seen)))]


@rule
def secret(s: TenshoState) -> bool:
    """Whether actions stay hidden now until both seats have acted."""
    return s.phase == Phase.VOTE or s.phase == Phase.STAKE
