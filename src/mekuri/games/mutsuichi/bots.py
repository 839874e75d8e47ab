"""The bots of Mutsu-ichi: three characters of equal strength, for it is a game of chance. They choose from hidden states.

One plays the equilibrium of a round, one predicts the others from their habits, and one waits for the number that has not come for
longest. `habits` predicts by partial matching (Cleary and Witten, 1984; escape by method C of Moffat, 1990; nothing is excluded): a
number that followed before, after the same last numbers, is likely to follow again; the more numbers agree, the more it counts.
"""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.chance import below, pick
from mekuri.engine.compiled import bit, count, first, rule, shared_rule
from mekuri.games.mutsuichi.options import Payout
from mekuri.games.mutsuichi.rules import BANK_PAYS, least_bets, may_finish, may_lay, most_bets
from mekuri.games.mutsuichi.state import HISTORY, NUMBERS, MutsuIchiState, Phase, Word

DONE = int(Word.DONE)
LONGEST = 2  # the longest context of a prediction: the bank's last numbers
WHOLE = 1 << 30  # the unit of probability: certainty


@rule
def play_equilibrium(h: MutsuIchiState, seat: int, chance: list[int], states: list[MutsuIchiState]) -> int:
    """Play an exact equilibrium of a round, except where a bet must be made against a bank that may be short of chips.

    The dealer chooses all six numbers with the same chance, so that there is no habit to predict. A bettor lays cards at random
    where five times the bet is sure to be paid, which on average costs and gains nothing; else as few as allowed.
    """
    return pick(h.hand[seat], NUMBERS, chance) if h.phase == Phase.CHOOSE else bet_evenly(h, seat, chance)


@rule
def play_habits(h: MutsuIchiState, seat: int, chance: list[int], states: list[MutsuIchiState]) -> int:
    """Play the action that gains most if the others repeat their habits."""
    return hide_from_habits(h, seat, chance) if h.phase == Phase.CHOOSE else bet_on_habits(h, seat, chance)


@rule
def costs_nothing(h: MutsuIchiState, seat: int) -> bool:
    """Whether bets cost a bettor nothing on average if each number is equally likely: five times the bet is sure to be paid.

    The bank must have enough for the bettors before this one as well, who are paid first.
    """
    paid = (seat + h.seats - h.dealer) % h.seats
    return h.payout == Payout.FIVE and h.stack[h.dealer] >= paid * (h.bet_size * BANK_PAYS // 10)


# --- Equilibrium ---


@rule
def bet_evenly(h: MutsuIchiState, seat: int, chance: list[int]) -> int:
    """Bet on numbers at random: any size where bets cost nothing on average, else the least that is allowed.

    The bank then gains and loses nothing by what it chooses, and against a bank that chooses each number with the same chance no
    bet is better than this; unless one must be made, and the bank is short of chips: then a larger one may cost less.
    """
    laid = count(h.bet[seat])
    most = most_bets(h, seat) if costs_nothing(h, seat) else least_bets(h, seat)
    # A bot that takes over may find more laid. Of the sizes from 1 to `most` that are still possible, one is what has been laid.
    if laid >= most or (laid > 0 and below(chance, most - laid + 1) == 0):
        return DONE
    return pick(h.hand[seat], count(h.hand[seat]), chance)


# --- Habits ---


@rule
def bet_on_habits(h: MutsuIchiState, seat: int, chance: list[int]) -> int:
    """Bet on the number that the bank has most likely chosen, as long as a bet on it gains on average."""
    cards, card, likely, equals = may_lay(h, seat), DONE, -1, 0
    while cards:
        share = likelihood(h, first(cards) // 4 + 1, False)
        equals = equals + 1 if share == likely else 1
        if share > likely or (share == likely and below(chance, equals) == 0):
            card, likely = first(cards), share
        cards &= cards - 1
    # A first bet is always laid where it costs nothing on average.
    free = costs_nothing(h, seat) and h.bet[seat] == 0
    return card if free or not may_finish(h, seat) or likely * (10 + h.payout) > WHOLE * 10 else DONE


@rule
def hide_from_habits(h: MutsuIchiState, seat: int, chance: list[int]) -> int:
    """Choose the number on which the bettors will most likely bet least."""
    cards, card, likely, equals = h.hand[seat], -1, WHOLE + 1, 0
    while cards:
        share = likelihood(h, first(cards) // 4 + 1, True)
        equals = equals + 1 if share == likely else 1
        if share < likely or (share == likely and below(chance, equals) == 0):
            card, likely = first(cards), share
        cards &= cards - 1
    return card


@shared_rule
def likelihood(h: MutsuIchiState, number: int, bets: bool) -> int:
    """The probability that the bank's next number, or with `bets` the next bet against it, is this one; in units of 1 / WHOLE."""
    share, left = 0, WHOLE
    for length in range(LONGEST, -1, -1):
        times = of_this = kinds = 0
        for i in range(HISTORY):
            if banks_own(h, i) and came_after_the_same(h, i, length):
                for other in range(1, NUMBERS + 1):
                    found = h.past_bets[i * NUMBERS + other - 1] if bets else int(h.past_number[i] == other)
                    times += found
                    if other == number:
                        of_this += found
                    if found:
                        kinds |= bit(other)
        # Escape, method C: a number that never followed is as likely as the count of different numbers that did.
        if times:
            share += left * of_this // (times + count(kinds))
            left = left * count(kinds) // (times + count(kinds))
    return share + left // NUMBERS


@rule
def banks_own(h: MutsuIchiState, i: int) -> bool:
    """Whether the present dealer also held the bank in past round `i`, 0 for the last round: only such rounds show its habits."""
    return h.past_number[i] != 0 and h.past_dealer[i] == h.dealer


@rule
def came_after_the_same(h: MutsuIchiState, i: int, length: int) -> bool:
    """Whether the bank's last `length` numbers before a past round are the same as its last numbers now."""
    then, now = earlier(h, i + 1), earlier(h, 0)
    for _ in range(length):
        if then == HISTORY or now == HISTORY or h.past_number[then] != h.past_number[now]:
            return False
        then, now = earlier(h, then + 1), earlier(h, now + 1)
    return True


@rule
def earlier(h: MutsuIchiState, i: int) -> int:
    """The first round at or before a past round, back in time, in which the present dealer held the bank; HISTORY for none."""
    while i < HISTORY and not banks_own(h, i):
        i += 1
    return i


# --- Overdue ---


@rule
def play_overdue(h: MutsuIchiState, seat: int, chance: list[int], states: list[MutsuIchiState]) -> int:
    """Play the number that has not come for longest: as bettor one bet on it, as bank the number itself."""
    if h.phase != Phase.CHOOSE and may_finish(h, seat) and h.bet[seat] != 0:
        return DONE
    cards = h.hand[seat] if h.phase == Phase.CHOOSE else may_lay(h, seat)
    card, longest, equals = DONE, -1, 0
    while cards:
        absent = rounds_since(h, first(cards) // 4 + 1)
        equals = equals + 1 if absent == longest else 1
        if absent > longest or (absent == longest and below(chance, equals) == 0):
            card, longest = first(cards), absent
        cards &= cards - 1
    return card


@rule
def rounds_since(h: MutsuIchiState, number: int) -> int:
    """How many rounds ago a number last came, under any bank, 0 for the last round; HISTORY if not in the remembered rounds."""
    i = 0
    while i < HISTORY and h.past_number[i] != number:
        i += 1
    return i


# --- The bots ---

equilibrium = rule_bot(
    play_equilibrium,
    id="equilibrium",
    name={"en": "Muga", "ja": "無我"},
    crest="ring",
    help={
        "en": "The pilgrim. Wishes for nothing, and has no habit that could be read: plays by what has been worked out.",
        "ja": "巡礼。何も望まず、読まれる癖もない。計算で求めた均衡のとおりに打つ。",
    },
    games=("mutsuichi",),
)

habits = rule_bot(
    play_habits,
    id="habits",
    name={"en": "Konzō", "ja": "紺三"},
    crest="fox",
    help={
        "en": "The pedlar, sly as a fox: studies what has come and what was bet, and guesses everybody's habits from it.",
        "ja": "行商人。狐のように、出た目と開かれた張り札から人の癖を読む。",
    },
    games=("mutsuichi",),
)

overdue = rule_bot(
    play_overdue,
    id="overdue",
    name={"en": "O-Matsu", "ja": "お松"},
    crest="pine",
    help={
        "en": "The tea-house keeper. Waits for what is overdue: bets on the number that has not come for longest.",
        "ja": "茶屋の女あるじ。いちばん長く出ていない目を、そろそろと待つ。",
    },
    games=("mutsuichi",),
)
