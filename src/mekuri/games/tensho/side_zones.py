"""Texts and zones of the side games of Tensho, and the checks of their options and positions."""

from __future__ import annotations

from mekuri.engine.compiled import bit, count, has
from mekuri.engine.contract import Refusal, Text, Zone, face_down
from mekuri.engine.errors import OptionError
from mekuri.engine.position import need
from mekuri.games.dealing import packets
from mekuri.games.kabu import MOST_NUMBER, ROW, digit, rank
from mekuri.games.kabu_pot import HELD, UNIT, best_digit, first_winner, four, named_event, share, three, winners
from mekuri.games.tensho.options import Shoniban, TenshoOptions, Tokotoko
from mekuri.games.tensho.side_games import better_row, decided, least_units, middle_up, rows_lie
from mekuri.games.tensho.state import Phase, TenshoState, Word

FIELD, DEAD = 3 * ROW, 3 * HELD  # cards that the side games are played with


def check_side_games(options: TenshoOptions, cards: int) -> None:
    """Refuse a side game for which a reduced game lacks the cards, and an option of a side game that is not played.

    Args:
        options: the options of a round.
        cards: the number of cards in the pack.

    Raises:
        OptionError: if the options are refused.
    """
    if options.shoniban != Shoniban.NONE and options.field != FIELD:
        raise OptionError(f"shoniban is played with three rows of three cards: choose a field of {FIELD}, or shoniban=none")
    if options.shoniban_stake != 10 and options.shoniban == Shoniban.NONE:
        raise OptionError("shoniban_stake only counts where shoniban is played")
    rest = cards - options.field - 2 * options.hand
    dead = rest - min(rest, 3 * options.hand)
    if options.tokotoko != Tokotoko.NONE and dead != DEAD:
        raise OptionError(
            f"tokotoko is played with {DEAD} dead cards, and here {dead} are left: choose tokotoko=none, or other numbers"
        )
    if options.tokotoko_free and options.tokotoko == Tokotoko.NONE:
        raise OptionError("tokotoko_free only counts where tokotoko is played")


# --- Positions ---


def complete_shoniban(s: TenshoState) -> None:
    """Refuse a position whose rows, bet or chips cannot be in its phase. Raises PositionError."""
    lying = ROW if rows_lie(s) or s.phase == Phase.SETTLE else 0
    need(
        count(s.naka) == count(s.oto) == lying,
        "the second and the third row hold three cards until the bet is settled, and then none",
    )
    need(not rows_lie(s) or count(s.face_down) == ROW, "where shoniban is played the first row lies face down, of three cards")
    need(s.phase != Phase.BET or s.shoniban > 0, "nobody bets where shoniban is not played")
    need(s.phase != Phase.SETTLE or (s.bet > 0 and count(s.field) == ROW), "a bet is settled when the three rows lie open")
    early = s.phase in (Phase.VOTE, Phase.DEAL, Phase.STACK, Phase.BET)
    need(s.bet == 0 or (s.shoniban > 0 and not early), "a bet is made where shoniban is played, after a stack is chosen")
    need(s.shoniban > 0 or s.won == [0, 0], "nobody has won chips where shoniban is not played")


def complete_tokotoko(s: TenshoState) -> None:
    """Fill in the stake where it follows from the position, and refuse dead cards, stakes and choices that cannot be."""
    dealt = s.tokotoko > 0 and s.phase not in (Phase.VOTE, Phase.DEAL)
    held = HELD if dealt else 0
    lie = all(count(cards) == held for cards in (*s.two, s.middle))
    need(lie, "where tokotoko is played the dead cards lie by twos, in two and middle; elsewhere they do not")
    need(not dealt or s.dead == 0, "where tokotoko is played the dead cards lie in two and middle")
    need(s.tokotoko > 0 or not decided(s) or s.phase == Phase.OVER, "nothing comes after the round where tokotoko is not played")
    s.spoken = s.spoken or sum(bit(seat) for seat, units in enumerate(s.named) if units)
    need(all(bool(units) == bool(has(s.spoken, seat)) for seat, units in enumerate(s.named)), "who has spoken has named a stake")
    need(all(units > least_units(s) for units in s.named if units), "nobody names less than may be named")
    late = s.tokotoko > 0 and s.phase > Phase.STAKE
    need(
        s.spoken == 3 if late else s.spoken == 0 or (s.phase == Phase.STAKE and s.spoken < 3),
        "both name a stake in the phase stake",
    )
    stake = min(s.named) - 1 if late and middle_up(s) else 0
    s.stake = s.stake or stake
    need(s.stake == stake, "stake is the least that was named, once the middle is turned up")
    need(s.stake > 0 or s.phase not in (Phase.LEAVE_OUT, Phase.PAY), "nothing is chosen or paid where there is no stake")
    _complete_choices(s)


def _complete_choices(s: TenshoState) -> None:
    order = (1 - s.dealer, s.dealer)
    chosen = tuple(seat for seat in order if s.out[seat])
    need(all(s.out[seat] & four(s, seat) == s.out[seat] and count(s.out[seat]) == 1 for seat in chosen), "out is one of four cards")
    need(chosen == order[: len(chosen)], "the dealer chooses last")
    may = s.tokotoko == Tokotoko.CHOOSE and s.stake > 0
    need(may or (not chosen and s.phase != Phase.LEAVE_OUT), "nothing is left out where nobody chooses")
    need(not may or s.phase != Phase.SHOW, "who chooses shows the cards by it")
    if may:
        need((len(chosen) == len(order)) == (s.phase != Phase.LEAVE_OUT), "both choose in the phase leave-out")
        s.turn = order[len(chosen)] if s.phase == Phase.LEAVE_OUT else s.turn


# --- Refusals, prompts and events ---


def why_aside(s: TenshoState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden in a side game; None in any other phase."""
    if s.phase == Phase.BET:
        return Refusal("dealer-never-bets" if seat == s.dealer and action != Word.DECLINE else "bet-first", {})
    if s.phase == Phase.STAKE:
        if has(s.spoken, seat):
            return Refusal("named", {})
        return Refusal("nothing-named" if action == Word.DECLINE else "stake-first", {})
    if s.phase == Phase.LEAVE_OUT:
        return Refusal("not-of-four" if seat == s.turn else "leave-out-in-turn", {})
    return None


def side_prompt(h: TenshoState) -> Text | None:
    """The prompt for a seat in a side game; None in any other phase."""
    if h.phase == Phase.BET:
        return Text("prompts.bet", {"points": h.shoniban_stake})
    if h.phase == Phase.STAKE:
        return Text("prompts.stake-free" if h.tokotoko_free else "prompts.stake", {})
    return Text("prompts.leave-out", {}) if h.phase == Phase.LEAVE_OUT else None


def side_event(before: TenshoState, after: TenshoState, seat: int, action: int) -> Text | None:
    """The text that tells an action in a side game, as far as the viewer may know it; None for any other action."""
    if before.phase == Phase.BET:
        kind = ("", "bet-naka", "bet-oto")[after.bet]
        args = {"seat": seat, "points": after.shoniban_stake}
        return Text(f"events.{kind}", args) if kind else Text("events.no-bet", {"seat": seat})
    if before.phase == Phase.SETTLE:
        return _settle_event(before, after)
    if before.phase == Phase.DEAL_DEAD:
        places = packets((f"two-{1 - after.dealer}", HELD), (f"two-{after.dealer}", HELD), ("middle", HELD))
        won = after.winner - 1
        return Text("events.deal-dead", {"seat": won, **places}) if won >= 0 else Text("events.deal-dead-drawn", places)
    if before.phase == Phase.STAKE:
        return named_event(after, seat)
    if before.phase == Phase.MIDDLE:
        args = {"cards": after.middle}
        return Text("events.middle", {**args, "points": UNIT * after.stake}) if after.stake else Text("events.middle-free", args)
    if before.phase == Phase.LEAVE_OUT:
        cards = three(after, seat)
        return Text("events.leave-out", {"seat": seat, "cards": cards, "number": digit(cards, MOST_NUMBER)})
    if before.phase == Phase.SHOW:
        return Text("events.show" if after.stake else "events.show-free", {"number": best_digit(after)})
    return _pay_event(after) if before.phase == Phase.PAY else None


def _settle_event(before: TenshoState, after: TenshoState) -> Text:
    """The event of the settled bet: the strength of both rows, and the seat that has won."""
    rows = {"first": rank(before.naka), "second": rank(before.oto)}
    best = better_row(before)
    if best == 0:
        return Text("events.rows-even", rows)
    won = 1 - after.dealer if best == before.bet else after.dealer
    return Text("events.naka-wins" if best == 1 else "events.oto-wins", {**rows, "seat": won, "points": after.shoniban_stake})


def _pay_event(after: TenshoState) -> Text:
    won = winners(after)
    seat = first_winner(after, won)
    args = {"number": best_digit(after), "points": share(after, seat, 0, 0)}
    return Text("events.pay", {**args, "seat": seat}) if count(won) == 1 else Text("events.split", args)


# --- The places on the table ---


# tensho.shoniban.rows
def row_zones(h: TenshoState) -> list[Zone]:
    """The zones of the field in three rows, face down until it is turned up, with the bets on them."""
    hidden = rows_lie(h)
    first = face_down(h.face_down, h.field_held) if hidden else face_down(h.field, 0)
    rows = [Zone("shi", None, "field", "stack", first)]  # nobody bets on it
    for name, row in (("naka", h.naka), ("oto", h.oto)):
        lying = face_down(row, ROW - count(row) if hidden else 0)
        rows.append(Zone(name, None, "field", "row", lying, h.shoniban_stake if h.bet else 0))
    return rows


def dead_dealt(h: TenshoState) -> bool:
    """Whether the dead cards have been dealt."""
    return h.tokotoko != Tokotoko.NONE and h.phase > Phase.DEAL_DEAD


# tensho.tokotoko.dead
def dead_zones(h: TenshoState) -> list[Zone]:
    """The zones of the dead cards once they are dealt, in place of hands and field: two for each seat, and two in the middle."""
    found = [Zone(f"two-{seat}", seat, "hand", "fan", face_down(h.two[seat], HELD - count(h.two[seat]))) for seat in range(2)]
    return [*found, Zone("middle", None, "field", "grid", face_down(h.middle, HELD - count(h.middle)))]


def set_aside(h: TenshoState) -> int:
    """The set of the cards out of play that are seen: dead cards, or, once these are dealt, the cards left over from the round."""
    if dead_dealt(h):
        return h.field | h.hand[0] | h.hand[1]
    return h.dead | h.two[0] | h.two[1] | h.middle


def middle(h: TenshoState) -> dict[str, int]:
    """The chips in the pot of Tokotoko, until a seat takes them."""
    return {"pot": 2 * UNIT * h.stake} if h.stake and h.phase != Phase.OVER else {}
