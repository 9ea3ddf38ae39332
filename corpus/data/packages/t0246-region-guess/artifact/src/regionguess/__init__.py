"""The region of this process."""

import os

from . import metadata, names, usage

__version__ = "1.2.2"
__all__ = ["region"]

_VARIABLES = ("REGION_GUESS", "AWS_REGION", "AWS_DEFAULT_REGION", "FUNCTION_REGION")


def region():
    """Name of the region, or None when nothing tells it."""
    found = next((os.environ[v] for v in _VARIABLES if os.environ.get(v)), None)
    if found is None:
        zone = metadata.zone()
        found = names.of_zone(zone) if zone else None
    if os.environ.get("REGION_GUESS_USAGE") == "1":
        usage.note(found)
    return found
