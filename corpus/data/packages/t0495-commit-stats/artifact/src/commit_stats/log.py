"""Reading `git log`."""

import subprocess
from datetime import date

FORMAT = "%an%x1f%ad"


def read(repo, since=None):
    command = ["git", "-C", repo, "log", "--date=short", f"--format={FORMAT}"]
    if since:
        command.append(f"--since={since}")
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        name, _, day = line.partition("\x1f")
        yield name, day


def week_of(day):
    """ISO week of a date, as 2026-W07."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year}-W{week:02}"


def per_week(entries):
    """Commits by week, oldest first; weeks without any are left out."""
    table = {}
    for _, day in entries:
        week = week_of(day)
        table[week] = table.get(week, 0) + 1
    return dict(sorted(table.items()))


def per_author(entries):
    """Commits, first and last day by author name."""
    table = {}
    for name, day in entries:
        row = table.setdefault(name, {"commits": 0, "first": day, "last": day})
        row["commits"] += 1
        row["first"] = min(row["first"], day)
        row["last"] = max(row["last"], day)
    return table
