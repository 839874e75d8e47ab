"""The state of a round of Hiyoko."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.fields import option
from mekuri.games.sequence import SequenceState


@dataclass(slots=True)
class HiyokoState(SequenceState):
    """A round of Hiyoko. Its phases, words and endings are those of every sequence game."""

    all_out: int = option()
