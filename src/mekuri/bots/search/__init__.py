"""Search: bots that try what they may do in worlds that their seat may be in."""
