"""Commit statistics of a git repository."""

__version__ = "0.9.5"
