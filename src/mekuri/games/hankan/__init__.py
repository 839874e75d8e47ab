"""Hankan: three rows of three cards are dealt, and all seats but the dealer's bet on the better of the last two."""

from mekuri.engine.contract import Contract, functions
from mekuri.games.hankan import bots, match, rules, scoring, zones
from mekuri.games.hankan.options import PRESETS, HankanMatch, HankanOptions
from mekuri.games.hankan.state import DEALS, HankanState, Word

contract = Contract(
    id="hankan",
    api=3,
    seats=(4, 2, 3, 5, 6, 7),
    state=HankanState,
    options=HankanOptions,
    match_options=HankanMatch,
    presets=PRESETS,
    words=Word,
    side=True,
    hard=1,
    minutes=2,
    longest=DEALS,
    most_actions=6 * DEALS,
    returns_range=(-1200, 1200),
    zero_sum=True,
    bots=(bots.whim, bots.rising, bots.reckoning),
    by_number=True,
    levels=(),  # a game of chance: no character plays it better than another
    **functions(rules, scoring, zones, match),
)
