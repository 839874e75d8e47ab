"""Bots: programs that choose a seat's actions from what that seat has seen. `docs/bots.md` says how to write one."""

from mekuri.bots.analysis import Analysis, Weighed, analyse
from mekuri.bots.characters import CHARACTERS
from mekuri.bots.levels import levels
from mekuri.bots.player import Player
from mekuri.bots.registry import (
    NAMES,
    OF_RULES,
    UnfinishedBot,
    UnknownBot,
    about,
    characters,
    company,
    find,
    here,
    installed,
    known,
    left_out,
    level,
    look_up,
    names_for,
    of_every_game,
    temper,
    usual,
    weakest,
)
from mekuri.bots.search.replies import Reply
from mekuri.bots.search.solve import Solution, prepare_solver, solve
from mekuri.engine.bot import About, Bot, Budget, Happened, Seen, rule_bot
from mekuri.engine.executor import workspace

__all__ = [
    "CHARACTERS",
    "NAMES",
    "OF_RULES",
    "About",
    "Analysis",
    "Bot",
    "Budget",
    "Happened",
    "Player",
    "Reply",
    "Seen",
    "Solution",
    "UnfinishedBot",
    "UnknownBot",
    "Weighed",
    "about",
    "analyse",
    "bot",
    "characters",
    "company",
    "find",
    "here",
    "installed",
    "known",
    "left_out",
    "level",
    "levels",
    "look_up",
    "names_for",
    "of_every_game",
    "prepare_solver",
    "rule_bot",
    "solve",
    "temper",
    "usual",
    "weakest",
    "workspace",
]

bot = Player
