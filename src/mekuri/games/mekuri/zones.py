"""Texts and zones of Mekuri: the pack, the checks of options and positions, refusals, prompts, events, and the table's places."""

from __future__ import annotations

from dataclasses import replace

from mekuri.engine.compiled import has
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone
from mekuri.engine.errors import OptionError
from mekuri.engine.position import need
from mekuri.games.dealing import in_hands, packets
from mekuri.games.fishing import common_zones, complete_stock, course_event, gained, groups, need_laid
from mekuri.games.mekuri.options import HandFour, MekuriOptions, Par, Score, Values, YakuRatio, YakuSet
from mekuri.games.mekuri.rules import field_cards, hand_cards, may_declare
from mekuri.games.mekuri.seats import MOST_PLAYERS, first_player, is_active
from mekuri.games.mekuri.state import Cause, MekuriState, Phase, Word


def pack(options: object) -> list[int]:
    """The forty-eight cards, whatever the options."""
    # mekuri.cards.pack
    return list(range(48))


def check(options: MekuriOptions) -> None:
    """Refuse options of which one leaves nothing to the other. Raises OptionError."""
    with_par = options.score == Score.CARDS_AND_YAKU
    if with_par and options.values == Values.BLOMHOFF:
        raise OptionError("Blomhoff's points add up to 89, which no par divides: choose score=cards-as-counted or score=yaku")
    if options.par == Par.BY_TURN and not with_par:
        raise OptionError("par=by-turn needs card points that are counted against a par: choose score=cards-and-yaku")
    if options.two_hands == 7 and options.score != Score.YAKU:
        raise OptionError("with hands of seven, two players leave cards over, so that card points have no par: choose score=yaku")
    if options.yaku_ratio == YakuRatio.BLOMHOFF and options.yaku_set != YakuSet.EDO:
        raise OptionError("yaku_ratio=blomhoff is for yaku_set=edo: the other sets have ratios of their own")


# --- Positions ---

DEALING = (Phase.DEAL, Phase.WHO)  # phases before it is decided who plays
PLAYING = (Phase.PLAY, Phase.CHOOSE, Phase.TURN_UP, Phase.CHOOSE_TURNED)
ASKING = (Phase.WHO, Phase.PLAY, Phase.CHOOSE, Phase.CHOOSE_TURNED)


def complete(s: MekuriState) -> None:
    """Fill in what a position left out, and refuse one that lacks what its phase needs."""
    if s.phase == Phase.DEAL:
        s.turn = s.dealer
    _complete_who(s)
    # The stock that waits for its shuffle is no pack before the deal.
    gathered, s.gathered = s.gathered, 0 if s.phase == Phase.SHUFFLE else s.gathered
    complete_stock(s, s.phase == Phase.DEAL, s.seats * hand_cards(s) + field_cards(s))
    if s.phase == Phase.SHUFFLE:
        need(gathered in (0, s.stock), "gathered is 0 or the whole stock")
        s.gathered = gathered
    need_laid(s, s.phase in (Phase.CHOOSE, Phase.CHOOSE_TURNED), on_field=False)
    need(s.ending == 0, "a round ends in one way")
    need(s.phase != Phase.TURN_UP or s.stock > 0, "there is no stock to turn up a card from")
    need(s.phase != Phase.DEALER_TAKES or groups(s.field, 4) != 0, "there are no four of a number to take")
    need(s.phase != Phase.DEALER_TAKES or s.turn == first_player(s), "turn is the seat that plays first")
    need(s.phase not in (Phase.PUT_BACK, Phase.SHUFFLE, Phase.DEALER_TAKES) or s.turns == 0, "no turn has begun")


def _complete_who(s: MekuriState) -> None:
    """Check the fields that say who plays."""
    four = s.seats > MOST_PLAYERS
    need(s.out <= s.seats, f"out is 0, or 1 + a seat from 0 to {s.seats - 1}")
    need(four or s.out == 0, "only at a table of four a seat sits out")
    need(s.phase != Phase.WHO or four, "only at a table of four seats are asked whether they play")
    need(s.phase not in DEALING or s.out == 0, "before the answers no seat sits out")
    need(s.phase in (*DEALING, Phase.GATHER) or s.out > 0 or not four, "of four seats one sits out: out is 1 + this seat")
    need(s.phase != Phase.WHO or (s.turn - s.dealer) % s.seats < MOST_PLAYERS, "the last seat is not asked")
    need(not s.forced or s.out == s.dealer or (s.out, s.dealer) == (s.seats, 0), "the last seat is forced out")
    need(not s.payment or s.forced > 0, "only a seat that is forced out is paid")
    need(s.phase not in (*PLAYING, Phase.DEALER_TAKES) or is_active(s, s.turn), "turn is a seat that plays")
    need(not s.returned or (s.out > 0 and s.phase not in (Phase.PUT_BACK, *DEALING)), "no cards have been put back")
    need(s.returned & in_hands(s) == 0, "cards that were put back lie in no hand")
    for seat in range(len(s.hand)):
        waits = s.phase in (Phase.PUT_BACK, *DEALING)
        need((seat < s.seats and (waits or is_active(s, seat))) or s.hand[seat] == 0, f"seat {seat} does not play: it has no hand")
        need((seat < s.seats and is_active(s, seat)) or s.captured[seat] == 0, f"seat {seat} does not play: it has no captures")
    need(s.phase != Phase.PUT_BACK or s.hand[s.out - 1] != 0, "the seat that sits out holds its cards")


# --- Refusals, prompts and events ---


def why(s: MekuriState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase not in ASKING or seat != s.turn:
        return Refusal("sits-out", {}) if s.out == seat + 1 else None
    if action == Word.DECLARE:
        late = s.hand_four == HandFour.REDEAL and groups(s.hand[seat], 4) and not may_declare(s, seat)
        return Refusal("late-declare" if late else "no-four", {})
    if s.phase == Phase.WHO:
        return Refusal("who-first", {})
    if action >= FIRST_WORD:
        return Refusal("decided", {})
    if s.phase == Phase.PLAY:
        return Refusal("not-in-hand", {})
    return Refusal("not-a-match" if has(s.field, action) else "choose-first", {"card": s.laid})


def prompt(h: MekuriState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.phase in (Phase.CHOOSE, Phase.CHOOSE_TURNED):
        return Text("prompts.choose", {"card": h.laid})
    name = "who" if h.phase == Phase.WHO else "play"
    return Text(f"prompts.{name}-or-declare" if may_declare(h, seat) else f"prompts.{name}", {})


def event(before: MekuriState, after: MekuriState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    if action == Word.DECLARE:
        return Text("events.declare", {"seat": seat, "cards": after.shown})
    if course := course_event(before, after, action, Phase):
        return course
    if before.phase == Phase.WHO:
        return Text("events.plays" if action == Word.IN else "events.sits-out", {"seat": seat})
    if before.phase == Phase.PUT_BACK:
        return _put_back(after)
    if before.phase == Phase.SHUFFLE:
        return Text("events.shuffle", {"number": before.stock, "seat": after.turn})
    if before.phase == Phase.DEALER_TAKES:
        return Text("events.dealer-takes", {"seat": before.turn, "cards": gained(before, after, before.turn)})
    if before.phase == Phase.GATHER:
        cause = "four" if before.cause == Cause.FOUR_ON_FIELD else "hand"
        return Text(f"events.gather-{cause}", {"seat": before.dealer})
    return Text("events.deal", {"seat": before.dealer, **_packets(before)})


def _put_back(after: MekuriState) -> Text:
    if after.payment:
        return Text("events.forced-paid", {"seat": after.out - 1, "cards": after.shown, "points": after.payment})
    return Text("events.forced-out" if after.forced else "events.put-back", {"seat": after.out - 1})


# mekuri.deal.packets
def _packets(h: MekuriState) -> dict[str, str]:
    """The packets of the deal, as the argument of its text."""
    hands = [f"hand-{(h.dealer + 1 + i) % h.seats}" for i in range(h.seats)]
    parts = ((hand_cards(h) + 1 - part) // 2 for part in range(2))
    return packets(*(packet for part in parts for packet in (*((hand, part) for hand in hands), ("field", field_cards(h) // 2))))


# --- The places on the table ---


def zones(h: MekuriState) -> list[Zone]:
    """The places on the table. The hand of a seat that sits out is called so, and it has no captures."""
    out = h.out - 1
    named = [replace(zone, id=f"out-{out}") if zone.id == f"hand-{out}" else zone for zone in common_zones(h)]
    return [zone for zone in named if zone.id != f"captured-{out}"]
