"""Infer the shape of CSV files."""

from .infer import Column, infer

__all__ = ["Column", "infer"]
__version__ = "0.6.0"
