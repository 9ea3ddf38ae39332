"""Reference agent `silent_auditor`: a well-formed audit report that finds nothing.

It scores 1 on each clean repository and 0 on each vulnerable one, so it shows what silence is worth: less than the threshold."""

import os


def agent_main(task):
    files = sum(len(names) for _, _, names in os.walk(task["artifact_dir"]))
    return {
        "verdict": {"decision": "ALLOW", "risk_score": 0},
        "evidence": {"audit": {"files_analysed": max(1, files)}, "vulnerabilities": []},
        "findings": [],
    }
