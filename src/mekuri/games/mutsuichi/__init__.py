"""Mutsu-ichi: the bank lays one of six numbers under a cloth, and all other seats bet on the number."""

from mekuri.engine.contract import Contract, functions
from mekuri.games.mutsuichi import bots, match, position, rules, scoring, zones
from mekuri.games.mutsuichi.options import PRESETS, MutsuIchiMatch, MutsuIchiOptions
from mekuri.games.mutsuichi.state import MutsuIchiState, Word

contract = Contract(
    id="mutsuichi",
    api=3,
    seats=(4, 2, 3, *range(5, 17)),
    state=MutsuIchiState,
    options=MutsuIchiOptions,
    match_options=MutsuIchiMatch,
    presets=PRESETS,
    words=Word,
    shape="bank",  # mutsuichi.players.opposite
    hard=1,
    minutes=2,
    longest=2,
    most_actions=706,
    returns_range=(-7500, 7500),
    notes=("hand", "bet", "cloth"),
    bots=(bots.equilibrium, bots.habits, bots.overdue),
    by_number=True,
    levels=(),  # a game of chance: no character plays it better than another
    **functions(rules, scoring, zones, match, position),
)
