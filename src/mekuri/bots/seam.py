"""The public interface for bots of other packages: everything such a bot may import. `docs/bots.md` is the guide."""

from mekuri.cards import cards_text, each
from mekuri.engine.bot import Bot, Budget, Crest, Happened, Seen, rule_bot
from mekuri.engine.chance import below, draw, pick
from mekuri.engine.compiled import count, first, rule, shared_rule
from mekuri.engine.contract import DRIVER, legal, outlook, over, play, redeal, returns, side_bet, side_returns, undoing, waiting
from mekuri.engine.driver import drive
from mekuri.engine.executor import workspace
from mekuri.engine.fields import RoundState, copy

__all__ = [
    "DRIVER",
    "Bot",
    "Budget",
    "Crest",
    "Happened",
    "RoundState",
    "Seen",
    "below",
    "cards_text",
    "copy",
    "count",
    "draw",
    "drive",
    "each",
    "first",
    "legal",
    "outlook",
    "over",
    "pick",
    "play",
    "redeal",
    "returns",
    "rule",
    "rule_bot",
    "shared_rule",
    "side_bet",
    "side_returns",
    "undoing",
    "waiting",
    "workspace",
]
