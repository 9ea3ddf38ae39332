"""A sprint board for assistants."""
