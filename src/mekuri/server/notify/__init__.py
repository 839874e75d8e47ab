"""Notices to players who are not connected: web push and a webhook."""
