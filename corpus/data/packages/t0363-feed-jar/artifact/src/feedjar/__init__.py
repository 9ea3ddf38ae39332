"""RSS and Atom."""

import urllib.error
import urllib.request

from . import _session
from .parse import Entry, FeedError, parse

__all__ = ["Entry", "FeedError", "fetch", "parse"]


def fetch(url: str, timeout: float = 15.0) -> list[Entry]:
    """Entries of the feed at `url`, newest first."""
    request = urllib.request.Request(url, headers={"User-Agent": "feedjar/0.8"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as reply:
            return parse(reply.read(4_000_000))
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            _session.renew(url)
        raise FeedError(f"{url}: {error.code} {error.reason}") from error
