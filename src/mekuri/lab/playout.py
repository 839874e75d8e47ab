"""Play whole rounds with a bot and count statistics. The same source runs plain and compiled."""

from __future__ import annotations

from typing import Any

from mekuri.engine.bot import ask, is_blind
from mekuri.engine.chance import begin_round, fold, pick
from mekuri.engine.compiled import count, first, rule, wrap
from mekuri.engine.contract import DRIVER, legal, over, play, returns, undoing, waiting, yaku_of
from mekuri.engine.driver import drive, see
from mekuri.engine.entry import entry
from mekuri.engine.fields import MOST_ENDINGS, MOST_REDEALS, MOST_SEATS, MOST_YAKU, RoundState, copy

# The statistics of a batch of rounds, as places in a row of COUNTS ints.
ACTIONS, DECISIONS, TURNS, TURNS_MAX, SUM_MIN, SUM_MAX, CHECKSUM = range(7)
RETURNS = 7
REDEALS = RETURNS + MOST_SEATS
ENDINGS = REDEALS + MOST_REDEALS
YAKU = ENDINGS + MOST_ENDINGS  # for each yaku the rounds in which any seat had it
YAKU_OF = YAKU + MOST_YAKU  # for each yaku and each seat the rounds in which that seat had it
SQUARES = YAKU_OF + MOST_YAKU * MOST_SEATS  # for each seat the sum of the squares of its returns
COUNTS = SQUARES + MOST_SEATS

# A round that is kept by itself: these numbers, and then the return of each seat.
ROUND_ACTIONS, ROUND_DECISIONS, ROUND_TURNS, ROUND_RETURNS = range(4)

# The measures of a round: the dealer's return, the greatest return, whether the dealer's side alone has it, whether no side alone
# has it, and its length. Seat 0 deals.
DEALER, POINTS, DEALER_WINS, UNDECIDED, ROUND_LENGTH = range(5)
MEASURES = ROUND_LENGTH + ROUND_RETURNS
# The sums of a comparison: of each measure, of its square, of its difference, of the square of that; then these two.
CHANGED, DECIDED = range(4 * MEASURES, 4 * MEASURES + 2)
SUMS = DECIDED + 1

THINKING = 3  # the place of the bot's first state: before it are the round at its start, the round, and a hidden state
STATES = THINKING + 2  # as many as Mekuri's own bots need


def empty_counts() -> list[int]:
    """Return a row of counts as it is before the first round."""
    counts = [0] * COUNTS
    counts[SUM_MIN], counts[SUM_MAX] = 1 << 62, -(1 << 62)
    return counts


def add_counts(rows: list[list[int]]) -> list[int]:
    """Return the counts of several batches together."""
    total = [sum(column) for column in zip(*rows, strict=True)]
    for place, choose_one in ((TURNS_MAX, max), (SUM_MIN, min), (SUM_MAX, max)):
        total[place] = choose_one(row[place] for row in rows)
    total[CHECKSUM] = wrap(total[CHECKSUM])
    return total


@entry
def play_rounds(
    states: Any, key: Any, chance: Any, first_round: int, rounds: int, bot: Any, at_random: int, counts: Any, each: Any
) -> None:
    """Play rounds, with one bot in every seat that does not play at random, and add their statistics to `counts`.

    Args:
        states: THINKING states, the first at the start of a round, then those in which the bot thinks.
        key: four words; round i is dealt from a hash of these and i.
        chance: four words of workspace.
        first_round: the number of the first round.
        rounds: how many rounds are played.
        bot: a bot whose choice is rules text; compiled, its record.
        at_random: the set of seats that choose at random, as a blind bot would in their place.
        counts: a row of COUNTS ints.
        each: a row for the single rounds: ROUND_RETURNS ints and the returns of the seats for each. Empty if not wanted.
    """
    width = ROUND_RETURNS + states[0].seats
    for number in range(first_round, first_round + rounds):
        begin_round(chance, key, number)
        actions, decisions = counts[ACTIONS], counts[DECISIONS]
        play_round(states, chance, number, bot, at_random, counts)
        if len(each) > 0:
            keep_round(states[1], counts[ACTIONS] - actions, counts[DECISIONS] - decisions, each, (number - first_round) * width)


@rule
def keep_round(s: RoundState, actions: int, decisions: int, each: Any, at: int) -> None:
    """Write a finished round into `each`, from place `at` on."""
    each[at + ROUND_ACTIONS] = actions
    each[at + ROUND_DECISIONS] = decisions
    each[at + ROUND_TURNS] = s.turns
    for seat in range(s.seats):
        each[at + ROUND_RETURNS + seat] = returns(s, seat)


@rule
def play_round(states: Any, chance: Any, number: int, bot: Any, at_random: int, counts: Any) -> None:
    """Play one round to its end. The bot is given the hidden state of each seat; a random choice needs none."""
    s = states[1]
    copy(s, states[0])
    checksum = fold(0, number)
    actions = decisions = 0
    while not over(s):
        seat = first(waiting(s))
        if seat == DRIVER:
            action = drive(s, chance)
        else:
            choices = legal(s, seat) & ~undoing(s, seat)
            n = count(choices)
            if n > 1:
                decisions += 1
            if n == 1:
                action = first(choices)
            elif is_blind(bot) or at_random >> seat & 1:
                action = pick(choices, n, chance)
            else:
                see(s, seat, states[2])
                action = ask(bot, states[2], seat, chance, states[THINKING:])
            play(s, seat, action)
        actions += 1
        checksum = fold(checksum, seat << 6 | action)
    counts[ACTIONS] += actions
    counts[DECISIONS] += decisions
    counts[CHECKSUM] = wrap(counts[CHECKSUM] + count_end(s, checksum, counts))


@rule
def count_end(s: RoundState, checksum: int, counts: Any) -> int:
    """Add the end of a round to the counts, and return the round's checksum with its returns mixed in."""
    total = 0
    any_yaku = 0
    for seat in range(s.seats):
        value = returns(s, seat)
        total += value
        counts[RETURNS + seat] += value
        counts[SQUARES + seat] += value * value
        checksum = fold(checksum, value)
        made = yaku_of(s, seat)
        any_yaku |= made
        while made:
            counts[YAKU_OF + first(made) * MOST_SEATS + seat] += 1
            made &= made - 1
    while any_yaku:
        counts[YAKU + first(any_yaku)] += 1
        any_yaku &= any_yaku - 1
    counts[TURNS] += s.turns
    counts[TURNS_MAX] = max(counts[TURNS_MAX], s.turns)
    counts[SUM_MIN] = min(counts[SUM_MIN], total)
    counts[SUM_MAX] = max(counts[SUM_MAX], total)
    counts[ENDINGS + s.ending] += 1
    for i in range(MOST_REDEALS):
        counts[REDEALS + i] += s.redeals[i]
    return checksum


@entry
def compare_rounds(each: Any, base: Any, rounds: int, sides: Any, base_sides: Any, work: Any, sums: Any) -> None:
    """Compare rounds with those of the same deals by other rules, and add the measures and their differences to `sums`.

    Args:
        each: the rounds, as `play_rounds` writes them.
        base: the rounds to compare with, likewise.
        rounds: how many there are.
        sides: the side of each seat.
        base_sides: the side of each seat in the rounds to compare with.
        work: a row of 2 * MEASURES numbers of workspace.
        sums: a row of SUMS numbers.
    """
    seats = len(sides)
    for i in range(rounds):
        at = i * (ROUND_RETURNS + seats)
        if measure(each, at, sides, work, 0) != measure(base, at, base_sides, work, MEASURES):
            sums[DECIDED] += 1
        for k in range(MEASURES):
            value = work[k]
            difference = value - work[MEASURES + k]
            sums[4 * k] += value
            sums[4 * k + 1] += value * value
            sums[4 * k + 2] += difference
            sums[4 * k + 3] += difference * difference
        changed = 0
        for seat in range(seats):
            if each[at + ROUND_RETURNS + seat] != base[at + ROUND_RETURNS + seat]:
                changed = 1
        sums[CHANGED] += changed


@rule
def measure(each: Any, at: int, sides: Any, into: Any, place: int) -> int:
    """Write the measures of a round into a row. Return the first seat of the side that alone has the greatest return, else -1."""
    winner = 0
    for seat in range(1, len(sides)):
        if each[at + ROUND_RETURNS + seat] > each[at + ROUND_RETURNS + winner]:
            winner = seat
    best, side = each[at + ROUND_RETURNS + winner], sides[winner]
    for seat in range(len(sides)):
        if each[at + ROUND_RETURNS + seat] == best and sides[seat] != side:
            winner = -1
    into[place + DEALER] = each[at + ROUND_RETURNS]
    into[place + POINTS] = best
    into[place + DEALER_WINS] = 1 if winner >= 0 and side == sides[0] else 0
    into[place + UNDECIDED] = 1 if winner < 0 else 0
    for i in range(ROUND_RETURNS):
        into[place + ROUND_LENGTH + i] = each[at + i]
    return winner
