"""The terminal: tables to play at, here or on a server, the menu of games, rule books, and printed results.

What the command needs: `home.home_app`, `local.solo_table`, `local.LocalPlay`, `online.join_table`, `online.make_table`,
`table.table_app`, `rules.rules_text`.
"""
