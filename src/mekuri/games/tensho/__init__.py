"""Tensho: a game for two from Nagoya, played with 45 cards of the Ise pack and one of two sets of yaku."""

from pathlib import Path

from mekuri.engine.contract import Contract
from mekuri.games.tensho import rules, scoring, table, yaku
from mekuri.games.tensho.options import PRESETS, TenshoMatch, TenshoOptions
from mekuri.games.tensho.state import Ending, TenshoState, Word

contract = Contract(
    id="tensho",
    version=1,
    folder=Path(__file__).parent,
    seats=(2,),
    state=TenshoState,
    options=TenshoOptions,
    match_options=TenshoMatch,
    presets=PRESETS,
    words=Word,
    yaku=yaku.IDS,
    endings=tuple(ending.text for ending in Ending),
    redeals=("tensho.deal.four-of-a-number",),
    shape="faces",
    longest=26,
    returns_range=yaku.RETURNS_RANGE,
    notes=(),
    deal=rules.deal,
    waiting=rules.waiting,
    legal=rules.legal,
    play=rules.play,
    over=rules.over,
    returns=scoring.returns,
    standing=scoring.standing,
    yaku_of=scoring.yaku_of,
    hide=rules.hide,
    redeal=rules.redeal,
    pack=table.pack,
    check=table.check,
    complete=table.complete,
    why=table.why,
    prompt=table.prompt,
    event=table.event,
    zones=table.zones,
    secret=table.secret,
    near=scoring.near,
    score_sheet=scoring.score_sheet,
    next_dealer=table.next_dealer,
    tally=table.tally,
    match_over=table.match_over,
    ranking=table.ranking,
)
