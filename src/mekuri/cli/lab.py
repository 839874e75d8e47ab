"""The commands that run rules by the thousand: `mekuri simulate` and `mekuri warm`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import Parameter

from mekuri import games
from mekuri.bots import Budget, here, names_for
from mekuri.cli.arguments import Options, Preset, app, chosen_game, tell_left_out
from mekuri.engine.contract import Contract
from mekuri.engine.errors import CannotCompile, OptionError
from mekuri.match.game import game


@app.command
def simulate(
    name: str,
    /,
    *,
    rounds: Annotated[int, Parameter(help="How many rounds.")],
    seed: Annotated[str, Parameter(help="Equal seeds give equal rounds.")] = "0",
    seats: Annotated[int | None, Parameter(help="How many seats play.")] = None,
    bot: Annotated[str, Parameter(help="The bot in every seat.")] = "random",
    option: Options = (),
    preset: Preset = "default",
    plain: Annotated[bool, Parameter(negative=(), help="Run the uncompiled rules: slower, with the same checksum.")] = False,
    threads: Annotated[int | None, Parameter(help="Threads for compiled rules; all cores if left out.")] = None,
    playouts: Annotated[int, Parameter(help="How many rounds a bot of another distribution may play out in its thoughts.")] = 100,
    to_json: Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Play many rounds with bots and print what they came to."""
    from mekuri.lab.simulate import simulate as run
    from mekuri.terminal.simulation import progress_bar, show_simulation

    chosen, match_options = chosen_game(name, preset, option, seats)
    if match_options:
        raise OptionError(f"{next(iter(match_options))} is an option of a match, and a simulation plays single rounds")
    with _rules_read(chosen.contract), progress_bar(rounds, plain) as progress:
        result = run(chosen, rounds, seed, bot, plain=plain, threads=threads, progress=progress, budget=Budget(playouts))
    if to_json:
        print(json.dumps(result.to_dict()))
    else:
        show_simulation(result)


@contextmanager
def _rules_read(contract: Contract) -> Iterator[None]:
    """Where Numba refuses a rule, what reading the rules tells of that: it names the line of the rule, and says what to write."""
    try:
        yield
    except CannotCompile as error:
        from mekuri.testing.lint import faults

        for fault in faults(contract):
            raise CannotCompile(str(fault)) from error
        raise


@app.command
def warm() -> None:
    """Compile the rules of every game ahead, so that nothing has to wait for it later."""
    from mekuri.lab.simulate import simulate as run

    for name in games.names():
        ours = [bot for bot in names_for(games.find(name)) if here(bot, games.find(name))]
        seconds = sum(run(game(name), 1, bot=bot).compile_seconds for bot in ours)
        print(f"{name:<12} {seconds:.1f} s")
    tell_left_out()
