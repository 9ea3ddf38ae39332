"""PNG facts for assistants."""
