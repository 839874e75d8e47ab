"""The terminal: tables to play at, the menu of games, rule books, and printed results.

What the command needs: `home.home_app`, `table.play_app`, `rules.rules_text`.
"""
