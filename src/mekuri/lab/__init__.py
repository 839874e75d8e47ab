"""Experiments with many rounds: simulations and their statistics, matches between bots, and exact equilibria."""
