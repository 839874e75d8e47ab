"""Kingo: a hanafuda game for two to seven players, who draw cards up to fifteen and no further."""

from mekuri.plugin import Contract, functions
from mekuri_kingo import match, rules, scoring, zones
from mekuri_kingo.options import KingoMatch, KingoOptions
from mekuri_kingo.state import SEATS, KingoState, Word

contract = Contract(
    id="kingo",
    api=3,
    seats=(4, 2, 3, *range(5, SEATS + 1)),
    state=KingoState,
    options=KingoOptions,
    match_options=KingoMatch,
    words=Word,
    yaku=scoring.YAKU,
    redeals=("kingo.bareta.all",),
    shape="ring",
    longest=SEATS,
    # The greatest wager, three times for a Kingo: from six bareta seats twice that.
    returns_range=(-60, 360),
    bots=(rules.careful,),
    **functions(rules, scoring, zones, match),
)
