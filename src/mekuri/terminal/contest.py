"""The scores of an arena of bots, printed as a table."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from mekuri.lab.arena import Score


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
