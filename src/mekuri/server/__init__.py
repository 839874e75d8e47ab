"""The server: tables of people and bots over HTTP, and the database that keeps their log."""
