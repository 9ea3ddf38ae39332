"""Paged file reading for assistants."""
