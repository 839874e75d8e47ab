"""What came of a round, in one sentence: who has won it, and the yaku without which somebody else would have."""

from __future__ import annotations

from collections.abc import Sequence

from mekuri.engine.told import SheetLine, Text


def result(lines: Sequence[SheetLine], returns: Sequence[int]) -> Text:
    """The sentence, as a text of the rule book's `results`.

    Args:
        lines: of the finished round's score sheet.
        returns: what each seat wins.
    """
    best = max(returns)
    winners = [seat for seat, won in enumerate(returns) if won == best]
    if len(winners) > 1:
        return Text("results.even", {})
    told = {"seat": winners[0], "points": f"{best:+}"}
    yaku = _decisive(lines, returns, winners[0])
    return Text("results.won-by", told | {"yaku": yaku}) if yaku else Text("results.won", told)


def _decisive(lines: Sequence[SheetLine], returns: Sequence[int], winner: int) -> str | None:
    """The dearest yaku of the winner without which he would not have won alone; None where there is none.

    Nor is there where the sheet does not add up to what was won, since then something else decides.
    """
    sums = [0] * len(returns)
    for line in lines:
        if isinstance(line.seat, int):
            sums[line.seat] += line.points
    if sums != list(returns):
        return None
    own = [line for line in lines if line.seat == winner and "yaku" in line.text.args and line.points > 0]
    for line in sorted(own, key=lambda line: -line.points):
        yaku = line.text.args["yaku"]
        without = list(returns)
        for each in lines:
            if isinstance(each.seat, int) and each.text.args.get("yaku") == yaku:
                without[each.seat] -= each.points
        if any(won >= without[winner] for seat, won in enumerate(without) if seat != winner):
            return str(yaku)
    return None
