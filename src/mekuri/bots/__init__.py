"""Bots: a hidden state in, an action out."""
