"""The addresses of the server, and what each answers."""
