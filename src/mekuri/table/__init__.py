"""A table: its seats, the commands that change it, its time limits, its bots' turns and the events that each viewer gets.

The package uses neither a web server nor a database.
"""
