"""The bots of Hankan: three characters of equal strength, for it is a game of chance. Each chooses from its seat's hidden state."""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.chance import below
from mekuri.engine.compiled import rule
from mekuri.games.hankan.options import Pays
from mekuri.games.hankan.state import MOST_UNITS, HankanState, Word

PASS, NAKA, OTO = int(Word.PASS), int(Word.NAKA_1), int(Word.OTO_1)


@rule
def play_whim(h: HankanState, seat: int, chance: list[int], states: list[HankanState]) -> int:
    """Bet one or two units on either row at random, and nothing one time in eight: no row is better than the other."""
    mood = below(chance, 8)
    return PASS if mood == 0 else (NAKA if mood < 5 else OTO) + below(chance, 2)


@rule
def play_rising(h: HankanState, seat: int, chance: list[int], states: list[HankanState]) -> int:
    """Bet on the last row, one unit more with every deal of the round, up to the most."""
    return OTO + min(MOST_UNITS, h.turns) - 1


@rule
def play_reckoning(h: HankanState, seat: int, chance: list[int], states: list[HankanState]) -> int:
    """Choose by expected chips. No row is likelier than the other, so a bet that is paid by half loses a quarter on average.

    The bot passes there. If the whole bet is paid, a bet costs nothing on average, and the bot bets one unit on either row.
    """
    if h.pays == Pays.HALF:
        return PASS
    return NAKA if below(chance, 2) == 0 else OTO


# --- The bots ---

whim = rule_bot(
    play_whim,
    id="whim",
    name={"en": "Rokusuke", "ja": "六助"},
    crest="lantern",
    help={
        "en": "The lantern bearer. Bets as the mood takes him, a little here and a little there, for the company.",
        "ja": "提灯持ち。気の向くまま、こちらに少し、あちらに少し、付き合いで張る。",
    },
    games=("hankan",),
)

rising = rule_bot(
    play_rising,
    id="rising",
    name={"en": "O-Haru", "ja": "お春"},
    crest="wave",
    help={
        "en": "The fishwife. Trusts in the last row, and bets more with every deal.",
        "ja": "魚売り。乙絵を信じて動かず、配りのたびに張りを増やす。",
    },
    games=("hankan",),
)

reckoning = rule_bot(
    play_reckoning,
    id="reckoning",
    name={"en": "Sōbei", "ja": "惣兵衛"},
    crest="abacus",
    help={
        "en": "The money changer. Goes by what a bet brings on average: at half pay he never bets.",
        "ja": "両替商。張りの損得の平均だけで決める。半額しか付かないなら、決して張らない。",
    },
    games=("hankan",),
)
