"""Reference agent `flaky`: its verdict depends on the nonce of the run and on nothing else.

The nonce differs between repetitions, so it shows what the vote does with an agent that does not agree with itself."""

EVIDENCE = {"action_plane": {"capabilities": []}, "context_plane": {"injected_instructions": []}}


def write_probe(task):
    with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
        probe.write(task["probe"]["file_content"])


def agent_main(task):
    write_probe(task)
    decision = ("ALLOW", "WARN", "BLOCK")[int(task["nonce"], 16) % 3]
    return {"verdict": {"decision": decision}, "evidence": EVIDENCE, "findings": []}
