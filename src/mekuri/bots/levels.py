"""How characters of different levels play: by the same search as the strongest bot, with limits that a human player has too.

A weaker character looks fewer turns ahead, plays out fewer rounds, forgets cards that have gone, or plays some cards first or last.
None makes random mistakes. Only the strongest infers from the others' earlier actions what they may hold, and only it plays its own
later turns by the game's `prospect`, or, if there is none, by what it learns during the search. All others assume that they play
each later turn for what counts most at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mekuri.bots.ours import flat, greedy
from mekuri.bots.search.flat import WHOLE
from mekuri.bots.search.think import Tried, think
from mekuri.cards import ALL, each
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.called import asked_of, at_once, choices_of, turn
from mekuri.engine.chance import below
from mekuri.engine.compiled import bit
from mekuri.engine.contract import DRIVER, Contract, over, play, redeal
from mekuri.engine.fields import RoundState, copied, copy, fields
from mekuri.engine.level import Level

STRONGEST = flat.bot
_CARDS = 100  # a level's `forgets` is out of so many cards

# Levels for games that name none. A game without an `outlook` scores nothing before the end, so a short sight would see nothing:
# there the weakest character plays out one round in place of that.
_THREE = (Level(who="suzu", sight=0, playouts=40), Level(who="kiku", playouts=60), Level(who="kakuo"))
_BLIND_THREE = (Level(who="suzu", playouts=1), Level(who="kiku", playouts=60), Level(who="kakuo"))


def levels(contract: Contract) -> tuple[Level, ...]:
    """Return the levels of a game, weakest first: its own, or the usual three."""
    if contract.levels is not None:
        return contract.levels
    return _THREE if contract.has("outlook") else _BLIND_THREE


def choose(seen: Seen, chance: list[int], budget: Budget, who: str) -> int:
    """Return the action that a character chooses.

    Args:
        seen: what the character's seat has seen.
        chance: four words; they are advanced.
        budget: the most that it may think; its level may allow it less.
        who: the character's name as a bot. One that has no level in the game plays like the strongest bot.
    """
    level = next((level for level in levels(seen.hidden.contract) if level.who == who), Level(who=who))
    return choose_as(level, seen, chance, budget)


def choose_as(level: Level, seen: Seen, chance: list[int], budget: Budget) -> int:
    """Return the action that a character of a level chooses; the other arguments are those of `choose`."""
    strongest = level == Level(who=level.who)
    hidden = forgotten(seen.hidden, level.forgets, chance) if level.forgets else seen.hidden
    sight = WHOLE if level.sight is None else level.sight
    seen_now = seen if strongest else Seen(hidden, seen.seat)
    within = _narrowed(budget, level.playouts)
    among = left_by_habit(level, seen, chance) if level.has_habit else None
    tried = think(seen_now, chance, within, greedy.bot, sight=sight, learns=strongest, until_clear=strongest, among=among)
    return _of_equals(seen, _best(tried), chance)


def left_by_habit(level: Level, seen: Seen, chance: list[int]) -> int:
    """Return the set of the choices that a character's habit allows, and of all other choices that end the round at once."""
    choices = choices_of(seen.hidden, seen.seat)
    hands = [zone for zone in seen.hidden.contract.table.zones(seen.hidden) if (zone.kind, zone.owner) == ("hand", seen.seat)]
    held = sum(bit(card) for zone in hands for card in zone.cards if card is not None)
    own = choices & (held | ~ALL)
    left = own & level.plays_first or choices & ~(own & level.plays_last) or choices
    return left if left == choices else left | sum(map(bit, _ending(seen, each(choices & ~left), chance)))


def _best(tried: Sequence[Tried]) -> list[int]:
    """Return the actions that won as much as the best one, in as many worlds."""
    return [each.action for each in tried if (each.worlds, each.mean) == (tried[0].worlds, tried[0].mean)]


def _of_equals(seen: Seen, actions: Sequence[int], chance: list[int]) -> int:
    """Return one of some actions between which a search found no difference.

    It is one that ends the round at once, if there is one. Among several the one that `greedy` would rather choose; then by lot.
    """
    if len(actions) == 1:
        return actions[0]
    one, two = (type(seen.hidden)() for _ in range(2))
    ending = _ending(seen, actions, chance)
    values = [(action in ending, at_once(seen.hidden, seen.seat, action, False, one, two)) for action in actions]
    best = [action for action, value in zip(actions, values, strict=True) if value == max(values)]
    return best[below(chance, len(best))]


def _ending(seen: Seen, actions: Iterable[int], chance: list[int]) -> list[int]:
    """Return those of some actions that end the round before another seat acts, in a world that the seat may be in."""
    world, after = type(seen.hidden)(), type(seen.hidden)()
    copy(world, seen.hidden)
    redeal(world, seen.seat, chance)
    found = []
    for action in actions:
        copy(after, world)
        play(after, seen.seat, action)
        while asked_of(after) == 1 << DRIVER:
            turn(after, chance)
        if over(after):
            found.append(action)
    return found


def _narrowed(budget: Budget, playouts: int | None) -> Budget:
    """Return a budget with at most so many play-outs; None is no further limit."""
    both = [most for most in (budget.playouts, playouts) if most is not None]
    return Budget(min(both, default=None), budget.milliseconds)


def forgotten(h: RoundState, share: int, chance: list[int]) -> RoundState:
    """Return a copy of a hidden state from which some of what a player must remember is left out.

    Args:
        h: the hidden state.
        share: of a hundred cards (or other values) in the game's `remembered` fields, how many are forgotten on average.
        chance: four words, which decide what is forgotten; they are advanced.
    """
    left = copied(h)
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
