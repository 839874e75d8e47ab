"""Tensho: a game for two from Nagoya, played with 45 cards of the Ise pack and one of two sets of yaku."""

from mekuri.cards import ALL, CLUBS, card
from mekuri.engine.compiled import bit
from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.tensho import hidden, match, prospect, rules, scoring, side_games, side_zones, yaku, zones
from mekuri.games.tensho.options import OLDER, PRESETS, TenshoMatch, TenshoOptions
from mekuri.games.tensho.state import TenshoState, Word

_COURT = ALL & ~(bit(card(10, CLUBS)) - 1)  # the numbers 10 to 12

contract = Contract(
    id="tensho",
    api=3,
    version=3,
    older=OLDER,
    seats=(2,),  # tensho.players.two
    state=TenshoState,
    options=TenshoOptions,
    match_options=TenshoMatch,
    presets=PRESETS,
    words=Word,
    yaku=yaku.IDS,
    redeals=("tensho.deal.four-of-a-number",),
    shape="faces",
    hard=3,
    minutes=5,
    longest=26,
    most_actions=100,
    returns_range=yaku.RETURNS_RANGE,
    zero_sum=True,
    notes=("out",),
    capture_groups=scoring.GROUPS,
    by_number=True,
    levels=(
        Level(who="suzu", playouts=16, plays_last=_COURT),
        Level(who="kiku", playouts=30),
        Level(who="genan", playouts=100),
        Level(who="kakuo"),
    ),
    **functions(dealing, rules, hidden, side_games, scoring, prospect, zones, side_zones, match),
)
