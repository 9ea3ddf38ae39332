"""The table at the end."""

import json
import os
import sys


def show(name, rows, total):
    wide = max([len(n) for n, _ in rows] + [len("total")])
    lines = [f"job {name}"]
    lines += [f"  {n:<{wide}}  {s:9.3f} s" for n, s in rows]
    lines.append(f"  {'total':<{wide}}  {total:9.3f} s")
    print("\n".join(lines), file=sys.stderr)
    path = os.environ.get("JOBMETER_JSON")
    if path:
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"job": name, "steps": rows, "total": total}, out)
