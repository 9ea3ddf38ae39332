"""Completions from help texts."""

__version__ = "0.5.1"
