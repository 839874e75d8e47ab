"""The state of a round of Isuri, and its words."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import choice, count, option
from mekuri.engine.options import Choice
from mekuri.games import sequence
from mekuri.games.sequence import SequenceState


class Word(Choice):
    """Actions that are not cards: those of every sequence game, and the set."""

    PASS = sequence.Word.PASS
    DONE = sequence.Word.DONE
    DRAW = sequence.Word.DRAW
    SET = 52
    DEAL = sequence.Word.DEAL
    GATHER = sequence.Word.GATHER
    RECYCLE = sequence.Word.RECYCLE
    TURN_UP = sequence.Word.TURN_UP


class SetStep(Choice):
    """How far a set of one number has come, in the phase PLAY."""

    NONE = 0
    NUMBER = 1  # the seat names its number
    CARDS = 2  # the seat lays its cards


@dataclass(slots=True)
class IsuriState(SequenceState):
    """A round of Isuri.

    Attributes:
        set_step: how far the set that a seat is discarding has come.
        set_number: its number, while its cards are laid; else 0.
        set_laid: how many of its cards lie on the pile.
        paid: what each seat has been paid by the other in this round.
        stakes: what each seat has put into the pot in this round.
    """

    set_step: int = choice(SetStep, public=True)
    set_number: int = count(12, public=True)
    set_laid: int = count(6, public=True)
    paid: list[int] = count(1000, each_seat=2, public=True)
    stakes: list[int] = count(1000, each_seat=2, public=True)

    sets: int = option()
    ghost_value: int = option()
    sou_dashi: int = option()
    pass_pays: int = option()
