"""Bots: a hidden state in, an action out."""

from mekuri.bots.bot import Bot, UnknownBot, bot_number
from mekuri.bots.choose import NAMES

__all__ = ["NAMES", "USUAL", "Bot", "UnknownBot", "bot", "bot_number"]

bot = Bot
USUAL = "greedy"  # the bot that plays where nobody says which
