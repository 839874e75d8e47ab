"""Settings, limits, budgets, metrics, logs, worker threads and responses, for every other room."""
