"""Pushes to configured remotes."""
