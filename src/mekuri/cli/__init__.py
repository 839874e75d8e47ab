"""The command `mekuri`, a file a group of verbs."""

from mekuri.cli.main import main

__all__ = ["main"]
