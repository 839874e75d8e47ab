"""Checks that the rules give the same results plain and compiled."""

from __future__ import annotations

from random import Random
from typing import Any

from mekuri import bots
from mekuri.engine.chance import Seed, stream
from mekuri.engine.contract import redeal
from mekuri.engine.driver import see
from mekuri.engine.entry import entry
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.fields import clear, copy, fields, show
from mekuri.lab import playout
from mekuri.lab.simulate import simulate
from mekuri.match.game import Game
from mekuri.testing.failure import check, same
from mekuri.testing.states import as_values, int64s, need_machine_code, plain_states, records
from mekuri.testing.worlds import as_seat, kept, random_round, steps, viewers


def figures(game: Game, rounds: int, **how: Any) -> dict[str, Any]:
    """Return the statistics of a simulation, without its time."""
    found = simulate(game, rounds, **how).to_dict()
    del found["seconds"]
    return found


@check
def compiles(game: Game) -> None:
    """Check that the rules can be compiled and run."""
    need_machine_code()
    simulate(game, 1)


@check
def simulations(game: Game, rounds: int, seed: Seed = 0, bot: str = "random") -> None:
    """Check that a simulation gives the same statistics plain and compiled, with the same checksum."""
    need_machine_code()
    plain = figures(game, rounds, seed=seed, bot=bot, plain=True)
    for what, found in figures(game, rounds, seed=seed, bot=bot).items():
        same(found, plain[what], f"compiled and plain rules come to different {what}")


@check
def states(game: Game, rounds: int, bot: str = "random") -> None:
    """Check that every field of every state, the counts and the chance are the same after a round, plain and compiled."""
    need_machine_code()
    key, player = stream("states"), bots.find(bot)
    for number in range(rounds):
        dealer = number % game.seats
        plain, chance, counts = plain_states(game, dealer), [0] * 4, playout.empty_counts()
        playout.play_rounds(plain, key, chance, number, 1, player, 0, counts, [])
        array, chances, counted = records(game, dealer=dealer), int64s(0, 0, 0, 0), int64s(*playout.empty_counts())
        playout.play_rounds.compiled(array, int64s(*key), chances, number, 1, MACHINE_CODE.bot(player), 0, counted, int64s())
        same(counted.tolist(), counts, f"compiled and plain rules count otherwise in round {number}", plain[1])
        same(chances.tolist(), chance, f"compiled and plain rules leave another chance in round {number}", plain[1])
        for place, from_array in enumerate(MACHINE_CODE.read(array[: playout.STATES], game.contract.state)):
            for name, value in as_values(from_array).items():
                plainly = getattr(plain[place], name)
                same(value, plainly, f"after round {number} {name} is another in compiled and plain rules", plain[place])


@entry
def write_whole(states: Any) -> None:
    """Overwrite four states: a copy of the first, its public fields, a cleared state, and a hidden state."""
    copy(states[1], states[0])
    show(states[2], states[0])
    clear(states[3])
    see(states[0], 0, states[4])


@check
def whole_states(game: Game) -> None:
    """Check that copying, showing, clearing and hiding states give the same fields plain and compiled."""
    need_machine_code()
    chance, plain = Random(game.id), plain_states(game)
    for state in plain:
        for field in fields(type(state)):
            values = [chance.randint(field.least, field.most) for _ in range(field.length or 1)]
            if field.name == "seats":
                values = [chance.choice(game.contract.seats)]  # rows have entries for no more seats
            setattr(state, field.name, values if field.length else values[0])
    array = records(game)
    for place, state in enumerate(plain):
        MACHINE_CODE.write(array, place, state)
    write_whole(plain)
    write_whole.compiled(array)
    for place, (state, found) in enumerate(zip(plain, MACHINE_CODE.read(array, game.contract.state), strict=False)):
        same(as_values(found), as_values(state), f"compiled and plain rules write state {place} otherwise")
    same(as_values(plain[1]), as_values(plain[0]), "a copy is not what was copied")
    same(as_values(plain[3]), as_values(game.contract.state()), "a cleared state is not empty")


@entry
def redeal_all(states: Any, hidden: Any, seats: Any, chance: Any, n: int) -> None:
    """Fill a hidden state for each of n states, and redeal it.

    Args:
        states: the states.
        hidden: n states that become the redealt worlds.
        seats: the viewer of each state.
        chance: four words; they are advanced.
        n: how many states there are.
    """
    for i in range(n):
        see(states[i], seats[i], hidden[i])
        redeal(hidden[i], seats[i], chance)


@check
def redeals(game: Game, seed: Seed = 5) -> None:
    """Check that redealing gives the same worlds plain and compiled at every step of a round, and draws as much chance."""
    need_machine_code()
    cases = [(kept(now._state), viewer) for now in steps(random_round(game, seed)) for viewer in viewers(game)]
    kind = type(cases[0][0])
    array, hidden = records(game, len(cases)), records(game, len(cases))
    for i, (s, _) in enumerate(cases):
        MACHINE_CODE.write(array, i, s)
    seats = [as_seat(viewer) for _, viewer in cases]
    chance, compiled_chance = stream("equal"), int64s(*stream("equal"))
    plain = [kind() for _ in cases]
    redeal_all([s for s, _ in cases], plain, seats, chance, len(cases))
    redeal_all.compiled(array, hidden, int64s(*seats), compiled_chance, len(cases))
    for i, (world, back) in enumerate(zip(plain, MACHINE_CODE.read(hidden[: len(plain)], kind), strict=True)):
        same(as_values(back), as_values(world), f"compiled rules redeal otherwise for {cases[i][1]}", cases[i][0])
    same(compiled_chance.tolist(), chance, "compiled rules draw another chance when they redeal")
