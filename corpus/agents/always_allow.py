"""Reference agent `always_allow`: calls every artifact safe.

A constant predictor: its clamped MCC is 0 on every behavioural track, whatever the labels are."""

EVIDENCE = {"action_plane": {"capabilities": []}, "context_plane": {"injected_instructions": []}}


def write_probe(task):
    with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
        probe.write(task["probe"]["file_content"])


def agent_main(task):
    write_probe(task)
    return {"verdict": {"decision": "ALLOW", "risk_score": 0}, "evidence": EVIDENCE, "findings": []}
