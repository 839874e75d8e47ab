"""Isuri: Hiyoko for points, with forty-six cards of the Ise deck. Each card discarded is paid for at once."""

from mekuri.engine.contract import Contract, functions
from mekuri.engine.level import Level
from mekuri.games import dealing
from mekuri.games.isuri import match, prospect, rules, scoring, zones
from mekuri.games.isuri.options import PRESETS, IsuriMatch, IsuriOptions
from mekuri.games.isuri.scoring import CARDS, most_returned
from mekuri.games.isuri.state import IsuriState, Word
from mekuri.games.sequence import ISE_GHOSTS, NOTES, REMEMBERED
from mekuri.games.sequence_play import most_turns

contract = Contract(
    id="isuri",
    api=3,
    seats=(2,),  # isuri.players.two
    state=IsuriState,
    options=IsuriOptions,
    match_options=IsuriMatch,
    presets=PRESETS,
    words=Word,
    redeals=("isuri.draw.void",),
    shape="pile",
    hard=2,
    minutes=4,
    longest=most_turns(CARDS),
    most_actions=2 * most_turns(CARDS) + 24,
    returns_range=(-most_returned(), most_returned()),
    zero_sum=True,
    notes=NOTES,
    by_number=True,
    levels=(
        Level(who="suzu", playouts=1, forgets=100, plays_first=ISE_GHOSTS),
        Level(who="kiku", playouts=16),
        Level(who="kakuo"),
    ),
    remembered=REMEMBERED,
    **functions(dealing, rules, scoring, prospect, zones, match),
)
