"""Texts and zones of Mutsu-ichi: the pack, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from mekuri.cards import card, each, number
from mekuri.engine.compiled import count, first, has, rule
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone
from mekuri.games.mutsuichi.rules import (
    BANK_PAYS,
    bettors,
    may_finish,
    may_lay,
    may_take_back,
    most_bets,
    next_paid,
    right_card,
    taken,
    won,
)
from mekuri.games.mutsuichi.state import MOST_TAKEN_BACK, NUMBERS, MutsuIchiState, Phase, Word


def pack(options: object) -> list[int]:
    """The cards 1 to 6 of all suits, whatever the options. With more than four seats, several seats have the same cards."""
    return list(range(4 * NUMBERS))


def why(s: MutsuIchiState, seat: int, action: int) -> Refusal:
    """The reason why an action is forbidden."""
    if s.phase == Phase.CHOOSE:
        if seat != s.dealer:
            return Refusal("bank-first", {})
        return Refusal("not-your-card" if action < FIRST_WORD else "nothing-to-finish", {})
    if seat == s.dealer:
        return Refusal("bank-never-bets", {})
    if has(s.done, seat) or s.phase != Phase.BET:
        return Refusal("already-done", {})
    if action >= FIRST_WORD:
        return Refusal("lay-one", {})
    if has(s.bet[seat], action):
        return Refusal("taken-back", {"count": MOST_TAKEN_BACK})
    if not has(s.hand[seat], action):
        return Refusal("not-your-card", {})
    most = most_bets(s, seat)
    return Refusal("most-cards", {"count": most}) if most == s.most_cards else Refusal("not-covered", {"points": s.stack[seat]})


def prompt(h: MutsuIchiState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.phase == Phase.CHOOSE:
        return Text("prompts.choose", {})
    more = most_bets(h, seat) - count(h.bet[seat])
    stakes = {"count": more, "points": h.bet_size, "won": h.bet_size * h.payout // 10}
    if not h.hand[seat]:
        return Text("prompts.bet", stakes)  # asked for another viewer, who does not see the hand
    if not may_lay(h, seat):
        return Text("prompts.full" if may_take_back(h, seat) else "prompts.done", {})
    if may_take_back(h, seat):
        return Text("prompts.bet-more", {"count": more})
    return Text("prompts.bet" if may_finish(h, seat) else "prompts.bet-first", stakes)


def event(before: MutsuIchiState, after: MutsuIchiState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    if before.phase == Phase.CHOOSE:
        return Text("events.choose", {"seat": seat})
    if before.phase == Phase.BET:
        return _betting(before, after, seat, action)
    if before.phase == Phase.SHOWDOWN:
        return Text("events.showdown", {"seat": after.dealer, "card": first(after.cloth)})
    if before.phase == Phase.COLLECT:
        points = sum(taken(after, bettor) for bettor in range(after.seats))
        return Text("events.collect", {"seat": after.dealer, "points": points})
    paid = next_paid(before)
    args = {"seat": paid, "card": first(right_card(after, paid)), "points": won(after, paid)}
    if after.paid[paid] < after.bet_size * BANK_PAYS // 10:
        return Text("events.pay-short", args)
    if after.paid[paid] > won(after, paid):
        return Text("events.pay-box", {**args, "count": after.paid[paid] - won(after, paid)})
    return Text("events.pay", args)


def _betting(before: MutsuIchiState, after: MutsuIchiState, seat: int, action: int) -> Text:
    """The text that tells a bettor's action, without the card for other seats."""
    if action == Word.DONE:
        return Text("events.done", {"seat": seat})
    laid = count(before.bet[seat]) < count(after.bet[seat]) or before.backs[seat] < after.backs[seat]
    if unseen(after, seat):
        return Text("events.lay-unseen" if laid else "events.take-back-unseen", {"seat": seat, "points": after.bet_size})
    return Text("events.lay" if laid else "events.take-back", {"seat": seat, "card": action})


def unseen(h: MutsuIchiState, seat: int) -> bool:
    """Whether a hidden state shows none of a seat's cards."""
    return h.hand[seat] | h.bet[seat] == 0


def zones(h: MutsuIchiState) -> list[Zone]:
    """The places on the table."""
    # mutsuichi.choose.kamishita, mutsuichi.showdown.cloth
    cloth = () if h.phase == Phase.CHOOSE else each(h.cloth) or (None,)
    found = [
        Zone("board", None, "board", "row", tuple(last_seen(h))),
        Zone("past", None, "board", "row", tuple(past_cards(h))),
        Zone("cloth", None, "field", "cloth" if h.phase <= Phase.SHOWDOWN else "row", cloth),
    ]
    bets = [_bet(h, seat) for seat in each(bettors(h))]
    hidden = {bet.owner for bet in bets if bet.hidden}
    return found + [_hand(h, seat, seat in hidden) for seat in range(h.seats)] + bets


# mutsuichi.bet.unseen
def _bet(h: MutsuIchiState, seat: int) -> Zone:
    """The zone of the cards that a bettor has laid, with the chips that lie there until they are taken or returned."""
    seen = not unseen(h, seat)
    cards = each(h.bet[seat]) if seen else (None,) * h.backs[seat]
    stake = 0 if h.phase == Phase.OVER else h.bet_size * len(cards) - taken(h, seat)
    return Zone(f"bet-{seat}", seat, "bet", "row", cards, stake, hidden=h.phase > Phase.CHOOSE and not (seen or h.bets_shown))


def _hand(h: MutsuIchiState, seat: int, with_bets: bool) -> Zone:
    """The zone of the cards that a seat holds. `with_bets` says that it must not show how many of its cards the seat has laid."""
    # mutsuichi.choose.order: the order of the other five cards changes nothing, so they stay in the hand.
    gone = h.backs[seat] + (seat == h.dealer and h.phase != Phase.CHOOSE)
    cards = (None,) * (NUMBERS - gone) if unseen(h, seat) else each(h.hand[seat])
    return Zone(f"{'cards' if with_bets else 'hand'}-{seat}", seat, "hand", "fan", cards)


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


@rule
def secret(s: MutsuIchiState) -> bool:
    """Whether actions stay hidden now: the bank's choice and the cards that are bet on, both until the showdown."""
    return s.phase == Phase.CHOOSE or s.phase == Phase.BET
