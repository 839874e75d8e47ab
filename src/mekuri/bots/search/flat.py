"""Flat Monte-Carlo search: every action is tried in the same worlds with the same luck, and played out to the end.

The same source runs plain and compiled.
"""

from __future__ import annotations

from typing import Any

from mekuri.bots.search.later import begin, go_on, learn
from mekuri.bots.search.worlds import draw_world
from mekuri.engine.bot import ask, is_blind
from mekuri.engine.called import act, asked_of, choices_of, greediest, lead, turn
from mekuri.engine.chance import draw, pick, shuffle
from mekuri.engine.compiled import count, first, rule
from mekuri.engine.contract import DRIVER, over, returns, side_bet, side_returns
from mekuri.engine.driver import see
from mekuri.engine.entry import entry
from mekuri.engine.fields import RoundState, copy

# The counts of an action, as places in its row of COUNTED ints: play-outs, the sum and the sum of squares of what the seat won, and
# the number of play-outs in which it won more than 0.
TRIED, SUM, SQUARES, WON = range(4)
COUNTED = 4

NOTHING = -1  # instead of an action

# Actions are tried in worlds that the seat may be in (HONEST, for every bot); or, to measure how much hidden cards matter, in the
# true world with the stock shuffled (HANDS_OPEN), or in the true world itself (OPEN).
HONEST, HANDS_OPEN, OPEN = range(3)

# `sight`, the length of play-outs: WHOLE goes on to the end of the round; n stops when the seat's n-th turn after this one begins
# and judges by its lead in `outlook`. 0 stops after its own turn, before any other seat acts.
WHOLE = 1 << 20

# The states of a search, as places. VIEW is what the searching seat sees in a play-out; LOOK and the one after it are workspace.
# Then come the states that the bot thinks in.
SEEN, WORLD, TRIAL, VIEW, LOOK = range(5)
STATES = 6


@entry
def try_out(
    states: Any,
    seat: int,
    choices: int,
    open_cards: int,
    sight: int,
    worlds: int,
    chance: Any,
    luck: Any,
    bot: Any,
    tally: Any,
    past: Any,
    done: Any,
    kept: Any,
    brought: Any,
    ends: Any,
) -> None:
    """Try each of some actions in so many more worlds, and add the results to `tally`.

    Args:
        states: STATES states: the hidden state of the seat, then the states in which the bot thinks.
        seat: the seat.
        choices: the set of the actions, all of them legal. If it is empty, rounds are played on as they stand, no matter whose turn
            it is, and counted as action 0.
        open_cards: HONEST, HANDS_OPEN or OPEN; for the last two, the first state is the whole one.
        sight: after how many turns of the seat play-outs stop; WHOLE for the end of the round.
        worlds: in how many worlds each action is tried.
        chance: four words, from which the worlds and their luck are drawn, equal for all actions; they are advanced.
        luck: eight words of workspace.
        bot: by whom the rounds are played out, one of rules text; compiled, its record.
        tally: COUNTED ints for each of the 63 actions, to which what is found is added.
        past: the hidden states before the others' actions that worlds should explain, as in `draw_world`; empty for any world.
        done: these actions, as in `draw_world`.
        kept: the search's memory for the seat's own later turns (see `later`). With one without a table it plays them by its
            `prospect`; with an empty row it plays them as the bot does.
        brought: one int for each play-out, for what the seat wins in it; empty where nobody asks.
        ends: for each world a state for the world, followed by one for the end of each of its play-outs; empty where nobody asks.
    """
    world, trial = states[WORLD], states[TRIAL]
    aside = side_bet(states[SEEN], seat)
    played = 0
    for n in range(worlds):
        if open_cards == HONEST:
            draw_world(states, seat, chance, past, done)
        else:
            copy(world, states[SEEN])
            if open_cards == HANDS_OPEN:
                shuffle(world.pack, world.stock, chance)
        if len(ends):
            copy(ends[played + n], world)
        for i in range(4):
            luck[4 + i] = draw(chance)
        left, goes_on = choices, True
        while goes_on:
            action = first(left) if left else NOTHING
            left &= left - 1
            goes_on = left != 0
            for i in range(4):
                luck[i] = luck[4 + i]
            copy(trial, world)
            won = play_out(trial, seat, action, open_cards == HONEST, sight, aside, luck, bot, states, kept)
            row = max(action, 0) * COUNTED
            tally[row + TRIED] += 1
            tally[row + SUM] += won
            tally[row + SQUARES] += won * won
            if won > 0:
                tally[row + WON] += 1
            if len(brought):
                brought[played] = won
            if len(ends):
                copy(ends[played + n + 1], trial)
            played += 1


@rule
def play_out(
    s: RoundState, seat: int, action: int, honest: bool, sight: int, aside: bool, chance: Any, bot: Any, states: Any, kept: Any
) -> int:
    """Do an action, unless it is NOTHING, and play the round out, with the bot in every seat.

    If `kept` has room, the searching seat instead chooses its later actions by `prospect`, or by their earlier results.
    If `honest`, it chooses by what it sees: when it takes a pile unseen, it must not pick the better pile of this world.

    Returns:
        The seat's returns; its lead, if its sight ends before the round does; or its side returns, where `aside`.
    """
    asked, turns = seat, 0
    hopes = len(kept) > 0
    if hopes:
        begin(kept, action)
    while True:
        if action != NOTHING:
            act(s, asked, action)
        while asked_of(s) == 1 << DRIVER:
            turn(s, chance)
        if over(s):
            won = side_returns(s, seat) if aside else returns(s, seat) if sight == WHOLE else lead(s, seat)
            if hopes:
                learn(kept, won)
            return won
        before = asked
        asked = first(asked_of(s))
        if asked != before:
            turns += int(asked == seat)
            if turns == sight and not aside:
                return lead(s, seat)
        choices = choices_of(s, asked)
        n = count(choices)
        if n == 1:
            action = first(choices)
        elif is_blind(bot):
            action = pick(choices, n, chance)
        elif asked != seat or not hopes:
            action = ask(bot, s, asked, chance, states[STATES:])
        else:
            h = s
            if honest:
                h = states[VIEW]
                see(s, seat, h)
            action = go_on(kept, choices, greediest(h, seat, True, chance, states[LOOK], states[LOOK + 1]))
