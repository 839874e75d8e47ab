"""The terminal client: the Textual screens, and the text that the command `mekuri` prints.

Entry points for `mekuri.cli`: `home.home_app`, `local.solo_table`, `local.LocalPlay`, `online.join_table`, `online.make_table`,
`table.table_app`, `rules.rules_text`.
"""
