"""Commits in small steps."""
