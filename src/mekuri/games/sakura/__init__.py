"""Sakura: the hanafuda game of Hawaii for two to seven, alone or in sides, whose yaku cost the others."""

from mekuri.engine.compiled import bit
from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.sakura import match, prospect, rules, scoring, zones
from mekuri.games.sakura.options import PRESETS, SakuraMatch, SakuraOptions
from mekuri.games.sakura.rules import GAJI
from mekuri.games.sakura.scoring import TWENTIES
from mekuri.games.sakura.state import YAKU, SakuraState, Word

contract = Contract(
    id="sakura",
    api=3,
    seats=(4, 2, 3, 5, 6, 7),  # sakura.players.number
    state=SakuraState,
    options=SakuraOptions,
    match_options=SakuraMatch,
    presets=PRESETS,
    words=Word,
    yaku=YAKU,
    redeals=("sakura.deal.four-on-field",),
    shape="ring",
    hard=1,
    minutes=5,
    longest=24,
    most_actions=80,
    returns_range=(-3040, 3040),
    notes=("shown",),
    capture_groups=scoring.GROUPS,
    levels=(
        Level(who="suzu", sight=0, playouts=60, plays_first=TWENTIES),
        Level(who="heita", playouts=100, plays_last=bit(GAJI)),
        Level(who="kiku", playouts=60),
        Level(who="genan", playouts=200),
        Level(who="kakuo"),
    ),
    **functions(dealing, rules, scoring, prospect, zones, match),
)
