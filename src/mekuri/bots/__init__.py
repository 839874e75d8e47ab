"""Bots: a hidden state in, an action out."""

from mekuri.bots.bot import Bot, UnknownBot, bot_number, names_for, usual
from mekuri.bots.choose import NAMES

__all__ = ["NAMES", "Bot", "UnknownBot", "bot", "bot_number", "names_for", "usual"]

bot = Bot
