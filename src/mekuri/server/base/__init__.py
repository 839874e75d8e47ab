"""What every other room needs: settings, limits, budgets, metrics, caches, streams of messages."""
