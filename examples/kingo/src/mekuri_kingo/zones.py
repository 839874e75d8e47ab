"""Texts and zones of a round of Kingo: prompts, events, refusals, and positions."""

from __future__ import annotations

from mekuri.plugin import FIRST_WORD, Refusal, Text, Zone, count, each, need
from mekuri_kingo.rules import FORTY, all_bareta
from mekuri_kingo.scoring import YAKU, best_rank, first_winner, has_yaku, is_bareta, rank, value
from mekuri_kingo.state import KingoState, Phase, Word


def pack(options: object) -> list[int]:
    """Return the forty cards, for all options."""
    return list(each(FORTY))


# --- Texts ---


def why(s: KingoState, seat: int, action: int) -> Refusal | None:
    """Return the reason why an action is forbidden."""
    if s.phase != Phase.PLAY or seat != s.turn:
        return None
    return Refusal("cards-stay" if action < FIRST_WORD else "stock-empty", {})


def prompt(h: KingoState, seat: int) -> Text:
    """Return the prompt of a waiting seat."""
    return Text("prompts.play", {"points": value(h.held[seat])})


def event(before: KingoState, after: KingoState, seat: int, action: int) -> Text:
    """Describe an action, from what a viewer of both hidden states may know."""
    if before.phase == Phase.PLAY:
        return Text("events.draw" if action == Word.DRAW else "events.stand", {"seat": seat})
    if before.phase == Phase.GIVE:
        return _given(before, after, before.turn)
    if before.phase == Phase.DEAL:
        return Text("events.deal", {"seat": before.dealer})
    if before.phase == Phase.GATHER:
        return Text("events.gather", {"seat": before.dealer})
    winners = [one for one in range(after.seats) if rank(after, one) == best_rank(after)]
    if len(winners) > 1:
        return Text("events.equal", {"count": len(winners), "seat": first_winner(after)})
    cards = after.held[winners[0]]
    for yaku, name in enumerate(YAKU):
        if has_yaku(cards, yaku):
            return Text("events.yaku", {"seat": winners[0], "yaku": name})
    return Text("events.highest", {"seat": winners[0], "points": value(cards)})


def _given(before: KingoState, after: KingoState, seat: int) -> Text:
    cards = after.held[seat]
    if is_bareta(after, seat):
        return Text("events.bareta", {"seat": seat, "cards": cards, "points": value(cards)})
    if cards:
        return Text("events.give", {"seat": seat, "card": (cards & ~before.held[seat]).bit_length() - 1})
    return Text("events.give-unseen", {"seat": seat})


# --- Zones ---


def zones(h: KingoState) -> list[Zone]:
    """Return the hands, and the stock."""
    hands = [Zone(f"hand-{seat}", seat, "hand", "fan", (*each(h.held[seat]), *[None] * h.unseen[seat])) for seat in range(h.seats)]
    return [*hands, Zone("stock", None, "stock", "stack", (None,) * h.stock)]


# --- Positions ---


def complete(s: KingoState) -> None:
    """Complete a position: its turns, and before a deal the whole pack. Refuse a position that lacks what its phase needs."""
    playing, dealing = s.phase in (Phase.PLAY, Phase.GIVE), s.phase == Phase.DEAL
    if dealing and s.stock == 0:
        s.stock = s.gathered = count(FORTY)
    need(s.turn < s.seats and not any(s.held[s.seats :]), f"there are {s.seats} seats")
    s.turns = 0 if dealing else (s.turn - s.dealer) % s.seats + 1 if playing else s.seats
    need(not any(s.unseen), "a position holds every card: write held, not how many are unseen")
    need(s.gathered == 0 or (dealing and s.gathered == s.stock == count(FORTY)), "gathered is 0, or all cards before the deal")
    need(not dealing or (s.stock >= s.seats and not any(s.held)), "before the deal all cards lie in the stock, one or more a seat")
    need(not playing or s.held[s.turn] != 0, "whose turn it is holds a card")
    to_play = [(s.turn + i) % s.seats for i in range(s.seats - s.turns + 1)] if playing else []
    need(not any(is_bareta(s, seat) for seat in to_play), "whose turn is not over holds no more than fifteen")
    need(s.phase != Phase.GIVE or s.stock > 0, "there is no card to give")
    need((s.phase == Phase.GATHER) == all_bareta(s), "all are bareta where the round is void, and only there")
    need(s.phase not in (Phase.SHOWDOWN, Phase.OVER) or best_rank(s) > 0, "somebody has a hand that wins")
