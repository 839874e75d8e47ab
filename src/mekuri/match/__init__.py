"""Rounds and matches with all their bookkeeping: actions, views, score sheets, the ledger, records and fair deals."""
