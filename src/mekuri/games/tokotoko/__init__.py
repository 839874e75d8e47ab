"""Tokotoko: each seat has two cards and shares two in the middle, and the best last digit of three cards takes the pot."""

from mekuri.engine.contract import Contract, functions
from mekuri.games.tokotoko import bots, match, rules, scoring, zones
from mekuri.games.tokotoko.options import PRESETS, TokotokoMatch, TokotokoOptions
from mekuri.games.tokotoko.state import TokotokoState, Word

contract = Contract(
    id="tokotoko",
    api=3,
    version=2,
    seats=(4, 2, 3, 5, 6, 7),
    state=TokotokoState,
    options=TokotokoOptions,
    match_options=TokotokoMatch,
    presets=PRESETS,
    words=Word,
    side=True,
    hard=1,
    minutes=1,
    longest=1,
    most_actions=14,
    returns_range=(-30, 186),
    notes=("out",),
    bots=(bots.weighing, bots.daring, bots.modest),
    by_number=True,
    levels=(),  # mostly a game of chance: no character plays it better than another
    **functions(rules, scoring, zones, match),
)
