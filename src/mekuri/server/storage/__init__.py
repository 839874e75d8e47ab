"""The database: its tables, its stores, its one writer, and its clock."""
