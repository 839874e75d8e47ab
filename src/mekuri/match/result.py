"""What came of a round or of a match, in one sentence: who has won it, by how much, and the yaku that decided a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.engine.contract import Contract
from mekuri.engine.presentation import SheetLine, Text


def result(lines: Sequence[SheetLine], returns: Sequence[int], brings: Sequence[Mapping[str, int]] = ()) -> Text:
    """The sentence, as a text of the rule book's `results`.

    Args:
        lines: of the finished round's score sheet.
        returns: what each seat wins.
        brings: what the round changes in each seat's accounts; the first of them is told where it is what was won.
    """
    best = max(returns)
    winners = [seat for seat, won in enumerate(returns) if won == best]
    if len(winners) > 1:
        return Text("results.even", {})
    told: dict[str, object] = {"seat": winners[0], "points": f"{best:+}"}
    account, change = next(iter(brings[winners[0]].items()), ("", 0)) if brings else ("", 0)
    if account and change == best:
        told["points"] = Text(f"amounts.{account}", {"n": f"{best:+}"})
    yaku = _decisive(lines, returns, winners[0])
    return Text("results.won-by", told | {"yaku": yaku}) if yaku else Text("results.won", told)


def match_result(contract: Contract, ledger: Sequence[Mapping[str, int]]) -> Text:
    """The same of a match, from every seat's accounts: by how much, in the account that has decided between the best two.

    Where places are decided by more than one account at once, as by what is owned less what is owed, it is not said by how much.
    """
    ranks = [contract.ranking(accounts) for accounts in ledger]
    winner, second = sorted(range(len(ledger)), key=lambda seat: ranks[seat], reverse=True)[:2]
    if ranks[winner] == ranks[second]:
        return Text("results.match-even", {})
    ahead = next(one - other for one, other in zip(ranks[winner], ranks[second], strict=True) if one != other)
    for account, amount in ledger[winner].items():
        if amount != ledger[second].get(account, 0):
            if amount - ledger[second].get(account, 0) != ahead:
                break
            points = Text(f"amounts.{account}", {"n": ahead})
            return Text("results.match-won-by", {"seat": winner, "points": points})
    return Text("results.match-won", {"seat": winner})


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
