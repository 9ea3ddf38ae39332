"""Quantities with units."""

from .quantity import DimensionError, Quantity, parse

__all__ = ["DimensionError", "Quantity", "parse"]
