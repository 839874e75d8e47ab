"""Collect everything that one viewer can learn of a round as it stands."""

from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from functools import lru_cache
from typing import Any

from mekuri import bots
from mekuri.bots.analysis import analyse
from mekuri.engine.contract import Contract, legal, outlook, over, waiting, yaku_of
from mekuri.engine.fields import RoundState
from mekuri.engine.position import position_text
from mekuri.match.round import Round
from mekuri.testing.worlds import Viewer, as_seat, values

NO_SEATS = (-1, 16, 99)  # numbers that are no seats, as a spectator may try them
_LITTLE = bots.Budget(3)  # the budget of bots: enough to find out whether they use hidden information


def visible(round: Round, viewer: Viewer) -> dict[str, str]:
    """Return all that a viewer can learn of a round as it stands, as texts by their kind."""
    view, h = round.view(viewer), round.hidden(viewer)
    seat = as_seat(viewer)
    facts: dict[str, Any] = {
        "hidden state": values(h),
        "hidden pack": h.pack,
        "hidden position": position_text(h),
        "view": view,
        "drawn view": str(view),
        "running sheet": round.score_sheet(),
        "drawn sheet": str(round.score_sheet()),
        "who acts": (round.waiting, round.over, round.dealer),
        "end": (round.returns, round.ending, round.next_dealer, round.tallies) if round.over else None,
        "rules": [waiting(h), over(h), legal(h, seat), [(outlook(h, s), yaku_of(h, s)) for s in range(h.seats)]],
    }
    facts |= {f"view.{field.name}": getattr(view, field.name) for field in dataclass_fields(view)}
    if viewer is not None:
        facts |= {"legal": round.legal_for(viewer), "refused": attempts(round, viewer)}
        if viewer in round.waiting:
            facts |= _advised(_Asked(repr([*values(h).items(), h.pack]), round.contract, viewer, h))
    else:
        facts["refused"] = [attempts(round, who) for who in NO_SEATS]
    return {name: repr(value) for name, value in facts.items()}


@dataclass(frozen=True)
class _Asked:
    """A seat that is asked for an action. Two are equal if their visible facts are."""

    facts: str
    contract: Contract
    seat: int
    hidden: RoundState = field(compare=False)


@lru_cache(maxsize=16)
def _advised(asked: _Asked) -> dict[str, str]:
    """Return what bots and the analysis say. They get no more, so if worlds look the same they are asked once."""
    h, contract, seat = asked.hidden, asked.contract, asked.seat
    seldom = h.turns % 4 == 0  # slow calls are made at every fourth turn only; the number of turns is public
    chosen = {
        bot.id: [bots.Player(bot.id, n, contract, _LITTLE).choose(h, seat) for n in range(3 if bot.rule else 1)]
        for name in bots.names_for(contract)
        if (bot := bots.find(name, contract)).rule or seldom
    }
    return {"bots": repr(chosen)} | ({"analysis": repr(analyse(bots.Seen(h, seat), bots.Budget(1)))} if seldom else {})


def attempts(round: Round, seat: int) -> list[object]:
    """Return the answers that a seat gets when it tries every action, and some texts that are none."""
    answers: list[object] = []
    for action in [*range(63), "G", "?", "7X"]:
        try:
            refusal = round.refusal(action, seat)
            answers.append((action, refusal))
            if refusal:
                round.play(action, seat)  # which changes nothing
        except ValueError as error:
            answers.append((action, type(error), str(error), getattr(error, "clause", "")))
    return answers


def differences(one: dict[str, str], other: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Return the entries in which two results of `visible` differ, with both texts."""
    return {name: (text, other[name]) for name, text in one.items() if other[name] != text}
