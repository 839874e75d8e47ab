"""The progress bar of long runs, and the results of simulations, arenas and the laboratory printed as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from mekuri.engine.measured import percent_text
from mekuri.lab.arena import Score
from mekuri.lab.compare import BASE, Comparison
from mekuri.lab.report import mean_text, skill_text
from mekuri.lab.simulate import Simulation


@contextmanager
def progress_bar(rounds: int, plain: bool) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on standard error while rounds are played; nothing if standard error is no terminal.

    Args:
        rounds: the number of rounds.
        plain: whether rules run plain; else the bar first shows that they are being compiled.

    Yields:
        A function to be called with the number of rounds just played.
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("playing" if plain else "compiling", total=rounds)
        yield lambda done: progress.update(task, advance=done, description="playing")


def show_simulation(result: Simulation) -> None:
    """Print the results of a simulation."""
    found, console = result.to_dict(), Console()
    rounds = result.rounds
    table = Table(title=f"{found['game']}, {rounds:,} rounds", show_header=False, title_justify="left")
    table.add_column()
    table.add_column(justify="right")
    returns = found["returns"]
    for seat, (mean, error) in enumerate(zip(returns["mean"], returns["mean_95"], strict=True)):
        table.add_row(f"mean return of seat {seat}", f"{mean:+.4f} ± {error:.4f}")
    table.add_row("deviation of a return", ", ".join(f"{value:.2f}" for value in returns["deviation"]))
    table.add_row("returns sum to", f"{found['returns']['sum_min']} to {found['returns']['sum_max']}")
    table.add_row("turns, mean and most", f"{found['turns']['mean']:.2f}, {found['turns']['max']}")
    for clause, n in found["redeals"].items():
        table.add_row(f"dealt again: {clause}", f"{n / (rounds + n):.3%}")
    for ending, n in found["endings"].items():
        table.add_row(f"ending: {ending}", f"{n / rounds:.3%}")
    for yaku, row in found["yaku"].items():
        if row["rounds"]:
            table.add_row(f"yaku: {yaku}", f"{row['rounds'] / rounds:.3%}")
    table.add_row("actions, decisions", f"{found['actions']:,}, {found['decisions']:,}")
    table.add_row("seconds of play", f"{result.seconds:.3f} ({rounds / result.seconds:,.0f} rounds/s)")
    table.add_row("seconds of compiling", f"{result.compile_seconds:.3f}")
    table.add_row("checksum", found["checksum"])
    console.print(table)


def show_scores(game: str, scores: list[Score]) -> None:
    """Print a row for each pair of bots: deal pairs played and tied, the share that the first bot won, and its mean in a round.

    Share and mean have 95 % intervals. The mean is of returns, less the mean of all seats.
    """
    table = Table(title=f"{game}: deals played in every seating", title_justify="left")
    for column in ("", "pairs", "tied", "of the decided, the first won", "a round"):
        table.add_column(column, justify="right" if column else "left")
    for score in scores:
        least, most = score.interval
        share = "-" if score.share is None else f"{score.share:.1%} [{100 * least:.1f}-{100 * most:.1f}]"
        row = (
            f"{score.first} - {score.second}",
            str(score.pairs),
            str(score.tied),
            share,
            f"{score.mean:+.2f} ± {score.error:.2f}",
        )
        table.add_row(*row)
    Console().print(table)


def show_comparison(comparison: Comparison) -> None:
    """Print a table for each bot: what each variant of the rules changes on the same deals, and the bot's skill."""
    for bot, (base, *others) in comparison.measured.items():
        dealer, lasts = base.mean("dealer"), base.mean("decisions")
        by_default = f"by default {mean_text(dealer, 'dealer', '-')} for the dealer, {lasts.mean:.2f} decisions"
        table = Table(title=f"{base.variant.game.id}, {base.rounds:,} deals by {bot}: {by_default}", title_justify="left")
        for column in ("", "dealer", "decisions", "changed", "winner", *(["won from greedy"] if base.score else [])):
            table.add_column(column, justify="right" if column else "left", overflow="fold")
        if base.score:
            table.add_row(BASE, "", "", "", "", skill_text(base))
        for one in others:
            estimates = (mean_text(one.difference(measure), measure) for measure in ("dealer", "decisions"))
            shares = (percent_text(one.changed), percent_text(one.decided))
            table.add_row("\n".join(one.variant.names), *estimates, *shares, *([skill_text(one)] if base.score else []))
        Console().print(table)
