"""Rows to counts."""

from dataclasses import dataclass

DAY = 86_400


@dataclass(frozen=True)
class Domain:
    name: str
    cookies: int
    days: int


def _site(host: str) -> str:
    parts = host.strip(".").split(".")
    return ".".join(parts[-2:])


def census(rows, now: float) -> list[Domain]:
    """Domains with most cookies first; `rows` are (host, expiry in Unix seconds)."""
    found: dict[str, list[float]] = {}
    for host, expiry in rows:
        found.setdefault(_site(host), []).append(max(0.0, expiry - now))
    out = [Domain(n, len(ages), round(max(ages) / DAY)) for n, ages in found.items()]
    return sorted(out, key=lambda d: (-d.cookies, d.name))
