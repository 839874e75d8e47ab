"""The result of a round or of a match as a text: its winner, with how much, and what decided a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.engine.contract import MatchRules
from mekuri.engine.presentation import SheetLine, Text
from mekuri.engine.sides import named, partners, speakers


def result(
    lines: Sequence[SheetLine], returns: Sequence[int], brings: Sequence[Mapping[str, int]] = (), sides: Sequence[int] = ()
) -> Text:
    """Return the result of a finished round, as a text of the rule book's table `results`.

    It names the partners if a side has won, and the yaku that decided the round; where the winner alone scores, the winner's
    largest. If no yaku did, it gives the winner's largest line of the score sheet, provided that this line alone is worth at least
    the winner's return.

    Args:
        lines: the lines of the round's score sheet.
        returns: for each seat what the round changes in its account.
        brings: for each seat what the round changes in its accounts, by name. If the winner's first account changes by exactly
            its return, the result is given in that account's unit. If the sheet adds up to these changes instead of the returns,
            the changes are the amounts.
        sides: the side of each seat; each for itself if left out. Partners have equal returns, and win together.
    """
    best, sides = max(returns), sides or range(len(returns))
    winners = [seat for seat in speakers(sides) if returns[seat] == best]
    if len(winners) > 1:
        return Text("results.even", {})
    args: dict[str, object] = {"seat": winners[0], "points": f"{best}"}
    account, change = next(iter(brings[winners[0]].items()), ("", 0)) if brings else ("", 0)
    for name, amount in brings[winners[0]].items() if brings and change != best else ():
        changes = [own.get(name, 0) for own in brings]
        if amount == max(changes) and _adds_up(lines, changes):
            account, change, best, returns = name, amount, amount, changes
    if account and change == best:
        args["points"] = Text(f"amounts.{account}", {"n": f"{best}"})
    side, args = _side(partners(sides, winners[0]), args)
    if best <= 0:
        return Text(f"results.{side}least", args)
    adds_up, won = _adds_up(lines, returns), partners(sides, winners[0])
    if yaku := (adds_up and _decisive(lines, returns, won)) or _largest(lines, returns, winners[0]):
        return Text(f"results.{side}won-by", args | {"yaku": yaku})
    if side or not adds_up:
        return Text(f"results.{side}won", args)
    largest = max((line for line in lines if line.seat == winners[0]), key=lambda line: line.points, default=None)
    if largest and largest.points >= best:
        return Text("results.won-with", args | {"line": largest.text})
    return Text("results.won", args)


def match_result(rules: MatchRules, ledger: Sequence[Mapping[str, int]], sides: Sequence[int] = ()) -> Text:
    """Return the result of a match, as a text of the rule book's table `results`.

    It gives the winner's amount in the account that separates first from second place, as the ledger shows it. If no single
    account decides, as in a game that subtracts a seat's debts from its assets, it names the winner alone.

    Args:
        rules: the game's rules of a match.
        ledger: for each seat its accounts at the end, by name.
        sides: the side of each seat; each for itself if left out. Partners have equal accounts, and win together.
    """
    sides = sides or range(len(ledger))
    ranks = [rules.ranking(accounts) for accounts in ledger]
    winner, second = sorted(speakers(sides), key=lambda seat: ranks[seat], reverse=True)[:2]
    if ranks[winner] == ranks[second]:
        return Text("results.match-even", {})
    ahead = next(one - other for one, other in zip(ranks[winner], ranks[second], strict=True) if one != other)
    for account, amount in ledger[winner].items():
        if amount != ledger[second].get(account, 0):
            if amount - ledger[second].get(account, 0) != ahead:
                break
            points = Text(f"amounts.{account}", {"n": amount})
            side, args = _side(partners(sides, winner), {"seat": winner, "points": points})
            return Text(f"results.{side}match-won-with", args)
    side, args = _side(partners(sides, winner), {"seat": winner})
    return Text(f"results.{side}match-won", args)


def _side(seats: Sequence[int], args: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """Return how the id of a text begins that is about some seats, and its arguments, with the names of several seats as `side`."""
    return ("side-", {**args, "side": named(seats, begins=True)}) if seats[1:] else ("", dict(args))


def _adds_up(lines: Sequence[SheetLine], returns: Sequence[int]) -> bool:
    """Return whether the lines of each seat add up to its return; else something beside the sheet decided the round."""
    sums = [0] * len(returns)
    for line in lines:
        if isinstance(line.seat, int):
            sums[line.seat] += line.points
    return sums == list(returns)


def _largest(lines: Sequence[SheetLine], returns: Sequence[int], winner: int) -> str | None:
    """Return the yaku of the most points if the winner alone scores, and the winner's lines add up to the return; else None.

    Without this yaku the winner may still have won, as where a player who has any yaku may end the round.
    """
    scoring = [line for line in lines if isinstance(line.seat, int) and line.points > 0]
    own = [line for line in lines if line.seat == winner]
    if any(line.seat != winner for line in scoring) or sum(line.points for line in own) != returns[winner]:
        return None
    best = max((line for line in own if "yaku" in line.text.args and line.points > 0), key=lambda line: line.points, default=None)
    return str(best.text.args["yaku"]) if best else None


def _decisive(lines: Sequence[SheetLine], returns: Sequence[int], winners: Sequence[int]) -> str | None:
    """Return the yaku that decided a round: of those without which the winner would not have won alone, that of the most points.

    Returns None if there is no such yaku. The winner may be several partners.
    """
    winner = winners[0]
    own = [line for line in lines if line.seat == winner and "yaku" in line.text.args and line.points > 0]
    for line in sorted(own, key=lambda line: -line.points):
        yaku = line.text.args["yaku"]
        without = list(returns)
        for each in lines:
            if isinstance(each.seat, int) and each.text.args.get("yaku") == yaku:
                without[each.seat] -= each.points
        if any(won >= without[winner] for seat, won in enumerate(without) if seat not in winners):
            return str(yaku)
    return None
