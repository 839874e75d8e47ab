"""The desk with a database, threads and metrics; attendance; pictures of tables."""
