"""Koi-Koi: a hanafuda game for two, in which a player with a yaku ends the round or goes on for more."""

from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.koikoi import match, prospect, rules, scoring, yaku, zones
from mekuri.games.koikoi.options import PRESETS, KoikoiMatch, KoikoiOptions
from mekuri.games.koikoi.state import YAKU, KoikoiState, Word

contract = Contract(
    id="koikoi",
    api=3,
    seats=(2,),  # koikoi.players.two
    state=KoikoiState,
    options=KoikoiOptions,
    match_options=KoikoiMatch,
    presets=PRESETS,
    words=Word,
    yaku=YAKU,
    redeals=("koikoi.deal.four-on-field", "koikoi.deal.pairs-on-field", "koikoi.deal.lucky-hand"),
    shape="faces",
    door=True,
    hard=1,
    minutes=4,
    longest=24,
    most_actions=100,
    returns_range=(-20_000, 20_000),
    zero_sum=True,
    notes=("shown",),
    calls=(Word.KOI,),
    capture_groups=yaku.GROUPS,
    levels=(
        Level(who="suzu", sight=0, playouts=60, plays_first=yaku.BRIGHTS),
        Level(who="heita", playouts=100, plays_last=yaku.WEATHER[0]),
        Level(who="kiku", playouts=60),
        Level(who="genan", playouts=200),
        Level(who="kakuo"),
    ),
    **functions(dealing, rules, scoring, yaku, prospect, zones, match),
)
