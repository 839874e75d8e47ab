"""The terminal client: matches without a screen, the screens that show them, and what the command `mekuri` prints."""
