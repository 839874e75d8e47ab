"""A table: seats, commands, refusals, windows, bots' turns, and what is told to whom. It knows neither a server nor a database."""
