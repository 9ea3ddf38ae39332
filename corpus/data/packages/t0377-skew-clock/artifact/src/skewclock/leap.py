"""Leap seconds since 1972."""

import bisect
import time

from . import _table

STARTS = [start for start, _ in _table.ROWS]


def seconds_at(unix: float) -> int:
    """TAI - UTC in seconds at a Unix time."""
    at = bisect.bisect_right(STARTS, unix) - 1
    return _table.ROWS[at][1] if at >= 0 else 10


def _refresh(now: float) -> None:
    if now >= _table.EXPIRES:
        _table.extend()


_refresh(time.time())
