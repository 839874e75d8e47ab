"""Mekuri: the fishing game of Edo, in which three of three or four players take part in a round, with 48 cards."""

from mekuri.engine.compiled import bit
from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.mekuri import match, prospect, rules, scoring, sheet, zones
from mekuri.games.mekuri.options import PRESETS, MekuriMatch, MekuriOptions
from mekuri.games.mekuri.state import YAKU, MekuriState, Word

contract = Contract(
    id="mekuri",
    api=3,
    seats=(3, 4, 2),  # mekuri.players.number, mekuri.players.two
    state=MekuriState,
    options=MekuriOptions,
    match_options=MekuriMatch,
    presets=PRESETS,
    words=Word,
    yaku=YAKU,
    endings=("played-out",),
    redeals=("mekuri.deal.four-on-field", "mekuri.deal.four-in-hand"),
    shape="ring",
    hard=2,
    minutes=5,
    longest=21,
    most_actions=80,
    returns_range=(-1_700, 3_300),
    notes=("shown", "returned"),
    capture_groups=scoring.GROUPS,
    by_number=True,
    levels=(
        Level(who="suzu", sight=0, playouts=60, plays_first=scoring.GROUPS["counting"] | bit(Word.IN)),
        Level(who="heita", playouts=60, plays_last=scoring.GROUPS["counting"]),
        Level(who="kiku", playouts=60),
        Level(who="genan", playouts=200),
        Level(who="kakuo"),
    ),
    **functions(dealing, rules, scoring, prospect, sheet, zones, match),
)
