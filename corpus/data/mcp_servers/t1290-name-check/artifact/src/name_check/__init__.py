"""Look-alike names for assistants."""
