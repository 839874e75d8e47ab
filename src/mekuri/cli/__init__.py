"""The command `mekuri`: each module defines a group of its subcommands."""

from mekuri.cli.main import main

__all__ = ["main"]
