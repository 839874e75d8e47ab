"""Retries: a finished round is played on differently from one decision, with the same cards and bots in the other seats.

Nothing of a retry is stored.
"""

from __future__ import annotations

from mekuri.bots import Budget, find, here, usual
from mekuri.engine.chance import stream
from mekuri.engine.errors import RecordError
from mekuri.match.record import actions_text, read_actions
from mekuri.match.round import Chronicle, Round
from mekuri.protocol.review import Retried
from mekuri.table.acting import need_legal, read_action
from mekuri.table.errors import ProblemError

BUDGET = Budget(1000, 1000)  # play-outs and milliseconds for a bot's turn, as at a table


def retry(round: Round, seat: int, seen: int, line: str, since: int) -> Retried:
    """Play a line of actions from a decision of a finished round, then let bots play until the seat decides again.

    Args:
        round: the finished round.
        seat: the seat that retries.
        seen: the seat's version in the round at its decision, from which the line starts.
        line: the actions of all seats since that decision, in the form of a record, such as `0:7I`.
        since: the seat's version after which events are returned.

    Returns:
        The line with the bots' actions at its end, the events, and the seat's result in `returns`: None until the round is over.

    Raises:
        ProblemError: the seat had no decision there, or the line is malformed.
        IllegalActionError: the rules forbid an action of the line.
    """
    tried, bot = _left(round, seat, seen), usual(round.contract)
    try:
        done = [*read_actions(line, "the line")]
    except RecordError as error:
        raise ProblemError("action", reason=str(error)) from None
    for who, action in done:
        _do(tried, who, action)
    thinks = here(bot, round.contract) or find(bot := "greedy")
    while not tried.over and seat not in tried.waiting:
        other = tried.waiting_in_turn[0]
        chance = stream("retry", round.game.id, other, len(tried.actions))
        done.append((other, tried.action_text(thinks.choose(tried.seen(other), chance, BUDGET))))
        _do(tried, *done[-1])
    return Retried(
        bot=bot, line=actions_text(done), events=tried.events(seat, since), result=tried.returns[seat] if tried.over else None
    )


def _left(round: Round, seat: int, seen: int) -> Round:
    """Return a copy of the round at the seat's decision. Cards shuffled after it come in a new order, the same for each retry."""
    chronicle = Chronicle(round)
    while chronicle.behind and (chronicle.versions[seat] < seen or seat not in chronicle.waiting):
        chronicle.go()
    if chronicle.versions[seat] != seen or seat not in chronicle.waiting:
        raise ProblemError("nothing-to-weigh")
    return chronicle.leave(stream("retry", round.game.id, "shuffles", seen))


def _do(round: Round, seat: int, text: str) -> None:
    action = read_action(round, text)
    if seat >= round.game.seats:
        raise ProblemError("no-seat", last=round.game.seats - 1)
    need_legal(round, seat, action)
    round.play(action, seat)
