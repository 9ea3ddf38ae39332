"""Cookie counts of a browser profile."""

from .count import Domain, census
from .store import StoreError, find

__all__ = ["Domain", "StoreError", "census", "find"]
