"""Bots' turns: which one is owed, all that the bot is given, and what comes of it."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import NamedTuple

from mekuri.bots import Budget, Player, Seen, here, usual
from mekuri.engine.fields import RoundState
from mekuri.table import acting
from mekuri.table.table import Table

_BUDGET = Budget(1000, 1000)  # of our own bots: more brings little (docs/bots.md)
_OF_THE_DAY = Budget(100)  # where no clock may decide, as everybody is to meet the same answers: so few take no machine long


@dataclass(frozen=True)
class Turn:
    """A bot's turn: all that the bot is given.

    Attributes:
        seen: what its seat has seen.
        bot: the bot's name.
        number: of the decision among the seat's.
        seed: from which the bot's chance comes. It has nothing to do with the cards, and every process finds the same.
        budget: how much it may think.
    """

    seen: Seen
    bot: str
    number: int
    seed: bytes
    budget: Budget = _BUDGET

    @property
    def seat(self) -> int:
        """Which seat it plays."""
        return self.seen.seat

    @property
    def hidden(self) -> RoundState:
        """What the seat may know."""
        return self.seen.hidden


class Answer(NamedTuple):
    """What comes of a bot's turn: an action, and the bot whose it is, another than was asked where that has failed."""

    action: int
    bot: str


def bot_due(table: Table, at: int) -> int | None:
    """The seat of a bot that owes a turn. While silence is an answer, bots speak only after the people."""
    round = table.round if table.state == "running" else None
    if round is None or (table.closes is not None and at < table.closes and acting.silent(table)):
        return None
    waiting = round.waiting_in_turn
    # Where several decide at once, who has done so already is seen. At a deal of the day that hangs on nobody's haste.
    if table.day and any(table.seats[seat].bot is None for seat in waiting):
        return None
    return next((seat for seat in waiting if table.seats[seat].bot), None)


def bot_turn(table: Table, at: int) -> Turn | None:
    """A turn that a bot owes."""
    seat = bot_due(table, at)
    if seat is None:
        return None
    bot, round, number = table.seats[seat].bot, table.running, len(table.seats[seat].decisions) - 1
    assert bot, "the seat of a bot"
    if round.secret and seat in table.lapsed:
        # To wait for it again and again would tell how often it is asked.
        bot = usual(table.game.contract)
    # Most of ours look at the hidden state alone, and it takes a while to tell what has happened.
    ours = here(bot, table.game.contract)
    seen = Seen(round.hidden(seat), seat) if ours and not ours.looks_back else round.seen(seat)
    seed = hmac.digest(table.root, b"bot %d %d" % (seat, number), "sha256")
    return Turn(seen, bot, number, seed, _OF_THE_DAY if table.day else _BUDGET)


def seen_by_others(table: Table, turn: Turn, answer: Answer) -> bool:
    """Whether others see anything of what a bot has answered."""
    return _stands(table, turn) and (answer.bot != turn.bot or not table.running.unseen(answer.action, turn.seat))


def _stands(table: Table, turn: Turn) -> bool:
    """Whether a bot's turn has not been decided meanwhile, nor taken from it."""
    sitter = table.seats[turn.seat]
    return bool(table.state == "running" and sitter.bot and sitter.open_decision and len(sitter.decisions) - 1 == turn.number)


def think(turn: Turn) -> int:
    """The action a bot chooses."""
    return Player(turn.bot, turn.seed, turn.hidden.contract, turn.budget).choose(turn.hidden, turn.seat, turn.seen.past)


def bot_answer(table: Table, at: int, turn: Turn, action: int, bot: str | None = None) -> None:
    """Do what a bot has chosen, unless the decision has been made meanwhile: one answer counts.

    Where it is not the choice of the bot that was asked, `bot` says whose it is.
    """
    if _stands(table, turn):
        told = table.running.action_text(action)
        acting.need_legal(table, turn.seat, told)
        if bot not in (None, turn.bot):
            table.add("lapse", {"bot": turn.bot, "by": bot}, at, turn.seat)
        acting.act(table, turn.seat, told, at)
