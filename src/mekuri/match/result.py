"""The result of a round or of a match as a text: its winner, with how much, and what decided a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.engine.contract import MatchRules
from mekuri.engine.presentation import SheetLine, Text


def result(lines: Sequence[SheetLine], returns: Sequence[int], brings: Sequence[Mapping[str, int]] = ()) -> Text:
    """Return the result of a finished round, as a text of the rule book's table `results`.

    It names the yaku that decided the round. If no yaku did, it gives the winner's largest line of the score sheet, provided that
    this line alone is worth more than the winner's return.

    Args:
        lines: the lines of the round's score sheet.
        returns: for each seat what the round changes in its account.
        brings: for each seat what the round changes in its accounts, by name. If the winner's first account changes by exactly
            its return, the result is given in that account's unit.
    """
    best = max(returns)
    winners = [seat for seat, won in enumerate(returns) if won == best]
    if len(winners) > 1:
        return Text("results.even", {})
    args: dict[str, object] = {"seat": winners[0], "points": f"{best}"}
    account, change = next(iter(brings[winners[0]].items()), ("", 0)) if brings else ("", 0)
    if account and change == best:
        args["points"] = Text(f"amounts.{account}", {"n": f"{best}"})
    if best <= 0:
        return Text("results.least", args)
    if not _adds_up(lines, returns):
        return Text("results.won", args)
    if yaku := _decisive(lines, returns, winners[0]):
        return Text("results.won-by", args | {"yaku": yaku})
    largest = max((line for line in lines if line.seat == winners[0]), key=lambda line: line.points, default=None)
    if largest and largest.points > best:
        return Text("results.won-with", args | {"line": largest.text})
    return Text("results.won", args)


def match_result(rules: MatchRules, ledger: Sequence[Mapping[str, int]]) -> Text:
    """Return the result of a match, as a text of the rule book's table `results`.

    It gives the winner's amount in the account that separates first from second place, as the ledger shows it. If no single
    account decides, as in a game that subtracts a seat's debts from its assets, it names the winner alone.

    Args:
        rules: the game's rules of a match.
        ledger: for each seat its accounts at the end, by name.
    """
    ranks = [rules.ranking(accounts) for accounts in ledger]
    winner, second = sorted(range(len(ledger)), key=lambda seat: ranks[seat], reverse=True)[:2]
    if ranks[winner] == ranks[second]:
        return Text("results.match-even", {})
    ahead = next(one - other for one, other in zip(ranks[winner], ranks[second], strict=True) if one != other)
    for account, amount in ledger[winner].items():
        if amount != ledger[second].get(account, 0):
            if amount - ledger[second].get(account, 0) != ahead:
                break
            points = Text(f"amounts.{account}", {"n": amount})
            return Text("results.match-won-with", {"seat": winner, "points": points})
    return Text("results.match-won", {"seat": winner})


def _adds_up(lines: Sequence[SheetLine], returns: Sequence[int]) -> bool:
    """Return whether the lines of each seat add up to its return; else something beside the sheet decided the round."""
    sums = [0] * len(returns)
    for line in lines:
        if isinstance(line.seat, int):
            sums[line.seat] += line.points
    return sums == list(returns)


def _decisive(lines: Sequence[SheetLine], returns: Sequence[int], winner: int) -> str | None:
    """Return the yaku that decided a round: of those without which the winner would not have won alone, that of the most points.

    Returns None if there is no such yaku.
    """
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
