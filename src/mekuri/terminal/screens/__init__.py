"""The Textual screens: the menu, the tables and their windows, the rule book, the review and the help."""
