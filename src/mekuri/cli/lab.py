"""The commands that run and compile rules in bulk: `mekuri simulate`, `arena`, `lab`, `dataset` and `warm`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import comb
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

from cyclopts import Parameter

from mekuri import games
from mekuri.bots import Budget, here, names_for, prepare_solver
from mekuri.cards.given import typed
from mekuri.cli.arguments import Options, Overwrite, Preset, app, chosen_game, complain, tell_left_out
from mekuri.cli.shards import ProcessesOption, RayOption, ResultsOption, executor_of, kept_in
from mekuri.cli.streams import print_json
from mekuri.engine.compiled import available
from mekuri.engine.contract import Contract
from mekuri.engine.errors import CannotCompile, OptionError
from mekuri.files import check_new, write_file
from mekuri.match.game import game

_OTHER_FOLDER = "name another folder with --out, or add --overwrite"


@app.command
def simulate(
    name: str,
    /,
    *,
    rounds: Annotated[int, Parameter(help="How many rounds.")],
    seed: Annotated[str, Parameter(help="Equal seeds give equal rounds.")] = "0",
    seats: Annotated[int | None, Parameter(help="How many seats play.")] = None,
    bot: Annotated[str, Parameter(help="The bot in every seat.")] = "random",
    bots: Annotated[str | None, Parameter(help="A bot for each seat in place of that, such as greedy,random.")] = None,
    dealer: Annotated[int, Parameter(help="The seat that deals every round, from 0.")] = 0,
    option: Options = (),
    preset: Preset = "default",
    plain: Annotated[bool, Parameter(negative=(), help="Run the uncompiled rules: slower, with the same checksum.")] = False,
    threads: Annotated[int | None, Parameter(help="Threads for compiled rules; all cores if left out.")] = None,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    results: ResultsOption = None,
    playouts: Annotated[int, Parameter(help="How many rounds a bot that searches may play out for one action.")] = 100,
    to_json: Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Play many rounds with bots and print statistics of them."""
    from mekuri.lab.simulate import simulate as run
    from mekuri.terminal.printed.lab import progress_bar, show_simulation

    chosen, match_options = chosen_game(name, preset, option, seats)
    if match_options:
        raise OptionError(f"{next(iter(match_options))} is an option of a match, and a simulation plays single rounds")
    executor, kept, budget = executor_of(processes, ray, threads), kept_in(results), Budget(playouts)
    each = _names(bots) if bots else (bot,)
    with _rules_read(chosen.contract), progress_bar(rounds, plain) as progress:
        run_by: dict[str, Any] = {"progress": progress, "budget": budget, "executor": executor, "results": kept}
        result = run(chosen, rounds, seed, plain=plain, bots=each, dealer=dealer, **run_by)
    if to_json:
        print_json(result.to_dict())
    else:
        show_simulation(result)


@app.command
def arena(
    name: str,
    /,
    *names: Annotated[str, Parameter(help="The bots, two or more; also open-cards and hands-open, which see what no bot may.")],
    pairs: Annotated[int, Parameter(help="How many deals, each played in every seating, for every two bots.")] = 100,
    seed: Annotated[str, Parameter(help="Equal seeds and play-outs give equal scores.")] = "0",
    seats: Annotated[int | None, Parameter(help="How many seats play; the second bot has all but one.")] = None,
    playouts: Annotated[
        tuple[int, ...],
        Parameter(help="How many rounds a bot that searches may play out for one action; several, one after another."),
    ] = (),
    time: Annotated[int | None, Parameter(help="How many milliseconds it may take for that.")] = None,
    until_clear: Annotated[
        bool,
        Parameter(negative=(), help="Stop two bots once it is clear which is the stronger. Its share then flatters it."),
    ] = False,
    option: Options = (),
    preset: Preset = "default",
    processes: ProcessesOption = None,
    ray: RayOption = None,
    results: ResultsOption = None,
    plot: Annotated[Path | None, Parameter(help="Draw strength against play-outs into this SVG file.")] = None,
    overwrite: Overwrite = False,
    to_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Print one JSON object, one a line for each budget.")
    ] = False,
) -> None:
    """Let bots play each other, every deal in every seating, and print which is stronger, and by how much."""
    from mekuri.lab.arena import Arena
    from mekuri.lab.plot import plot as draw
    from mekuri.terminal.printed.lab import progress_bar, show_scores

    chosen, _ = chosen_game(name, preset, option, seats)
    if plot and not playouts:
        raise OptionError("a plot is of strength against play-outs: give some, such as --playouts 100 --playouts 1000")
    if plot:
        check_new(plot, overwrite)
    if any(number < 1 for number in playouts):
        raise OptionError(f"playouts is 1 or more, not {min(playouts)}")
    executor, kept = executor_of(processes, ray), kept_in(results)
    if kept and len(playouts) > 1:
        raise OptionError("results are of one budget: give one number of play-outs, or no folder for them")
    contests = {number: Arena(chosen, names, pairs, seed, Budget(number, time), until_clear) for number in playouts or (None,)}
    found = {}
    with progress_bar(pairs * comb(len(names), 2) * len(contests), plain=False) as progress:
        for number, contest in contests.items():
            if executor is None:
                contest.prepare()
            found[number] = contest.play(progress, executor, kept)
    for number, scores in found.items():
        if to_json:
            settings = {"game": chosen.id, "seed": seed, "playouts": number, "milliseconds": time}
            print_json(settings | {"scores": [score.to_dict() for score in scores]})
        else:
            show_scores(chosen.id if number is None else f"{chosen.id}, {number} play-outs", scores)
    if plot:
        write_file(plot, draw(f"{chosen.id}, seed {seed}", {number: found[number] for number in playouts}), overwrite)


@app.command
def lab(
    name: str,
    /,
    *only: Annotated[str, Parameter(help="Options or presets to measure, such as OPTION or OPTION=VALUE; all if left out.")],
    rounds: Annotated[int, Parameter(help="How many deals greedy bots play of each.")] = 1_000_000,
    pairs: Annotated[int, Parameter(help="How many deals the strongest character plays of each; 0 for none.")] = 2_000,
    playouts: Annotated[int, Parameter(help="How many rounds it may play out for one action.")] = 200,
    seed: Annotated[str, Parameter(help="Equal seeds and play-outs give equal measures.")] = "0",
    seats: Annotated[int | None, Parameter(help="How many seats play.")] = None,
    option: Options = (),
    preset: Preset = "default",
    plain: Annotated[bool, Parameter(negative=(), help="Run the uncompiled rules: slower, with the same measures.")] = False,
    threads: Annotated[int | None, Parameter(help="Threads for compiled rules; all cores if left out.")] = None,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    results: ResultsOption = None,
    out: Annotated[Path | None, Parameter(help="Write a report into this folder: HTML, Markdown, plots and JSON.")] = None,
    overwrite: Overwrite = False,
    to_json: Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON object.")] = False,
) -> None:
    """Measure what each option and preset of a game changes, on the same deals as the default."""
    from mekuri.lab.compare import Comparing, variants
    from mekuri.lab.report import files
    from mekuri.terminal.printed.lab import progress_bar, show_comparison

    base, match_options = chosen_game(name, preset, option, seats)
    if match_options:
        raise OptionError(f"{next(iter(match_options))} is an option of a match, and the laboratory plays single rounds")
    found, left_out = variants(base, only)
    executor, kept = executor_of(processes, ray, threads), kept_in(results)
    run = Comparing(base, found, rounds, pairs, seed, Budget(playouts), plain)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        check_new(out / f"{base.id}.html", overwrite, _OTHER_FOLDER)
    with _rules_read(base.contract), progress_bar(run.shards, plain) as progress:
        comparison = run.play(progress, executor, kept)
    for left, why in left_out.items():
        complain(f"{left} is left out: {why}")
    if out:
        for file_name, text in files(comparison, left_out).items():
            write_file(out / file_name, text, overwrite, _OTHER_FOLDER)
    if to_json:
        print_json(comparison.to_dict() | {"left_out": left_out})
    else:
        show_comparison(comparison)


@app.command
def dataset(
    name: str,
    /,
    *,
    rounds: Annotated[int, Parameter(help="How many rounds.")],
    bots: Annotated[str, Parameter(help="The bots, such as greedy,random; each seat has all of them in turn.")] = "random",
    seed: Annotated[str, Parameter(help="Equal seeds give equal files.")] = "0",
    out: Annotated[Path | None, Parameter(help="The folder to write, or to go on with; GAME-dataset if left out.")] = None,
    seats: Annotated[int | None, Parameter(help="How many seats play.")] = None,
    option: Options = (),
    preset: Preset = "default",
    plain: Annotated[bool, Parameter(negative=(), help="Run the uncompiled rules: slower, with the same files.")] = False,
    threads: Annotated[int | None, Parameter(help="Threads; all cores if left out.")] = None,
    processes: ProcessesOption = None,
    ray: RayOption = None,
    playouts: Annotated[int, Parameter(help="How many rounds a bot that searches may play out for one action.")] = 100,
) -> None:
    """Write the single decisions of rounds between bots as Parquet files, with a datasheet. The same command goes on from there."""
    from mekuri.lab.dataset import Collecting, Dataset, collect
    from mekuri.terminal.printed.lab import progress_bar

    chosen, match_options = chosen_game(name, preset, option, seats)
    if match_options:
        raise OptionError(f"{next(iter(match_options))} is an option of a match, and a dataset is of single rounds")
    run = Collecting(chosen, rounds, seed, _names(bots), plain, Budget(playouts))
    folder, executor = Dataset(out or Path(f"{chosen.id}-dataset")), executor_of(processes, ray, threads)
    with _rules_read(chosen.contract), progress_bar(rounds, plain) as progress:
        decisions = collect(run, folder, executor, progress)
    files = f"{run.shards:,} files" if run.shards > 1 else "a file"
    print(f"{decisions:,} decisions of {run.rounds:,} rounds, in {files}: {folder.root}")


def _names(bots: str) -> tuple[str, ...]:
    """Return the names of bots that a text lists, with commas between them."""
    return tuple(typed(name).strip() for name in bots.split(","))


@contextmanager
def _rules_read(contract: Contract) -> Iterator[None]:
    """A context manager that replaces a compile error by the first fault that the linter of rules finds, with its line."""
    try:
        yield
    except CannotCompile as error:
        from mekuri.testing.lint import faults

        for fault in faults(contract):
            raise CannotCompile(str(fault)) from error
        raise


@app.command
def warm(*, environments: bool = False) -> None:
    """Compile the rules of every game ahead of time, so that no command has to wait for it later.

    Args:
        environments: compile environments for learners too, with the usual number of seats, and `random` or `greedy` in the seats
            of the others. That takes about twice as long in all.
    """
    from mekuri.lab.simulate import simulate as run

    for name in games.names():
        contract = games.find(name)
        begin = perf_counter()
        for bot in filter(None, (here(bot, contract) for bot in names_for(contract))):
            if bot.compiled:
                run(game(name), 1, bot=bot.id)
            elif bot.prepare and available():
                bot.prepare(contract)
        if available():
            prepare_solver(contract)  # for reviews
        if environments and available():
            from mekuri.lab.vector import compile_environments

            compile_environments(name)
        print(f"{name:<12} {perf_counter() - begin:.1f} s")
    tell_left_out()
