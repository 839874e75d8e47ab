"""Rounds and matches as people play them: actions, views, ledger, records."""
