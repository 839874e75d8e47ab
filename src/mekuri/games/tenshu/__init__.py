"""Tenshu: a game of Uozu for four to seven, of whom four play, with 48 cards and the onifuda."""

from mekuri.engine.compiled import bit
from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.tenshu import match, positions, prospect, rules, scoring, sheet, zones
from mekuri.games.tenshu.options import PRESETS, TenshuMatch, TenshuOptions
from mekuri.games.tenshu.state import TenshuState, Word

contract = Contract(
    id="tenshu",
    api=3,
    version=2,
    seats=(4, 5, 6, 7),  # tenshu.players.number
    state=TenshuState,
    options=TenshuOptions,
    match_options=TenshuMatch,
    presets=PRESETS,
    words=Word,
    yaku=scoring.YAKU,
    redeals=("tenshu.deal.four-on-field", "tenshu.deal.onifuda-on-field", "tenshu.score.three-yaku"),
    hard=3,
    minutes=8,
    longest=41,
    most_actions=200,
    returns_range=(-168, 369),
    notes=("shown", "awarded"),
    capture_groups=scoring.GROUPS,
    by_number=True,
    levels=(
        Level(who="suzu", playouts=1, plays_last=bit(Word.PILE)),
        Level(who="sankichi", playouts=3),
        Level(who="heita", playouts=8),
        Level(who="kiku", playouts=36),
        Level(who="genan", playouts=150),
        Level(who="kakuo"),
    ),
    **functions(dealing, rules, scoring, prospect, sheet, positions, zones, match),
)
