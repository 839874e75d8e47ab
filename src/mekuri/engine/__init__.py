"""The engine that all games share: states, chance, the driver, the contract of a game. It names no game."""
