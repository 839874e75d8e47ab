"""Worlds: whole states of a round, and what one viewer of them can and cannot tell apart."""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import comb
from typing import Any

from mekuri.cards import NONE, each
from mekuri.engine.chance import Seed, stream
from mekuri.engine.contract import DRIVER, legal, play, redeal, waiting
from mekuri.engine.driver import see
from mekuri.engine.fields import MOST_SEATS, RoundState, copy, fields
from mekuri.match.game import Game
from mekuri.match.round import Round
from mekuri.match.setting import Setting
from mekuri.testing.chances import equally_likely
from mekuri.testing.failure import hold
from mekuri.testing.states import start

Viewer = int | None  # a seat, or None for a spectator
Place = tuple[str, int]  # a field of a state and the place in its row; in the pack and in rows of cards each card has its own


def viewers(game: Setting) -> list[Viewer]:
    """Every seat, and a spectator."""
    return [*range(game.seats), None]


def some_viewers(game: Game, seed: Seed) -> list[Viewer]:
    """A spectator and two seats, any two: enough where every seat in turn would take long."""
    return [*random.Random(str(seed)).sample(range(game.seats), 2), None]


def as_seat(viewer: Viewer) -> int:
    """A viewer as rules know him: a spectator sees as the driver's seat does, which is none of the game's."""
    return DRIVER if viewer is None else viewer


# --- States ---


def values(s: RoundState) -> dict[str, int | tuple[int, ...]]:
    """Every field of a state, with as much of its pack as means anything."""
    found = {field.name: getattr(s, field.name) for field in fields(type(s))} | {"pack": pack(s)}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def pack(s: RoundState) -> list[int]:
    """The cards that have not been dealt. Those that are about to be shuffled lie in no order."""
    return sorted(s.pack[: s.gathered]) + s.pack[s.gathered : s.stock]


def kept(s: RoundState) -> RoundState:
    """A copy that nothing else changes."""
    into = type(s)()
    copy(into, s)
    return into


def seen(s: RoundState, viewer: Viewer) -> RoundState:
    """The hidden state of a viewer."""
    into = type(s)()
    see(s, as_seat(viewer), into)
    return into


def redealt(h: RoundState, viewer: Viewer, chance: list[int]) -> RoundState:
    """One of the worlds that a hidden state allows."""
    world = kept(h)
    redeal(world, as_seat(viewer), chance)
    return world


def places(s: RoundState) -> dict[Place, int]:
    """The sets of cards that lie in a state's places outside the stock. A card that is merely noted lies in one of them."""
    found: dict[Place, int] = {}
    for field in fields(type(s)):
        value = getattr(s, field.name)
        if field.kind == "cards" and not field.fixed and field.name not in s.contract.notes:
            found |= {(field.name, i): cards for i, cards in enumerate(value if field.length else [value])}
        elif field.kind == "card" and field.length and field.name != "pack":
            found |= {(field.name, i): 1 << card if card != NONE else 0 for i, card in enumerate(value)}
    return found


def lying(s: RoundState) -> list[int]:
    """The card of every place. One that waits for its player's choice may lie on the field as well, and counts once."""
    found = s.pack[: s.stock]
    for cards in places(s).values():
        found += each(cards)
    singles = {getattr(s, field.name) for field in fields(type(s)) if field.kind == "card" and not field.length}
    return found + list(singles - {NONE, *found})


def deck(game: Setting) -> list[int]:
    """The cards that are there at the start of a round, and must be ever after."""
    return sorted(lying(start(game)))


def astray(s: RoundState, deck: Sequence[int]) -> list[int]:
    """The cards that do not lie in exactly one place."""
    found = lying(s)
    return sorted(card for card in {*deck, *found} if found.count(card) != (card in deck))


# --- Random rounds ---


def act(round: Round, chance: random.Random, seat: int | None = None) -> None:
    """A waiting seat, any of them if none is named, does something, anything it may."""
    who = chance.choice(round.waiting) if seat is None else seat
    round.play(chance.choice(round.legal_for(who)), who)


def play_out(round: Round, chance: random.Random) -> Round:
    """Play a round at random to its end."""
    while not round.over:
        act(round, chance)
    return round


def random_round(game: Game, seed: Seed) -> Round:
    """A round played at random to its end."""
    chance = random.Random(str(seed))
    return play_out(game.deal(seed=seed, dealer=chance.randrange(game.seats)), chance)


def steps(round: Round) -> Iterator[Round]:
    """The round again from before its deal, after each thing that has happened in it, the driver's too."""
    again = round._beginning_again()
    yield again
    for seat, action in round.history:
        again._step(seat, action)
        yield again


def branch(round: Round, at: int | None = None) -> Round:
    """The same round at the same point, with the same chance to come, to be played on by itself; or as it was after `at` steps."""
    *_, again = itertools.islice(steps(round), None if at is None else at + 1)
    again._chance = list(round._chance)
    return again


# --- Worlds that a viewer cannot tell apart ---


def beside(round: Round, world: RoundState) -> Round:
    """The round as it stands, but in another world. What happened before is not retold: see `twin`."""
    other = object.__new__(Round)
    other.__dict__.update(round.__dict__)
    other._state = world
    return other


class ImpossibleWorld(AssertionError):
    """Nothing that has been seen leads to this world."""


def twin(round: Round, viewer: Viewer, chance: list[int]) -> Round:
    """Another round that has looked the same to a viewer from its deal until now: its world is redealt from what he sees now."""
    return leading_to(redealt(round.hidden(viewer), viewer, chance), round, viewer)


def leading_to(world: RoundState, round: Round, viewer: Viewer) -> Round:
    """The round played again so that it leads to another world. Raises ImpossibleWorld where it cannot.

    The cards that change places in that world change places in the packs they were dealt from, and what others have done unseen is
    done as the world has it.
    """
    swap = _exchange(round._state, world)
    packs, missing = [*round.packs], set(swap)
    # What was set aside unseen before the last shuffle comes from the pack before it.
    for at in reversed(range(len(packs))):
        missing -= set(packs[at])
        packs[at] = [swap.get(card, card) for card in packs[at]]
        if not missing:
            break
    again = round._beginning_again()
    again._given = list(packs)
    before = [kept(now._state) for now in steps(round)]
    begin = len(round.history)
    while begin and round.contract.secret(before[begin - 1]):
        begin -= 1
    _tell(again, round.history[:begin], world)
    _tell(again, _retold(round, viewer, world, before[begin:], kept(again._state)), world)
    if _for_everyone(again._state) != _for_everyone(world):
        raise ImpossibleWorld(f"the history leads elsewhere than to {world}")
    return again


def _exchange(s: RoundState, world: RoundState) -> dict[int, int]:
    """For every card that lies elsewhere in another world, the card that lies in its place there."""
    # What is about to be shuffled has no places: whatever comes out of it goes in for something else.
    swap = {} if s.gathered else dict(zip(s.pack[: s.stock], world.pack[: world.stock], strict=True))
    other = places(world)
    for place, cards in places(s).items():
        swap |= zip(each(cards & ~other[place]), each(other[place] & ~cards), strict=True)
    come, gone = set(swap.values()) - set(swap), set(swap) - set(swap.values())
    return swap | dict(zip(sorted(come), sorted(gone), strict=True))


def _tell(round: Round, history: Sequence[tuple[int, int]], world: RoundState) -> None:
    """Do what is told. Raises ImpossibleWorld where it cannot be done."""
    for seat, action in history:
        if not legal(round._state, seat) >> action & 1:
            raise ImpossibleWorld(f"{seat} cannot do {round.action_text(action)} in {world}")
        round._step(seat, action)


def _retold(
    round: Round, viewer: Viewer, world: RoundState, before: Sequence[RoundState], now: RoundState
) -> list[tuple[int, int]]:
    """What was done since it has been hidden, with what others have done that still is hidden from the viewer as `world` has it.

    `before` are the states of the round since then, and `now` is the other world as it was then.
    """
    told: list[tuple[int, int]] = []
    begin = len(round.history) + 1 - len(before)
    hidden = round.history[begin:]
    last = {seat: at for at, (seat, _) in enumerate(hidden)}
    looks = {seat: [_look(s, viewer, seat) for s in before] for seat in last}
    ways: dict[int, list[int]] = {}
    for at, (seat, action) in enumerate(hidden):
        if seat == viewer:
            told.append(_do(now, seat, action))
            continue
        if seat not in ways:
            ways[seat] = _way(now, seat, world, viewer, [look for look, _ in itertools.groupby(looks[seat])])
        # What was seen comes where it was seen; all else that a seat has done where its last was done: that may have been seen.
        seen_now = looks[seat][at + 1] != looks[seat][at]
        while ways[seat] and (last[seat] == at or seen_now):
            look = _look(now, viewer, seat)
            told.append(_do(now, seat, ways[seat].pop(0)))
            seen_now = look == _look(now, viewer, seat)
    for seat in each(waiting(now)):
        if seat < now.seats and seat != viewer and seat not in last and round.contract.secret(now):
            way = _way(now, seat, world, viewer, [_look(now, viewer, seat)])
            told += [_do(now, seat, action) for action in way]
    return told


def _look(s: RoundState, viewer: Viewer, seat: int) -> list[int]:
    """What a viewer sees in the places of a seat."""
    h = seen(s, viewer)
    return [getattr(h, field.name)[seat] for field in fields(type(h)) if field.length > seat]


def _do(s: RoundState, seat: int, action: int) -> tuple[int, int]:
    play(s, seat, action)
    return seat, action


def _way(now: RoundState, seat: int, world: RoundState, viewer: Viewer, looks: Sequence[list[int]]) -> list[int]:
    """The shortest way in which a seat does, by itself, what `world` has it done, and a viewer sees these looks of it, in turn."""
    tried: list[tuple[RoundState, list[int], int]] = [(kept(now), [], 0)]
    seen_before: set[object] = set()
    for s, way, at in tried:
        if _own(s, seat) == _own(world, seat) and at == len(looks) - 1:
            return way
        for action in each(legal(s, seat)):
            after = kept(s)
            _do(after, seat, action)
            then = at + (_look(after, viewer, seat) != looks[at])
            if then < len(looks) and _look(after, viewer, seat) == looks[then] and (then, _own(after, seat)) not in seen_before:
                seen_before.add((then, _own(after, seat)))
                tried.append((after, [*way, action], then))
    raise ImpossibleWorld(f"{seat} cannot have done what it has in {world}")


def _own(s: RoundState, seat: int) -> object:
    """What a seat alone knows, and whether it is still waited for."""
    h = seen(s, seat)
    found = {field.name: getattr(h, field.name) for field in fields(type(h)) if not field.public}
    # Of what there is for every seat, such as hands, the seat's own: of the others' it may see what they are yet to do.
    alone = {name: value[seat] if isinstance(value, list) and len(value) == MOST_SEATS else value for name, value in found.items()}
    return repr(alone), waiting(s) >> seat & 1


def _for_everyone(s: RoundState) -> tuple[object, ...]:
    """Where every card lies, and all that any viewer sees."""
    return pack(s), places(s), [values(seen(s, viewer)) for viewer in [*range(s.seats), None]]


# --- All worlds ---

World = tuple[object, ...]


def hidden_places(s: RoundState, viewer: Viewer) -> dict[Place, int]:
    """The sets of cards, by place, that a viewer of `s` does not see."""
    h = seen(s, viewer)
    found = {place: cards & ~places(h)[place] for place, cards in places(s).items()}
    found |= {("pack", i): 1 << s.pack[i] for i in range(s.stock) if h.pack[i] == NONE}
    return {place: cards for place, cards in found.items() if cards}


def count_worlds(s: RoundState, viewer: Viewer) -> int:
    """How many ways there are to lay the unseen cards into the hidden places."""
    sizes = [cards.bit_count() for cards in hidden_places(s, viewer).values()]
    ways = 1
    for i, size in enumerate(sizes):
        ways *= comb(sum(sizes[i:]), size)
    return ways


def as_world(s: RoundState, commitments: Sequence[str] = ()) -> World:
    """A state as something that can be counted: where every card lies, and what has been committed unseen."""
    return tuple(pack(s)), *places(s).values(), *(tuple(getattr(s, name)) for name in commitments)


def all_worlds(
    s: RoundState,
    viewer: Viewer,
    commitments: Mapping[str, Sequence[list[int]]],
    possible: Callable[[RoundState], bool] = lambda world: True,
) -> set[World]:
    """Every world that a viewer cannot tell from `s`: every way to lay the cards it does not see into the places it does not see.

    `commitments` are fields in which others' hidden commitments stand, each with every row it may hold. `possible` says of a
    world whether what has been played could have been played in it.
    """
    hidden = hidden_places(s, viewer)
    empty = kept(s)
    for (name, i), cards in hidden.items():
        if name != "pack":
            _put(empty, name, i, -cards)
    found = set()
    for laid in _lay(sum(hidden.values()), {place: cards.bit_count() for place, cards in hidden.items()}):
        world = kept(empty)
        for (name, i), cards in laid.items():
            _put(world, name, i, cards)
        for rows in itertools.product(*commitments.values()):
            for name, row in zip(commitments, rows, strict=True):
                setattr(world, name, list(row))
            if possible(world):
                found.add(as_world(world, tuple(commitments)))
    return found


def _put(world: RoundState, name: str, i: int, cards: int) -> None:
    """Add cards to a place, or take away those that lie there."""
    value = getattr(world, name)
    kind: Any = type(world)  # a class can be hashed, but a type checker looks at its instances
    if _ordered(kind, name):
        value[i] = cards.bit_length() - 1 if cards > 0 else NONE
    elif isinstance(value, list):
        value[i] += cards
    else:
        setattr(world, name, value + cards)


@cache
def _ordered(state: Any, name: str) -> bool:
    """Whether a field holds cards in order, one in each place."""
    return next(field.kind == "card" for field in fields(state) if field.name == name)


def _lay(cards: int, sizes: Mapping[Place, int]) -> Iterator[dict[Place, int]]:
    if not sizes:
        yield {}
        return
    place, *others = sizes
    for chosen in itertools.combinations(each(cards), sizes[place]):
        held = sum(1 << card for card in chosen)
        for laid in _lay(cards & ~held, {other: sizes[other] for other in others}):
            yield {place: held, **laid}


def likelihood(
    s: RoundState,
    viewer: Viewer,
    seed: Seed,
    commitments: Mapping[str, Sequence[list[int]]] | None = None,
    per_world: int = 20,
    possible: Callable[[RoundState], bool] = lambda world: True,
) -> float:
    """The p-value of Pearson's test that redealing gives each world that a viewer of `s` cannot tell from it equally often.

    Fails where it gives a world that is none of them.
    """
    committed = commitments or {}
    counts = dict.fromkeys(all_worlds(s, viewer, committed, possible), 0)
    h, chance = seen(s, viewer), stream(seed, "redeal")
    for _ in range(per_world * len(counts)):
        world = as_world(redealt(h, viewer, chance), tuple(committed))
        hold(world in counts, f"redealing gives {world}, which is not among the worlds of what is seen", s)
        counts[world] += 1
    return equally_likely(list(counts.values()))
