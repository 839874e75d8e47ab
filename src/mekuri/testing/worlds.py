"""Worlds, which are whole states of a round: make worlds that a viewer cannot tell apart, count them, and test their frequency."""

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
from mekuri.engine.fields import RoundState, copied, fields
from mekuri.engine.position import position_text
from mekuri.match.game import Game
from mekuri.match.round import Chronicle, Round
from mekuri.match.setting import Setting
from mekuri.testing.chances import equally_likely
from mekuri.testing.failure import CheckFailure, difference, hold
from mekuri.testing.states import start

Viewer = int | None  # a seat, or None for a spectator
Place = tuple[str, int]  # a field of a state and an index of its row; in the pack and in rows of cards each card has its own index


def viewers(game: Setting) -> list[Viewer]:
    """Return every viewer: all seats, and a spectator."""
    return [*range(game.seats), None]


def some_viewers(game: Game, seed: Seed) -> list[Viewer]:
    """Return two random seats and a spectator, for checks that would take long with every seat."""
    return [*random.Random(str(seed)).sample(range(game.seats), 2), None]


def named(viewer: Viewer) -> str:
    """Return the name of a viewer for messages, such as "seat 0" or "a spectator"."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def as_seat(viewer: Viewer) -> int:
    """Return the number by which rules know a viewer: the seat, or the driver's number for a spectator."""
    return DRIVER if viewer is None else viewer


# --- States ---


def values(s: RoundState) -> dict[str, int | tuple[int, ...]]:
    """Return every field of a state by name, with the part of its pack that matters (see `pack`)."""
    found = {field.name: getattr(s, field.name) for field in fields(type(s))} | {"pack": pack(s)}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def pack(s: RoundState) -> list[int]:
    """Return the cards that have not been dealt, in order. Cards that are about to be shuffled are sorted."""
    return sorted(s.pack[: s.gathered]) + s.pack[s.gathered : s.stock]


def kept(s: RoundState) -> RoundState:
    """Return a copy of a state."""
    return copied(s)


def seen(s: RoundState, viewer: Viewer) -> RoundState:
    """Return the hidden state of a viewer."""
    into = type(s)()
    see(s, as_seat(viewer), into)
    return into


def redealt(h: RoundState, viewer: Viewer, chance: list[int]) -> RoundState:
    """Return a world, redealt from the hidden state of a viewer."""
    world = kept(h)
    redeal(world, as_seat(viewer), chance)
    return world


def places(s: RoundState) -> dict[Place, int]:
    """Return the set of cards in each place of a state outside the stock. Fields that only note cards are no places."""
    found: dict[Place, int] = {}
    for field in fields(type(s)):
        value = getattr(s, field.name)
        if field.kind == "cards" and not field.fixed and field.name not in s.contract.notes:
            found |= {(field.name, i): cards for i, cards in enumerate(value if field.length else [value])}
        elif field.kind == "card" and field.length and field.name != "pack":
            found |= {(field.name, i): 1 << card if card != NONE else 0 for i, card in enumerate(value)}
    return found


def lying(s: RoundState) -> list[int]:
    """Return all cards of a state, the stock's too. A noted card, such as one that waits for a choice, counts once."""
    found = s.pack[: s.stock]
    for cards in places(s).values():
        found += each(cards)
    singles = {getattr(s, field.name) for field in fields(type(s)) if field.kind == "card" and not field.length}
    return found + list(singles - {NONE, *found})


def deck(game: Setting) -> list[int]:
    """Return the cards of a round, as they lie at its start, sorted."""
    return sorted(lying(start(game)))


def astray(s: RoundState, deck: Sequence[int]) -> list[int]:
    """Return the cards that do not lie in exactly one place, and cards that are not in the deck."""
    found = lying(s)
    return sorted(card for card in {*deck, *found} if found.count(card) != (card in deck))


# --- Random rounds ---


def act(round: Round, chance: random.Random, seat: int | None = None) -> None:
    """Do a random legal action of a seat; of a random seat that is to act if none is given."""
    who = chance.choice(round.waiting) if seat is None else seat
    round.play(chance.choice(round.legal_for(who)), who)


def play_out(round: Round, chance: random.Random) -> Round:
    """Play a round at random to its end, and return it."""
    while not round.over:
        act(round, chance)
    return round


def random_round(game: Game, seed: Seed) -> Round:
    """Return a round with a random dealer, played at random to its end."""
    chance = random.Random(str(seed))
    return play_out(game.deal(seed=seed, dealer=chance.randrange(game.seats)), chance)


def steps(round: Round) -> Iterator[Round]:
    """Replay a round, and yield it before its deal and after each step; the driver's actions are steps, too.

    The same object is yielded each time.
    """
    again = round._beginning_again()
    yield again
    for seat, action in round.history:
        again._step(seat, action)
        yield again


def branch(round: Round, at: int | None = None) -> Round:
    """Return a copy of a round that can be played on by itself, with the same chance to come.

    Args:
        round: the round.
        at: the number of steps after which the copy stands; where the round stands if left out.
    """
    *_, again = itertools.islice(steps(round), None if at is None else at + 1)
    again._chance = list(round._chance)
    return again


# --- Worlds that a viewer cannot tell apart ---


def beside(round: Round, world: RoundState) -> Round:
    """Return a copy of a round as it stands, but with another world as its state. Its history stays the same: see `twin`."""
    other = object.__new__(Round)
    other.__dict__.update(round.__dict__)
    other._state = world
    return other


class ImpossibleWorld(CheckFailure):
    """No round with the events that were seen leads to this world."""


def twin(round: Round, viewer: Viewer, chance: list[int]) -> Round:
    """Return another round that has looked the same to a viewer from the deal until now, and leads to a redealt world."""
    return leading_to(redealt(round.hidden(viewer), viewer, chance), round, viewer)


def leading_to(world: RoundState, round: Round, viewer: Viewer) -> Round:
    """Return a round that has looked the same to a viewer and leads to another world.

    The cards that change places in that world are exchanged in the packs from which they were dealt, and where the viewer did not
    see which card was moved. Actions that are still hidden by `secret` are replaced by those of the world. The private
    notes of other seats may differ, for redealing leaves them out.

    Args:
        world: the world to which the round leads.
        round: the original round.
        viewer: the viewer.

    Raises:
        ImpossibleWorld: no such round is found.
    """
    swap = _exchange(round._state, world)
    packs, missing, since = [*round.packs], set(swap), len(round.packs)
    # Cards that were set aside face down before the last shuffle come from the pack before it.
    while since:
        since -= 1
        dealt = missing & set(packs[since])
        exchange = _closed({card: swap[card] for card in dealt})
        packs[since] = [exchange.get(card, card) for card in packs[since]]
        missing -= dealt
        if not missing:
            break
    again = round._beginning_again()
    again._given = list(packs)
    before = [kept(now._state) for now in steps(round)]
    begin = len(round.history)
    while begin and round.contract.table.secret(before[begin - 1]):
        begin -= 1
    try:
        _tell(again, _exchanged(round, viewer, swap, since)[:begin])
        _tell(again, _retold(round, viewer, world, before[begin:], kept(again._state)))
        found, wanted = _for_everyone(again._state, viewer), _for_everyone(world, viewer)
        if found != wanted:
            raise ImpossibleWorld(difference(found, wanted, world))
    except ImpossibleWorld as why:
        what = f"redealing gives {named(viewer)} a world that cannot come of what it has seen: {why.what}"
        raise ImpossibleWorld(what, round.position) from None
    return again


def _exchange(s: RoundState, world: RoundState) -> dict[int, int]:
    """Return, for every card that lies elsewhere in another world, the card that lies in its place there."""
    # Cards that are about to be shuffled have no places: a card that comes from there is exchanged for one that goes there.
    swap = {} if s.gathered else dict(zip(s.pack[: s.stock], world.pack[: world.stock], strict=True))
    other = places(world)
    for place, cards in places(s).items():
        swap |= zip(each(cards & ~other[place]), each(other[place] & ~cards), strict=True)
    return _closed(swap)


def _closed(swap: dict[int, int]) -> dict[int, int]:
    """Return an exchange of cards in which every card that comes for another goes to a place, too."""
    come, gone = set(swap.values()) - set(swap), set(swap) - set(swap.values())
    return swap | dict(zip(sorted(come), sorted(gone), strict=True))


def _exchanged(round: Round, viewer: Viewer, swap: Mapping[int, int], since: int) -> list[tuple[int, int]]:
    """Return the history of a round, with cards exchanged that other seats have moved without the viewer seeing which.

    Args:
        round: the round.
        viewer: the viewer.
        swap: for each card that changes places the other card.
        since: the first pack in which cards are exchanged; what was done before it was dealt stays as it was.
    """
    chronicle, history = Chronicle(round), []
    while chronicle.behind:
        done = chronicle.see()
        exchanged = chronicle.packs > since and done.moves_card and not done.is_seen_by(viewer)
        history.append((done.seat, swap.get(done.action, done.action) if exchanged else done.action))
    return history


def _tell(round: Round, history: Sequence[tuple[int, int]]) -> None:
    """Do the actions of a history. Raises ImpossibleWorld where one of them is illegal."""
    for seat, action in history:
        if not legal(round._state, seat) >> action & 1:
            raise ImpossibleWorld(f"seat {seat} cannot have done {round.action_text(action)} there")
        round._step(seat, action)


def _retold(
    round: Round, viewer: Viewer, world: RoundState, before: Sequence[RoundState], now: RoundState
) -> list[tuple[int, int]]:
    """Return the history since actions have been hidden, with the other seats' hidden actions replaced by those of `world`.

    Args:
        round: the original round.
        viewer: the viewer.
        world: the world to which the history leads.
        before: the states of the original round since then.
        now: the state of the other round then; it is changed.
    """
    history: list[tuple[int, int]] = []
    begin = len(round.history) + 1 - len(before)
    hidden = round.history[begin:]
    last = {seat: at for at, (seat, _) in enumerate(hidden)}
    looks = {seat: [_look(s, viewer, seat) for s in before] for seat in last}
    ways: dict[int, list[int]] = {}
    for at, (seat, action) in enumerate(hidden):
        if seat == viewer:
            history.append(_do(now, seat, action))
            continue
        if seat not in ways:
            ways[seat] = _way(now, seat, world, viewer, [look for look, _ in itertools.groupby(looks[seat])])
        # Actions that the viewer saw happen at the same steps as in the original round; a seat's other actions at its last step.
        seen_now = looks[seat][at + 1] != looks[seat][at]
        while ways[seat] and (last[seat] == at or seen_now):
            look = _look(now, viewer, seat)
            history.append(_do(now, seat, ways[seat].pop(0)))
            seen_now = look == _look(now, viewer, seat)
    for seat in each(waiting(now)):
        if seat < now.seats and seat != viewer and seat not in last and round.contract.table.secret(now):
            way = _way(now, seat, world, viewer, [_look(now, viewer, seat)])
            history += [_do(now, seat, action) for action in way]
    return history


def _look(s: RoundState, viewer: Viewer, seat: int) -> list[int]:
    """Return the values that a viewer sees of a seat: its entries in each row of the hidden state that has some for each."""
    h = seen(s, viewer)
    return [one for field in fields(type(h)) if field.each_seat for one in field.of_seat(getattr(h, field.name), seat)]


def _do(s: RoundState, seat: int, action: int) -> tuple[int, int]:
    play(s, seat, action)
    return seat, action


def _way(now: RoundState, seat: int, world: RoundState, viewer: Viewer, looks: Sequence[list[int]]) -> list[int]:
    """Return the shortest sequence of a seat's actions to what `world` has it done, of which a viewer sees these looks in turn."""
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
    raise ImpossibleWorld(f"seat {seat} cannot have done there what that world has of it")


def _own(s: RoundState, seat: int) -> object:
    """Return the private fields that a seat sees, and whether it is still to act."""
    h = seen(s, seat)
    found = [(field, getattr(h, field.name)) for field in fields(type(h)) if not field.public]
    # Of rows with an entry for every seat, such as hands, only the seat's own entry is compared.
    alone = {field.name: field.of_seat(value, seat) if field.each_seat else value for field, value in found}
    return repr(alone), waiting(s) >> seat & 1


def _for_everyone(s: RoundState, viewer: Viewer) -> dict[str, object]:
    """Return the places of all cards by field, and all hidden states, for comparison: the others' without their own notes."""
    found: dict[str, object] = {"pack": pack(s)}
    for name, _ in places(s):
        found.setdefault(name, getattr(s, name))
    own = {field.name for field in fields(type(s)) if field.name in s.contract.notes and not field.public}
    for other in [*range(s.seats), None]:
        h = values(seen(s, other))
        found[f"hidden state {as_seat(other)}"] = {name: h[name] for name in h if other == viewer or name not in own}
    return found


# --- All worlds ---

World = tuple[object, ...]


def hidden_places(s: RoundState, viewer: Viewer) -> dict[Place, int]:
    """Return the set of cards in each place of `s` that a viewer does not see."""
    h = seen(s, viewer)
    found = {place: cards & ~places(h)[place] for place, cards in places(s).items()}
    found |= {("pack", i): 1 << s.pack[i] for i in range(s.stock) if h.pack[i] == NONE}
    return {place: cards for place, cards in found.items() if cards}


def count_worlds(s: RoundState, viewer: Viewer) -> int:
    """Return in how many ways the unseen cards can be put into the places that a viewer does not see."""
    sizes = [cards.bit_count() for cards in hidden_places(s, viewer).values()]
    ways = 1
    for i, size in enumerate(sizes):
        ways *= comb(sum(sizes[i:]), size)
    return ways


def as_world(s: RoundState, commitments: Sequence[str] = ()) -> World:
    """Return a state as a hashable value: the places of all cards, and the fields that hold hidden commitments."""
    return tuple(pack(s)), *places(s).values(), *(tuple(getattr(s, name)) for name in commitments)


def all_worlds(
    s: RoundState,
    viewer: Viewer,
    commitments: Mapping[str, Sequence[list[int]]],
    possible: Callable[[RoundState], bool] = lambda world: True,
) -> set[World]:
    """Return every world that a viewer cannot tell from `s`: every way to put the unseen cards into the unseen places.

    Args:
        s: the true state.
        viewer: the viewer.
        commitments: fields that hold other seats' hidden commitments, each with every row that it may hold.
        possible: whether all that has been played could have been played in a world; other worlds are left out.
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
    """Add a set of cards to a place; a negative set removes them."""
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
    """Return whether a field is a row of single cards; otherwise it holds sets of cards."""
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
    """Return the p-value of Pearson's test that redealing gives each world that a viewer cannot tell from `s` equally often.

    Args:
        s: the true state.
        viewer: the viewer.
        seed: the seed of the redealing.
        commitments: as in `all_worlds`.
        per_world: how often redealing is done for each world.
        possible: as in `all_worlds`.

    Raises:
        CheckFailure: redealing gives a world that is none of these.
    """
    committed = commitments or {}
    counts = dict.fromkeys(all_worlds(s, viewer, committed, possible), 0)
    h, chance = seen(s, viewer), stream(seed, "redeal")
    for _ in range(per_world * len(counts)):
        redone = redealt(h, viewer, chance)
        world = as_world(redone, tuple(committed))
        hold(world in counts, f"redealing gives a world that what was seen rules out: {position_text(redone)}", s)
        counts[world] += 1
    return equally_likely(list(counts.values()))
