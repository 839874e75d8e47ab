"""The terminal: a table to play at, the menu of games, and rule books."""

from mekuri.terminal.app import home_app, play_app
from mekuri.terminal.rules import rules_text

__all__ = ["home_app", "play_app", "rules_text"]
