"""What an operator runs and reads: administration, backup, the state of the server."""
