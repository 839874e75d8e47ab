"""Texts and zones of Tokotoko: the pack, the checks of positions, refusals, prompts, events, and the places on the table."""

from __future__ import annotations

from mekuri.engine.compiled import bit, count, has, rule
from mekuri.engine.contract import FIRST_WORD, Refusal, Text, Zone, face_down
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.kabu import MOST_NUMBER, PACK, digit
from mekuri.games.kabu_pot import HELD, UNIT, best_digit, first_winner, four, named_event, share, three, winners
from mekuri.games.tokotoko.options import Hand
from mekuri.games.tokotoko.rules import end, in_pot, least_units
from mekuri.games.tokotoko.state import Phase, TokotokoState


def pack(options: object) -> list[int]:
    """The forty-five cards, whatever the options."""
    return list(PACK)


# --- Positions ---


def complete(s: TokotokoState) -> None:
    """Fill in the stock before the deal, the stake, and the chips left in the pot; refuse a position that cannot be played on."""
    dealing = s.phase == Phase.DEAL
    if dealing and s.stock == 0:
        s.stock = s.gathered = count(s.deck)
    need(
        s.gathered == 0 or (dealing and s.gathered == s.stock == count(s.deck)), "gathered is 0, or the whole pack before the deal"
    )
    need(not dealing or s.stock >= HELD * (s.seats + 1), "before the deal the stock holds two cards for each and two more")
    need(s.phase != Phase.LAY or s.stock >= HELD, "two cards of the stock are to be laid")
    held, lying = (0 if dealing else HELD), (0 if s.phase in (Phase.DEAL, Phase.LAY) else HELD)
    need(all(count(cards) == held for cards in s.two[: s.seats]), "after the deal, and not before, each seat holds two cards")
    need(count(s.middle) == lying, "two cards lie in the middle once they are laid")
    need(not any(s.two[s.seats :]), f"there are {s.seats} seats")
    s.turns = int(not dealing)
    _complete_stakes(s)
    _complete_choices(s)
    given, winner = s.left, s.last_winner
    s.left = s.ending = 0
    if s.phase == Phase.OVER:
        if s.stake:
            end(s)
        else:
            s.left = s.odd
    need(given in (0, s.left), "left is what of the pot could not be shared")
    need(winner in (0, s.last_winner), "last_winner is 1 + the first of those who are best, once the pot is paid")
    need(s.last_winner <= s.seats, f"there are {s.seats} seats")


def _complete_stakes(s: TokotokoState) -> None:
    everybody, named = bit(s.seats) - 1, [units - 1 for units in s.named[: s.seats] if units]
    s.spoken = s.spoken or sum(bit(seat) for seat, units in enumerate(s.named) if units)
    need(s.spoken & ~everybody == 0 and not any(s.named[s.seats :]), f"there are {s.seats} seats")
    need(all(bool(s.named[seat]) == bool(has(s.spoken, seat)) for seat in range(s.seats)), "who has spoken has named a stake")
    need(all(units >= least_units(s) for units in named), "nobody names less than may be named")
    need(s.phase not in (Phase.DEAL, Phase.LAY) or s.spoken == 0, "nobody names a stake before all cards lie there")
    need(s.phase != Phase.NAME or s.spoken != everybody, "all have named a stake: the phase is turn-up")
    need(s.phase in (Phase.DEAL, Phase.LAY, Phase.NAME) or s.spoken == everybody, "after the phase name all have named a stake")
    least = min(named) if s.phase >= Phase.CHOOSE else 0
    s.stake = s.stake or least
    need(s.stake == least, "stake is the least that has been named, once the middle is turned up")
    need(s.stake > 0 or s.phase != Phase.CHOOSE, "nobody chooses where there is no stake")
    need(s.stake > 0 or s.phase != Phase.PAY, "nothing is paid where there is no stake")
    need(s.odd < s.seats and s.left < s.seats, "fewer chips than seats cannot be shared")


def _complete_choices(s: TokotokoState) -> None:
    order = [(s.dealer + 1 + i) % s.seats for i in range(s.seats)]
    chosen = [seat for seat in order if s.out[seat]]
    need(not any(s.out[s.seats :]), f"there are {s.seats} seats")
    need(all(s.out[seat] & four(s, seat) == s.out[seat] and count(s.out[seat]) == 1 for seat in chosen), "out is one of four cards")
    need(chosen == order[: len(chosen)], "seats choose in turn, the dealer last")
    may = s.hand == Hand.CHOOSE and s.phase in (Phase.CHOOSE, Phase.PAY, Phase.OVER) and s.stake > 0
    need(may or not chosen, "nothing is left out before the cards in the middle are turned up, or where nobody chooses")
    need(s.phase != Phase.CHOOSE or (may and len(chosen) < s.seats), "in the phase choose a seat has not chosen yet")
    need(not may or s.phase == Phase.CHOOSE or len(chosen) == s.seats, "after it all have")
    need(s.phase != Phase.SHOW or s.hand != Hand.CHOOSE or s.stake == 0, "who chooses shows the cards by it")
    started = s.phase >= Phase.CHOOSE
    s.turn = order[len(chosen)] if s.phase == Phase.CHOOSE else order[-1 if chosen else 0] if started else s.turn


# --- Refusals, prompts and events ---


def why(s: TokotokoState, seat: int, action: int) -> Refusal:
    """The reason why an action is forbidden."""
    if s.phase == Phase.CHOOSE:
        return Refusal("not-of-four" if seat == s.turn else "in-turn", {})
    if has(s.spoken, seat):
        return Refusal("named", {})
    if s.phase != Phase.NAME:
        return Refusal("dealt-first", {})
    return Refusal("name-first" if action < FIRST_WORD else "nothing-named", {})


def prompt(h: TokotokoState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    return Text("prompts.name" if h.phase == Phase.NAME else "prompts.choose", {})


def event(before: TokotokoState, after: TokotokoState, seat: int, action: int) -> Text:
    """The text that tells an action, as far as the viewer of both hidden states may know it."""
    if before.phase == Phase.NAME:
        return named_event(after, seat)
    if before.phase == Phase.DEAL:
        order = [(after.dealer + 1 + i) % after.seats for i in range(after.seats)]
        return Text("events.deal", {"seat": after.dealer, **packets(*((f"two-{other}", HELD) for other in order))})
    if before.phase == Phase.LAY:
        return Text("events.lay", {"seat": after.dealer, **packets(("middle", HELD))})
    if before.phase == Phase.TURN_UP:
        args = {"cards": after.middle}
        return Text("events.turn-up", {**args, "points": UNIT * after.stake}) if after.stake else Text("events.turn-up-free", args)
    if before.phase == Phase.CHOOSE:
        cards = three(after, seat)
        return Text("events.choose", {"seat": seat, "cards": cards, "number": digit(cards, MOST_NUMBER)})
    if before.phase == Phase.SHOW:
        return Text("events.show" if in_pot(after) else "events.show-free", {"number": best_digit(after)})
    return _pay_event(after)


def _pay_event(after: TokotokoState) -> Text:
    won = winners(after)
    seat = first_winner(after, won)
    args = {"number": best_digit(after), "points": share(after, seat, after.odd, 0)}
    if count(won) == 1:
        return Text("events.pay", {**args, "seat": seat})
    if in_pot(after) == args["points"] * count(won):
        return Text("events.split", {**args, "count": count(won)})
    odd = share(after, seat, after.odd, 1) - args["points"]
    if after.last:
        return Text("events.split-last", {**args, "count": count(won), "n": odd, "seat": seat})
    return Text("events.split-odd", {**args, "count": count(won), "n": odd})


@rule
def secret(s: TokotokoState) -> bool:
    """Whether actions stay hidden now until all seats have acted."""
    return s.phase == Phase.NAME


# --- The places on the table ---


# tokotoko.deal.two-each, tokotoko.deal.middle
def zones(h: TokotokoState) -> list[Zone]:
    """The zones of the two cards of each seat, the two in the middle, and the stock."""
    dealt, laid = (0 if h.phase == Phase.DEAL else HELD), (0 if h.phase in (Phase.DEAL, Phase.LAY) else HELD)
    found = [Zone(f"two-{seat}", seat, "hand", "fan", _lying(h.two[seat], dealt)) for seat in range(h.seats)]
    found.append(Zone("middle", None, "field", "row", _lying(h.middle, laid)))
    found.append(Zone("stock", None, "stock", "stack", (None,) * h.stock))
    return found


def _lying(cards: int, dealt: int) -> tuple[int | None, ...]:
    return face_down(cards, max(0, dealt - count(cards)))


def middle(h: TokotokoState) -> dict[str, int]:
    """The chips in the pot, until a seat takes them."""
    return {"pot": h.left if h.phase == Phase.OVER else h.odd + UNIT * h.stake * h.seats}
