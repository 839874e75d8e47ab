"""Rule books, lessons, reviews, puzzles, practice, records and the results of long runs as printed text."""
