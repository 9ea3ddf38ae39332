#!/usr/bin/env python3
"""What must hold of a round of the bundled agents, whatever the draw: `check_demo_round.py DEMO_JSON RECORD`.

The arithmetic is the business of verify_record.py; this program looks at what the arithmetic is for.
"""

import json
import pathlib
import sys

# Agents that look at nothing, or that fail: none may ever earn.
WORTHLESS = ("always-allow", "always-block", "silent-auditor", "crasher", "spinner", "sleeper", "liar")
# How every repetition of an agent must end; None means that it completes.
ENDS = {
    "always-allow": {None}, "always-block": {None}, "silent-auditor": {None},
    "crasher": {"entrypoint_raised", "agent_wall_cap"},
    "spinner": {"cpu_budget_exceeded", "agent_wall_cap"},
    "sleeper": {"wall_backstop_exceeded", "agent_wall_cap"},
    "liar": {"probe_missing", "agent_wall_cap"},
}


def kind(name):
    return next((kind for kind in WORTHLESS if name.startswith(kind)), None)


def problems(demo, record):
    """One line per thing that should hold and does not."""
    if record["abstained"]:
        yield f"the round abstained: {record['abstained']['reason']}: {record['abstained']['detail']}"
        return
    names = {agent["hotkey"]: agent["name"] for agent in record["agents"]}
    missing = [worthless for worthless in WORTHLESS if not any(kind(name) == worthless for name in names.values())]
    if missing:
        yield f"the registry lacks {', '.join(missing)}"
    weighted = {uid for uid, _ in record["weights"]["u16"]}
    uids = record["weights_input"]["chain"]["registered"]
    for track, standing in record["tracks"].items():
        for agent in standing["agents"]:
            name = names[agent["hotkey"]]
            if kind(name) and (agent["share"] != 0 or agent["rank"] is not None or uids[agent["hotkey"]] in weighted):
                yield f"{name} earns: share {agent['share']}, rank {agent['rank']}"
            if kind(name) and track != "repositories" and agent["score"] != 0:
                yield f"{name} scores {agent['score']} on {track}; looking at nothing is worth 0"
        if track != "repositories" and any(standing["baselines"].values()):
            yield f"a baseline of {track} is not 0: {standing['baselines']}"
        if not any(agent["share"] > 0 for agent in standing["agents"]):
            yield f"nobody earns on {track}; the bundled analyser should"
    for run in record["runs"]:
        name, failure = names[run["hotkey"]], run["failure"]
        where = f"{name} {run['task_ref']} rep {run['rep']}"
        if kind(name) and failure not in ENDS[kind(name)]:
            yield f"{where} ended with {failure}"
        if failure is not None and run["attempt"] > 0 and not (run["message"] or run["detail"] or failure == "probe_missing"):
            yield f"{where} failed with {failure} but says nothing about it"
        if failure is None and run["usage"]["cpu_us"] == 0:
            yield f"{where} completed without any CPU time"
    if not record["submission"]["accepted"]:
        yield f"the chain refused the vector: {record['submission']['refusal']}"
    if demo["round_digest"] != record["round_digest"]:
        yield "the command printed another round digest than the record's"


def main():
    demo, record = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:3])
    found = list(problems(demo, record))
    for line in found:
        print(line)
    failed = sum(run["failure"] is not None for run in record["runs"])
    print(f"test-round: {len(record['agents'])} agents, {len(record['runs'])} runs ({failed} failed), "
          f"runtime {record['opening']['runtime']['source']}, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
