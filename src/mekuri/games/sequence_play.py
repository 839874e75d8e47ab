"""The rules of the sequence games: the deal, drawing, passing, discarding, and how a round ends or is void."""

from __future__ import annotations

from mekuri.cards import NONE
from mekuri.engine.compiled import bit, count, first, has, rule
from mekuri.games.dealing import hand_size, next_card, open_pack, packet
from mekuri.games.sequence import (
    HAND,
    NAMES,
    ONES,
    TWOS,
    Ending,
    Ghost,
    MustPlay,
    OneTwo,
    Phase,
    Renew,
    SequenceState,
    WhoDraws,
    Word,
    add_ise_ghosts,
    fill_pack,
    followers,
    is_ghost,
    next_numbers,
    numbers_of,
    possible_numbers,
    top_numbers,
)

# --- The deal ---


@rule
def deal(s: SequenceState) -> None:
    """Put the state at the start of a round: the pack is gathered, and the ghosts of its cards are declared."""
    open_pack(s)
    gather(s)
    add_ise_ghosts(s)


@rule
def gather(s: SequenceState) -> None:
    """Put the whole pack together again, to be shuffled, and forget what has been played."""
    fill_pack(s, s.deck)
    s.gathered = s.stock
    s.pile = s.stands_for = s.top_drawn = 0
    s.top = s.beneath = s.third = NONE
    s.turns = s.discards = s.turn_draws = s.drawn = s.passes = 0
    for seat in range(2):
        s.hand[seat] = s.held[seat] = s.absent[seat] = s.two_kept[seat] = 0
    s.phase = Phase.DEAL


# hiyoko.deal.draw-pile, isuri.deal.draw-pile: the cards that are left stay in the stock
@rule
def lay_out(s: SequenceState) -> None:
    """Deal the hands, turn up the first card of the pile, and let the dealer begin."""
    # hiyoko.deal.packets, isuri.deal.packets
    for _ in range(2):
        s.hand[1 - s.dealer] |= packet(s, HAND // 2)
        s.hand[s.dealer] |= packet(s, HAND // 2)
    # hiyoko.deal.start-card, isuri.deal.start-card
    lay_drawn(s)
    s.drawer = s.dealer
    # hiyoko.play.dealer-first, isuri.play.dealer-first
    begin_turn(s, s.dealer)


@rule
def lay_drawn(s: SequenceState) -> None:
    """Lay the next card of the stock on the pile."""
    cover(s, next_card(s))
    # hiyoko.ghosts.start-card, isuri.ghosts.start-card
    s.top_drawn = 1
    s.stands_for = 0


@rule
def cover(s: SequenceState, card: int) -> None:
    """Put a card on the top of the pile."""
    s.third = s.beneath
    s.beneath = s.top
    s.top = card
    s.pile |= bit(card)


# --- Turns ---


@rule
def begin_turn(s: SequenceState, seat: int) -> None:
    """Give a seat the turn. If it is the drawer, and a seat has passed since the last discard, a card is turned up first."""
    s.turn = seat
    s.turns += 1
    s.discards = s.turn_draws = 0
    s.phase = Phase.PLAY
    # hiyoko.draw.who, hiyoko.draw.dealer-at-first, isuri.draw.who, isuri.draw.dealer-at-first
    # By then the other has passed; or both have, where the drawer is the first who did, and before the first discard.
    if seat == s.drawer and s.passes > 0:
        wait_for_draw(s)


@rule
def one_pass(s: SequenceState) -> int:
    """The number of cards in one pass through the stock: all that are in no hand, but for the top of the pile."""
    return s.stock + count(s.pile) - 1


@rule
def wait_for_draw(s: SequenceState) -> None:
    """Let the driver turn up a card; make a new stock first where there is none. After two whole passes the round is void."""
    if s.drawn >= 2 * one_pass(s):
        # hiyoko.draw.void, isuri.draw.void
        s.phase = Phase.GATHER
    else:
        # hiyoko.draw.recycle, isuri.draw.recycle
        s.phase = Phase.TURN_UP if s.stock else Phase.RECYCLE


@rule
def turn_up(s: SequenceState) -> None:
    """Turn up a card for the seat whose turn it is."""
    lay_drawn(s)
    s.drawn += 1
    s.turn_draws += 1
    s.phase = Phase.RECYCLE if s.renew == Renew.AT_ONCE and s.stock == 0 else Phase.PLAY


# hiyoko.draw.recycle, isuri.draw.recycle
@rule
def recycle(s: SequenceState) -> None:
    """Make a new stock of the pile but for its top."""
    gone = s.pile & ~bit(s.top)
    # Cards that have lain on the pile are in no hand, and never will be again.
    for seat in range(2):
        s.absent[seat] |= gone
    fill_pack(s, gone)
    s.gathered = s.stock
    s.pile = bit(s.top)
    s.beneath = s.third = NONE
    # As soon as the old one is empty: then its last card has just been turned up.
    s.phase = Phase.PLAY if s.renew == Renew.AT_ONCE and s.turn_draws > 0 else Phase.TURN_UP


# --- Legal actions ---


# hiyoko.combo.two-follows, isuri.combo.two-follows
@rule
def top_is_one(s: SequenceState) -> bool:
    """Whether a 1 may be laid on the top of the pile before a 2."""
    return top_numbers(s) & ONES != 0 and (s.one_two == OneTwo.COUNTS_AS or has(ONES, s.top) == 1)


@rule
def playable(s: SequenceState, seat: int) -> int:
    """The cards of a hand that may be played now: the cards that follow, and a 1 that goes before a 2 of the same hand."""
    # hiyoko.play.next-number, hiyoko.play.one-of-a-number, isuri.play.next-number, isuri.play.one-of-a-number
    cards = s.hand[seat] & followers(s)
    # hiyoko.combo.one-two, isuri.combo.one-two
    if s.hand[seat] & ONES & ~cards and s.hand[seat] & TWOS and top_is_one(s):
        # If a 1 may go first, the 2 follows as well. So a seat without a card that follows has no such pair.
        cards |= s.hand[seat] & ONES
    return cards


# hiyoko.draw.cannot-play, isuri.draw.cannot-play
@rule
def draws_on(s: SequenceState) -> bool:
    """Whether a seat that has drawn and holds nothing that follows has another card turned up."""
    return s.who_draws == WhoDraws.DRAW_UNTIL_PLAYABLE and 0 < s.turn_draws < one_pass(s)


# hiyoko.play.said, isuri.play.said
@rule
def ways_to_stop(s: SequenceState, cards: int) -> int:
    """The words by which a seat may stop or pass in place of playing one of `cards`, the cards that it may play."""
    # hiyoko.play.run, isuri.play.run
    if s.discards:
        return bit(Word.DONE) if cards == 0 or s.must_play != MustPlay.ALL else 0
    if cards == 0:
        # hiyoko.play.pass, hiyoko.draw.cannot-play, isuri.play.pass, isuri.draw.cannot-play
        return bit(Word.DRAW) if draws_on(s) else bit(Word.PASS)
    # hiyoko.play.compulsory, hiyoko.draw.must-play, isuri.play.compulsory, isuri.draw.must-play
    # A seat that has drawn must play.
    return bit(Word.PASS) if s.must_play == MustPlay.FREE and s.turn_draws == 0 else 0


# hiyoko.play.dealer-first, isuri.play.dealer-first
@rule
def waiting(s: SequenceState) -> int:
    """The seat whose turn it is. The phases in which the driver acts declare its word, so this is not asked there."""
    return bit(s.turn)


@rule
def legal(s: SequenceState, seat: int) -> int:
    """The set of legal actions of the seat whose turn it is."""
    if s.phase == Phase.PLAY:
        cards = playable(s, seat)
        return cards | ways_to_stop(s, cards)
    if s.phase == Phase.TWO:
        # hiyoko.combo.two-follows, isuri.combo.two-follows
        return s.hand[seat] & TWOS
    return numbers_to_name(s) & NAMES


@rule
def numbers_to_name(s: SequenceState) -> int:
    """The numbers that the ghost on the top may stand for. There are several only if the card beneath it was turned up."""
    return numbers_of(s, s.top, 0) & next_numbers(numbers_of(s, s.beneath, 1))


# --- Actions ---


@rule
def play(s: SequenceState, seat: int, action: int) -> None:
    """Do an action of a seat or of the driver."""
    if s.phase == Phase.PLAY or s.phase == Phase.TWO:
        if action == Word.PASS:
            pass_turn(s, seat)
        elif action == Word.DONE:
            end_turn(s, seat)
        elif action == Word.DRAW:
            # hiyoko.draw.cannot-play, isuri.draw.cannot-play
            s.absent[seat] |= followers(s)
            wait_for_draw(s)
        else:
            discard(s, seat, action)
    elif s.phase == Phase.NAME:
        s.stands_for = action // 4 + 1
        s.phase = Phase.PLAY
    elif s.phase == Phase.TURN_UP:
        turn_up(s)
    elif s.phase == Phase.RECYCLE:
        recycle(s)
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.GATHER:
        # hiyoko.draw.void, isuri.draw.void
        s.redeals[0] += 1
        gather(s)


# hiyoko.play.pass, isuri.play.pass
@rule
def pass_turn(s: SequenceState, seat: int) -> None:
    """Leave a turn without a discard. A seat that must play if it can, and passes, proves that it holds no card that follows."""
    if s.must_play != MustPlay.FREE or s.turn_draws > 0:
        s.absent[seat] |= followers(s)
    s.passes += 1
    begin_turn(s, 1 - seat)


# hiyoko.play.run, isuri.play.run
@rule
def end_turn(s: SequenceState, seat: int) -> None:
    """End a turn with a discard."""
    if s.must_play == MustPlay.ALL:
        s.absent[seat] |= followers(s)
    begin_turn(s, 1 - seat)


@rule
def discard(s: SequenceState, seat: int, card: int) -> None:
    """Play a card of the hand, a ghost as its number where ghosts are fixed."""
    if not has(followers(s), card):
        # hiyoko.combo.one-two, isuri.combo.one-two
        # A 1 on a 1: the hand has a 2.
        lay(s, seat, card, 0)
        s.two_kept[seat] = 1
        # hiyoko.combo.two-follows, isuri.combo.two-follows
        if s.one_two != OneTwo.LAX:
            s.phase = Phase.TWO
    elif s.ghost == Ghost.FLEXIBLE or not is_ghost(s, card):
        lay(s, seat, card, 0)
    else:
        play_ghost(s, seat, card, possible_numbers(s, card))


@rule
def play_ghost(s: SequenceState, seat: int, ghost: int, numbers: int) -> None:
    """Play a ghost as one of some numbers; the seat names it if there are several."""
    if count(numbers) == 4:
        lay(s, seat, ghost, first(numbers) // 4 + 1)
    else:
        lay(s, seat, ghost, 0)
        if s.phase != Phase.OVER:
            s.phase = Phase.NAME


@rule
def lay(s: SequenceState, seat: int, card: int, stands_for: int) -> None:
    """Move a card from a hand to the pile. The round is over when that was the last of the hand."""
    s.hand[seat] &= ~bit(card)
    cover(s, card)
    s.top_drawn = 0
    s.stands_for = stands_for
    s.discards += 1
    s.passes = s.drawn = 0
    # hiyoko.draw.who, isuri.draw.who
    s.drawer = 1 - seat if s.who_draws == WhoDraws.FIRST_PASSER else seat
    if has(TWOS, card):
        s.two_kept[seat] = 0
    s.phase = Phase.PLAY
    # hiyoko.end.out, isuri.end.out
    if hand_size(s, seat) == 0:
        s.ending = Ending.ALL_OUT if s.discards == HAND else Ending.OUT
        s.phase = Phase.OVER


# --- The length of a round ---


def most_passes(cards: int, held: int) -> int:
    """The most turns without a discard that can follow one another while the hands hold `held` of the `cards` in play.

    After two passes through the stock, 2 * (cards - held - 1) draws, the round is void. Before each draw, and after the last, each
    seat passes at most once.
    """
    return 2 * (2 * (cards - held - 1) + 1)


def most_turns(cards: int) -> int:
    """A bound on the turns of a round with `cards` cards in play.

    Hands begin with twelve cards and one is empty at the end: eleven discards at most, each in a turn of its own, with as many
    turns without a discard before each as there can be.
    """
    return sum(most_passes(cards, held) + 1 for held in range(2, 2 * HAND + 1))
