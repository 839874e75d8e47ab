"""What every game rests on: states, chance, the driver, the contract of a game. No game is named here."""
