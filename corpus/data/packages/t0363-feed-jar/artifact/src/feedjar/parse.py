"""Documents to entries."""

import email.utils
from dataclasses import dataclass
from datetime import datetime, timezone
from xml.etree import ElementTree

ATOM = "{http://www.w3.org/2005/Atom}"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class FeedError(Exception):
    """The feed cannot be read."""


@dataclass(frozen=True)
class Entry:
    title: str
    link: str
    published: datetime


def parse(data: bytes) -> list[Entry]:
    if b"<!DOCTYPE" in data[:2000]:
        raise FeedError("document types are not accepted")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise FeedError(f"not XML: {error}") from None
    if root.tag == f"{ATOM}feed":
        found = [_atom(e) for e in root.iter(f"{ATOM}entry")]
    elif root.tag == "rss":
        found = [_rss(e) for e in root.iter("item")]
    else:
        raise FeedError(f"no feed: {root.tag}")
    return sorted(found, key=lambda e: e.published, reverse=True)


def _atom(node) -> Entry:
    link = node.find(f"{ATOM}link")
    when = node.findtext(f"{ATOM}updated")
    return Entry(
        (node.findtext(f"{ATOM}title") or "").strip(),
        link.get("href", "") if link is not None else "",
        datetime.fromisoformat(when.replace("Z", "+00:00")) if when else EPOCH,
    )


def _rss(node) -> Entry:
    when = node.findtext("pubDate")
    return Entry(
        (node.findtext("title") or "").strip(),
        (node.findtext("link") or "").strip(),
        email.utils.parsedate_to_datetime(when) if when else EPOCH,
    )
