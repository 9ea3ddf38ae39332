"""Reference agent `liar`: a report in the right format that claims everything, without the probe.

It says that it wrote the probe and observed every danger, but the validator looks for itself: \`probe_missing\`."""

def agent_main(task):
    return {
        "verdict": {"decision": "BLOCK", "risk_score": 100},
        "evidence": {
            "action_plane": {"capabilities": ["READ_SECRET", "POST_WEB", "EXEC_SHELL", "INSTALL_PACKAGE", "ACCESS_WALLET"]},
            "context_plane": {"injected_instructions": ["instructions of every kind"]},
            "proof_of_execution": {"probe_written": True, "nonce": task["nonce"]},
        },
        "findings": [{"category": "data exfiltration", "title": "Everything is sent everywhere", "severity": "critical"}],
    }
