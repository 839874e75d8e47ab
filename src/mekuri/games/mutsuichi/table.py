"""How a round of Mutsu-ichi is told and shown: prompts, events, refusals, and the places on the table."""

from __future__ import annotations

from mekuri.cards import card, each, number
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone
from mekuri.games.mutsuichi.rules import (
    BANK_PAYS,
    bettors,
    may_finish,
    may_lay,
    most_bets,
    next_paid,
    right_card,
    taken,
    won,
)
from mekuri.games.mutsuichi.state import NUMBERS, MutsuIchiState, Phase, Word


def pack(options: object) -> list[int]:
    """The cards 1 to 6 of all suits, whatever the options. From the fifth seat on there are several of each."""
    return list(range(4 * NUMBERS))


def check(options: object) -> None:
    """All options of Mutsu-ichi go together."""


def why(s: MutsuIchiState, seat: int, action: int) -> Refusal:
    """The reason why an action is forbidden."""
    if s.phase == Phase.OVER:
        return Refusal("round-over", {})
    if action >= Word.SHOWDOWN:
        return Refusal("driver-only", {})
    if s.phase == Phase.CHOOSE:
        if seat != s.dealer:
            return Refusal("bank-first", {})
        return Refusal("not-your-card" if action < FIRST_WORD else "nothing-to-finish", {})
    if seat == s.dealer:
        return Refusal("bank-never-bets", {})
    if s.done >> seat & 1 or s.phase != Phase.BET:
        return Refusal("already-done", {})
    if action >= FIRST_WORD:
        return Refusal("lay-one", {})
    if s.bet[seat] >> action & 1:
        return Refusal("already-laid", {})
    if not s.hand[seat] >> action & 1:
        return Refusal("not-your-card", {})
    most = most_bets(s, seat)
    return Refusal("most-cards", {"count": most}) if most == s.most_cards else Refusal("not-covered", {"points": s.stack[seat]})


def prompt(h: MutsuIchiState, seat: int) -> Text:
    """What a seat that is waited for is asked."""
    if h.phase == Phase.CHOOSE:
        return Text("prompts.choose", {})
    more = most_bets(h, seat) - count(h.bet[seat])
    if not may_lay(h, seat):
        return Text("prompts.done", {})
    return Text("prompts.bet" if may_finish(h, seat) else "prompts.bet-first", {"count": more})


def event(before: MutsuIchiState, after: MutsuIchiState, seat: int, action: int) -> Text:
    """What an action did, as a viewer of both hidden states may know it."""
    if before.phase == Phase.CHOOSE:
        return Text("events.choose", {"seat": seat})
    if before.phase == Phase.BET:
        return Text("events.done", {"seat": seat}) if action == Word.DONE else Text("events.lay", {"seat": seat, "card": action})
    if before.phase == Phase.SHOWDOWN:
        return Text("events.showdown", {"seat": after.dealer, "card": first(after.cloth)})
    if before.phase == Phase.COLLECT:
        points = sum(taken(after, bettor) for bettor in range(after.seats))
        return Text("events.collect", {"seat": after.dealer, "points": points})
    paid = next_paid(before)
    told = {"seat": paid, "card": first(right_card(after, paid)), "points": won(after, paid)}
    if after.paid[paid] < after.bet_size * BANK_PAYS // 10:
        return Text("events.pay-short", told)
    if after.paid[paid] > won(after, paid):
        return Text("events.pay-box", {**told, "count": after.paid[paid] - won(after, paid)})
    return Text("events.pay", told)


def zones(h: MutsuIchiState) -> list[Zone]:
    """The places on the table. What each bettor has laid, even how much, is not to be seen before the showdown."""
    # mutsuichi.choose.order: the order of the other five cards changes nothing, so they stay in the hand.
    found = [
        Zone("board", None, "board", "row", tuple(last_seen(h))),
        Zone("past", None, "board", "row", tuple(past_cards(h))),
        Zone("cloth", None, "field", "row", () if h.phase == Phase.CHOOSE else tuple(each(h.cloth)) or (None,)),
    ]
    for seat in range(h.seats):
        unseen = h.hand[seat] | h.bet[seat] == 0
        backs = NUMBERS - (seat == h.dealer and h.phase != Phase.CHOOSE)
        found.append(Zone(f"hand-{seat}", seat, "hand", "fan", (None,) * backs if unseen else tuple(each(h.hand[seat]))))
    return found + [Zone(f"bet-{seat}", seat, "bet", "row", tuple(each(h.bet[seat]))) for seat in each(bettors(h))]


# mutsuichi.board.last-seen
def last_seen(h: MutsuIchiState) -> list[int]:
    """A card of every number that has come, in the order in which it came last, the newest first."""
    newest: dict[int, int] = {}
    for one in past_cards(h):
        newest.setdefault(number(one), one)
    return list(newest.values())


# mutsuichi.board.history
def past_cards(h: MutsuIchiState) -> list[int]:
    """The card that lay under the cloth in each round, the newest first. A bank's cards are of the suit of its seat."""
    rounds = zip(h.past_number, h.past_dealer, strict=True)
    return [card(came, dealer % 4) for came, dealer in rounds if came]


def secret(s: MutsuIchiState) -> bool:
    """Whether what the seats do now stays hidden: the bank's choice until the showdown, and the bets likewise."""
    return s.phase in (Phase.CHOOSE, Phase.BET)
