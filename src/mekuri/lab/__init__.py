"""Rounds by the million: simulation and what it counts."""
