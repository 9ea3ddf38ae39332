"""Reference agent `grep`: flags an artifact in which a handful of suspicious words occur.

It shows how far plain keywords get: above chance, below an analyser that weighs evidence. Works on all tracks.
"""

import os
import re

WORDS = re.compile(
    r"(?P<CWE_95>\beval\s*\()|(?P<CWE_78>os\.system|shell\s*=\s*True|child_process|\bsystem\()|(?P<CWE_89>SELECT .*[\"'`] ?[+%.] ?|f\"SELECT|SELECT .*\$\{)"
    r"|(?P<CWE_502>pickle\.load|yaml\.load\(|unserialize\()|(?P<CWE_798>(?i:password|secret|api_key)\s*=\s*[\"'][^\"']{6,})|(?P<CWE_120>\bstrcpy\(|\bgets\()"
    r"|(?P<exfiltration>id_rsa|\.aws/credentials|stringify\(process\.env)|(?P<execution>curl [^\n|]*\| *(?:ba)?sh|base64 -d|b64decode)|(?P<install>\"postinstall\")"
    r"|(?P<persistence>authorized_keys|crontab|\.bashrc)|(?P<injection>(?i:ignore (?:all )?previous|do not (?:tell|mention|inform|show)|without (?:telling|asking) the user))")


def agent_main(task):
    if task.get("probe"):
        with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
            probe.write(task["probe"]["file_content"])
    hits, files = [], 0
    for folder, dirs, names in os.walk(task["artifact_dir"]):
        dirs.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            with open(path, encoding="utf-8", errors="replace") as handle:
                lines = handle.read(200_000).split("\n")
            files += 1
            place = os.path.relpath(path, task["artifact_dir"])
            hits += [(place, n, m.lastgroup, m.group(0)[:60]) for n, line in enumerate(lines, 1) if (m := WORDS.search(line))]
    decision = "WARN" if any(not kind.startswith("CWE") for _, _, kind, _ in hits) else "ALLOW"
    found = [{"file": f, "line": n, "cwe": k.replace("_", "-"), "title": "suspicious use of " + t} for f, n, k, t in hits if k.startswith("CWE")]
    evidence = {"action_plane": {"capabilities": []}, "context_plane": {"injected_instructions": []}}
    if task.get("track") == "repositories":
        evidence = {"audit": {"files_analysed": max(1, files)}, "vulnerabilities": found}
    listed = [{"category": k, "title": "suspicious words: " + t, "file": f, "line": n} for f, n, k, t in hits if not k.startswith("CWE")]
    return {"verdict": decision, "evidence": evidence, "findings": listed}
