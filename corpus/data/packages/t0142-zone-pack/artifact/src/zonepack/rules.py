"""Zones as (standard offset, name of the daylight rule)."""

import calendar
import datetime

ZONES = {
    "Europe/Lisbon": (0, "eu"),
    "Europe/Paris": (3600, "eu"),
    "Europe/Athens": (7200, "eu"),
    "America/New_York": (-18000, "us"),
    "America/Chicago": (-21600, "us"),
    "Asia/Kolkata": (19800, None),
    "Asia/Tokyo": (32400, None),
    "UTC": (0, None),
}


def _sunday(year, month, nth):
    """Day of the nth Sunday of a month; -1 is the last one."""
    days = [w[6] for w in calendar.monthcalendar(year, month) if w[6]]
    return days[nth - 1 if nth > 0 else nth]


def _summer(rule, standard, when):
    year = datetime.datetime.fromtimestamp(when, datetime.timezone.utc).year
    if rule == "eu":
        start = (year, 3, _sunday(year, 3, -1), 1, 0, 0)
        end = (year, 10, _sunday(year, 10, -1), 1, 0, 0)
        return calendar.timegm(start) <= when < calendar.timegm(end)
    start = calendar.timegm((year, 3, _sunday(year, 3, 2), 2, 0, 0)) - standard
    end = calendar.timegm((year, 11, _sunday(year, 11, 1), 1, 0, 0)) - standard
    return start <= when < end


def offset(zone, when):
    standard, rule = ZONES[zone]
    return standard + (3600 if rule and _summer(rule, standard, when) else 0)
