"""The bots of Tokotoko: characters that differ in the stake they name. Each chooses from its seat's hidden state."""

from __future__ import annotations

from mekuri.engine.bot import rule_bot
from mekuri.engine.compiled import first, rule
from mekuri.engine.fields import copy
from mekuri.games.kabu import left_out
from mekuri.games.kabu_pot import MOST_UNITS, four, gain
from mekuri.games.tokotoko.rules import least_units, redeal
from mekuri.games.tokotoko.state import Phase, TokotokoState, Word

WORLDS = 32  # the number of worlds over which the gain of a hand is averaged
NOTHING = int(Word.NO_STAKE)


@rule
def play_reckoning(h: TokotokoState, seat: int, chance: list[int], states: list[TokotokoState]) -> int:
    """Name the most where a stake gains on average over worlds that are possible for the seat, else the least."""
    if h.phase == Phase.CHOOSE:
        return best_left_out(h, seat)
    expected = 0
    for _ in range(WORLDS):
        copy(states[0], h)
        redeal(states[0], seat, chance)
        expected += gain(states[0], seat)
    return NOTHING + (MOST_UNITS if expected > 0 else least_units(h))


@rule
def play_daring(h: TokotokoState, seat: int, chance: list[int], states: list[TokotokoState]) -> int:
    """Name the most, whatever the hand."""
    return best_left_out(h, seat) if h.phase == Phase.CHOOSE else NOTHING + MOST_UNITS


@rule
def play_modest(h: TokotokoState, seat: int, chance: list[int], states: list[TokotokoState]) -> int:
    """Name one unit, the least stake with which the pot is still played for."""
    return best_left_out(h, seat) if h.phase == Phase.CHOOSE else NOTHING + 1


@rule
def best_left_out(h: TokotokoState, seat: int) -> int:
    """The one of a seat's four cards without which the other three are best."""
    return first(left_out(four(h, seat)))


# --- The bots ---

weighing = rule_bot(
    play_reckoning,
    states=1,
    id="weighing",
    name={"en": "Magoichi", "ja": "孫市"},
    crest="sparrow",
    help={
        "en": "The rice broker. Looks at two cards, reckons what they bring on average, and names a stake by it.",
        "ja": "米仲買。2枚の札から損得の平均を見積もり、それに合わせて口数を言う。",
    },
    games=("tokotoko",),
)

daring = rule_bot(
    play_daring,
    id="daring",
    name={"en": "O-Ryū", "ja": "お竜"},
    crest="fan",
    help={
        "en": "The dancer. Names the most, whatever she holds.",
        "ja": "踊り手。手札が何であれ、いちばん多い口数を言う。",
    },
    games=("tokotoko",),
)

modest = rule_bot(
    play_modest,
    id="modest",
    name={"en": "Myōkai", "ja": "妙海"},
    crest="snow",
    help={
        "en": "The nun. Plays for the company, and names the least.",
        "ja": "尼。付き合いで遊び、いちばん少ない口数を言う。",
    },
    games=("tokotoko",),
)
