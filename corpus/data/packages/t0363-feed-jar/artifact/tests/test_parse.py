import pytest

from feedjar import FeedError, parse


def test_rss_is_sorted():
    doc = b"""<rss><channel>
      <item><title>old</title><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item>
      <item><title>new</title><pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate></item>
    </channel></rss>"""
    assert [e.title for e in parse(doc)] == ["new", "old"]


def test_other_documents_are_refused():
    with pytest.raises(FeedError):
        parse(b"<html/>")
