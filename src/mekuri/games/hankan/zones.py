"""Texts and zones of Hankan: the pack, the checks of positions, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from mekuri.cards import each
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.contract import Refusal, Text, Zone
from mekuri.engine.contract import face_down as backs
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.hankan.rules import bets_on, better_row, bettors, chips_of, face_down, row_of
from mekuri.games.hankan.state import DEALS, TABLE, HankanState, Phase
from mekuri.games.kabu import PACK, ROW, rank

ROWS = ("none", "naka", "oto")  # by the row that a bet is on


def pack(options: object) -> list[int]:
    """The forty-five cards, whatever the options."""
    return list(PACK)


def complete(s: HankanState) -> None:
    """Fill in the stock before the first deal, and refuse a position that lacks what its phase needs."""
    rows = (s.shi, s.naka, s.oto)
    dealt, bets = any(rows), any(s.bet) or s.done
    if s.phase == Phase.DEAL and s.stock == 0 and not dealt and s.past == 0 and s.turns == 0:
        s.stock = s.gathered = count(s.deck)
    need(s.gathered == 0 or (s.phase == Phase.DEAL and s.gathered == s.stock == count(s.deck)), "gathered is 0, or the whole pack")
    need(not dealt or all(count(row) == ROW for row in rows), "there are three rows of three cards, or none")
    need(s.phase == Phase.DEAL or dealt, "after the deal there are three rows of three cards")
    need(s.phase != Phase.DEAL or s.stock >= 3 * ROW, "before a deal the stock holds at least nine cards")
    need(s.turns <= DEALS - (s.phase == Phase.DEAL), "there are five deals in a round")
    s.turns = max(s.turns, int(dealt))
    need(dealt or not (bets or s.turns), "nothing is bet and no deal counted before the first deal")
    need(s.done & ~bettors(s) == 0, "done are bettors, as the sum of 1 for seat 0, 2 for seat 1, 4 for seat 2 and so on")
    s.done = s.done or sum(bit(seat) for seat, bet in enumerate(s.bet) if bet)
    need(all((bet > 0) == has(s.done, seat) for seat, bet in enumerate(s.bet[:TABLE])), "who is done has a bet, if none a 1")
    need(not any(s.bet[TABLE:]) and s.done & ~bettors(s) == 0, "only bettors bet")
    all_in = s.done == bettors(s)
    need(s.phase == Phase.DEAL or all_in == (s.phase != Phase.BET), "the phase is bet until all bettors are done, and not after it")
    need(s.phase != Phase.DEAL or all_in or not (dealt or s.done), "a deal is over when all bettors are done")
    need(s.phase != Phase.PAY or bets_on(s, 1) + bets_on(s, 2) > 0, "there is no bet to be settled")
    need(not any(s.won[s.seats :] + s.lost[s.seats :]), f"there are {s.seats} seats")
    need(sum(s.won) == sum(s.lost), "what some have won others have lost")
    s.staked = max(s.staked, int(any(s.won)))
    s.ending = int(s.phase == Phase.OVER and s.staked)


# --- Refusals, prompts and events ---


def why(s: HankanState, seat: int, action: int) -> Refusal:
    """The reason why an action is forbidden."""
    if seat == s.dealer:
        return Refusal("dealer-never-bets", {})
    if has(s.done, seat):
        return Refusal("already-bet", {})
    return Refusal("no-card" if s.phase == Phase.BET else "rows-first", {})


def prompt(h: HankanState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    return Text("prompts.bet", {})


def event(before: HankanState, after: HankanState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    dealer = {"seat": after.dealer}
    if before.phase == Phase.BET:
        return _bet_event(after, seat)
    if before.phase == Phase.DEAL:
        return Text("events.deal", {**dealer, "number": after.turns, "cards": after.shi, **_packets()})
    if before.phase == Phase.SHOWDOWN:
        return _showdown_event(after)
    rows = ("even", "naka", "oto")
    row = rows[better_row(after)]
    points = after.won[after.dealer] - before.won[after.dealer] - after.lost[after.dealer] + before.lost[after.dealer]
    outcome = (
        "even"
        if row == "even"
        else f"{row}-dealer-wins"
        if points > 0
        else f"{row}-dealer-pays"
        if points < 0
        else f"{row}-evens-out"
    )
    return Text(f"events.{outcome}", dealer if points == 0 else {**dealer, "points": abs(points)})


def _bet_event(after: HankanState, seat: int) -> Text:
    """The event of a seat's bet, with the bet if it may be seen."""
    bet = after.bet[seat]
    if bet == 0:
        return Text("events.bet-unseen", {"seat": seat})
    if row_of(bet) == 0:
        return Text("events.no-bet", {"seat": seat})
    return Text(f"events.bet-{ROWS[row_of(bet)]}", {"seat": seat, "points": chips_of(bet)})


def _showdown_event(after: HankanState) -> Text:
    """The event of the showdown: the strength of both rows, and the bets on them."""
    rows = {"first": rank(after.naka), "second": rank(after.oto)}
    bets = [_bet_event(after, seat) for seat in each(bettors(after)) if chips_of(after.bet[seat])]
    if not bets:
        return Text("events.showdown-alone", rows)
    combined = bets[-1]
    for bet in bets[-2::-1]:
        combined = Text("bets.both", {"first": bet, "second": combined})
    return Text("events.showdown", {**rows, "bets": combined})


def _packets() -> dict[str, str]:
    return packets(("shi", ROW), ("naka", ROW), ("oto", ROW))


@rule
def secret(s: HankanState) -> bool:
    """Whether actions stay hidden now until all seats have acted."""
    return s.phase == Phase.BET


# --- The places on the table ---


# hankan.deal.first-row, hankan.deal.two-rows
def zones(h: HankanState) -> list[Zone]:
    """The zones of the three rows, with the bets that may be seen, of the stock, and of the cards of earlier deals."""
    found = []
    if h.turns:
        lie_down = ROW if face_down(h) else 0
        found = [Zone("shi", None, "field", "row", each(h.shi))]
        for place, row in enumerate((h.naka, h.oto), 1):
            lying = backs(row, max(0, lie_down - count(row)))
            found.append(Zone(ROWS[place], None, "field", "row", lying, bets_on(h, place)))
    found.append(Zone("stock", None, "stock", "stack", (None,) * h.stock))
    if h.past:
        found.append(Zone("past", None, "dead", "row", each(h.past)))
    return found
