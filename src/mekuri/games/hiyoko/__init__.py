"""Hiyoko, or Shosho: a game for two with forty-five cards of the Ise deck, each card counting one more than the last."""

from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing, sequence, sequence_play, sequence_zones
from mekuri.games.hiyoko import match, prospect, rules, scoring
from mekuri.games.hiyoko.options import PRESETS, HiyokoMatch, HiyokoOptions
from mekuri.games.hiyoko.state import HiyokoState
from mekuri.games.sequence import ISE_GHOSTS, NOTES, REMEMBERED, Word
from mekuri.games.sequence_play import most_turns

contract = Contract(
    id="hiyoko",
    api=3,
    seats=(2,),  # hiyoko.players.two
    state=HiyokoState,
    options=HiyokoOptions,
    match_options=HiyokoMatch,
    presets=PRESETS,
    words=Word,
    redeals=("hiyoko.draw.void",),
    shape="pile",
    hard=1,
    minutes=3,
    longest=most_turns(45),
    most_actions=2 * most_turns(45) + 24,
    returns_range=(-2, 2),
    zero_sum=True,
    notes=NOTES,
    by_number=True,
    levels=(
        Level(who="suzu", playouts=1, forgets=100, plays_first=ISE_GHOSTS),
        Level(who="heita", playouts=6, forgets=60),
        Level(who="kiku", playouts=18, forgets=20),
        Level(who="genan", playouts=55),
        Level(who="kakuo"),
    ),
    remembered=REMEMBERED,
    **functions(dealing, sequence, sequence_play, sequence_zones, rules, scoring, prospect, match),
)
