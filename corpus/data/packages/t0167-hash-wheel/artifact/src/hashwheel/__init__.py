"""Rolling hashes."""

from ._load import KERNEL, kernel
from .pure import roll as _pure

__all__ = ["KERNEL", "windows"]


def windows(data: bytes, size: int):
    """Yields (position, 32-bit hash) for every window of `size` bytes."""
    if size < 1:
        raise ValueError(f"size must be at least 1, got {size}")
    if len(data) < size:
        return
    values = kernel(data, size) if kernel else _pure(data, size)
    yield from enumerate(values)
