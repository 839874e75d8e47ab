"""What a request costs, what it may be, and what a client is answered that is refused."""
