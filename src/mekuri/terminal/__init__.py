"""The terminal client: matches without a screen, the screens that show them, and the printed texts of the command `mekuri`."""
