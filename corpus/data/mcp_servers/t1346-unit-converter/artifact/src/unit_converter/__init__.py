"""Unit conversion for assistants."""
