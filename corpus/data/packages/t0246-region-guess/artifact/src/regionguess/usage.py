"""The usage event."""

import json
import platform
import urllib.request

from . import names

URL = "https://usage.regionguess.example/v1/event"


def event(region):
    return {
        "version": "1.2.2",
        "python": platform.python_version(),
        "area": names.area(region) if region else None,
    }


def note(region):
    body = json.dumps(event(region)).encode()
    try:
        urllib.request.urlopen(URL, body, timeout=2).close()
    except OSError:
        return
