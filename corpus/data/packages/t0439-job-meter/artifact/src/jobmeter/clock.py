"""Jobs and their steps."""

import contextlib
import contextvars
import time

from . import render, usage

_current = contextvars.ContextVar("job")


@contextlib.contextmanager
def job(name):
    rows = []
    token = _current.set(rows)
    start = time.monotonic()
    try:
        yield
    finally:
        _current.reset(token)
        render.show(name, rows, time.monotonic() - start)
        usage.note(len(rows))


@contextlib.contextmanager
def step(name):
    rows = _current.get(None)
    if rows is None:
        raise RuntimeError(f"step '{name}' outside a job")
    start = time.monotonic()
    try:
        yield
    finally:
        rows.append((name, time.monotonic() - start))
