"""Mushi: a hanafuda game for two, played in Osaka with forty cards and one wild card, the oni."""

from mekuri.engine.compiled import bit
from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.mushi import match, prospect, rules, scoring, zones
from mekuri.games.mushi.options import PRESETS, MushiMatch, MushiOptions
from mekuri.games.mushi.rules import ONI, RAIN
from mekuri.games.mushi.scoring import BRIGHTS
from mekuri.games.mushi.state import MushiState, Word

contract = Contract(
    id="mushi",
    api=3,
    seats=(2,),  # mushi.players.two
    state=MushiState,
    options=MushiOptions,
    match_options=MushiMatch,
    presets=PRESETS,
    words=Word,
    yaku=scoring.YAKU,
    redeals=("mushi.deal.four-on-table", "mushi.deal.three-rain", "mushi.deal.four-in-hand", "mushi.deal.four-pairs"),
    shape="faces",
    hard=2,
    minutes=5,
    longest=16,
    most_actions=50,
    returns_range=(-190, 190),
    zero_sum=True,
    notes=("shown",),
    capture_groups=scoring.GROUPS,
    levels=(
        Level(who="suzu", sight=0, playouts=60, plays_first=BRIGHTS),
        Level(who="heita", playouts=100, plays_last=RAIN | bit(ONI)),
        Level(who="kiku", playouts=60),
        Level(who="genan", playouts=200),
        Level(who="kakuo"),
    ),
    **functions(dealing, rules, scoring, prospect, zones, match),
)
