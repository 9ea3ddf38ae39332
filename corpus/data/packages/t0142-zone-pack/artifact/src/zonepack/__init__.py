"""Offsets of common time zones."""

from .rules import offset

__all__ = ["offset"]
