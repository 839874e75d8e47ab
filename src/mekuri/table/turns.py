"""Bots' turns: finding the bot that has to act, giving it what its seat has seen, and playing the action it chooses."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import NamedTuple

from mekuri.bots import Budget, Player, Seen, here, usual
from mekuri.engine.fields import RoundState
from mekuri.table import acting
from mekuri.table.rows import add
from mekuri.table.table import Table

_BUDGET = Budget(1000, 1000)  # play-outs and milliseconds of Mekuri's own bots: more helps little (docs/bots.md)
_OF_THE_DAY = Budget(100)  # play-outs at a deal of the day, without a time limit, so that bots answer all people alike


@dataclass(frozen=True)
class Turn:
    """A bot's turn: all data that the bot gets for its choice.

    Attributes:
        seen: all that its seat has seen of the round.
        bot: the bot's id.
        number: the index, from 0, of the decision among the seat's.
        seed: 32 bytes from which the bot's chance is derived. They reveal no card, and are the same in every process.
        budget: the limits on play-outs and time.
    """

    seen: Seen
    bot: str
    number: int
    seed: bytes
    budget: Budget = _BUDGET

    @property
    def seat(self) -> int:
        """The seat that the bot plays."""
        return self.seen.seat

    @property
    def hidden(self) -> RoundState:
        """The hidden state of the seat."""
        return self.seen.hidden


class Answer(NamedTuple):
    """The action chosen in a bot's turn, and the id of the bot that chose it: another one where the bot asked has failed."""

    action: int
    bot: str


def bot_due(table: Table, at: int) -> int | None:
    """Return the seat of a bot that has to act; None for none. While a window is open for people, bots wait until it closes.

    At a table that is played turn by turn, a window closes with the command that notes whose term has passed, and not by itself.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
    """
    round = table.round if table.state == "running" else None
    if round is None or (table.closes is not None and (table.term or at < table.closes) and acting.silent(table)):
        return None
    waiting = round.waiting_in_turn
    # If several seats decide at once, all see which have decided. At a deal of the day, bots may not depend on a person's speed.
    if table.day and any(table.seats[seat].bot is None for seat in waiting):
        return None
    return next((seat for seat in waiting if table.seats[seat].bot), None)


def bot_turn(table: Table, at: int) -> Turn | None:
    """Return the turn of the bot that has to act, as found by `bot_due`; None where there is none."""
    seat = bot_due(table, at)
    if seat is None:
        return None
    bot, round, number = table.seats[seat].bot, table.running, len(table.seats[seat].decisions) - 1
    assert bot, "the seat of a bot"
    if round.secret and seat in table.in_round.lapsed:
        # Waiting for the failed bot at each of its turns would show how often its seat acts.
        bot = usual(table.game.contract)
    # Most of Mekuri's own bots use only the hidden state, and listing what the seat has seen takes time.
    ours = here(bot, table.game.contract)
    seen = Seen(round.hidden(seat), seat) if ours and not ours.looks_back else round.seen(seat)
    seed = hmac.digest(table.root, b"bot %d %d" % (seat, number), "sha256")
    return Turn(seen, bot, number, seed, _OF_THE_DAY if table.day else _BUDGET)


def seen_by_others(table: Table, turn: Turn, answer: Answer) -> bool:
    """Return whether other viewers will see anything of a bot's answer; False where its turn is not open any more."""
    return _stands(table, turn) and (answer.bot != turn.bot or not table.running.unseen(answer.action, turn.seat))


def _stands(table: Table, turn: Turn) -> bool:
    """Return whether a bot's turn is still open: its decision has not been made, and a bot still plays the seat."""
    sitter = table.seats[turn.seat]
    return bool(table.state == "running" and sitter.bot and sitter.open_decision and len(sitter.decisions) - 1 == turn.number)


def think(turn: Turn) -> int:
    """Return the action that a turn's bot chooses. It runs the bot in the calling thread."""
    return Player(turn.bot, turn.seed, turn.hidden.contract, turn.budget).choose(turn.hidden, turn.seat, turn.seen.past)


def bot_answer(table: Table, at: int, turn: Turn, action: int, bot: str | None = None) -> None:
    """Play the action that a bot has chosen. Does nothing if the turn is not open any more.

    Args:
        table: the table.
        at: the time, in milliseconds since 1970.
        turn: the turn.
        action: the action.
        bot: the id of the bot that chose it; None for the bot of the turn. Another bot is noted as a lapse of that one.

    Raises:
        IllegalActionError: the rules forbid the action.
    """
    if _stands(table, turn):
        text = table.running.action_text(action)
        acting.need_legal(table.running, turn.seat, text)
        if bot not in (None, turn.bot):
            add(table, "lapse", {"bot": turn.bot, "by": bot}, at, turn.seat)
        acting.act(table, turn.seat, text, at)
