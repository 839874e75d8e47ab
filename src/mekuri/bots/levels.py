"""How a character of some level plays: as the strongest search does, but for what a human being lacks.

Who is weaker looks less far and judges by what it has by then, thinks of few deals, or has forgotten what has gone. Nobody blunders
by lot. None but the strongest asks what others must hold who have done what they did, or takes itself to do anything later but what
counts most at once.
"""

from __future__ import annotations

from mekuri.bots.ours import flat, greedy
from mekuri.bots.search.flat import WHOLE
from mekuri.bots.search.think import think
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.chance import below
from mekuri.engine.contract import Contract
from mekuri.engine.fields import RoundState, copy, fields
from mekuri.engine.level import Level

STRONGEST = flat.bot
_CARDS = 100  # of which a level's `forgets` are forgotten

# What suits most games. Where nobody is seen to stand better before the end, to look less far is to see nothing.
_THREE = (Level(who="suzu", sight=0, playouts=40), Level(who="kiku", playouts=60), Level(who="kakuo"))
_BLIND_THREE = (Level(who="suzu", playouts=1), Level(who="kiku", playouts=60), Level(who="kakuo"))


def levels(contract: Contract) -> tuple[Level, ...]:
    """The levels of a game, the weakest first."""
    if contract.levels is not None:
        return contract.levels
    return _THREE if contract.measured else _BLIND_THREE


def choose(seen: Seen, chance: list[int], budget: Budget, who: str) -> int:
    """What a character does. One that has no level in the game plays as the strongest does."""
    level = next((level for level in levels(seen.hidden.contract) if level.who == who), Level(who=who))
    if level == Level(who=who):
        return STRONGEST.choose(seen, chance, budget)
    hidden = forgotten(seen.hidden, level.forgets, chance) if level.forgets else seen.hidden
    sight = WHOLE if level.sight is None else level.sight
    told = think(Seen(hidden, seen.seat), chance, _narrowed(budget, level.playouts), greedy.bot, sight=sight, learns=False)
    best = [tried.action for tried in told if (tried.worlds, tried.mean) == (told[0].worlds, told[0].mean)]
    return best[below(chance, len(best))]


def _narrowed(budget: Budget, playouts: int | None) -> Budget:
    """A budget of no more than so many play-outs."""
    both = [most for most in (budget.playouts, playouts) if most is not None]
    return Budget(min(both, default=None), budget.milliseconds)


def forgotten(h: RoundState, share: int, chance: list[int]) -> RoundState:
    """A hidden state as somebody recalls it who has forgotten so many of a hundred things that he need have remembered."""
    left = type(h)()
    copy(left, h)
    for field in fields(type(h)):
        if field.name not in h.contract.remembered:
            continue
        value = getattr(h, field.name)
        lose = _lose_cards if field.kind == "cards" else _lose
        if field.length:
            setattr(left, field.name, [lose(one, share, chance) for one in value])
        else:
            setattr(left, field.name, lose(value, share, chance))
    return left


def _lose_cards(cards: int, share: int, chance: list[int]) -> int:
    left = 0
    while cards:
        one = cards & -cards
        cards &= cards - 1
        left |= _lose(one, share, chance)
    return left


def _lose(value: int, share: int, chance: list[int]) -> int:
    return 0 if below(chance, _CARDS) < share else value
