"""Texts and zones of Koi-Koi: the pack, the checks of positions, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.compiled import has
from mekuri.engine.contract import FIRST_WORD, Refusal, SheetLine, Text, Zone
from mekuri.engine.errors import OptionError
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.fishing import common_zones, complete_stock, course_event, gained, need_laid
from mekuri.games.koikoi.options import Finish, KoikoiOptions, Teyaku
from mekuri.games.koikoi.rules import is_lucky, may_call, may_declare
from mekuri.games.koikoi.scoring import call_sheet, counted, has_four, payment
from mekuri.games.koikoi.state import Cause, KoikoiState, Phase, Word
from mekuri.games.koikoi.yaku import GROUPS, base


# koikoi.cards.pack
def pack(options: object) -> list[int]:
    """The forty-eight cards, whatever the options."""
    return list(range(48))


def check(options: KoikoiOptions) -> None:
    """Refuse options of which one leaves nothing to the other."""
    if options.hand_cards == 10 and options.finish == Finish.EMPTY_STOCK:
        raise OptionError("with hands of ten cards the stock is empty when the hands are: leave finish at hands-out")


def complete(s: KoikoiState) -> None:
    """Fill in what a position left out, and refuse one that lacks what its phase needs."""
    s.month = s.month or 1
    s.field_times = s.field_times or 1
    complete_stock(s, s.phase == Phase.DEAL, 8 + 2 * s.hand_cards)
    need_laid(s, s.phase in (Phase.CHOOSE, Phase.CHOOSE_TURNED), on_field=False)
    need(s.shown & ~(s.hand[0] | s.hand[1]) == 0, "shown cards lie in a hand")
    need(s.phase != Phase.TURN_UP or s.stock > 0, "there is no stock to turn up a card from")
    need(s.phase != Phase.DEALER_TAKES or has_four(s.field), "there are no four of a month to take")
    need(s.phase != Phase.ANSWER or is_lucky(s.hand[s.turn]), "the seat that has declared holds a lucky hand")
    need(s.phase != Phase.CALL or base(s, s.turn) > s.best[s.turn], "the seat has no new points of yaku to decide on")


def why(s: KoikoiState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase == Phase.ANSWER and seat == 1 - s.turn:
        return Refusal("not-lucky", {}) if action == Word.DECLARE else None
    if s.phase not in (Phase.PLAY, Phase.CHOOSE, Phase.CHOOSE_TURNED, Phase.CALL) or seat != s.turn:
        return None
    if s.phase == Phase.CALL:
        return Refusal("no-koi", {}) if action == Word.KOI else Refusal("call-first", {})
    if action == Word.DECLARE:
        return Refusal("late-declare" if s.teyaku != Teyaku.OFF and s.turns > 2 else "not-lucky", {})
    if action >= FIRST_WORD:
        return Refusal("no-call", {})
    if s.phase == Phase.PLAY:
        return Refusal("not-in-hand", {})
    return Refusal("not-a-match" if has(s.field, action) else "choose-first", {"card": s.laid})


def prompt(h: KoikoiState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.phase == Phase.PLAY:
        return Text("prompts.play-or-declare" if may_declare(h, seat) else "prompts.play", {})
    if h.phase == Phase.CALL:
        return Text("prompts.call" if may_call(h) else "prompts.stop", {"number": counted(h, seat), "points": payment(h, seat)})
    return Text("prompts.answer", {}) if h.phase == Phase.ANSWER else Text("prompts.choose", {"card": h.laid})


def decision_sheet(h: KoikoiState, seat: int) -> list[SheetLine]:
    """What a call brings: the points of shōbu now, and what multiplies points after a koi-koi."""
    return call_sheet(h, seat, may_call(h)) if h.phase == Phase.CALL and seat == h.turn else []


def event(before: KoikoiState, after: KoikoiState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    if course := course_event(before, after, action, Phase):
        return course
    if before.phase == Phase.DEAL:
        half = before.hand_cards // 2
        places = ((f"hand-{1 - before.dealer}", half), ("field", 4), (f"hand-{before.dealer}", half))
        return Text("events.deal", {"seat": before.dealer, **packets(*[*places] * 2)})
    if before.phase == Phase.DEALER_TAKES:
        return Text("events.dealer-takes", {"seat": before.dealer, "cards": gained(before, after, before.dealer)})
    if before.phase == Phase.GATHER:
        causes = {Cause.FOUR_ON_FIELD: "four", Cause.PAIRS_ON_FIELD: "pairs", Cause.LUCKY_HAND: "lucky"}
        return Text(f"events.gather-{causes[Cause(before.cause)]}", {"seat": before.turn})
    if action == Word.PASS:
        return Text("events.pass", {"seat": seat})
    if action == Word.DECLARE:
        return Text("events.declare", {"seat": seat, "cards": after.shown & ~before.shown})
    if action == Word.SHOBU:
        return Text("events.shobu", {"seat": seat, "points": payment(before, seat)})
    return Text("events.koi", {"seat": seat, "number": counted(before, seat)})


def zones(h: KoikoiState) -> list[Zone]:
    """The places on the table. Captures lie by kind: brights, animals, ribbons, chaff."""
    return common_zones(h, _by_kind)


# koikoi.cards.kinds
def _by_kind(cards: int) -> tuple[int, ...]:
    return tuple(card for group in GROUPS.values() for card in each(cards & group))
