"""Mekuri: the fishing game of Edo, in which three of three or four players take part in a round, with 48 cards."""

from mekuri.engine.contract import Contract, functions
from mekuri.games import dealing
from mekuri.games.mekuri import match, rules, scoring, sheet, zones
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
    returns_range=(-1_700, 3_300),
    notes=("shown", "returned"),
    capture_groups=scoring.GROUPS,
    by_number=True,
    **functions(dealing, rules, scoring, sheet, zones, match),
)
