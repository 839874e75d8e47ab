"""Texts and zones of the sequence games: refusals, prompts, events, places on the table, and the checks of positions."""

from __future__ import annotations

from mekuri.cards import ALL, NONE, each, number
from mekuri.engine.compiled import bit, count, has
from mekuri.engine.contract import FIRST_WORD, Goal, Refusal, SheetLine, Text, Zone, face_down
from mekuri.engine.position import need
from mekuri.games.dealing import hand_size, packets
from mekuri.games.sequence import (
    HAND,
    ONES,
    TWOS,
    Ending,
    Ghost,
    OneTwo,
    Phase,
    Renew,
    SequenceState,
    Word,
    is_ghost,
    next_numbers,
    numbers_of,
    possible_numbers,
    printed,
    top_numbers,
)
from mekuri.games.sequence_play import draws_on, legal, numbers_to_name, one_pass, playable, top_is_one


def why(s: SequenceState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase > Phase.NAME or seat != s.turn:
        return None
    if s.phase == Phase.NAME:
        return Refusal("not-a-number" if action < FIRST_WORD else "name-first", {"card": s.top})
    if action < FIRST_WORD and not has(s.hand[seat], action):
        return Refusal("not-in-hand", {})
    if s.phase == Phase.TWO:
        return Refusal("two-first", {})
    if action < FIRST_WORD:
        lacks_two = has(ONES, action) and top_is_one(s)
        return Refusal("no-two", {"card": action}) if lacks_two else Refusal("does-not-follow", {"card": s.top})
    if action == Word.DRAW:
        return Refusal("no-draw", {})
    if action == Word.DONE:
        return Refusal("must-go-on" if s.discards else "nothing-discarded", {})
    if s.discards:
        return Refusal("already-discarded", {})
    return Refusal("must-draw" if draws_on(s) and not playable(s, seat) else "must-play", {})


def prompt(h: SequenceState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    card = {"card": h.top}
    if h.phase == Phase.TWO:
        return Text("prompts.two", {})
    if h.phase == Phase.NAME:
        return Text("prompts.name", card)
    only = {bit(Word.DONE): "finish", bit(Word.DRAW): "draw", bit(Word.PASS): "pass"}
    asked, numbers = only.get(legal(h, seat), "go-on" if h.discards else "play"), top_numbers(h)
    following = sorted({number(card) for card in each(next_numbers(numbers))})
    if numbers == printed(h.top):
        return Text(f"prompts.{asked}", {**card, "number": following[0]})
    # A reader need not remember the numbers that each ghost counts as. The page shows the numbers that may follow in large figures.
    span = following[0] if len(following) == 1 else f"{following[0]}–{following[-1]}"
    return Text(f"prompts.{asked}-as", {**card, "range": range_text(numbers), "number": span})


def event(before: SequenceState, after: SequenceState, seat: int, action: int) -> Text:
    """The text that tells an action. It is the same for every viewer, as it tells nothing of hands."""
    phase = before.phase
    if phase == Phase.DEAL:
        hands = [(f"hand-{seat}", HAND // 2) for seat in (1 - before.dealer, before.dealer)]
        turned = _turned("deal", after, before.dealer)
        return Text(turned.id, {**turned.args, **packets(*hands * 2, ("pile", 1))})
    if phase == Phase.TURN_UP:
        return _turned("turn-up", after, before.turn)
    if phase == Phase.RECYCLE:
        return Text("events.recycle", {"count": after.stock})
    if phase == Phase.GATHER:
        return Text("events.gather", {})
    if phase == Phase.NAME:
        return Text("events.name", {"seat": seat, "card": before.top, "number": after.stands_for})
    if action < FIRST_WORD:
        return _discarded(before, after, seat, action)
    names = {Word.PASS: "pass", Word.DONE: "done", Word.DRAW: "draw"}
    return Text(f"events.{names[Word(action)]}", {"seat": seat})


def _turned(kind: str, after: SequenceState, seat: int) -> Text:
    """The event of a card that comes from the stock: a plain one, or a ghost and what it counts as."""
    args = {"seat": seat, "card": after.top}
    numbers = numbers_of(after, after.top, 1)
    if numbers == printed(after.top):
        return Text(f"events.{kind}", args)
    return Text(f"events.{kind}-as", {**args, "range": range_text(numbers)})


def _discarded(before: SequenceState, after: SequenceState, seat: int, card: int) -> Text:
    args = {"seat": seat, "card": card}
    if after.phase == Phase.OVER:
        return Text("events.all-out" if after.ending == Ending.ALL_OUT else "events.out", args)
    if not possible_numbers(before, card):
        return Text("events.one-two", args)
    if not is_ghost(before, card):
        return Text("events.play", args)
    if before.ghost == Ghost.FLEXIBLE:
        return Text("events.play-ghost", {**args, "range": range_text(numbers_of(before, card, 0))})
    if after.phase == Phase.NAME:
        return Text("events.play-waits", args)
    return Text("events.play-as", {**args, "number": after.stands_for})


def range_text(numbers: int) -> Text:
    """The text that tells the numbers that a ghost counts as."""
    if numbers == ALL:
        return Text("ranges.all", {})
    if numbers == ONES:
        return Text("ranges.one", {})
    found = sorted({number(card) for card in each(numbers)})
    if len(found) == 1:
        return Text("ranges.number", {"number": found[0]})
    least, most = found[0], found[-1]
    return Text(f"ranges.{least}-{most}", {})


def zones(h: SequenceState) -> list[Zone]:
    """The places on the table: both hands, the pile, and the stock.

    The three cards on the top of the pile come last, in order; the others lie in no order.
    """
    top = tuple(card for card in (h.third, h.beneath, h.top) if card != NONE)
    return [
        *(Zone(f"hand-{seat}", seat, "hand", "fan", face_down(h.hand[seat], h.held[seat])) for seat in range(2)),
        Zone("pile", None, "pile", "stack", (*each(h.pile & ~sum(bit(card) for card in top)), *top)),
        Zone("stock", None, "stock", "stack", (None,) * h.stock),
    ]


def left_lines(s: SequenceState, clause: str) -> list[SheetLine]:
    """The first lines of a score sheet: how many cards each seat has left to be rid of, unless it is out."""
    sizes = [hand_size(s, seat) for seat in range(2)]
    out = s.turn if s.phase == Phase.OVER else NONE
    return [SheetLine(seat, Text("lines.left", {"count": sizes[seat]}), 0, 0, clause) for seat in range(2) if seat != out]


def goals(h: SequenceState, seat: int) -> list[Goal]:
    """One goal: to be rid of every card, with one step for each card of a dealt hand, and for each card beyond that."""
    left = hand_size(h, seat)
    needs = max(HAND, left)
    return [Goal(seat, Text("goals.out", {}), None, needs, needs - left)]


# --- Checks of hand-written positions ---


def complete(s: SequenceState) -> None:
    """Fill in the fields that a position left out, and refuse a position that cannot be played from its phase."""
    _complete_stock(s)
    if s.top == NONE and count(s.pile) == 1:
        s.top = s.pile.bit_length() - 1
    if s.phase == Phase.TWO:
        s.two_kept[s.turn] = 1
    if s.phase in (Phase.TWO, Phase.NAME):
        s.discards = max(s.discards, 1)
    if s.phase != Phase.DEAL:
        # The dealer has the first turn and the other seat the second.
        s.turns = max(s.turns, 1 if s.turn == s.dealer else 2)
    _need_pile(s)
    _need_ghosts(s)
    need(s.held == [0, 0], "a position holds every card: write hands, not how many cards are held")
    need(s.phase in (Phase.DEAL, Phase.OVER) or 0 not in s.hand, "both hands hold cards")
    need(s.phase != Phase.OVER or s.hand[s.turn] == 0, "when the round is over turn is the seat that is out")
    for seat in range(2):
        need(s.absent[seat] & s.hand[seat] == 0, "a card that is absent from a hand does not lie in it")
        need(not s.two_kept[seat] or s.hand[seat] & TWOS != 0, "two_kept is for a hand with a printed 2")


def _complete_stock(s: SequenceState) -> None:
    """Fill in the stock before the deal, which is the whole pack unless the position names it, and refuse stocks that cannot be."""
    dealing, whole = s.phase == Phase.DEAL, count(s.deck)
    if dealing and s.stock == 0:
        s.stock = s.gathered = whole
    shuffled = s.stock == whole if dealing else s.phase == Phase.TURN_UP or s.renew == Renew.AT_ONCE
    need(s.gathered == 0 or (shuffled and s.gathered == s.stock), "gathered is 0, or the whole stock before a deal or a draw")
    empty = s.renew == Renew.AT_ONCE and s.stock == 0 and s.turn_draws > 0 and s.phase in (Phase.PLAY, Phase.TWO, Phase.NAME)
    need(not empty, "a stock of which the last card is turned up is renewed at once: the phase is recycle")
    need(not dealing or s.stock > 2 * HAND, "before the deal the stock holds two hands and a card")
    need(not dealing or s.pile | s.hand[0] | s.hand[1] == 0, "before the deal nothing lies on the table")
    played = s.turns | s.discards | s.turn_draws | s.drawn | s.passes | s.absent[0] | s.absent[1] | s.two_kept[0] | s.two_kept[1]
    need(not dealing or (played == 0 and s.top == NONE), "before the deal nothing has been played")
    need(s.phase != Phase.TURN_UP or s.stock > 0, "there is no stock to turn up a card from")
    need(s.phase != Phase.RECYCLE or s.stock == 0, "a new stock is made when the old one is used up")
    need(s.phase != Phase.RECYCLE or count(s.pile) > 1, "the pile has no cards but its top to make a stock of")


def _need_pile(s: SequenceState) -> None:
    need(s.pile == 0 or s.top != NONE, "top is the card on the top of the pile")
    need(s.top == NONE or has(s.pile, s.top) == 1, "the top of the pile lies on the pile")
    need(s.pile != 0 or s.phase in (Phase.DEAL, Phase.OVER), "a card lies on the pile")
    below = [card for card in (s.beneath, s.third) if card != NONE]
    need(s.third == NONE or s.beneath != NONE, "third is the card under beneath")
    need(len({s.top, *below}) == 1 + len(below) and all(has(s.pile, card) for card in below), "beneath and third lie under the top")
    need(s.pile == 0 or s.drawn <= 2 * one_pass(s), "drawn is more than two passes through the stock")


def _need_ghosts(s: SequenceState) -> None:
    ghost = s.top != NONE and s.ghost == Ghost.FIXED and not s.top_drawn and is_ghost(s, s.top)
    named = s.stands_for == 0 or (ghost and has(numbers_of(s, s.top, 0), 4 * (s.stands_for - 1)) == 1)
    need(named, "stands_for is a number of the ghost on the top, where ghosts are fixed and it was played from a hand")
    if s.phase == Phase.NAME:
        need(s.beneath != NONE, "beneath is the card under a ghost that waits for its number")
        need(ghost and s.stands_for == 0, "on the pile a ghost from a hand lies on another card, and has no number yet")
        need(numbers_to_name(s) != 0, "the ghost can stand for no number there")
    if s.phase == Phase.TWO:
        one = s.top != NONE and has(ONES, s.top) == 1 and not s.top_drawn and s.stands_for == 0
        need(one and s.one_two != OneTwo.LAX, "before a 2 has to follow a 1 has been laid")
