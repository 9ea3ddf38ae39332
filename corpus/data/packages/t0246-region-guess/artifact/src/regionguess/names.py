"""Zones and regions."""

import re

_ZONE = re.compile(r"^((?:[a-z]+-){2,3}\d+)[a-z]?$")
AREAS = {
    "eu": "Europe",
    "us": "North America",
    "ca": "North America",
    "sa": "South America",
    "ap": "Asia and Pacific",
    "me": "Middle East",
    "af": "Africa",
}


def of_zone(zone):
    match = _ZONE.match(zone)
    if match is None:
        raise ValueError(f"'{zone}' is no zone")
    return match.group(1)


def area(region):
    return AREAS.get(region.split("-", 1)[0], "unknown")
