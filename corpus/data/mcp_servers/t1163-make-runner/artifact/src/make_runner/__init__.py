"""Declared project tasks for assistants."""
