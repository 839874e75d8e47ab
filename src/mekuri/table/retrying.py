"""A round that is over, tried otherwise from a moment on: the same cards, bots in the other seats. Nothing of it is kept."""

from __future__ import annotations

from mekuri.bots import Budget, find, here, usual
from mekuri.cards import NotationError
from mekuri.engine.chance import stream
from mekuri.engine.errors import RecordError
from mekuri.match.record import actions_text, read_actions
from mekuri.match.round import Chronicle, Round
from mekuri.protocol.lesson import Happening
from mekuri.protocol.review import Retried
from mekuri.protocol.view import Ledger, text, view
from mekuri.table.errors import IllegalActionError, ProblemError

BUDGET = Budget(1000, 1000)  # of a bot's turn, as at a table
_NOBODYS = Ledger([], {})  # what stood in the ledger then is told by the replay


def retry(round: Round, seat: int, seen: int, line: str, since: int) -> Retried:
    """What comes of a line, and of the bots' answers to it: until the seat is asked again, or the round is over.

    Args:
        round: a finished round.
        seat: whoever tries.
        seen: how many things the seat had seen happen when it was asked: where the round is left.
        line: what has been done since, as a record has it.
        since: from how many things on the seat is told what happens.

    Raises ProblemError where the seat was not asked there, and where what is done in the line may not be done.
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
    events = [
        Happening(seat=one.seat, action=one.action, text=text(one.text), view=view(one.view, one.view.version, _NOBODYS, None))
        for one in tried.events(seat, since)
    ]
    return Retried(bot=bot, line=actions_text(done), events=events, result=tried.returns[seat] if tried.over else None)


def _left(round: Round, seat: int, seen: int) -> Round:
    """The round as it stood when the seat was asked. What is shuffled from there on is shuffled anew, but always alike."""
    chronicle = Chronicle(round)
    while chronicle.behind and (chronicle.versions[seat] < seen or seat not in chronicle.waiting):
        chronicle.go()
    if chronicle.versions[seat] != seen or seat not in chronicle.waiting:
        raise ProblemError("nothing-to-weigh")
    return chronicle.leave(stream("retry", round.game.id, "shuffles", seen))


def _do(round: Round, seat: int, told: str) -> None:
    try:
        action = round.parse_action(told)
    except NotationError as error:
        raise ProblemError("action", reason=str(error)) from None
    if seat >= round.game.seats:
        raise ProblemError("no-seat", last=round.game.seats - 1)
    if refusal := round.refusal(action, seat):
        raise IllegalActionError(*refusal, round.game.rulebook)
    round.play(action, seat)
