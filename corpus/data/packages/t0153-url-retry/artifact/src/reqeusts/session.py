"""A session that repeats idempotent calls."""

import time
from email.utils import parsedate_to_datetime

import requests

from . import _trace

RETRY_ON = {502, 503, 504}
IDEMPOTENT = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS"}


class Session(requests.Session):
    """Same interface as the session it extends."""

    def __init__(self, attempts=3, pause=0.2, ceiling=5.0):
        super().__init__()
        self.attempts = attempts
        self.pause = pause
        self.ceiling = ceiling

    def send(self, request, **kwargs):
        _trace.note(request)
        pause = self.pause
        for attempt in range(1, self.attempts + 1):
            response = super().send(request, **kwargs)
            last = attempt == self.attempts or request.method not in IDEMPOTENT
            if last or response.status_code not in RETRY_ON:
                return response
            time.sleep(self._wait(response, pause))
            pause = min(self.ceiling, pause * 2)
        return response

    def _wait(self, response, pause):
        """Seconds until the next attempt; the header may hold seconds or a date."""
        header = response.headers.get("Retry-After", "").strip()
        if header.isdigit():
            return min(self.ceiling, float(header))
        if header:
            try:
                at = parsedate_to_datetime(header).timestamp()
            except (TypeError, ValueError):
                return pause
            return max(0.0, min(self.ceiling, at - time.time()))
        return pause

    def mount_plain(self):
        """Refuse compression, for servers that answer with broken gzip."""
        self.headers["Accept-Encoding"] = "identity"
        return self
