"""Tables in memory, what follows them, and the lists, reviews, practice and deals of the day beside them."""
