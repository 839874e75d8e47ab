"""The table server: matches of people and bots over HTTP, and the log that keeps them."""
