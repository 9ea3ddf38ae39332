"""Reading `git log`."""

import subprocess

FORMAT = "%an%x1f%ad"


def read(repo, since=None):
    command = ["git", "-C", repo, "log", "--date=short", f"--format={FORMAT}"]
    if since:
        command.append(f"--since={since}")
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        name, _, day = line.partition("\x1f")
        yield name, day


def per_author(entries):
    table = {}
    for name, day in entries:
        row = table.setdefault(name, {"commits": 0, "first": day, "last": day})
        row["commits"] += 1
        row["first"] = min(row["first"], day)
        row["last"] = max(row["last"], day)
    return table
