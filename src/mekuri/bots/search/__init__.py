"""Search: try the actions of a seat in worlds that it may be in, and solve positions in which all cards lie open."""
