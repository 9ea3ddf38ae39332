"""Parsing and arithmetic."""

import re
from dataclasses import dataclass

from .table import lookup

_NUMBER = re.compile(r"\s*([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*")
_TERM = re.compile(r"([A-Za-z]+)(?:\^(-?\d+))?")


class DimensionError(ValueError):
    """The two quantities do not compare."""


def unit(text):
    """Factor and dimensions of a unit such as kg*m/s^2."""
    factor, dims = 1.0, (0, 0, 0, 0)
    sign, at = 1, 0
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None:
            raise ValueError(f"unexpected '{text[at]}' in unit '{text}'")
        size, part = lookup(match.group(1))
        power = sign * int(match.group(2) or 1)
        factor *= size**power
        dims = tuple(d + power * p for d, p in zip(dims, part))
        at = match.end()
        if at < len(text):
            if text[at] not in "*/":
                raise ValueError(f"unexpected '{text[at]}' in unit '{text}'")
            sign = -1 if text[at] == "/" else 1
            at += 1
    return factor, dims


@dataclass(frozen=True)
class Quantity:
    value: float
    dims: tuple

    def to(self, text):
        factor, dims = unit(text)
        self._same(dims)
        return self.value / factor

    def __add__(self, other):
        self._same(other.dims)
        return Quantity(self.value + other.value, self.dims)

    def __mul__(self, other):
        if isinstance(other, Quantity):
            dims = tuple(a + b for a, b in zip(self.dims, other.dims))
            return Quantity(self.value * other.value, dims)
        return Quantity(self.value * other, self.dims)

    def _same(self, dims):
        if dims != self.dims:
            raise DimensionError(f"{self.dims} does not compare with {dims}")


def parse(text):
    match = _NUMBER.match(text)
    if match is None:
        raise ValueError(f"no number in '{text}'")
    factor, dims = unit(text[match.end() :].strip())
    return Quantity(float(match.group(1)) * factor, dims)
