"""The messages between a table server and its clients, as structs that are encoded as JSON."""
