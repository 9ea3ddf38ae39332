"""A review of tool servers for assistants."""
