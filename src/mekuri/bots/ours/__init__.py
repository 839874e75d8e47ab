"""Mekuri's own bots, which play every game, a file each."""
