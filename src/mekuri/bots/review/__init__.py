"""Reviews of finished rounds: how much each decision of a seat cost it, and how much of its result was luck."""

from mekuri.bots.figures import Estimate
from mekuri.bots.review.account import FEW, PLAYOUTS, Reviewing, Verdict, review
from mekuri.bots.review.judge import BLUNDER, LABELS, MISTAKE, SOUND, Known
from mekuri.bots.review.reasons import why_afterwards
from mekuri.bots.review.values import Choice, Hindsight, Luck, Moment, Review

__all__ = [
    "BLUNDER",
    "FEW",
    "LABELS",
    "MISTAKE",
    "PLAYOUTS",
    "SOUND",
    "Choice",
    "Estimate",
    "Hindsight",
    "Known",
    "Luck",
    "Moment",
    "Review",
    "Reviewing",
    "Verdict",
    "review",
    "why_afterwards",
]
