"""What travels between a server and its clients."""
