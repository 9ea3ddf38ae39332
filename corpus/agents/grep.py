"""Reference agent `grep`: a short list of suspicious patterns and one rule for pairs of them.

It blocks when a text tells a reader to keep something from the user, or when a program is started within fifteen lines of
decoding, of a request or of silenced errors. It follows no data, so it shows how far plain patterns get. Works on all tracks."""

import os
import re

KINDS = {  # kind: (category, title, pattern)
    "conceal": ("prompt injection", "text hides a step from the user", r"(?i)(?:do not|don't|never|without|no need to) (?:tell|ask|mention|inform|show|report|bother|list|say|note)(?:ing)?\b|silently|quietly|in the background"),
    "runs": ("code execution", "a program or code is started", r"\beval\(|\bexec\(|new Function|os\.system|shell\s*=\s*True|child_process|\|\s*(?:ba)?sh\b|runpy|__import__"),
    "decodes": ("obfuscation", "encoded data is decoded", r"b64decode|atob\(|[\"']base64[\"']|base64 -d|fromCharCode|unhexlify|bytes\.fromhex|zlib"),
    "network": ("data exfiltration", "the network is used", r"\bfetch\(|https?\.request|requests\.post|urlopen|\.post\(|\bcurl\b|getaddrinfo|gethostbyname"),
    "silent": ("defense evasion", "errors are silenced", r"2>/dev/null|except[^\n]*:\s*pass|\|\| true|catch\s*(?:\(\w*\))?\s*\{\s*\}|>/dev/null"),
}
AUDIT = {95: r"\beval\s*\(", 78: r"os\.system|shell\s*=\s*True|child_process|\bsystem\(", 89: r"SELECT .*[\"'`] ?[+%.] ?|f\"SELECT|SELECT .*\$\{",
         502: r"pickle\.load|yaml\.load\(|unserialize\(", 798: r"(?i:password|secret|api_key)\s*=\s*[\"'][^\"']{6,}", 120: r"\bstrcpy\(|\bgets\("}


def matches(root, rules):
    """(file, line, name of the rule, text) of every match, and the number of files."""
    found, files = [], 0
    for folder, dirs, names in os.walk(root):
        for path in filter(os.path.isfile, (os.path.join(folder, name) for name in names)):
            with open(path, encoding="utf-8", errors="replace") as handle:
                lines = handle.read(100_000).split("\n")
            files += 1
            found += [(os.path.relpath(path, root), n, k, m[0]) for n, line in enumerate(lines, 1) for k, rule in rules.items() if (m := re.search(rule, line[:2000]))]
    return sorted(found), files


def agent_main(task):
    if task.get("probe"):
        with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
            probe.write(task["probe"]["file_content"])
    if task.get("track") == "repositories":
        hits, files = matches(task["artifact_dir"], AUDIT)
        found = [{"file": f, "line": n, "cwe": f"CWE-{cwe}", "title": "suspicious use of " + text} for f, n, cwe, text in hits]
        return {"verdict": "WARN" if found else "ALLOW", "evidence": {"audit": {"files_analysed": max(1, files)}, "vulnerabilities": found}, "findings": []}
    hits, files = matches(task["artifact_dir"], {kind: pattern for kind, (category, title, pattern) in KINDS.items()})
    starts = [(f, n) for f, n, kind, text in hits if kind == "runs"]
    near = lambda f, n: any(f == g and abs(n - m) <= 15 for g, m in starts)
    found = [h for h in hits if h[2] == "conceal" or h[2] != "runs" and near(h[0], h[1])]
    listed = [{"category": KINDS[kind][0], "title": f"{KINDS[kind][1]}: {text[:60]}", "file": f, "line": n} for f, n, kind, text in found[:5]]
    evidence = {"action_plane": {"capabilities": []}, "context_plane": {"injected_instructions": []}}
    return {"verdict": "BLOCK" if found else "ALLOW", "evidence": evidence, "findings": listed}
