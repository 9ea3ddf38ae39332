"""Read-only SQLite access for assistants."""
