"""Offset and jitter over a window of exchanges."""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Exchange:
    sent: float
    received: float
    replied: float
    returned: float

    @property
    def offset(self) -> float:
        return ((self.received - self.sent) + (self.replied - self.returned)) / 2

    @property
    def delay(self) -> float:
        return (self.returned - self.sent) - (self.replied - self.received)


class Estimator:
    """Keeps the last `window` exchanges; the one with the least delay decides."""

    def __init__(self, window: int = 16):
        if window < 1:
            raise ValueError(f"window must be at least 1, got {window}")
        self._items: deque[Exchange] = deque(maxlen=window)

    def add(self, sent, received, replied, returned) -> Exchange:
        item = Exchange(sent, received, replied, returned)
        if item.delay < 0:
            raise ValueError("the exchange ends before it begins")
        self._items.append(item)
        return item

    @property
    def best(self) -> Exchange:
        if not self._items:
            raise LookupError("no exchange yet")
        return min(self._items, key=lambda e: e.delay)

    @property
    def offset(self) -> float:
        return self.best.offset

    @property
    def jitter(self) -> float:
        ref = self.best.offset
        total = sum((e.offset - ref) ** 2 for e in self._items)
        return (total / len(self._items)) ** 0.5
