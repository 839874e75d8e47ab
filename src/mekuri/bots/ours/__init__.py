"""The bots that play every game, a file each."""
