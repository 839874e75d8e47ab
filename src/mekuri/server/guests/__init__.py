"""The guest of a request, by its token or cookie."""
